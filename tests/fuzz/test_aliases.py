"""What changes when something that is not known is changed in place is not claimed to be as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.alias_traps import CASES, KNOWN
from tests.fuzz.comparing import RealPrograms, Tally, take
from tests.fuzz.evaluating import evaluate


@pytest.fixture(scope="module")
def real() -> Iterator[RealPrograms]:
    with RealPrograms() as opened:
        yield opened


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_claimed_that_some_environment_changes(name: str, real: RealPrograms, tmp_path: Path) -> None:
    answers = real.run(CASES[name])
    assert any("error" not in answer for answer in answers), answers
    tally = Tally()
    take(tally, 0, CASES[name], answers, tmp_path)
    assert [f"{m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_not_changed_is_still_known(name: str, tmp_path: Path) -> None:
    assert evaluate(CASES[name], tmp_path)[0].keys() >= KNOWN[name]
