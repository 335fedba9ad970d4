"""Starts programs of one environment without importing its SDK again and again: each is a fork of this process.

nursery.py SOCKET MODULE...

What ``sprout.py`` sends over the socket is started: a script with its arguments, ``-m MODULE`` or ``-c CODE``, where
``-B`` may stand before it, with the standard streams that come along.
The end of its own standard input ends the nursery.
"""

from __future__ import annotations

import array
import ast
import contextlib
import gc
import importlib
import os
import runpy
import select
import socket
import sys
import threading
import traceback
from pathlib import Path
from typing import Any


def receive(connection: socket.socket) -> tuple[Any, list[int]]:
    """What is to be started, and the standard streams that it gets."""
    streams = array.array("i")
    text, ancillary, _, _ = connection.recvmsg(65536, socket.CMSG_SPACE(3 * streams.itemsize))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            streams.frombytes(data)
    while not text.endswith(b"\n"):
        text += connection.recv(65536)
    return ast.literal_eval(text.decode()), list(streams)


def run(connection: socket.socket) -> None:
    """In the fork: run the script until it ends, or until who asked for it is gone."""
    what, streams = receive(connection)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    os.environ.clear()
    os.environ.update(what["environment"])
    os.chdir(what["folder"])
    sys.path[1:1] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    status = 0
    try:
        execute(what["command"])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
        if not isinstance(left.code, (int, type(None))):
            sys.stderr.write(f"{left.code}\n")
    except BaseException:  # noqa: BLE001 - as an interpreter does, however a program ends
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    connection.send(bytes([status & 255]))
    os._exit(0)  # to take down what was imported would take as long as to import it


def execute(command: list[str]) -> None:
    """What an interpreter does with these arguments."""
    first, *rest = command
    sys.dont_write_bytecode = first == "-B" or bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if first == "-B":
        first, *rest = rest
    if first == "-m":
        sys.argv = rest
        sys.path[0] = str(Path.cwd())
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        sys.path[0] = ""
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    else:
        sys.argv = [first, *rest]
        sys.path[0] = str(Path(first).parent.resolve())
        runpy.run_path(first, run_name="__main__")


def _end_with(connection: socket.socket) -> None:
    connection.recv(1)
    os._exit(1)


def main() -> None:
    gc.disable()  # what is started here ends soon: to look for cycles takes a fifth of its time
    address, *modules = sys.argv[1:]
    sys.path.insert(0, "")
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if threading.active_count() > 1:
        raise SystemExit("a thread was started by an import: forks of this process would do without it")
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    continue
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                run(connection)
            connection.close()


main()
