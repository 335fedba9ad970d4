"""What a migration costs at run time: requests to a server and to its migrated copy, in turns, over stdio.

    python -m benchmarks.speed [--pairs 400] [--sdk mcp1 mcp2]

Each line compares one request on both servers: the medians, the median of the paired ratios, and the interval that
holds 95 % of the medians of resampled pairs.  Both servers run all the time and are asked in turns, so that what else
the machine does falls on both alike; the load average is printed all the same.  The time on the clock is what a client
waits, its own reading included; the time on the processor is that of the server alone (Linux), and says more where
others use the machine.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pdmigrate.model import JsonObject
from pdmigrate.wire import Session, StdioTarget, connect
from pdmigrate.wire.stdio import StdioTransport
from tests.support.environments import MCP1, MCP2, environment

PINS = {"mcp1": MCP1, "mcp2": MCP2}
TOOLS = {"13 kB": 12, "40 kB": 37}
"""How many tools make a listing of about that size."""

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
    command = [sys.executable, "-m", "pdmigrate", "apply", str(folder / "after"), "--write", "--move", move]
    subprocess.run(command, check=True, capture_output=True)


class Asker:
    """One server that is asked the same again and again."""

    def __init__(self, session: Session, method: str, params: JsonObject | None) -> None:
        self._session, self._method, self._params = session, method, params
        self._pid = session.transport.pid if isinstance(session.transport, StdioTransport) else os.getpid()

    def ask(self) -> tuple[float, float]:
        """The seconds that one request takes: on the clock, and of the server on the processor."""
        start, used = time.perf_counter(), self._processor()
        self._session.request(self._method, self._params)
        waited = time.perf_counter() - start
        return waited, self._processor() - used

    def _processor(self) -> float:
        """The time that the server's threads have run; the kernel counts it in nanoseconds."""
        threads = Path(f"/proc/{self._pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


Times = tuple[list[float], list[float]]


def measure(one: Asker, other: Asker, pairs: int) -> tuple[Times, Times]:
    """Seconds on the clock, and on the processor, of each server, asked in turns; who is first changes every time."""
    clock: Times = ([], [])
    processor: Times = ([], [])
    for number in range(pairs + 20):
        order = ((one, 0), (other, 1)) if number % 2 else ((other, 1), (one, 0))
        for asker, which in order:
            waited, used = asker.ask()
            if number >= 20:  # the first ones warm both up
                clock[which].append(waited)
                processor[which].append(used)
    return clock, processor


def ratio(times: Times) -> str:
    """The median of the paired ratios, and its 95 % interval by resampling."""
    ratios = [new / old for old, new in zip(*times, strict=True) if old]
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(1000))
    return f"{statistics.median(ratios):.3f} ({medians[25]:.3f} to {medians[974]:.3f})"


def report(sdk: str, size: str, move: str, pairs: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder, sdk, TOOLS[size], move)
        interpreter = str(environment(PINS[sdk]))
        targets = [StdioTarget((interpreter, str(folder / name / "server.py"))) for name in ("before", "after")]
        with connect(targets[0]) as old, connect(targets[1]) as new:
            for session in (old, new):
                session.initialize()
            new.read_resource("resource:///tool_descriptions?tools=look_up_0")
            requests: dict[str, JsonObject] = {
                "tools/list": {},
                "tools/call": {"name": "look_up_0", "arguments": {"key": "a"}},
            }
            for method, params in requests.items():
                clock, processor = measure(Asker(old, method, params), Asker(new, method, params), pairs)
                where = "in files" if move == "literal" else "in code"
                yield f"| {sdk} | {size} | {where} | {method} | {ratio(clock)} | {ratio(processor)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--sdk", nargs="+", choices=list(PINS), default=list(PINS))
    options = parser.parse_args()
    _say(f"load average at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    _say("| SDK | listing | definitions | request | time on the clock | time on the processor |")
    _say("|---|---|---|---|---|---|")
    for sdk in options.sdk:
        for size in TOOLS:
            for move in ("literal", "none"):
                for line in report(sdk, size, move, options.pairs):
                    _say(line)
    _say(f"load average at the end: {os.getloadavg()[0]:.1f}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
