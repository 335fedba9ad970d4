"""Runs that are killed at random moments, and commands that are started at once: how often anything is left half done.

``python -m benchmarks.kills --kills 1000 --rounds 1000 --seed 1``

A kill is SIGKILL, after a random time or before a random call that changes the disk; it meets a first or a later
``apply``, a ``sync``, or a ``revert``.  After what the next command that writes does first, all files have to be as
before the run, or all as after it, and nothing may be left beside them.  A round is three commands that start
together: each of them has to end well or to be refused, nothing may be left, and another ``apply`` and a ``check``
have to end well.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.cli import main as pdmigrate
from pdmigrate.migrate.write.carrying import recover

VERSIONS = ("--sdk", "mcp==1.30.0", "--sdk", "pydantic==2.14.3")
SERVER = Path(__file__).resolve().parents[1] / "sample_servers"
CALLS = ("open", "mkdir", "unlink", "rmdir", "replace", "fsync", "chmod", "write", "truncate", "link")
APPLY = ("apply", "--write", "--allow-dirty", *VERSIONS)


def run(root: Path, *command: str) -> int:
    """A command in this process, without its words; its status."""
    with contextlib.redirect_stdout(_pipe()), contextlib.redirect_stderr(_pipe()):
        sys.argv = ["pdmigrate", command[0], str(root), *command[1:]]
        try:
            pdmigrate()
        except SystemExit as ended:
            return int(ended.code or 0)
    raise AssertionError("a command ends by SystemExit")


def _pipe() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def tree(root: Path) -> dict[str, bytes]:
    """The files of a project, but for the journal."""
    files = (path for path in root.rglob("*") if path.is_file())
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    return {path: raw for path, raw in found.items() if not path.startswith(".pdmigrate/journal/")}


def unfinished(root: Path) -> list[str]:
    """What a run that has not ended leaves behind."""
    journal = root / ".pdmigrate" / "journal"
    names = sorted(path.name for path in journal.iterdir()) if journal.is_dir() else []
    return [*(name for name in names if name != ".gitignore"), *(path.name for path in root.rglob(".pdmigrate-*.tmp"))]


def started(work: Callable[[], int], kill_before: int = 0, count: Path | None = None) -> int:
    """Do ``work`` in a process of its own, which ends before its ``kill_before``-th call that changes the disk.

    With ``count`` it writes there how many such calls it has made.
    """
    child = os.fork()
    if child:
        return child
    seen = _counting(kill_before)
    status = 70
    try:
        status = work()
    finally:
        if count is not None:
            count.write_text(str(len(seen)))
        os._exit(status)


def _counting(last: int) -> list[str]:
    seen: list[str] = []
    for name in CALLS:
        real = getattr(os, name)

        def counted(
            *arguments: object, _real: Callable[..., object] = real, _name: str = name, **options: object
        ) -> object:
            if _name != "open" or (isinstance(arguments[1], int) and arguments[1] & (os.O_WRONLY | os.O_RDWR)):
                seen.append(_name)
                if len(seen) == last:
                    os.kill(os.getpid(), signal.SIGKILL)
            return _real(*arguments, **options)

        setattr(os, name, counted)
    return seen


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Ways:
    """The states of a project, made once: before, migrated, and drifted; and the runs that lead from one to another."""

    def __init__(self, folder: Path, sample: Path) -> None:
        self.plain, self.migrated, self.drifted = folder / "plain", folder / "migrated", folder / "drifted"
        shutil.copytree(sample, self.plain, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        shutil.copytree(self.plain, self.migrated)
        if run(self.migrated, *APPLY) != 0:
            raise AssertionError("the sample is not migrated")
        shutil.copytree(self.migrated, self.drifted)
        for described in (self.drifted / "tool_descriptions").rglob("*.json"):
            text = described.read_text(encoding="utf-8")
            described.write_text(text.replace('"summary": "', '"summary": "Now: ', 1), encoding="utf-8")
        (self.drifted / ".pdmigrate" / "description.schema.json").write_text("{}")
        (self.drifted / ".pdmigrate" / ".gitattributes").unlink()
        self.runs = {
            "a first apply": (self.plain, APPLY),
            "a later apply": (self.drifted, APPLY),
            "a sync": (self.drifted, ("sync",)),
            "a revert": (self.migrated, ("revert",)),
        }


@dataclass
class Whole:
    """A run that nobody kills: the files before and after it, the calls that change the disk, and its time."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    calls: int
    seconds: float


def whole(ways: Ways, name: str, folder: Path) -> Whole:
    """Carry a run out; in the place in which others are killed, as what is written may tell of it."""
    start, command = ways.runs[name]
    root = folder / "project"
    shutil.copytree(start, root)
    before, began = tree(root), time.monotonic()
    status = ended(started(lambda: run(root, *command), count=folder / "calls"))
    made = Whole(before, tree(root), int((folder / "calls").read_text()), time.monotonic() - began)
    shutil.rmtree(root)
    if status not in (0, 1) or made.before == made.after:
        raise AssertionError(f"{name} ends with {status} and changes {made.before != made.after}")
    return made


def kill(ways: Ways, folder: Path, chance: random.Random, known: dict[str, Whole]) -> tuple[str, str]:
    """One run that is killed: which, and what became of it."""
    name = chance.choice(list(ways.runs))
    if name not in known:
        known[name] = whole(ways, name, folder)
    expected = known[name]
    before, after = expected.before, expected.after
    start, command = ways.runs[name]
    root = folder / "project"
    shutil.copytree(start, root)
    if chance.random() < 0.75:
        status = ended(started(lambda: run(root, *command), chance.randint(1, expected.calls)))
    else:
        child = started(lambda: run(root, *command))
        time.sleep(chance.uniform(0.5, 1.1) * expected.seconds)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = ended(child)
    killed = status == -signal.SIGKILL
    left = bool(unfinished(root))
    # What every command that writes does before anything else.
    ended(started(lambda: int(recover(root) is None)))
    found, rest = tree(root), unfinished(root)
    shutil.rmtree(root)
    if rest:
        return name, f"LEFT BEHIND: {rest}"
    if found in (before, after):
        return name, ("killed, something to mend" if left else "killed") if killed else "ended before"
    return name, f"HALF DONE: {sorted(path for path in {*found, *after} if found.get(path) != after.get(path))}"


def at_once(ways: Ways, folder: Path, chance: random.Random) -> tuple[str, str]:
    """Three commands that start together: which, and whether anything is wrong afterwards."""
    start = chance.choice([ways.plain, ways.migrated, ways.drifted])
    writers = [APPLY, ("extract", "--allow-dirty", *VERSIONS)] if start is ways.plain else [APPLY, ("sync",)]
    commands = [chance.choice([*writers, ("check",) if start is not ways.plain else APPLY]) for _ in range(3)]
    if start is ways.migrated:
        commands[0] = ("revert",)
    root = folder / "project"
    shutil.copytree(start, root)
    statuses = [ended(child) for child in [started(lambda c=command: run(root, *c)) for command in commands]]
    rest = unfinished(root)
    again = ended(started(lambda: run(root, *APPLY)))
    clean = ended(started(lambda: run(root, "check")))
    shutil.rmtree(root)
    name = " + ".join(sorted(command[0] for command in commands))
    if rest or again != 0 or clean != 0 or 70 in statuses:
        return name, f"WRONG: {statuses}, left {rest}, then apply {again} and check {clean}"
    refused = sum(status == 2 for status in statuses)
    return name, "all ended well" if not refused else f"{refused} refused"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", default="mcp1_lowlevel")
    parser.add_argument("--seconds", type=float, default=1e9, help="end after this long, with what was counted")
    given = parser.parse_args()
    chance, until = random.Random(given.seed), time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        folder = Path(place).resolve()
        os.environ |= {"XDG_STATE_HOME": str(folder / "state"), "XDG_CACHE_HOME": str(folder / "cache")}
        ways = Ways(folder, SERVER / given.sample)
        known: dict[str, Whole] = {}
        for what, count, work in (
            ("kills", given.kills, lambda: kill(ways, folder, chance, known)),
            ("rounds of three at once", given.rounds, lambda: at_once(ways, folder, chance)),
        ):
            results: Counter[tuple[str, str]] = Counter()
            for _ in range(count):
                if time.monotonic() > until:
                    break
                results[work()] += 1
            print(f"{sum(results.values())} {what}, seed {given.seed}")  # noqa: T201
            for (name, result), number in sorted(results.items()):
                print(f"  {number:5}  {name}: {result}")  # noqa: T201


if __name__ == "__main__":
    main()
