"""Understand many random programs and run them for real: ``python -m tests.fuzz.run --count 10000 --seed 1``."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from functools import partial

from tests.fuzz.comparing import KINDS, Tally, compare

BATCH = 250
"""Programs for one process that understands and one that runs for real; the tally is printed after each batch."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="programs SEED to SEED + COUNT - 1")
    parser.add_argument("--processes", type=int, default=1, help="how many batches are worked on at the same time")
    parser.add_argument("--kind", choices=KINDS, default="statements", help="what the programs are about")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.count)
    started, whole = time.monotonic(), Tally()
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    # A pool with one worker, too: a process that has understood a batch gives its memory back.
    with multiprocessing.Pool(given.processes, maxtasksperchild=4) as pool:
        for tally in pool.imap_unordered(partial(compare, kind=given.kind), batches):
            whole.add(tally)
            progress(whole, len(seeds), time.monotonic() - started)
    report(whole, time.monotonic() - started)
    return 1 if whole.mismatches else 0


def progress(tally: Tally, wanted: int, seconds: float) -> None:
    wrong = sorted({mismatch.seed for mismatch in tally.mismatches})
    text = f"{tally.programs} of {wanted} programs, {seconds:.0f} s, {tally.share:.1%} known, {len(wrong)} mismatching"
    sys.stdout.write(f"{text}{': ' if wrong else ''}{' '.join(map(str, wrong[:8]))}\n")
    sys.stdout.flush()


def report(tally: Tally, seconds: float) -> None:
    out = sys.stdout.write
    out(f"{tally.programs} programs in {seconds:.0f} s, {tally.raising} of them raise in every environment\n")
    out(f"variables: {tally.known} known, {tally.unknown} unknown ({tally.share:.1%} known)\n")
    ended = max(1, tally.programs - tally.raising)
    out(f"programs: of {tally.whole} everything is known ({tally.whole / ended:.1%} of those that run to their end)\n")
    for reason, count in tally.reasons.most_common(12):
        out(f"  {count:6} {reason}\n")
    wrong = sorted({mismatch.seed: mismatch for mismatch in tally.mismatches}.values(), key=lambda m: len(m.source))
    out(f"mismatches: {len(tally.mismatches)} in {len(wrong)} programs\n")
    for mismatch in wrong[:3]:
        out(f"--- seed {mismatch.seed}: {mismatch.name}\n{mismatch.source}\n")
        out(f"claimed {mismatch.claimed}\nreal    {mismatch.real}\n")


if __name__ == "__main__":
    sys.exit(main())
