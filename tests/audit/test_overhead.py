"""What the bridge and the guidance add to what a model is sent."""

from __future__ import annotations

import pytest

from pdmigrate.audit.tokens import NAMELESS, overhead
from pdmigrate.model import Fate, Outcome, Overhead, Plan
from pdmigrate.report.plans import accounting_text
from tests.audit.listings import Characters

NAMES = ("find_copies", "renew_loan")


@pytest.mark.parametrize("name", ["desk", "Größe & Länge"])
def test_a_server_that_is_named_later_is_taken_to_have_a_name_of_about_that_length(name: str) -> None:
    known, other = (overhead(each, NAMES, Characters(), bridge=True) for each in (NAMELESS, name))
    assert abs(known.bridge - other.bridge) < 10


def test_the_total_of_a_report_counts_the_bridge_and_the_guidance() -> None:
    outcomes = tuple(Outcome("desk", name, Fate.STUBBED, "", 300, 100) for name in NAMES)
    said = accounting_text(Plan((), outcomes, overheads={"desk": Overhead(70, 50)}), Characters())
    assert "600 -> 320, of them 70 for the tool that returns the descriptions and 50 for guidance in the" in said
    assert "desk  600" not in said


@pytest.mark.parametrize(("length", "guided"), [(0, True), (1_500, True), (2_000, False)])
def test_instructions_as_long_as_clients_read_get_no_guidance(length: int, guided: bool) -> None:
    added = overhead("desk", NAMES, Characters(), bridge=True, instructions="a" * length or None)
    assert (added.guidance > 0) is guided
