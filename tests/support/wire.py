"""Run in an environment with a real SDK by ``sent.py``: what each of many small servers answers to ``tools/list``.

Reads ``{"name": {"files": {...}, "start": [...]}, ...}`` from standard input.  ``start`` is what follows ``python``: a
file, ``-m`` and a module, or the arguments of ``fastmcp``.  Writes ``{"name": [tool, ...]}``, with the tools of all
pages, or why there is no answer as a text.  Every server runs in a fork of this process, which has imported the modules
that its arguments name: to import an SDK takes longer than to run a server.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

SECONDS, PAGES = 60, 20
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}


def serve(folder: Path, start: list[str], log: Path) -> None:
    """Become the server; standard input and output are connected already."""
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), 2)
    os.chdir(folder)
    sys.stdin, sys.stdout = os.fdopen(0, encoding="utf-8"), os.fdopen(1, "w", encoding="utf-8")
    try:
        if start[0] == "fastmcp":
            sys.argv = start
            import_module("fastmcp.cli").app()
        elif start[0] == "-m":
            sys.argv, sys.path[0] = start[1:], str(folder)
            runpy.run_module(start[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv, sys.path[0] = start, str((folder / start[0]).parent)
            runpy.run_path(start[0], run_name="__main__")
    except BaseException:  # noqa: BLE001 - whatever ends the server is the answer
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)


def answer(folder: Path, start: list[str]) -> Any:
    """What the server answers: its tools, or the last line that it said before it ended."""
    log = folder.with_suffix(".log")
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(to_read, 0)
        os.dup2(from_write, 1)
        for end in (to_read, to_write, from_read, from_write):
            os.close(end)
        serve(folder, start, log)
    os.close(to_read)
    os.close(from_write)
    try:
        _send(to_write, "initialize", CLIENT, 0)
        _send(to_write, "notifications/initialized")
        found = _listed(to_write, from_read)
        return _said(log) if found is None else found
    finally:
        os.close(to_write)
        os.close(from_read)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _send(stream: int, method: str, params: Any = None, number: int | None = None) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    if number is not None:
        message["id"] = number
    with suppress(BrokenPipeError):
        os.write(stream, json.dumps(message).encode() + b"\n")


def _listed(to_write: int, from_read: int) -> Any:
    """The tools of all pages, or the refusal of one; nothing if there is no answer."""
    tools: list[Any] = []
    params: dict[str, str] = {}
    for number in range(1, PAGES):
        _send(to_write, "tools/list", params, number)
        found = _answered(from_read, number)
        if found is None:
            return None
        if "result" not in found:
            return f"refused: {found['error']['message']}"
        tools += found["result"]["tools"]
        if "nextCursor" not in found["result"]:
            break
        params = {"cursor": found["result"]["nextCursor"]}
    return tools


def _answered(stream: int, number: int) -> Any:
    end, text = time.monotonic() + SECONDS, b""
    while select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
        read = os.read(stream, 65_536)
        text += read
        for line in text.split(b"\n")[:-1]:
            with suppress(ValueError):
                found = json.loads(line)
                if isinstance(found, dict) and found.get("id") == number:
                    return found
        if not read:
            return None
    return None


def _said(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    return "ended: " + next((line for line in reversed(lines) if line.strip()), "nothing said")


def main() -> None:
    cases = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    for name in sys.argv[1:]:
        with suppress(ImportError):
            import_module(name)
    gc.disable()
    gc.freeze()
    answers = {}
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, case) in enumerate(cases.items()):
            folder = Path(scratch) / str(number)
            for path, source in case["files"].items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(source.encode())
            answers[name] = answer(folder, case["start"])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
