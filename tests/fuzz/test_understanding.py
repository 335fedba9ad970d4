"""What the understanding says of random programs is what they compute.

A slice of each kind; ``python -m tests.fuzz.run`` runs as many as one likes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.comparing import RealPrograms, Tally, compare, take
from tests.fuzz.statements import program


@pytest.mark.parametrize(
    ("kind", "first", "last", "share"),
    [("statements", 1, 300, 0.4), ("objects", 1, 60, 0.3), ("sharing", 1, 60, 0.4), ("sharing", 1376, 1435, 0.4)],
)
def test_what_is_known_of_a_program_is_what_it_computes(kind: str, first: int, last: int, share: float) -> None:
    tally = compare(range(first, last + 1), kind)
    assert [f"seed {m.seed}: {m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
    assert tally.raising <= 15, "most programs must run to their end for this to mean something"
    assert tally.share > share, tally.reasons.most_common(5)


def test_a_false_claim_is_noticed(tmp_path: Path) -> None:
    source = "import os\nv1 = [1]\nv3 = os.environ.get('PD_A')\n"
    with RealPrograms() as real:
        answers = real.run(source)
    for wrong, names in ((["list", [["int", "1"]]], []), (["list", []], ["v1"])):
        tally = Tally()
        take(tally, 0, source, [{**answer, "v1": wrong} for answer in answers], tmp_path)
        assert [mismatch.name for mismatch in tally.mismatches] == names


def test_programs_are_made_from_their_seed_alone() -> None:
    assert program(7) == program(7)
    assert program(7) != program(8)
