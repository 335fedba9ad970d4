"""What `pdmigrate extract` costs: processor time for each of the given folders, the dearest first.

    python -m benchmarks.extraction FOLDER...

Each folder is read by a process of its own, which writes nothing.  Processor time, since it hardly depends on what else
the machine does; on a machine that is busy it is up to twice that of a calm one all the same.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LONGEST = 120
"""Seconds on the clock that one folder may take."""


@dataclass(frozen=True)
class Cost:
    folder: str
    dialects: str
    tools: int
    seconds: float


def cost(folder: Path) -> Cost:
    """Raises ``subprocess.CalledProcessError`` when the command could not run."""
    before = os.times()
    run = subprocess.run(
        [sys.executable, "-m", "pdmigrate", "extract", str(folder), "--format", "json", "--no-write"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    after = os.times()
    if run.returncode not in (0, 1):
        raise subprocess.CalledProcessError(run.returncode, run.args, run.stdout, run.stderr)
    servers = json.loads(run.stdout)["servers"]
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    dialects = ", ".join(sorted({server["dialect"] for server in servers}))
    return Cost(folder.name, dialects, sum(len(server["tools"]) for server in servers), spent)


def table(costs: list[Cost]) -> str:
    rows = sorted(costs, key=lambda found: -found.seconds)
    lines = ["| folder | dialect | tools | processor |", "|---|---|---|---|"]
    lines += [f"| {row.folder} | {row.dialects} | {row.tools} | {row.seconds:.1f} s |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    print(table([cost(folder) for folder in parser.parse_args().folders]))  # noqa: T201 - the result


if __name__ == "__main__":
    main()
