"""Random programs, understood and really run: where both answer, they must answer the same."""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import objects, sharing, statements
from tests.fuzz.understanding import understand
from tests.support.answering import Answering

KINDS = {"statements": statements.program, "objects": objects.program, "sharing": sharing.program}
REAL = Path(__file__).with_name("real.py")


@dataclass(frozen=True)
class Mismatch:
    """A variable of which a value is claimed that it does not have in some environment."""

    seed: int
    name: str
    claimed: Any
    real: Any
    source: str


@dataclass
class Tally:
    """What came of a run.  ``known`` and ``unknown`` count variables, of programs that run to their end."""

    programs: int = 0
    raising: int = 0
    whole: int = 0
    """Programs that run to their end and of which everything is claimed."""
    known: int = 0
    unknown: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.known / max(1, self.known + self.unknown)

    def add(self, other: Tally) -> None:
        """Take what came of other programs into this tally."""
        self.programs += other.programs
        self.raising += other.raising
        self.whole += other.whole
        self.known += other.known
        self.unknown += other.unknown
        self.mismatches += other.mismatches
        self.reasons.update(other.reasons)


class RealPrograms(Answering):
    """A process that runs programs."""

    def __init__(self) -> None:
        super().__init__(sys.executable, "-W", "ignore", "-X", "utf8", str(REAL))

    def run(self, source: str) -> list[dict[str, Any]]:
        """The program's variables in every environment that it is run in."""
        answers: list[dict[str, Any]] = self.answer(source)
        return answers


def compare(seeds: Iterable[int], kind: str = "statements") -> Tally:
    """What came of the programs of these seeds; ``kind`` is one of ``KINDS``."""
    tally = Tally()
    with RealPrograms() as real, tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            source = KINDS[kind](seed)
            take(tally, seed, source, real.run(source), Path(folder))
    return tally


def take(tally: Tally, seed: int, source: str, answers: list[dict[str, Any]], folder: Path) -> None:
    """Add one program to the tally."""
    tally.programs += 1
    ended = [answer for answer in answers if "error" not in answer]
    try:
        known, reasons = understand(source, folder)
    except Exception as error:  # noqa: BLE001 - an understanding that fails is a result, and the seed must be told
        failure = traceback.format_exc(limit=-3)
        tally.mismatches.append(Mismatch(seed, "the understanding", repr(error), failure, source))
        return
    if not ended:
        tally.raising += 1
        return
    tally.whole += not reasons
    tally.known += len(known)
    tally.unknown += reasons.total()
    tally.reasons.update(reasons)
    for name, claimed in known.items():
        # A name that a program may leave unbound has a value only where it is used, and there it is bound.
        for found in (answer[name] for answer in ended if name in answer):
            if '"?"' not in json.dumps(found) and found != claimed:
                tally.mismatches.append(Mismatch(seed, name, claimed, found, source))
                break
