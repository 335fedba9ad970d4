"""Stands for a program that a nursery runs: sprout.py SOCKET SCRIPT ARGUMENT...

The program has the standard streams of this process, ends when it does, and gives it its status.  Hundreds of these are
started: ``socket`` and ``json`` would take as long to import as the interpreter takes to start.
"""

from __future__ import annotations

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket

address, *command = sys.argv[1:]
connection = socket(AF_UNIX)
connection.connect(address)
what = {"command": command, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109 - pathlib takes longer to import
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
text = repr(what).encode() + b"\n"
sent = connection.sendmsg([text], [(SOL_SOCKET, SCM_RIGHTS, streams)])
connection.sendall(text[sent:])
for stream in (0, 1):
    os.close(stream)
status = connection.recv(1)
os._exit(status[0] if status else 1)
