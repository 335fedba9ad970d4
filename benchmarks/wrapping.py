"""Servers from npm and PyPI, wrapped, against the same servers unwrapped: message by message, without a network.

    python -m benchmarks.wrapping [--only NAME ...] [--calls 200] [--json FILE]

Each server is fetched once into ``.cache/wrapping`` by the clients of the two indexes, which have to be there, and is
started as its users start it.  What passes through must be equal but for what disclosure changes: two fields of each
listed tool, the instructions, one resource and its template, one tool.  Then ``pdmigrate verify`` tests the wrapped
server.  A call's time is the median of an official client's calls of a tool that does nothing, in pairs, unwrapped and
wrapped; the memory is that of the wrapper's own process.  Exit status 1 when a message differs or a criterion fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.environments import environment
from tests.wrap.talking import HELLO, Client, Json

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "wrapping"
OFFLINE = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
ADDRESS = "resource:///tool_descriptions"


@dataclass(frozen=True)
class Published:
    """A server of an index: ``packages`` are installed, ``command`` is run in a folder of its own."""

    name: str
    index: str
    packages: tuple[str, ...]
    command: str
    call: tuple[str, Json]
    """A tool that may be called, and arguments with which it does nothing."""
    why: str
    env: dict[str, str] = field(default_factory=dict)
    more: tuple[tuple[str, Json], ...] = ()
    """Calls that make the server ask its client, report progress or change its list; all that comes is compared."""


SERVERS = (
    Published(
        "server-everything",
        "npm",
        ("@modelcontextprotocol/server-everything@2026.8.31",),
        "mcp-server-everything stdio",
        ("echo", {"message": "x"}),
        "TypeScript; elicits, reports progress, asks for roots, changes its list, declares tasks",
        more=(
            ("trigger-elicitation-request", {}),
            ("get-roots-list", {}),
            ("trigger-long-running-operation", {"duration": 1, "steps": 3}),
            ("get-structured-content", {"location": "Chicago"}),
        ),
    ),
    Published(
        "server-filesystem",
        "npm",
        ("@modelcontextprotocol/server-filesystem@2026.8.31",),
        "mcp-server-filesystem .",
        ("list_allowed_directories", {}),
        "TypeScript; asks for roots",
    ),
    Published(
        "server-memory",
        "npm",
        ("@modelcontextprotocol/server-memory@2026.8.31",),
        "mcp-server-memory",
        ("read_graph", {}),
        "TypeScript",
    ),
    Published(
        "server-sequential-thinking",
        "npm",
        ("@modelcontextprotocol/server-sequential-thinking@2026.8.31",),
        "mcp-server-sequential-thinking",
        ("sequentialthinking", {}),
        "TypeScript; one tool with a long text",
    ),
    Published(
        "playwright",
        "npm",
        ("@playwright/mcp@0.0.83",),
        "playwright-mcp",
        ("browser_click", {}),
        "TypeScript; a browser",
    ),
    Published(
        "context7",
        "npm",
        ("@upstash/context7-mcp@4.1.1",),
        "context7-mcp",
        ("resolve-library-id", {}),
        "TypeScript; long texts",
    ),
    Published(
        "mcp-server-git",
        "pypi",
        ("mcp-server-git==2026.10.19", "mcp==2.3.0"),
        "mcp-server-git",
        ("git_status", {}),
        "mcp 2.x",
    ),
    Published(
        "mcp-server-sqlite",
        "pypi",
        ("mcp-server-sqlite==2025.4.25", "mcp==1.30.0"),
        "mcp-server-sqlite --db-path x.db",
        ("list_tables", {}),
        "mcp 1.x; resources and prompts of its own; announces changes",
    ),
    Published(
        "excel-mcp-server",
        "pypi",
        ("excel-mcp-server==2.2.2", "mcp==2.3.0"),
        "excel-mcp-server stdio",
        ("describe_workbook", {}),
        "46 tools",
    ),
    Published(
        "canvas-mcp",
        "pypi",
        ("canvas-mcp==1.16.0",),
        "canvas-mcp-server",
        ("get_syllabus", {}),
        "fastmcp 4; 115 tools",
        {
            "CANVAS_API_TOKEN": "made-up",
            "CANVAS_ALLOW_INSECURE_HTTP": "true",
            "CANVAS_API_URL": "http://127.0.0.1:9/api/v1",
        },
    ),
    Published(
        "mcp-simple-pagination",
        "example",
        ("mcp==1.30.0",),
        "mcp_simple_pagination.server",
        ("tool_1", {}),
        "an example of the SDK; lists in pages of five",
    ),
)


@dataclass(frozen=True)
class Row:
    """What was found for one server."""

    name: str
    why: str
    tools: int
    messages: int
    differences: list[str]
    verify: str
    plain_ms: float
    wrapped_ms: float
    megabytes: float


def main() -> int:
    """Run what the command line asks for and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[one.name for one in SERVERS])
    parser.add_argument("--calls", type=int, default=200, metavar="N", help="calls of which a time is the median")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every difference there")
    given = parser.parse_args()
    rows = []
    for server in SERVERS:
        if not given.only or server.name in given.only:
            rows.append(measured(server, given.calls))
            _say(_line(rows[-1]))
    if given.json is not None:
        given.json.write_text(json.dumps([row.__dict__ for row in rows], indent=1), encoding="utf-8")
    return 1 if any(row.differences or not row.verify.startswith("8/8") for row in rows) else 0


def measured(server: Published, calls: int) -> Row:
    """Wrap one server and compare."""
    home = CACHE / server.name
    plain = _installed(server, home)
    folder = home / "wrapped"
    _run([sys.executable, "-m", "pdmigrate", "wrap", str(folder), "--command", shlex.join(plain)], server, home)
    wrapped = [*OFFLINE, sys.executable, str(folder / "server.py")]
    before = [*conversation(plain, server, home)]
    after = [*conversation(wrapped, server, home)]
    differences = [*_differences(before, after)]
    definitions, fetched = _definitions(plain, server, home), _fetched(wrapped, server, home)
    differences += [f"definition of {name}" for name in definitions if fetched.get(name) != definitions[name]]
    verified = _verified(wrapped, plain, server, home)
    plain_ms, wrapped_ms = _times([*OFFLINE, *plain], wrapped, server, home, calls)
    memory = _memory(wrapped, server, home)
    return Row(
        server.name, server.why, len(definitions), len(before), differences, verified, plain_ms, wrapped_ms, memory
    )


def _installed(server: Published, home: Path) -> list[str]:
    """The command of a server that is installed below ``home``."""
    (home / "scratch").mkdir(parents=True, exist_ok=True)
    if server.index == "example":
        return [str(environment((*server.packages, "click"))), "-c", _example(server, home)]
    if server.index == "pypi":
        folder = environment(server.packages).parent
    else:
        folder = home / "node_modules" / ".bin"
        if not folder.is_dir():
            install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *server.packages]
            subprocess.run(install, check=True, capture_output=True, timeout=300)
    program, *arguments = shlex.split(server.command)
    return [str(folder / program), *arguments]


def _example(server: Published, home: Path) -> str:
    """A program that runs an example of the SDK's source distribution, which is unpacked below ``home``."""
    if not (source := home / "source").is_dir():
        download = ["python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(home)]
        subprocess.run([*download, *server.packages], check=True, capture_output=True, timeout=300)
        (archive,) = home.glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            inner = f"/examples/servers/{server.name.removeprefix('mcp-')}/"
            for member in opened.getmembers():
                if member.isfile() and inner in f"/{member.name}":
                    member.name = member.name.partition(inner[1:])[2]
                    opened.extract(member, source, filter="data")
    return f"import sys; sys.path.insert(0, {str(source)!r}); from {server.command} import main; main()"


def _run(command: Sequence[str], server: Published, home: Path) -> str:
    done = subprocess.run(
        [*OFFLINE, *command],
        cwd=home / "scratch",
        env={**os.environ, **server.env, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{shlex.join(command)}: {done.stderr}")
    return done.stdout


def _client(command: Sequence[str], server: Published, home: Path) -> Client:
    offline = [] if command[0] == OFFLINE[0] else OFFLINE
    return Client([*offline, *command], cwd=home / "scratch", **server.env)


def conversation(command: Sequence[str], server: Published, home: Path) -> Iterator[tuple[str, Any]]:
    """What one session gets, in order, each with what was asked."""
    talking = _client(command, server, home)
    tool, arguments = server.call
    try:
        yield "initialize", talking.ask("initialize", HELLO)
        talking.send({"method": "notifications/initialized"})
        time.sleep(1)
        yield "tools/list", {"result": {"tools": talking.tools()}}
        talking.ask("resources/read", {"uri": f"{ADDRESS}?tools={tool}"})
        for method, params in (
            ("tools/call", {"name": tool, "arguments": arguments}),
            ("tools/call", {"name": "not a tool of it", "arguments": {}}),
            ("resources/list", {}),
            ("resources/templates/list", {}),
            ("resources/read", {"uri": "file:///nowhere"}),
            ("prompts/list", {}),
            (
                "completion/complete",
                {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}},
            ),
            ("logging/setLevel", {"level": "warning"}),
            ("ping", None),
            ("of/another/version", {"with": {"odd": [None]}}),
        ):
            yield method, talking.ask(method, params)
        names = ",".join(name for name, _ in server.more)
        talking.ask("resources/read", {"uri": f"{ADDRESS}?tools={names}"})
        for number, (name, given) in enumerate(server.more):
            called = {"name": name, "arguments": given, "_meta": {"progressToken": f"p{number}"}}
            yield f"tools/call {name}", talking.ask("tools/call", called)
        yield "by itself", [message for message in talking.got if "method" in message]
    finally:
        talking.close()


def _differences(before: Sequence[tuple[str, Any]], after: Sequence[tuple[str, Any]]) -> Iterator[str]:
    for (what, plain), (_, ours) in zip(before, after, strict=True):
        if _plain(what, plain) != _plain(what, ours):
            yield f"{what}: {json.dumps(_plain(what, plain))[:300]} -> {json.dumps(_plain(what, ours))[:300]}"


def _plain(what: str, message: Any) -> Any:
    """A message without what disclosure adds to it, and without the fields that it changes."""
    if not isinstance(message, dict):
        return message
    message = {**message, "id": None}
    result = message.get("result")
    if what in ("resources/list", "resources/templates/list"):
        key = "resources" if what == "resources/list" else "resourceTemplates"
        own = result if isinstance(result, dict) else {}  # without resources of its own, a server refuses to list any
        message = {"result": {**own, key: [one for one in own.get(key, []) if ADDRESS not in json.dumps(one)]}}
    if what == "tools/list" and isinstance(result, dict):
        kept = [tool for tool in result["tools"] if not tool["name"].endswith("describe_tools")]
        message["result"] = {**result, "tools": [{**tool, "description": "", "inputSchema": {}} for tool in kept]}
    if what == "initialize" and isinstance(result, dict):
        capabilities = {"resources": {}, **result["capabilities"]}
        message["result"] = {**result, "capabilities": capabilities, "instructions": ""}
    return message


def _definitions(command: Sequence[str], server: Published, home: Path) -> dict[str, Json]:
    talking = _client(command, server, home)
    try:
        talking.ask("initialize", HELLO)
        talking.send({"method": "notifications/initialized"})
        time.sleep(1)
        return {tool["name"]: tool for tool in talking.tools()}
    finally:
        talking.close()


def _fetched(command: Sequence[str], server: Published, home: Path) -> dict[str, Json]:
    """The definitions that a wrapped server serves, without what a fetch adds to them."""
    talking = _client(command, server, home)
    found: dict[str, Json] = {}
    try:
        talking.ask("initialize", HELLO)
        talking.send({"method": "notifications/initialized"})
        time.sleep(1)
        stubs = {tool["name"]: tool for tool in talking.tools() if not tool["name"].endswith("describe_tools")}
        names = [*stubs]
        for start in range(0, len(names), 20):
            found |= talking.fetch(*names[start : start + 20])
    finally:
        talking.close()
    return {
        name: {key: value for key, value in tool.items() if key in stubs[name] or key in ("description", "inputSchema")}
        for name, tool in found.items()
    }


def _verified(command: Sequence[str], plain: Sequence[str], server: Published, home: Path) -> str:
    """How many of the specification's criteria hold, the unwrapped server beside it."""
    tool, arguments = server.call
    verify = [sys.executable, "-m", "pdmigrate", "verify", "--format", "json", "--command", shlex.join(command)]
    verify += ["--before", shlex.join(plain), "--tool", tool, "--arguments", json.dumps(arguments)]
    criteria = json.loads(_run(verify, server, home))["criteria"]
    return f"{sum(verdict == 'met' for verdict in criteria.values())}/{len(criteria)}"


def _times(
    plain: Sequence[str], wrapped: Sequence[str], server: Published, home: Path, calls: int
) -> tuple[float, float]:
    """The milliseconds of a call by the official client, unwrapped and wrapped, taken in turn."""
    program = ROOT / "benchmarks" / "calling.py"
    asked = [str(environment(("mcp==1.30.0", "pydantic==2.14.3", "uvicorn", "starlette"))), str(program)]
    given = json.dumps({"commands": [[*plain], [*wrapped]], "call": server.call, "calls": calls})
    done = subprocess.run(
        asked,
        input=given,
        cwd=home / "scratch",
        env={**os.environ, **server.env},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    first, second = (statistics.median(times) for times in json.loads(done.stdout))
    return 1000 * first, 1000 * second


def _memory(command: Sequence[str], server: Published, home: Path) -> float:
    """The megabytes that the wrapper's own process has taken after a session."""
    talking = _client(command, server, home)
    try:
        talking.ask("initialize", HELLO)
        talking.tools()
        with suppress(OSError):
            status = Path(f"/proc/{talking.process.pid}/status").read_text(encoding="utf-8")
            return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
        return 0.0
    finally:
        talking.close()


def _line(row: Row) -> str:
    same = "all equal" if not row.differences else f"DIFFERENT: {'; '.join(row.differences)}"
    times = f"{row.plain_ms:.2f} -> {row.wrapped_ms:.2f} ms ({row.wrapped_ms / row.plain_ms:.2f})"
    return f"| {row.name} | {row.tools} | {row.why} | {same} | {row.verify} | {times} | {row.megabytes:.0f} MB |"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
