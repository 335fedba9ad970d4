"""``python -m tests.hostile repositories|bytes FIRST COUNT [--keep]``: many of them, and a table of what went wrong."""

from __future__ import annotations

import argparse
import collections
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.hostile import bad_bytes, worlds
from tests.hostile.running import WRITERS, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("repositories", "bytes"))
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", action="store_true", help="keep the worlds with a fault")
    asked = parser.parse_args()
    kinds: collections.Counter[str] = collections.Counter()
    bad = 0
    started = time.monotonic()
    for seed in range(asked.first, asked.first + asked.count):
        folder = Path(tempfile.mkdtemp(prefix=f"hostile-{seed}-"))
        if asked.what == "bytes":
            world, said = bad_bytes.make(seed, folder)
            found = list(bad_bytes.faults(world, said, tuple(random.Random(seed).sample(list(bad_bytes.COMMANDS), 6))))
        else:
            world = worlds.make(seed, folder)
            found = list(faults(world, chosen(seed)))
        bad += bool(found)
        for fault in found:
            kinds[re.sub(r"/tmp/\S+|\d+", "N", fault.strip().splitlines()[-1])[:120]] += 1
            sys.stdout.write(f"{seed} {world.traits}\n    {fault[:300]} ... {fault[-300:]}\n")
            sys.stdout.flush()
        if (seed - asked.first) % 20 == 19:
            sys.stderr.write(f"{seed - asked.first + 1} of {asked.count}, {bad} with a fault\n")
        if not (found and asked.keep):
            shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"{asked.count} {asked.what}, {bad} with a fault, {time.monotonic() - started:.0f} s\n")
    for kind, count in kinds.most_common():
        sys.stdout.write(f"{count:6}  {kind}\n")


def chosen(seed: int) -> tuple[str, ...]:
    """The commands that write, in the order in which they are tried on a world."""
    return tuple(random.Random(seed).sample(list(WRITERS), 4))


if __name__ == "__main__":
    main()
