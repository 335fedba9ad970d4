"""Run the benchmark: ``python -m benchmarks.hosts --help``."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

from pydantic import TypeAdapter

from benchmarks.hosts.frameworks import FRAMEWORKS, Framework
from benchmarks.hosts.judging import Verdict, judge
from benchmarks.hosts.running import Report, drive
from benchmarks.hosts.servers import SERVERS, WRAPPED, Server
from benchmarks.hosts.staging import Stage, stage
from benchmarks.hosts.table import page, problems, table
from benchmarks.migrate.workshop import offline, run
from tests.support.environments import ROOT

CACHE = ROOT / ".cache" / "hosts"
PAGE = ROOT / "docs" / "hosts.md"
HARNESS = ("benchmarks/hosts/drivers/plan.py", "benchmarks/hosts/drivers/scripted.py", "sample_servers/*/*.py")
PRODUCT = ("pdmigrate/**/*.py", "templates/*")


def main() -> int:
    arguments = _parser().parse_args()
    frameworks = [one for one in FRAMEWORKS if not arguments.only or one.name in arguments.only]
    known = (*SERVERS, *(WRAPPED if arguments.server else ()))
    servers = [one for one in known if not arguments.server or one.name in arguments.server]
    unknown = {*arguments.only, *arguments.server} - {one.name for one in (*frameworks, *servers)}
    if unknown:
        _say(f"neither a framework nor a server: {', '.join(sorted(unknown))}")
        return 2
    if not offline():
        _say("note: everything runs with the network of this machine; unshare -n is not possible here")

    def one(server: Server) -> list[Verdict]:
        return list(_verdicts(server, frameworks, again=arguments.again))

    with ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = [verdict for found in pool.map(one, servers) for verdict in found]
    if frameworks == list(FRAMEWORKS) and servers == list(SERVERS):
        PAGE.write_text(page(verdicts, _commit()), encoding="utf-8")
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
    parser.add_argument("--again", action="store_true", help="measure again what this code was measured with before")
    return parser


def _verdicts(server: Server, frameworks: list[Framework], *, again: bool) -> list[Verdict]:
    """One server through all the frameworks that can speak to it."""
    staged = stage(server, CACHE / "servers" / server.name)
    found = []
    for framework in frameworks:
        if framework.era and not server.both_eras:
            continue
        before, after = (_report(framework, staged, migrated=migrated, again=again) for migrated in (False, True))
        found.append(judge(framework, server, before, after))
        _say(f"{framework.name} on {server.name}: {'; '.join(found[-1].problems) or 'as before'}")
    return found


def _report(framework: Framework, staged: Stage, *, migrated: bool, again: bool) -> Report:
    """What this code saw, now or in a run before; the unmigrated side does not depend on pdmigrate."""
    kept = CACHE / "seen" / f"{framework.name}-{staged.server.name}-{'after' if migrated else 'before'}.json"
    measured = (f"benchmarks/hosts/drivers/{framework.driver}", *HARNESS, *(PRODUCT if migrated else ()))
    asked = (framework.pins, framework.mode, framework.fetch, staged.server, _digest(measured))
    key = hashlib.sha256(repr(asked).encode()).hexdigest()
    if kept.is_file() and not again:
        stored = json.loads(kept.read_text(encoding="utf-8"))
        if stored["key"] == key:
            return TypeAdapter(Report).validate_python(stored["report"])
    report = drive(framework, staged, migrated=migrated)
    if not report.error:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({"key": key, "report": asdict(report)}), encoding="utf-8")
    return report


def _digest(patterns: tuple[str, ...]) -> str:
    files = sorted(file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file())
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _commit() -> str:
    """The last commit that changed what is measured."""
    return run(["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--", "pdmigrate", "templates"]).strip()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
