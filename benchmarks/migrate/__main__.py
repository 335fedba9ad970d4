"""Run the benchmark: ``python -m benchmarks.migrate --help``."""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import TypeAdapter

from benchmarks.migrate.running import Result, measure
from benchmarks.migrate.servers import LIST, PublishedServer, load
from benchmarks.migrate.table import report
from benchmarks.migrate.workshop import ROOT, Workshop, offline

CACHE = ROOT / ".cache" / "benchmarks"
MEASURED = ("pdmigrate/**/*.py", "templates/*", "benchmarks/**/*.py")


def main() -> int:
    arguments = _parser().parse_args()
    known = load(arguments.list)
    names, dialects = {server.name for server in known}, {server.dialect for server in known}
    if unknown := (set(arguments.only) - names) | (set(arguments.dialect) - dialects):
        _say(f"not in the list: {', '.join(sorted(unknown))}")
        return 2
    wanted = [
        server
        for server in known
        if (not arguments.only or server.name in arguments.only)
        and (not arguments.dialect or server.dialect in arguments.dialect)
    ]
    if not offline():
        _say("note: servers run with the network of this machine; unshare -n is not possible here")
    code = _digest_of_code()

    def one(server: PublishedServer) -> Result:
        result = _measured(server, arguments.cache, arguments.move, code, again=arguments.again)
        _say(f"{server.name}: {result.verdict} in {result.seconds:.0f} s")
        return result

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(one, wanted))
    sys.stdout.write(f"{report(results)}\n")
    if arguments.json:
        arguments.json.write_text(_json([dataclasses.asdict(result) for result in results]), encoding="utf-8")
    return 0 if all(result.verdict == "migrated" for result in results) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.migrate",
        description="Migrate published servers and compare everything they say over stdio with what they said before.",
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this server; repeatable")
    parser.add_argument(
        "--dialect", action="append", default=[], metavar="NAME", help="only servers of this SDK family; repeatable"
    )
    moves = ("literal", "all", "none")
    parser.add_argument("--move", choices=moves, default="literal", help="as of pdmigrate apply (default: literal)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="servers at a time (default: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all details to this file")
    parser.add_argument("--again", action="store_true", help="measure again what this code was measured with before")
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE", help="another list of servers")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="kept between runs (%(default)s)")
    return parser


def _measured(server: PublishedServer, folder: Path, move: str, code: str, *, again: bool) -> Result:
    """The result of this code on this server: measured now, or by a run before that was interrupted."""
    workshop = Workshop(server, (folder / f"{server.name}-{server.version}").absolute())
    kept = workshop.home / f"result-{move}.json"
    key = hashlib.sha256(f"{code}{move}{server!r}".encode()).hexdigest()
    if kept.is_file() and not again:
        stored = json.loads(kept.read_text(encoding="utf-8"))
        if stored["key"] == key:
            return TypeAdapter(Result).validate_python(stored["result"])
    result = measure(workshop, move)
    workshop.home.mkdir(parents=True, exist_ok=True)
    kept.write_text(_json({"key": key, "result": dataclasses.asdict(result)}), encoding="utf-8")
    return result


def _digest_of_code() -> str:
    files = sorted(file for pattern in MEASURED for file in ROOT.glob(pattern) if file.is_file())
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
