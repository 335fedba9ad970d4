"""Programs made to mislead: nothing is claimed of them that CPython, or some environment, gives otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import condition_traps
from tests.fuzz.comparing import RealPrograms, Tally, take
from tests.fuzz.order_traps import CASES as ORDER
from tests.fuzz.rule_traps import PROGRAMS
from tests.fuzz.understanding import understand

RULES = {f"rule, {name}": f"{source.strip()}\nv99 = result\n" for name, source in PROGRAMS.items()}
CASES = {**condition_traps.CASES, **RULES}


@pytest.fixture(scope="module")
def real() -> Iterator[RealPrograms]:
    with RealPrograms() as opened:
        yield opened


def wrong(source: str, real: RealPrograms, folder: Path) -> list[str]:
    """Every claim about a program that does not hold in some environment."""
    tally = Tally()
    take(tally, 0, source, real.run(source), folder)
    return [f"{m.name} is {m.real}, not {m.claimed}" for m in tally.mismatches]


@pytest.mark.parametrize("name", CASES)
def test_what_is_claimed_is_so(name: str, real: RealPrograms, tmp_path: Path) -> None:
    assert wrong(CASES[name], real, tmp_path) == []


def test_what_is_copied_stays_known(tmp_path: Path) -> None:
    known, _ = understand(CASES["twice in a copy"], tmp_path)
    assert known.keys() >= {"v0", "v1", "v2"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDER)
def test_no_order_is_claimed_that_some_environment_changes(name: str, real: RealPrograms, tmp_path: Path) -> None:
    assert wrong(ORDER[name], real, tmp_path) == []
