"""Programs made to mislead: nothing is claimed of them that some environment changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.alias_traps import CASES as ALIASES
from tests.fuzz.alias_traps import KNOWN
from tests.fuzz.comparing import RealPrograms, Tally, take
from tests.fuzz.element_traps import ALWAYS, CONDITIONAL
from tests.fuzz.evaluating import evaluate
from tests.fuzz.leaving_traps import CASES as LEAVING
from tests.fuzz.order_traps import CASES as ORDER
from tests.fuzz.order_traps import STILL_KNOWN

CASES = {**{f"alias, {name}": case for name, case in ALIASES.items()}, **LEAVING, **CONDITIONAL, **ORDER}


@pytest.fixture(scope="module")
def real() -> Iterator[RealPrograms]:
    with RealPrograms() as opened:
        yield opened


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_claimed_that_some_environment_changes(name: str, real: RealPrograms, tmp_path: Path) -> None:
    answers = real.run(CASES[name])
    assert len(answers) > 1, "the program has to run in every environment"
    assert any("error" not in answer for answer in answers), answers
    tally = Tally()
    take(tally, 0, CASES[name], answers, tmp_path)
    assert [f"{m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_not_changed_is_still_known(name: str, tmp_path: Path) -> None:
    assert evaluate(ALIASES[name], tmp_path)[0].keys() >= KNOWN[name]


@pytest.mark.parametrize("name", STILL_KNOWN)
def test_what_stands_at_a_known_place_is_still_known(name: str, real: RealPrograms, tmp_path: Path) -> None:
    answers = real.run(STILL_KNOWN[name])
    known = evaluate(STILL_KNOWN[name], tmp_path)[0]
    assert [answer["v1"] for answer in answers] == [known["v1"]] * len(answers)


@pytest.mark.parametrize("name", ALWAYS)
def test_what_is_claimed_is_so(name: str, real: RealPrograms, tmp_path: Path) -> None:
    answers = real.run(ALWAYS[name])
    assert all("error" not in answer for answer in answers), answers
    tally = Tally()
    take(tally, 0, ALWAYS[name], answers, tmp_path)
    assert [f"{m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches] == []
