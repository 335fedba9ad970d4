"""Runs programs of several files for real, each in a process of its own, on classes that stand for those of the SDK."""

from __future__ import annotations

import asyncio  # noqa: F401 - loaded once for all programs
import json
import os
import pkgutil  # noqa: F401
import re
import runpy
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.fuzz.encoding import encode

ENVIRONMENTS: tuple[dict[str, str], ...] = (
    {},
    {"PD_A": "x"},
    {"PD_B": "1", "PLATFORM": "win32"},
    {"PD_A": "", "LIBRARY": "1"},
)
"""``PLATFORM`` is what ``sys.platform`` says; with ``LIBRARY``, one that a program may import is there."""
SECONDS = 10


OTHERS, ORDER = "no others", "the order"
"""Claims of all tools, beside those of each."""


def is_one(source: str) -> bool:
    """Whether a text is such a program."""
    return bool(re.match(r"\s*['\"]+== start ", source))


def split(source: str) -> tuple[str, dict[str, str]]:
    """How a program is started, and its files."""
    _, *parts = re.split(r"(?m)^['\"]+== ([^'\"]+)['\"]+\n", source)
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    (start,) = (name for name in found if name.startswith("start "))
    return start.removeprefix("start "), {path: text for path, text in found.items() if path != start}


def written(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a program below a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


class Listing:
    """What both classes of servers do: they tell what they list, and that is the end of the program."""

    tell: Callable[[Mapping[str, Any]], None]

    def __init__(self, _name: str) -> None:
        self.tools: dict[str, str] = {}

    def answer(self) -> None:
        said = {name: encode(text) for name, text in self.tools.items()}
        there = {f"{name} is there": encode(True) for name in self.tools}
        type(self).tell({**said, **there, ORDER: encode([*self.tools])})


class FastMCP(Listing):
    def tool(self, description: str | None = None) -> Callable[[Any], Any]:
        def wrap(function: Any) -> Any:
            self.tools.setdefault(function.__name__, description or function.__doc__ or "")
            return function

        return wrap

    def run(self) -> None:
        self.answer()


class Server(Listing):
    def list_tools(self) -> Callable[[Any], Any]:
        def wrap(function: Any) -> Any:
            self.handler = function
            return function

        return wrap

    def create_initialization_options(self) -> None:
        return None

    async def run(self, *_: object) -> None:
        self.tools = {tool.name: tool.description for tool in await self.handler()}
        self.answer()


@asynccontextmanager
async def stdio_server() -> Any:
    yield None, None


def listed(start: str, files: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, Any]:
    """What the server of a program lists; ``error`` if the program ends, or does not, without one that runs."""
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder), files)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            _start(start, Path(folder), environment, writing)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
    found: dict[str, Any] = json.loads(said) if said else {"error": "it was stopped"}
    return found


def _start(start: str, folder: Path, environment: Mapping[str, str], writing: int) -> None:
    def tell(said: Mapping[str, Any]) -> None:
        os.write(writing, json.dumps(said).encode())
        os._exit(0)

    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        Listing.tell = tell
        _prepare(environment)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        if start.endswith(".py"):
            runpy.run_path(start, run_name="__main__")
        else:
            runpy.run_module(start, run_name="__main__", alter_sys=True)
        tell({"error": "no server runs"})
    except BaseException as error:  # noqa: BLE001 - whatever the program raises is its result
        tell({"error": f"{type(error).__name__}: {error}"})


def _prepare(environment: Mapping[str, str]) -> None:
    """Make the SDK, and what the environment has, in a process that is about to be a program."""
    sys.dont_write_bytecode = True
    for name in ("PD_A", "PD_B"):
        os.environ.pop(name, None)
    os.environ.update({name: value for name, value in environment.items() if name.startswith("PD_")})
    sys.platform = environment.get("PLATFORM", sys.platform)
    has: dict[str, dict[str, Any]] = {
        "mcp": {},
        "mcp.types": {"Tool": types.SimpleNamespace},
        "mcp.server": {"Server": Server},
        "mcp.server.fastmcp": {"FastMCP": FastMCP},
        "mcp.server.stdio": {"stdio_server": stdio_server},
        **({"maybe_there": {}} if "LIBRARY" in environment else {}),
    }
    for name, members in has.items():
        module = sys.modules[name] = types.ModuleType(name)
        module.__dict__.update(members)
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, module)
