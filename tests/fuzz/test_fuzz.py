"""A thin slice of the fuzzer: what the evaluator knows of random programs is what they compute."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.comparing import RealPrograms, Tally, compare, take
from tests.fuzz.reducing import reduce
from tests.fuzz.statements import program

SLICES = [range(first, first + 75) for first in (1, 76, 151, 226)]


@pytest.mark.parametrize("seeds", SLICES, ids=lambda seeds: f"{seeds.start}-{seeds.stop - 1}")
def test_what_is_known_of_a_program_is_what_it_computes(seeds: range) -> None:
    *_, tally = compare(seeds)
    assert [f"seed {m.seed}: {m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
    assert tally.raising <= 5, "most programs must run to their end for this to mean something"
    assert tally.share > 0.6, tally.reasons.most_common(5)


def test_what_is_known_without_some_functions_is_what_the_program_computes() -> None:
    *_, tally = compare([*range(301, 360), 1345, 2449], tiring=True)
    assert [f"seed {m.seed}: {m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
    assert tally.share > 0.4, tally.reasons.most_common(5)
    assert any("takes more steps" in reason for reason in tally.reasons)


def test_code_around_a_program_changes_nothing_of_what_is_known() -> None:
    *_, alone = compare(range(361, 420))
    *_, tally = compare(range(361, 420), around=True)
    assert [f"seed {m.seed}: {m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
    assert (tally.known, tally.raising) == (alone.known, alone.raising)


@pytest.mark.parametrize("first", [1, 101, 201])
def test_what_is_known_of_objects_is_what_they_do(first: int) -> None:
    *_, tally = compare(range(first, first + 60), objects=True)
    assert [f"seed {m.seed}: {m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
    assert tally.raising <= 5, "most programs must run to their end for this to mean something"
    assert tally.share > 0.6, tally.reasons.most_common(5)


def test_programs_are_made_from_their_seed_alone() -> None:
    assert program(7) == program(7)
    assert program(7) != program(8)


def test_a_false_claim_is_noticed_and_made_small(tmp_path: Path) -> None:
    """The comparison itself, on a program of which one of two environments differs from what is claimed."""
    source = "import os\nkept = 1\nv1 = [1]\nfor i in range(2):\n    v2 = i\nv3 = os.environ.get('PD_A')\n"
    with RealPrograms() as real:
        tally = Tally()
        answers = real.run(source)
        take(tally, 0, source, answers, tmp_path)
        assert tally.mismatches == []
        answers[0]["v1"] = ["list", [["bool", "True"]]]
        take(tally, 0, source, answers, tmp_path)
    assert [mismatch.name for mismatch in tally.mismatches] == ["v1"]
    assert reduce(source, lambda text: "v1 = [1]" in text) == "v1 = [1]"
