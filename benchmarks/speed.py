"""What a migration costs at run time: requests to a server and to its migrated copy, in turns, over stdio.

    python -m benchmarks.speed [--rounds 8] [--pairs 100] [--sdk mcp1 mcp2]

Each line compares one request on both servers: the median of the paired ratios, and the interval that holds 95 % of the
medians of resampled rounds and pairs.  Both servers run all the time and are asked in turns, on one processor together
with this client, so that what else the machine does falls on both alike; in each round they are started anew, because
two processes of the very same program differ by some percent as long as they live.  How much that leaves is in the
lines that compare a server with itself.

The time on the clock is what a client waits.  The time on the processor is that of the server and of this client
reading the answer (Linux): what a client would wait if it and the server had the machine for themselves.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pdmigrate.live.wire import Session, StdioTarget, connect
from pdmigrate.live.wire.stdio import StdioTransport
from pdmigrate.model import JsonObject
from tests.support.environments import MCP1, MCP2, environment

PINS = {"mcp1": MCP1, "mcp2": MCP2}
TOOLS = (13, 38)
"""A listing of a little more than 10 kB, and one of 30 kB."""
WARMING = 15
"""Requests of a round that are not counted."""

_TEXT = (
    "Look up entry {n} of the register by its key. Use it whenever a question names a key of this part of the "
    "register; the other parts have tools of their own, with the same arguments.\\n\\nThe answer is the text of the "
    "entry. A key that is not in the register is answered with an empty text and not with an error. Keys are compared "
    "without case."
)
_SCHEMA = """{
        "type": "object",
        "properties": {
            "key": {"type": "string", "minLength": 1, "description": "The key, as it stands in the margin."},
            "part": {"type": "string", "enum": ["names", "places", "ships"], "description": "Where to look."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "At most."},
            "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        },
        "required": ["key"],
    }"""
_SERVERS = {
    "mcp1": """import asyncio

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

server = Server("register")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [{tools}]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=name)]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
""",
    "mcp2": """import asyncio

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server


async def list_tools(context, params) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[{tools}])


async def call_tool(context, params) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=params.name)])


server = Server("register", on_list_tools=list_tools, on_call_tool=call_tool)


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
""",
}


def source(sdk: str, tools: int) -> str:
    """A server that lists so many tools, each a literal."""
    schema = "inputSchema" if sdk == "mcp1" else "input_schema"
    calls = [
        f'types.Tool(name="look_up_{n}", description="{_TEXT.format(n=n)}", {schema}={_SCHEMA})' for n in range(tools)
    ]
    return _SERVERS[sdk].replace("{tools}", ", ".join(calls))


def prepare(folder: Path, sdk: str, tools: int, move: str) -> None:
    """The server in ``before``, and what ``apply`` makes of it in ``after``."""
    (folder / "before").mkdir()
    (folder / "before" / "server.py").write_text(source(sdk, tools), encoding="utf-8")
    (folder / "before" / "requirements.txt").write_text(f"mcp{'<2' if sdk == 'mcp1' else '>=2'}\n", encoding="utf-8")
    shutil.copytree(folder / "before", folder / "after")
    command = [sys.executable, "-m", "pdmigrate", "apply", str(folder / "after"), "--write", "--all", "--move", move]
    subprocess.run(command, check=True, capture_output=True)


class Asker:
    """One server that is asked the same again and again."""

    def __init__(self, session: Session, method: str, params: JsonObject) -> None:
        self._session, self._method, self._params = session, method, params
        self._pid = pid_of(session)

    def ask(self) -> Times:
        """The seconds that one request takes."""
        clock, server, client = time.perf_counter(), _processor(self._pid), time.process_time()
        self._session.request(self._method, self._params)
        waited, reading = time.perf_counter() - clock, time.process_time() - client
        used = _processor(self._pid) - server
        return Times(waited, used, used + reading)


@dataclass(frozen=True)
class Times:
    """On the clock; of the server on the processor; of server and client on the processor."""

    clock: float
    server: float
    both: float


@dataclass
class Compared:
    """The times of one request before and after, by round."""

    rounds: list[list[tuple[Times, Times]]] = field(default_factory=list)

    def ratio(self, what: str) -> str:
        """The median of the paired ratios, and its 95 % interval by resampling rounds, and pairs within them."""
        ratios = [[getattr(new, what) / getattr(old, what) for old, new in pairs] for pairs in self.rounds]
        chance = random.Random(1)
        medians = sorted(statistics.median(_resampled(ratios, chance)) for _ in range(1000))
        middle = statistics.median([ratio for pairs in ratios for ratio in pairs])
        return f"{middle:.3f} ({medians[25]:.3f} to {medians[974]:.3f})"

    def typical(self) -> str:
        """The median times of server and client on the processor."""
        olds, news = zip(*(pair for pairs in self.rounds for pair in pairs), strict=True)
        old, new = (statistics.median(times.both for times in side) * 1000 for side in (olds, news))
        return f"{old:.2f} ms, then {new:.2f} ms"


def _resampled(rounds: list[list[float]], chance: random.Random) -> list[float]:
    return [ratio for pairs in chance.choices(rounds, k=len(rounds)) for ratio in chance.choices(pairs, k=len(pairs))]


def _processor(pid: int) -> float:
    """The time that the threads of a process have run; the kernel counts it in nanoseconds."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def pid_of(session: Session) -> int:
    if not isinstance(session.transport, StdioTransport):
        raise TypeError("only servers over stdio are measured")
    return session.transport.pid


def measure(one: Asker, other: Asker, pairs: int) -> list[tuple[Times, Times]]:
    """The times of both, asked in turns; who is first changes every time."""
    found: list[tuple[Times, Times]] = []
    for number in range(pairs + WARMING):
        if number % 2:
            old, new = one.ask(), other.ask()
        else:
            new, old = other.ask(), one.ask()
        if number >= WARMING:
            found.append((old, new))
    return found


def compare(sdk: str, folders: tuple[Path, Path], rounds: int, pairs: int) -> tuple[int, dict[str, Compared]]:
    """The size of the listing of the first, and each request on both."""
    interpreter = str(environment(PINS[sdk]))
    targets = [StdioTarget((interpreter, str(folder / "server.py"))) for folder in folders]
    requests: dict[str, JsonObject] = {
        "tools/list": {},
        "tools/call": {"name": "look_up_0", "arguments": {"key": "a"}},
    }
    found = {method: Compared() for method in requests}
    size = 0
    for _ in range(rounds):
        with connect(targets[0], timeout=120) as old, connect(targets[1], timeout=120) as new:
            for session in (old, new):
                session.initialize()
                os.sched_setaffinity(pid_of(session), os.sched_getaffinity(0))
            if new.server.get("instructions"):  # it has been migrated
                new.read_resource("resource:///tool_descriptions?tools=look_up_0")
            size = len(json.dumps(old.request("tools/list"), ensure_ascii=False, separators=(",", ":")))
            for method, params in requests.items():
                found[method].rounds.append(measure(Asker(old, method, params), Asker(new, method, params), pairs))
    return size, found


def report(sdk: str, tools: int, move: str | None, rounds: int, pairs: int) -> Iterator[str]:
    """The lines of one table: ``move`` is where definitions go, None for no migration at all."""
    where = {"literal": "in files", "none": "in code", None: "(no migration)"}[move]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder, sdk, tools, move or "none")
        after = folder / ("after" if move else "before")
        size, found = compare(sdk, (folder / "before", after), rounds, pairs)
        for method, compared in found.items():
            figures = " | ".join(compared.ratio(what) for what in ("both", "server", "clock"))
            yield f"| {sdk} | {size / 1000:.1f} kB | {where} | {method} | {figures} | {compared.typical()} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--sdk", nargs="+", choices=list(PINS), default=list(PINS))
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    _say(f"load average at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    _say("| SDK | listing | definitions | request | server and client | server | clock | server and client |")
    _say("|---|---|---|---|---|---|---|---|")
    for sdk in options.sdk:
        for tools, move in ((TOOLS[0], None), *((tools, move) for tools in TOOLS for move in ("literal", "none"))):
            for line in report(sdk, tools, move, options.rounds, options.pairs):
                _say(line)
    _say(f"load average at the end: {os.getloadavg()[0]:.1f}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
