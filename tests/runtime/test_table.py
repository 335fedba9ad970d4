"""Every SDK family, on every transport, in both protocol eras, under every policy: what a call gets, and who is gated.

The cells of the table are all there are: servers of mcp 1.x speak no protocol without a handshake, and receipts are for
HTTP.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from pdmigrate.live.verify import verify
from pdmigrate.live.verify.model import CRITERIA, Reaction, Report, Status
from pdmigrate.live.wire import Session, Target
from tests.runtime.harness import served
from tests.runtime.offices import Way
from tests.runtime.samples import ENVELOPES, HANDSHAKE, SAMPLES, URI, Policies, Stand, answer, answers, session

POLICIES = {
    "stdio": ("enforce", "advise", "off"),
    "http": ("enforce", "advise", "receipt", "off"),
    "stateless": ("enforce", "advise", "receipt", "off"),
}


@dataclass(frozen=True)
class Cell(Way):
    """One way to run a migrated server and to talk to it."""

    policy: str = "enforce"

    def __str__(self) -> str:
        return f"{super().__str__()} {self.policy}"

    @property
    def effective(self) -> str:
        """Without a session there is nothing that could hold a grant."""
        return "advise" if self.policy == "enforce" and not self.has_session else self.policy

    def talk(self, both: Stand) -> Target:
        # What the other transport is told must not matter.
        stdio, http = (self.policy, "advise") if self.transport == "stdio" else ("enforce", self.policy)
        return self.target(both, Policies(stdio, http))


def cells(name: str) -> Iterator[Any]:
    for transport, policies in POLICIES.items():
        for era in SAMPLES[name].eras:
            for policy in policies:
                cell = Cell(transport, era, policy)
                yield pytest.param(name, cell, id=f"{name} {cell}")


CELLS = [cell for name in SAMPLES for cell in cells(name)]


# --- what a call gets -------------------------------------------------------------------------------------------------

STEPS = ("good", "bad", "good, fetched", "bad, fetched", "good, elsewhere", "good, elsewhere with what was fetched")
SAME = dict.fromkeys(STEPS, "as before")
FIRST = dict.fromkeys(("good", "good, elsewhere"), "refused")
REFUSED = {**FIRST, "bad": "refused"}
EXPECTED: dict[tuple[str, bool], dict[str, str]] = {
    ("enforce", True): {**SAME, **FIRST},  # a refusal brings the description, so the next call runs
    ("advise", True): {**SAME, "bad": "advised"},
    ("advise", False): {**SAME, "bad": "advised", "bad, fetched": "advised"},
    ("receipt", True): {**SAME, **REFUSED},
    ("off", True): SAME,
}


@pytest.mark.parametrize(("both", "cell"), CELLS, indirect=["both"])
def test_what_a_call_gets(both: Stand, cell: Cell) -> None:
    name, _ = both.sample.good
    expected = as_it_was(both, Way(cell.transport, cell.era))
    found = dict(zip(STEPS, conversation(both, cell), strict=True))
    seen = {step: outcome(name, given, expected[step.startswith("bad")]) for step, given in found.items()}
    # Whether there is a session makes no difference to receipts, and none to those who are not gated.
    assert seen == EXPECTED.get((cell.effective, cell.has_session), EXPECTED[cell.effective, True])


@cache
def as_it_was(both: Stand, way: Way) -> list[Any]:
    """What the good call and the bad one got before the migration: policies have no part in it."""
    (name, good), bad = both.sample.good, both.sample.bad
    with session(way.target(both, None), way.era) as old:
        found = answers(old, [(name, good), (name, bad)])
    assert [each.get("isError", False) for each in found] == [False, True]
    return found


def conversation(both: Stand, cell: Cell) -> Iterator[Any]:
    (name, good), bad = both.sample.good, both.sample.bad
    with session(cell.talk(both), cell.era) as opened:
        yield answer(opened, name, good)
        yield answer(opened, name, bad)
        token = receipt(opened, name)
        yield answer(opened, name, {**good, **token})
        yield answer(opened, name, {**bad, **token})
    with session(cell.talk(both), cell.era) as other:
        yield answer(other, name, good)
        yield answer(other, name, {**good, **token})


def receipt(opened: Session, name: str) -> dict[str, Any]:
    """The argument that the fetched definition asks for; none where there are no receipts."""
    schema = served(opened.read_resource(f"{URI}?tools={name}"))[name]["inputSchema"]
    asked = schema["properties"].get("description_receipt")
    return {} if asked is None else {"description_receipt": asked["enum"][0]}


def outcome(name: str, found: Any, before: Any) -> str:
    if found == before:
        return "as before"
    if not found.get("isError"):
        return f"something else: {found}"
    *content, last = found["content"]
    beside = found.get("structuredContent") or found.get("_meta") or {}
    if not content and beside.get("error", {}).get("code") == "TOOL_DESCRIPTION_REQUIRED":
        return "refused"
    try:
        said = json.loads(last["text"])
    except ValueError:
        return f"something else: {found}"
    advised = list(said) == [name] and "inputSchema" in said[name] and {**found, "content": content} == before
    return "advised" if advised else f"something else: {found}"


# --- the criteria -----------------------------------------------------------------------------------------------------


def distinct(cell: Cell) -> bool:
    """Whether the criteria are put to a cell: they take a hundred requests, and some cells differ in calls alone."""
    if (cell.transport, cell.era) == ("stateless", ENVELOPES):
        return False
    # Without a session, the gate is all that advice and none differ in, and it is not judged.
    return cell.has_session or cell.policy in ("enforce", "receipt")


JUDGED = [cell for cell in CELLS if distinct(cell.values[1])]


def broken(report: Report) -> list[str]:
    """What a binding clause, or the comparison with the server before, finds wrong."""
    recommended = {"3.2-examples", "3.2-errors"}  # a person's to write
    return [f"{c.id}: {c.detail}" for c in report.checks if c.status is Status.FAILED and c.id not in recommended]


GATE = {
    "enforce": [Status.PASSED] * 3,
    "advise": [Status.BY_CHOICE] * 3,
    "receipt": [Status.BY_CHOICE, Status.PASSED, Status.BY_CHOICE],
    "off": [Status.FAILED] * 3,
}


@pytest.mark.parametrize(("both", "cell"), JUDGED, indirect=["both"])
def test_which_criteria_hold(both: Stand, cell: Cell) -> None:
    """All eight where a session is enforced; elsewhere those about listing and fetching, as ``apply`` says.

    What was chosen counts as chosen: advice, and receipts, which open a tool elsewhere, too.  Nothing shows that a gate
    was switched off.
    """
    report = verify(cell.talk(both), before=cell.target(both, None), protocol=cell.era)
    gate = [*GATE[cell.effective]] if cell.has_session else [Status.NOT_APPLICABLE] * 3
    standing = [report.standing(number) for number in CRITERIA]
    if cell.effective == "receipt" and standing[6] is Status.PASSED:
        gate[1] = Status.PASSED  # without a session, too, where a call is made, it is refused in the right words
    assert report.ok is (cell.policy != "off" or not cell.has_session)
    assert report.has_session is cell.has_session
    assert standing == [Status.PASSED] * 5 + gate
    # A host that opens a session for each call is served by a gate that looks at the listing.
    assert cell.effective != "enforce" or report.unlisted is Reaction.ADVISED
    ungated = ("9.6", "9.7", "9.8") if Status.FAILED in gate else ()
    assert [line for line in broken(report) if not line.startswith(ungated)] == []


@pytest.mark.parametrize(
    ("both", "transport", "era"),
    [("mcp1_lowlevel", "http", HANDSHAKE), ("mcp2_mcpserver", "stdio", ENVELOPES)],
    indirect=["both"],
)
def test_the_letter_holds_where_the_policy_is_strict(both: Stand, transport: str, era: str) -> None:
    for policy in ("strict", "enforce"):
        report = verify(Cell(transport, era, policy).talk(both), protocol=era, strict=True)
        assert report.ok is (policy == "strict")
        failed = {c.id for c in report.checks if c.binding_failure}
        assert failed == (set() if policy == "strict" else {"9.6-unlisted", "9.6-letter", "9.7-text"})
