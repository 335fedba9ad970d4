"""Stands for a program that a nursery runs: sprout.py SOCKET SCRIPT ARGUMENT...

The program has the standard streams of this process, ends when it does, and gives it its status.
"""

from __future__ import annotations

import array
import json
import os
import socket
import sys

address, *command = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(address)
    what = {"command": command, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109 - pathlib takes longer to import
    streams = array.array("i", (0, 1, 2))
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)
    text = json.dumps(what).encode() + b"\n"
    sent = connection.sendmsg([text], [rights])
    connection.sendall(text[sent:])
    for stream in (0, 1):
        os.close(stream)
    status = connection.recv(1)
    os._exit(status[0] if status else 1)
