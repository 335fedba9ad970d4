"""Run the benchmark: ``python -m benchmarks.blind --help``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.blind.drawing import NotThisOneError, draw, entry, listed, order
from benchmarks.blind.scoring import STATES, Score, score
from benchmarks.migrate.servers import DATA, PublishedServer, load
from benchmarks.migrate.workshop import ROOT, Workshop, WorkshopError, offline
from pdmigrate.live.wire import WireError
from pdmigrate.model import JsonObject

CACHE = ROOT / ".cache" / "benchmarks"
LIST = DATA / "blind.json"
LISTS = ("servers.json", "unseen.json", "fresh.json", "blind.json", *(f"blind{draw}.json" for draw in range(2, 29)))
TOLD_OF = (ROOT / "docs" / "benchmarks.md", DATA / "told_of.txt")
"""No name that stands here is chosen either: on the page, or looked at once and no longer on it."""
LONGEST = 300
"""Seconds on the clock that one extraction may take."""


@dataclass(frozen=True, slots=True)
class Row:
    server: PublishedServer
    seconds: float = 0.0
    score: Score | None = None
    not_run: str = ""


def main() -> int:
    arguments = _parser().parse_args()
    if not offline():
        _say("servers are started with no network, and unshare -n is not possible here")
        return 2
    return _draw(arguments) if arguments.what == "draw" else _compare(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.blind",
        description="Compare what source shows of published servers with what they list.",
    )
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE", help="the list of servers (%(default)s)")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="kept between runs (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="servers at a time (default: 1)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this server; repeatable")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all details to this file")
    drawn = parser.add_subparsers(dest="what").add_parser("draw", help="choose servers blindly and write the list")
    drawn.add_argument("--names", type=Path, required=True, metavar="FILE", help="the names to choose from, one a line")
    drawn.add_argument("--seed", type=int, required=True)
    drawn.add_argument("--servers", type=int, default=40, metavar="N", help="how many must start (default: 40)")
    drawn.add_argument("--as-of", required=True, metavar="DATE", help="no release after this day")
    return parser


# --- choosing ---------------------------------------------------------------------------------------------------------


def _draw(arguments: argparse.Namespace) -> int:
    """Try names in a random order until enough of them are servers; a run that was interrupted goes on where it was."""
    lists = {DATA / name for name in LISTS} - {arguments.list}
    listed_already = {server.name for file in lists if file.is_file() for server in load(file)}
    told_of = "\n".join(page.read_text(encoding="utf-8") for page in TOLD_OF)
    taken = listed_already | set(re.findall(r"[a-z0-9][a-z0-9._-]+", told_of))
    names = order(arguments.names.read_text(encoding="utf-8").split(), taken, arguments.seed)
    content = {
        "about": "Published MCP servers that nobody had looked at when they were compared; see docs/benchmarks.md.",
        "dialect": "",
        "as_of": arguments.as_of,
        "seed": arguments.seed,
        "servers": [],
        "others": {},
    }
    if arguments.list.is_file():
        content = json.loads(arguments.list.read_text(encoding="utf-8"))
    servers, others = content["servers"], content["others"]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for name, found in _tried(pool, names[len(servers) + len(others) :], arguments):
            if isinstance(found, str):
                others[name] = found
            else:
                servers.append(entry(found))
            what = found if isinstance(found, str) else "taken"
            _say(f"{len(servers)} of {len(servers) + len(others)}: {name}: {what}")
            arguments.list.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            if len(servers) == arguments.servers:
                return 0
    return 1


def _tried(
    pool: ThreadPoolExecutor, names: Iterable[str], arguments: argparse.Namespace
) -> Iterator[tuple[str, PublishedServer | str]]:
    """What became of each name, in their order; no more of them are begun than are asked for."""

    def one(name: str) -> PublishedServer | str:
        try:
            return draw(name, arguments.cache, arguments.as_of)
        except NotThisOneError as error:
            return str(error)

    left = iter(names)
    begun = deque((name, pool.submit(one, name)) for name in islice(left, arguments.jobs))
    while begun:
        name, future = begun.popleft()
        yield name, future.result()
        begun.extend((another, pool.submit(one, another)) for another in islice(left, 1))


# --- comparing --------------------------------------------------------------------------------------------------------


def _compare(arguments: argparse.Namespace) -> int:
    wanted = [server for server in load(arguments.list) if not arguments.only or server.name in arguments.only]

    def one(server: PublishedServer) -> Row:
        row = _measured(server, arguments.cache)
        _say(f"{server.name}: {row.not_run or dict(row.score.counts) if row.score else row.not_run}")
        return row

    with ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(one, wanted))
    sys.stdout.write(f"{table(rows)}\n")
    if arguments.json:
        arguments.json.write_text(json.dumps([_details(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
    bad = [row for row in rows if row.score is None or row.score.counts["wrong"] or row.score.counts["phantom"]]
    return 1 if bad else 0


def _measured(server: PublishedServer, cache: Path) -> Row:
    workshop = Workshop(server, (cache / f"{server.name}-{server.version}").absolute())
    try:
        workshop.prepare()
        truth = _listed(workshop)
        before = os.times()
        report = _extracted(workshop)
        after = os.times()
    except (WorkshopError, WireError) as error:
        return Row(server, not_run=str(error).splitlines()[0])
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Row(server, round(spent, 1), score(truth, report))


def _listed(workshop: Workshop) -> list[JsonObject]:
    """What the server lists, as it was recorded when it was first started in this environment."""
    kept, started_as = workshop.home / "listed.json", repr(workshop.server)
    if kept.is_file():
        stored = json.loads(kept.read_text(encoding="utf-8"))
        if stored["started_as"] == started_as:
            return list(stored["tools"])
    tools = listed(workshop)
    kept.write_text(json.dumps({"started_as": started_as, "tools": tools}, indent=1), encoding="utf-8")
    return tools


def _extracted(workshop: Workshop) -> Any:
    """What the source of the wheel shows, for the SDK and the Python that the server ran with.

    Raises:
        WorkshopError: the command could not run, took too long, or printed something else.
    """
    python = f"python=={workshop.server.python}"
    versions = [part for pin in (*workshop.server.pins, python) for part in ("--sdk", pin)]
    command = ["extract", str(workshop.source), "--format", "json", "--no-write", *versions]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pdmigrate", *command], capture_output=True, text=True, timeout=LONGEST, check=False
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise WorkshopError(f"pdmigrate extract: not done in {LONGEST} s") from error
    except ValueError as error:
        raise WorkshopError(f"pdmigrate extract: exit {done.returncode}, {done.stderr.strip()[-400:]}") from error


def table(rows: Iterable[Row]) -> str:
    """The servers in the order of their names, and their sums."""
    known = sorted(rows, key=lambda row: row.server.name)
    head = ("server", "family", "tools", *STATES, "processor")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in known:
        name = f"{row.server.name} {row.server.version}"
        if row.score is None:
            lines.append(f"| {name} | {row.server.dialect} | not run: {row.not_run} |")
            continue
        cells = [row.server.tools, *row.score.counts.values(), f"{row.seconds} s"]
        lines.append(f"| {name} | {row.server.dialect} | {' | '.join(map(str, cells))} |")
    scored = [row for row in known if row.score is not None]
    sums = [sum(row.score.counts[state] for row in scored if row.score is not None) for state in STATES]
    total = [sum(row.server.tools for row in scored), *sums, f"{sum(row.seconds for row in scored):.1f} s"]
    lines.append(f"| together, {len(scored)} servers | | {' | '.join(map(str, total))} |")
    return "\n".join(lines)


def _details(row: Row) -> dict[str, Any]:
    found = {"server": row.server.name, "version": row.server.version, "not_run": row.not_run, "seconds": row.seconds}
    return found | (dataclasses.asdict(row.score) if row.score else {})


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
