"""Run the benchmark: ``python -m benchmarks.hosts --help``."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from benchmarks.hosts.frameworks import FRAMEWORKS, Framework
from benchmarks.hosts.judging import Verdict, judge
from benchmarks.hosts.running import Report, drive
from benchmarks.hosts.servers import ODD, SERVERS, WRAPPED, Server
from benchmarks.hosts.staging import Stage, stage
from benchmarks.hosts.table import page, problems, table
from benchmarks.migrate.workshop import offline, run
from tests.support.environments import ROOT

CACHE = ROOT / ".cache" / "hosts"
PAGE = ROOT / "docs" / "hosts.md"
HARNESS = ("plan.py", "scripted.py")
FILES = ("source", "wrapper")
"""The folders of a side that hold its server."""


def main() -> int:
    arguments = _parser().parse_args()
    frameworks = [one for one in FRAMEWORKS if not arguments.only or one.name in arguments.only]
    known = (*SERVERS, *ODD, *(WRAPPED if arguments.server else ()))
    servers = [one for one in known if not arguments.server or one.name in arguments.server]
    unknown = {*arguments.only, *arguments.server} - {one.name for one in (*frameworks, *servers)}
    if unknown:
        _say(f"neither a framework nor a server: {', '.join(sorted(unknown))}")
        return 2
    if not offline():
        _say("note: everything runs with the network of this machine; unshare -n is not possible here")

    def one(server: Server) -> list[Verdict]:
        if arguments.seen:
            return list(_seen(server, frameworks))
        return list(_verdicts(server, frameworks, again=arguments.again))

    with ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = [verdict for found in pool.map(one, servers) for verdict in found]
    if frameworks == list(FRAMEWORKS) and servers == [*SERVERS, *ODD]:
        PAGE.write_text(page(verdicts, _commit(), date.today().isoformat()), encoding="utf-8")
        _say(f"wrote {PAGE.relative_to(ROOT)}")
    sys.stdout.write(f"{table(verdicts)}\n\n{problems(verdicts)}\n")
    return 1 if any(verdict.problems for verdict in verdicts) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hosts",
        description="Ask servers the same through many frameworks, before their migration and after it.",
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this framework; repeatable")
    parser.add_argument("--server", action="append", default=[], metavar="NAME", help="this server; repeatable")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="servers at a time (default: 1)")
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    parser.add_argument("--seen", action="store_true", help="start nothing: judge what was measured before")
    return parser


def _verdicts(server: Server, frameworks: list[Framework], *, again: bool) -> list[Verdict]:
    """One server through all the frameworks that can speak to it."""
    staged = stage(server, CACHE / "servers" / server.name)
    found = []
    for framework in frameworks:
        if not framework.is_for(server.name, both_eras=server.both_eras, odd=server in ODD):
            continue
        before, after = (_report(framework, staged, migrated=migrated, again=again) for migrated in (False, True))
        found.append(judge(framework, server, before, after))
        _say(f"{framework.name} on {server.name}: {'; '.join(found[-1].problems) or 'as before'}")
    return found


def _seen(server: Server, frameworks: list[Framework]) -> Iterator[Verdict]:
    """The verdicts on what both sides of a server were seen to do, as they were laid out last."""
    for framework in frameworks:
        sides = (CACHE / "servers" / server.name / side for side in ("before", "after"))
        before, after = (_Kept(framework, server, home).report for home in sides)
        if before is not None and after is not None:
            yield judge(framework, server, before, after)


class _Kept(NamedTuple):
    """Where the report is kept of what a framework saw.

    The report holds for the files of the server and for the driver, whichever pdmigrate migrated the server.
    """

    framework: Framework
    server: Server
    home: Path

    @property
    def path(self) -> Path:
        return CACHE / "seen" / f"{self.framework.name}-{self.server.name}-{self.home.name}.json"

    @property
    def key(self) -> str:
        harness = (ROOT / "benchmarks/hosts/drivers" / name for name in (self.framework.driver, *HARNESS))
        server = (file for file in self.home.glob("*/**/*") if _is_of_server(file.relative_to(self.home)))
        digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in (*harness, *sorted(server)) if file.is_file()))
        asked = (self.framework.pins, self.framework.mode, self.framework.fetch, self.server, digest.hexdigest())
        return hashlib.sha256(repr(asked).encode()).hexdigest()

    @property
    def report(self) -> Report | None:
        """What was seen in a run before."""
        if not self.path.is_file():
            return None
        stored = json.loads(self.path.read_text(encoding="utf-8"))
        return TypeAdapter(Report).validate_python(stored["report"]) if stored["key"] == self.key else None


def _is_of_server(path: Path) -> bool:
    return path.parts[0] in FILES and ".git" not in path.parts


def _report(framework: Framework, staged: Stage, *, migrated: bool, again: bool) -> Report:
    """What the framework sees, now or in a run before."""
    side = staged.after if migrated else staged.before
    kept = _Kept(framework, staged.server, side.home)
    if not again and (known := kept.report) is not None:
        return known
    key = kept.key
    report = drive(framework, staged, migrated=migrated)
    if not report.error:
        kept.path.parent.mkdir(parents=True, exist_ok=True)
        kept.path.write_text(json.dumps({"key": key, "report": asdict(report)}), encoding="utf-8")
    return report


def _commit() -> str:
    """The last commit that changed what is measured."""
    return run(["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--", "pdmigrate", "templates"]).strip()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
