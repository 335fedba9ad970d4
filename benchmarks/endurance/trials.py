# ruff: noqa: E501 - sentences of a report
"""Each trial: a migrated sample server, what clients do to it, and a line of figures; an assertion where it fails."""

from __future__ import annotations

import http.client
import json
import random
import shutil
import statistics
import string
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tests.support.command_line import pdmigrate
from tests.support.environments import FASTMCP3, FASTMCP4, MCP1, MCP2, ROOT, environment
from tests.support.running import serving

PINS = {"mcp1": MCP1, "mcp2": MCP2}
FASTMCP = {"mcp1": FASTMCP3, "mcp2": FASTMCP4}
SAMPLES = {"mcp1": "mcp1_lowlevel", "mcp2": "mcp2_lowlevel"}
SHOWN = {"mcp1": "find_copies", "mcp2": "find_plots"}
"""A tool of each sample server that everybody sees."""
OFFICE = ROOT / "tests" / "runtime" / "programs" / "office"
ALONE = "who alone see it"
"""What the description of the tool says that only the staff may see; the bridge has its name for everybody else."""
REFUSED, LIMITED = "TOOL_DESCRIPTION_REQUIRED", "RATE_LIMITED"
URI = "resource:///tool_descriptions?tools="


def migrated(sdk: str, folder: Path, settings: str = "", source: Path | None = None, requirement: str = "") -> Path:
    """A copy of the sample server after ``pdmigrate apply``, with ``settings`` in its project file."""
    shutil.copytree(
        source or ROOT / "sample_servers" / SAMPLES[sdk], folder, ignore=shutil.ignore_patterns("__pycache__")
    )
    if requirement:
        (folder / "requirements.txt").write_text(requirement + "\n", encoding="utf-8")
    if settings:
        with (folder / "pyproject.toml").open("a", encoding="utf-8") as stream:
            stream.write(f"\n[tool.pdmigrate]\n{settings}\n")
    everything = ["--all"] if "--all " in pdmigrate("apply", "--help").stdout else []
    ran = pdmigrate("apply", folder, "--write", "--allow-dirty", *everything)
    assert ran.status == 0, ran.stderr
    return folder


class Client:
    """A client over HTTP that says no more than it must, with one connection."""

    def __init__(self, port: int, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-06-18",
            **headers,
        }
        self._number = 0

    def open(self) -> str:
        """Start a session and list: what a host does that keeps its session."""
        self._headers.pop("mcp-session-id", None)
        client = {"name": "endurance", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self.ask("tools/list")

    def ask(self, method: str, **params: Any) -> str:
        """The answer to a request, as text."""
        self._number += 1
        return self._post({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})

    def call(self, tool: str, **arguments: Any) -> str:
        return self.ask("tools/call", name=tool, arguments=arguments)

    def fetch(self, tool: str) -> str:
        return self.ask("resources/read", uri=URI + tool)

    def close(self) -> None:
        self._connection.close()

    def _post(self, content: dict[str, Any]) -> str:
        self._connection.request("POST", "/mcp", json.dumps(content), self._headers)
        answer = self._connection.getresponse()
        if session := answer.getheader("mcp-session-id"):
            self._headers["mcp-session-id"] = session
        return answer.read().decode()


def served(interpreter: Path, folder: Path, *flags: str, count: int = 1) -> AbstractContextManager[tuple[int, ...]]:
    """The ports of processes of one server, which end with the context."""
    command = (str(interpreter), str(folder / "server.py"), *flags)
    return serving(*[command] * count)


def of_sdk(sdk: str) -> Path:
    return environment(PINS[sdk])


def first_tool(listing: str) -> str:
    return str(result(listing)["tools"][0]["name"])


def result(answer: str) -> dict[str, Any]:
    """The result in an answer, which may have come as an event."""
    lines = [line.removeprefix("data:").strip() for line in answer.splitlines() if line.startswith("data:")]
    found: dict[str, Any] = json.loads(lines[-1] if lines else answer)
    return found.get("result", found)


# --- the trials -------------------------------------------------------------------------------------------------------


def brief(sdk: str, share: float, folder: Path) -> str:
    """Short sessions, one after the other."""
    tree = migrated(sdk, folder / "tree")
    command = [
        str(of_sdk(sdk)),
        str(Path(__file__).with_name("brief.py")),
        str(tree),
        str(max(int(100_000 * share), 20)),
        SHOWN[sdk],
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    memory = told["memory kB"]
    assert told["false grants"] == told["false refusals"] == 0, told
    assert told["refused at an address where one had fetched"] > 0, told
    grown = memory[-1] - memory[len(memory) // 4]
    return (
        f"{told['sessions']:,} sessions, 0 false grants, 0 false refusals; "
        f"{told['refused at an address where one had fetched']:,} stood where one that had fetched stood before, and were "
        f"refused; memory {memory[len(memory) // 4]:,} kB after a quarter, {grown:+,} kB at the end; {told['seconds']} s"
    )


def abandoned(sdk: str, share: float, folder: Path) -> str:
    """Sessions over HTTP that nobody ends, with the server as it was and with the migrated one."""
    count = max(int(20_000 * share), 100)
    before = shutil.copytree(ROOT / "sample_servers" / SAMPLES[sdk], folder / "before")
    trees = {"before": before, "after": migrated(sdk, folder / "after", 'http = "enforce"')}
    costs: dict[str, float] = {}
    for name, tree in trees.items():
        with served(of_sdk(sdk), tree) as (port,):
            pid = _listener(port)
            marks: list[int] = []
            client = Client(port)
            tool = first_tool(client.open())
            for number in range(count):
                client.open()
                client.fetch(tool) if name == "after" else client.ask("resources/list")
                if number in (count // 4, count - 1):
                    marks.append(resident(pid))
            client.close()
        costs[name] = (marks[1] - marks[0]) / (count - count // 4)
    ours = costs["after"] - costs["before"]
    return (
        f"{count:,} sessions that nobody ended: {costs['before']:.1f} kB each before the migration, which the SDK keeps, "
        f"{costs['after']:.1f} kB each after it, so {ours:+.1f} kB"
    )


def flood(sdk: str, share: float, folder: Path) -> str:
    """Two sessions that fetch as fast as they are answered, and one that works."""
    tree = migrated(sdk, folder / "tree", 'http = "enforce"')
    with served(of_sdk(sdk), tree) as (port,):
        quiet, _ = _working(port, share)
        stop = threading.Event()
        answers: list[str] = []

        def fetching() -> None:
            client = Client(port)
            tool = first_tool(client.open())
            while not stop.is_set():
                answers.append(LIMITED if LIMITED in client.fetch(tool) else "")

        floods = [threading.Thread(target=fetching) for _ in range(2)]
        for thread in floods:
            thread.start()
        try:
            busy, refused = _working(port, share)
            while len(answers) < 1_000 * share:
                time.sleep(0.01)
        finally:
            stop.set()
            for thread in floods:
                thread.join()
    limited = sum(map(bool, answers))
    assert not refused, f"{refused} fetches or calls of the other client were turned away"
    assert limited > 0.9 * len(answers) - 200, f"only {limited} of {len(answers)} fetches were limited"
    return (
        f"{len(answers):,} fetches of two clients, {limited:,} turned away with a time to wait; the third waited "
        f"{1000 * quiet:.1f} ms for a call before (median), {1000 * busy:.1f} ms meanwhile, and none of its was turned away"
    )


def _working(port: int, share: float) -> tuple[float, int]:
    """What a client that lists, fetches and calls waits for its calls, and how many were turned away."""
    waited: list[float] = []
    refused = 0
    for _ in range(max(int(100 * share), 5)):
        client = Client(port)
        tool = first_tool(client.open())
        refused += LIMITED in client.fetch(tool)
        for _ in range(5):
            started = time.perf_counter()
            said = client.call(tool)
            waited.append(time.perf_counter() - started)
            refused += REFUSED in said or LIMITED in said
        client.close()
    return statistics.median(waited), refused


def receipts(sdk: str, share: float, folder: Path) -> str:
    """Forged receipts, receipts of other tools, and old ones after the text was changed."""
    tree = migrated(sdk, folder / "tree", 'http = "receipt"\ncopies = true')
    draw = random.Random(0)
    with served(of_sdk(sdk), tree, "--stateless", count=3) as ports:
        clients = [Client(port) for port in ports]
        tools = [tool["name"] for tool in result(clients[0].open())["tools"]][:3]
        given = {tool: _receipt(clients[0].fetch(tool)) for tool in tools}
        name = next(iter(given[tools[0]]))
        good = {tool: token[name] for tool, token in given.items()}
        tried = 0
        for token in _forged(draw, good, max(int(10_000 * share), 50)):
            said = draw.choice(clients).call(tools[0], **{name: token})
            assert REFUSED in said, f"the receipt {token!r} of {tools[0]} was taken"
            tried += 1
        assert REFUSED in clients[0].call(tools[0]), "a call without a receipt was answered"
        for client in clients:
            for tool, token in good.items():
                assert REFUSED not in client.call(tool, **{name: token}), f"the receipt of {tool} was not taken"
    file = next(path for path in (tree / "tool_descriptions").glob("*.json") if _named(path) == tools[0])
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**content, "usage_guidance": {"notes": ["changed"]}}), encoding="utf-8")
    with served(of_sdk(sdk), tree, "--stateless", count=3) as ports:
        for port in ports:
            assert REFUSED in Client(port).call(tools[0], **{name: good[tools[0]]}), "an old receipt was taken"
            assert REFUSED not in Client(port).call(tools[1], **{name: good[tools[1]]}), (
                "a receipt of another tool is void"
            )
    return f"{tried:,} forged receipts on three replicas, none taken; the right ones taken by all; an old one by none"


def _receipt(fetched: str) -> dict[str, str]:
    """The property that a fetched schema asks for, and what it asks for in it."""
    text = result(fetched)["contents"][0]["text"]
    (definition,) = [part for part in json.loads(text).values() if isinstance(part, dict) and "inputSchema" in part]
    properties = definition["inputSchema"]["properties"]
    (name,) = [name for name in properties if name.startswith("description_receipt")]
    schema = properties[name]
    return {name: str(schema.get("const") or schema["enum"][0])}


def _forged(draw: random.Random, good: dict[str, str], count: int) -> Iterator[Any]:
    first, *others = good.values()
    yield from others
    yield from (
        first[:-1],
        first + "0",
        first.swapcase() if first.swapcase() != first else first + "x",
        f" {first}",
        f"{first}\n",
    )
    yield from (
        "",
        None,
        0,
        True,
        [],
        [first],
        {"const": first},
        first.encode().hex(),
        "*",
        "%",
        first[::-1],
        "\u202e" + first,
    )
    alphabet = sorted({*first, *string.hexdigits})
    for _ in range(count):
        yield "".join(draw.choices(alphabet, k=draw.choice((len(first), len(first), 1, 4096))))


def users(sdk: str, share: float, folder: Path) -> str:
    """Guests and staff of one server in turns: a guest asks for what only the staff may see."""
    requirement = "fastmcp>=3,<4" if sdk == "mcp1" else "fastmcp>=4"
    tree = migrated(sdk, folder / "tree", 'http = "enforce"', OFFICE, requirement)
    hidden, draw = "lost_property_describe_tools_pd", random.Random(0)
    counts = {"guest": 0, "staff": 0}
    with served(environment(FASTMCP[sdk]), tree) as (port,):
        for _ in range(max(int(1_000 * share), 20)):
            role = draw.choice(("guest", "staff"))
            counts[role] += 1
            client = Client(port, **({"x-office-role": "staff"} if role == "staff" else {}))
            listing = client.open()
            told = [
                listing,
                client.fetch(hidden),
                client.fetch(f"{hidden},find_items"),
                client.call(hidden, topic="keys"),
            ]
            told.append(client.call("find_items", word="hat"))
            if role == "guest":
                assert not any(ALONE in answer for answer in told), f"a guest was told of the tool of the staff: {told}"
            else:
                assert ALONE in told[1], f"the staff was not served its tool: {told[1][:300]}"
                assert REFUSED not in told[3], "the staff was refused after the fetch"
                assert REFUSED not in told[4], "the staff was refused after the fetch"
            client.close()
    return f"{counts['guest']:,} guests were neither told nor granted the hidden tool; {counts['staff']:,} of the staff were"


def _named(path: Path) -> str:
    return str(json.loads(path.read_text(encoding="utf-8")).get("name"))


def resident(pid: int) -> int:
    """The memory of a process, in kB."""
    words = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").split()
    return int(words[words.index("VmRSS:") + 1])


def _listener(port: int) -> int:
    """The process that listens at a port."""
    wanted = f"{port:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
    inode = next(row[9] for row in rows if row[1].endswith(f":{wanted}") and row[3] == "0A")
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and any(_is_socket(link, inode) for link in _links(entry / "fd")):
            return int(entry.name)
    raise AssertionError(f"nothing listens at {port}")


def _links(folder: Path) -> Sequence[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_socket(link: Path, inode: str) -> bool:
    try:
        return str(link.readlink()) == f"socket:[{inode}]"
    except OSError:
        return False
