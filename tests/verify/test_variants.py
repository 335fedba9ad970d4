"""Each broken variant fails exactly its own checks, and the whole specification fails none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.live.verify import CHECKS, verify
from pdmigrate.live.verify.disclosure import SAID
from pdmigrate.live.verify.model import CRITERIA, Reaction, Report, Status
from pdmigrate.live.verify.report import to_text
from pdmigrate.live.wire import BadAnswerError, NoAnswerError, RpcError, ServerEndedError, StdioTarget
from tests.verify.conftest import At

Stdio = Callable[[str], StdioTarget]

GATE = {"9.6", "9.7", "9.8"}
BROKEN: dict[str, set[str]] = {
    # stage one
    "full-list": {"9.1", "9.1-prose", "9.1-text"},
    "whole-texts": {"9.1-text"},
    **{name: {"9.1-nested"} for name in ("nested", "nested-items")},
    **{name: {"9.1-described"} for name in ("name-only", "undescribed")},
    "parameters": {"9.1-parameters"},
    "example": {"9.1-examples"},
    "usage-steps": {"9.1-usage"},
    "prose": {"9.1-prose"},
    "padded": {"9.1"},
    **{name: {"3.1-constant"} for name in ("promotes", "reorders", "bridge-renamed")},
    # the resource
    **{name: {"9.2"} for name in ("unlisted", "list-raises")},
    "bad-name": {"9.2-name"},
    "no-guidance": {*SAID},
    "no-instructions": {"8-instructions"},
    "listed-mime": {"4.1-mime"},
    # stage two
    "ignores-tools": {"9.1", "9.3", "9.3-comma", "9.4", "9.4-schema", "6.3", "9.6-opens", "9.6-persists"},
    "no-commas": {"9.3-comma", "6.3"},
    "one-of-two": {"9.3-comma"},
    "casefold": {"9.3-exact"},
    **{f"entry-{name}": {"9.4"} for name in ("undescribed", "misnamed", "missing")},
    **{f"entry-{name}": {"9.4-schema"} for name in ("incomplete", "untyped", "optional", "names-only")},
    "stubs-again": {"9.4-fuller"},
    "other-tools": {"9.4-only"},
    **{f"preamble-{name}": {"9.4-preamble"} for name in ("text", "key", "twice")},
    "no-examples": {"3.2-examples"},
    "no-error-guidance": {"3.2-errors"},
    "serves-all": {"9.5"},
    **{f"missing-{name}": {"9.5-body"} for name in ("raises", "message", "examples")},
    "unknown-raises": {"6.3"},
    "hidden-names": {"6.3-available"},
    # the gate
    **dict.fromkeys(("no-gate", "other-code", "advises-nothing", "advises-otherwise", "advises-alone"), GATE),
    **{name: {"9.6-tool"} for name in ("opens-all", "delivers-opens-all")},
    "never-opens": {"9.6-opens", "9.6-persists"},
    "one-call": {"9.6-persists"},
    **{name: {"9.8"} for name in ("shared-grants", "delivers-shared")},
    "opens-unasked": {"9.6-again"},
    **{name: set() for name in ("headers", "bridge-first-page", "delivers", "delivers-closed", "delivers-meta")},
    **{name: set() for name in ("structured", "strict")},
    "delivers-otherwise": {"9.7-delivered"},
    "delivers-never-opens": {"9.6-opens"},
    **{name: {"9.7-body"} for name in ("structured-message", "gate-uri", "gate-prefixed")},
    **{f"gate-{name}": {"9.7-result"} for name in ("success", "protocol-error")},
}


def failing(report: Report) -> set[str]:
    return {check.id for check in report.checks if check.status is Status.FAILED}


def standings(report: Report) -> list[Status]:
    return [report.standing(number) for number in CRITERIA]


@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_variant_fails_exactly_its_checks(http: At, variant: str) -> None:
    report = verify(http(variant))
    assert failing(report) == BROKEN[variant]
    binding = {check for check in CHECKS if CHECKS[check]["level"] == "must"}
    assert report.ok is not bool(BROKEN[variant] & binding)


NEVER_ALONE = {
    "9.3": "without an answer for one tool there is no definition to judge",
    "9.6": "a call that runs is no refusal with the code of the specification",
    "9.7": "the same call as for 9.6, judged for another criterion",
}
"""Checks that fail with others whatever is broken, or never, and why."""
ELSEWHERE = {"answers", "5.2-open", *SAID}
"""Checks that fail alone where there is no session over HTTP, or whatever the server does, in tests of their own."""


def test_every_check_has_a_variant_that_fails_it_alone() -> None:
    alone = {
        check
        for failed in (*BROKEN.values(), *(chosen for chosen, *_ in CHOSEN.values()))
        if len(failed) == 1
        for check in failed
    }
    assert CHECKS.keys() == alone | NEVER_ALONE.keys() | ELSEWHERE
    assert not alone & (NEVER_ALONE.keys() | ELSEWHERE)
    assert set().union(*BROKEN.values()) >= NEVER_ALONE.keys()


CHOSEN: dict[str, tuple[set[str], Reaction, Reaction]] = {
    "spec": ({"9.6-unlisted"}, Reaction.REFUSED, Reaction.ADVISED),
    "strict": (set(), Reaction.REFUSED, Reaction.REFUSED),
    "strict-structured": ({"9.7-text"}, Reaction.REFUSED, Reaction.REFUSED),
    "strict-delivers-json": ({"9.6-letter"}, Reaction.REFUSED, Reaction.REFUSED),
    "structured": ({"9.6-unlisted", "9.7-text"}, Reaction.REFUSED, Reaction.ADVISED),
    "delivers": ({"9.6-unlisted", "9.6-letter", "9.7-text"}, Reaction.REFUSED, Reaction.ADVISED),
    "advises": (GATE, Reaction.ADVISED, Reaction.NOT_TRIED),
    "receipts": ({"9.6", "9.8"}, Reaction.REFUSED, Reaction.REFUSED),
}
"""Servers that deviate from the letter by choice: in which checks, and what became of a call before any fetch."""


@pytest.mark.parametrize("variant", CHOSEN)
def test_a_choice_that_shows_is_a_failure_only_to_the_letter(http: At, variant: str) -> None:
    chosen, *became = CHOSEN[variant]
    report, strict = verify(http(variant)), verify(http(variant), strict=True)
    assert {check.id for check in report.checks if check.status is Status.BY_CHOICE} == failing(strict) == chosen
    assert (failing(report), [report.listed, report.unlisted]) == (set(), became)
    assert (report.ok, strict.ok) == (True, not chosen)
    chosen_criteria = [number for number in CRITERIA if f"9.{number}" in chosen]
    assert standings(report) == [Status.BY_CHOICE if n in chosen_criteria else Status.PASSED for n in CRITERIA]
    assert all("by choice: " in check.detail for check in strict.checks if check.id in chosen)


SAYS = {
    "delivers": ("9.6-again", "5.1 is met by delivery"),
    "delivers-closed": ("9.6-again", "only a fetch opens"),
    "list-raises": ("9.2", "the index is locked"),
    "nothing": ("9.1", "there is nothing to verify"),
}


@pytest.mark.parametrize("variant", SAYS)
def test_a_report_says_why(http: At, variant: str) -> None:
    report, (check, said) = verify(http(variant)), SAYS[variant]
    assert said in detail(report, check)
    assert (standings(report) == [Status.PASSED] * 8) is variant.startswith("delivers")


def detail(report: Report, check: str) -> str:
    return next(found.detail for found in report.checks if found.id == check)


def test_the_specification_passes_over_http(http: At) -> None:
    report = verify(http("spec"))
    assert (failing(report), report.ok, standings(report)) == (set(), True, [Status.PASSED] * 8)
    others = {check.id: check.status for check in report.checks if check.status is not Status.PASSED}
    absent = dict.fromkeys(("9.7-delivered", "5.2-open"), Status.NOT_APPLICABLE)
    assert others == {"9.6-unlisted": Status.BY_CHOICE, **absent}


@pytest.mark.parametrize("protocol", ["2025-06-18", "2026-07-28"])
def test_the_specification_passes_over_stdio(stdio: Stdio, protocol: str) -> None:
    report = verify(stdio("spec"), protocol=protocol)
    assert (failing(report), standings(report)) == (set(), [Status.PASSED] * 8)
    assert (report.transport, report.protocol) == ("stdio", protocol)
    assert (report.listed, report.unlisted) == (Reaction.REFUSED, Reaction.ADVISED)


# --- what a server does by choice ------------------------------------------------------------------------------------


def test_a_missing_gate_is_told_how_advice_would_show(http: At) -> None:
    report = verify(http("advises-nothing"))
    assert (report.listed, report.unlisted) == (Reaction.RAN, Reaction.NOT_TRIED)
    hints = {check.hint for check in report.checks if check.id in GATE}
    assert all("its definition at the end of an error" in hint for hint in hints)
    # ``list_folders`` takes no arguments, so it cannot fail.
    hints = {check.hint for check in verify(http("advises"), tool="list_folders").checks if check.id in GATE}
    assert all("name a call that fails" in hint for hint in hints)


# --- what cannot be told from the wire --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("stub-schemas", "no schema says more than its stub"),
        ("one-stub", "1 of 3 definitions say no more than their stubs: create_note"),
        ("most-stubs", "2 of 3 definitions say no more than their stubs: search_notes, delete_note"),
    ],
)
def test_definitions_that_may_be_stubs_are_left_to_a_comparison(http: At, variant: str, said: str) -> None:
    """A tool may have nothing more to say; which it is, only the server before can tell."""
    alone = verify(http(variant))
    (fuller,) = alone.untested
    assert (fuller.id, fuller.status, failing(alone)) == ("9.4-fuller", Status.SKIPPED, set())
    assert said in fuller.detail
    assert "--before CMD" in fuller.detail
    assert alone.standing(4) is Status.SKIPPED
    assert (alone.ok, verify(http(variant), strict=True).ok) == (True, False)
    assert "before-definitions" in failing(verify(http(variant), before=http("plain")))
    assert failing(verify(http("stubs-again"), before=http("plain-bare"))) == set()


# --- a server in trouble ----------------------------------------------------------------------------------------------


def test_an_unmigrated_server_meets_no_criterion(stdio: Stdio) -> None:
    report = verify(stdio("plain"))
    assert set(standings(report)) == {Status.FAILED}
    assert failing(report) >= {"9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7", "9.8", "8-instructions"}
    assert not report.ok


def test_a_server_that_dies_fails_that_check_and_leaves_the_rest_open(stdio: Stdio) -> None:
    report = verify(stdio("crashes"))
    by_id = {check.id: check for check in report.checks}
    assert [by_id[each].status for each in ("9.5", "9.6")] == [Status.FAILED, Status.SKIPPED]
    assert "no answer" in by_id["9.6"].detail
    assert (by_id["answers"].binding_failure, report.ok) == (True, False)
    later = verify(stdio("delivers-crashes"))
    assert (failing(later), later.standing(6), later.ok) == ({"answers"}, Status.SKIPPED, False)
    assert "on the fresh session: the server ended" in detail(later, "answers")


def test_without_sessions_the_gate_is_not_applicable(stateless: At) -> None:
    report = verify(stateless("advises"))
    assert failing(report) == set()
    assert (report.ok, verify(stateless("advises"), strict=True).ok) == (True, False)
    gate = {check.id: check for check in report.checks if check.criterion in (6, 7, 8)}
    assert {check.status for check in gate.values()} == {Status.NOT_APPLICABLE}
    assert "no session on this transport" in gate["9.6"].detail
    assert report.standing(6) is Status.NOT_APPLICABLE
    assert report.standing(5) is Status.PASSED


def test_a_gate_without_sessions_locks_everybody_out_or_opens_for_everybody(stateless: At) -> None:
    assert failing(verify(stateless("strict"))) == {"5.2-open"}
    report = verify(stateless("shared-strict"))
    assert failing(report) == {"9.8"}
    assert "open for every other" in detail(report, "9.8")


@pytest.mark.parametrize("method", ["initialize", "tools/list"])
def test_a_server_that_never_answers_is_named_with_what_it_did_not_answer(stdio: Stdio, method: str) -> None:
    with pytest.raises(NoAnswerError, match=f"did not answer {method} within 1 s"):
        verify(stdio(f"silent-{method}"), timeout=1)


@pytest.mark.parametrize("method", ["resources/list", "resources/templates/list", "resources/read", "tools/call"])
def test_what_is_never_answered_fails_and_nothing_more_is_waited_for(stdio: Stdio, method: str) -> None:
    started = time.monotonic()
    report = verify(stdio(f"silent-{method}"), timeout=2)
    assert time.monotonic() - started < 20
    assert not report.ok
    assert (report.listed is Reaction.UNANSWERED) is (method == "tools/call")
    [answers] = [check for check in report.checks if check.id == "answers"]
    assert answers.binding_failure
    assert f"on the first session: the server did not answer {method} within 2 s" in answers.detail


def test_pages_without_end_have_an_end(stdio: Stdio) -> None:
    with pytest.raises(BadAnswerError, match="tools/list with more than 1000 pages"):
        verify(stdio("pages"), timeout=10)
    with pytest.raises(NoAnswerError, match="did not come to the end of tools/list within 10 s: "):
        verify(stdio("slow-pages"), timeout=1)


def test_a_gate_that_no_harmless_call_can_try_is_not_tested_and_no_failure(http: At) -> None:
    report = verify(http("acting"))
    assert standings(report) == [Status.PASSED] * 5 + [Status.SKIPPED] * 3
    assert (report.ok, verify(http("acting"), strict=True).ok) == (True, False)
    assert {check.id.partition("-")[0] for check in report.untested} == {"9.6", "9.7", "9.8"}
    assert "choose one with --tool" in to_text(report).rpartition("not tested, which only --strict")[2]
    settled = verify(http("acting"), tool="delete_note", arguments={})
    assert settled.called == "delete_note"
    assert standings(settled) == [Status.PASSED] * 8


def test_a_tool_that_is_not_listed_is_a_mistake_of_the_user(http: At) -> None:
    with pytest.raises(UsageError, match="no tool 'count'") as caught:
        verify(http("spec"), tool="count")
    assert "list_folders" in caught.value.hint


def test_a_server_that_does_not_start_or_know_the_era_cannot_be_asked(stdio: Stdio) -> None:
    with pytest.raises(RpcError, match="server/discover"):
        verify(stdio("only-handshake"), protocol="2026-07-28")
    with pytest.raises(ServerEndedError, match="status 3"):
        verify(StdioTarget((sys.executable, "-c", "raise SystemExit(3)")))
