"""Starts programs of one environment without importing its SDK again and again: each is a fork of this process.

nursery.py SOCKET SERVER...

The servers are executed once as modules, so that everything that they need is imported, and then never again here.
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

LATE = (
    *("anyio._backends._asyncio", "burner_redis", "encodings.utf_8_sig", "jsonref", "jsonschema"),
    *("docket._redis_credentials", "docket._redis_memory", "docket._redis_sentinel", "docket.tasks"),
    *("fastmcp.apps.app", "fastmcp.server.middleware.tool_injection", "fastmcp.server.transforms.catalog"),
    *("fastmcp.server.providers.prefab_synthesis", "mcp.server.fastmcp", "mcp.server.sse", "mcp.server.stdio"),
    *("flit_core.buildapi", "hatchling.build", "pdm.backend", "setuptools.build_meta"),
    *("key_value.aio.adapters.pydantic", "key_value.aio.stores.memory"),
    *("mcp.client.sse", "mcp.client.stdio", "mcp.client.streamable_http", "mcp.shared.memory"),
    *("mcp.server.streamable_http_manager", "rich.padding", "rich.table", "starlette.routing"),
    *("uvicorn.lifespan.on", "uvicorn.loops.asyncio", "uvicorn.loops.auto"),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
)
"""What programs import only when they run or are asked something, where their environment has it."""


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
    address, *servers = sys.argv[1:]
    sys.path.insert(0, "")
    for server in servers:
        runpy.run_path(server, run_name="prepared")
    for name in LATE:
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
