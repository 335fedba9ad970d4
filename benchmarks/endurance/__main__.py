"""The generated module over a long time, and under clients that mean no good, on both majors of the SDK.

    python -m benchmarks.endurance [--only brief abandoned flood receipts users] [--sdk mcp1 mcp2] [--share 1.0]

``brief``      100,000 short sessions, one after the other, with addresses used again: no grant is inherited
``abandoned``  20,000 HTTP sessions that nobody ends: what a session costs beyond what the SDK keeps of it
``flood``      one client fetches as fast as it can while another works: what that one waits
``receipts``   10,000 forged ones, old ones after the text was changed, on three replicas
``users``      who may not see a tool is neither granted nor told it, among those who may

``--share 0.01`` makes a hundredth of each.  Everything runs on the loopback and is ended here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.endurance import trials

TRIALS: dict[str, Callable[[str, float, Path], str]] = {
    "brief": trials.brief,
    "abandoned": trials.abandoned,
    "flood": trials.flood,
    "receipts": trials.receipts,
    "users": trials.users,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=TRIALS, default=list(TRIALS))
    parser.add_argument("--sdk", nargs="+", choices=trials.PINS, default=list(trials.PINS))
    parser.add_argument("--share", type=float, default=1.0)
    asked = parser.parse_args()
    failed = False
    for name in asked.only:
        for sdk in asked.sdk:
            with tempfile.TemporaryDirectory(prefix="endurance-") as folder:
                try:
                    said = TRIALS[name](sdk, asked.share, Path(folder))
                except AssertionError as error:
                    failed, said = True, f"FAILED: {error}"
            sys.stdout.write(f"{name} {sdk}: {said}\n")
            sys.stdout.flush()
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
