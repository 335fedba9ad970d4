"""Servers without any SDK are judged by the same rules, in both protocol eras."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.live.verify import CRITERIA, Reaction, Standing, Status, verify
from pdmigrate.live.verify.report import to_text
from pdmigrate.live.wire import BadAnswerError, NoAnswerError, RpcError, ServerEndedError, StdioTarget

RAW = Path(__file__).with_name("raw_notes.py")


def raw(*switches: str) -> StdioTarget:
    return StdioTarget((sys.executable, str(RAW), *switches))


@pytest.mark.parametrize("protocol", ["2025-06-18", "2026-07-28"])
@pytest.mark.parametrize("switches", [(), ("noise",)])
def test_a_server_without_an_sdk_meets_all_criteria(switches: tuple[str, ...], protocol: str) -> None:
    report = verify(raw(*switches), protocol=protocol, timeout=10)
    assert not [check.id for check in report.checks if check.status is Status.FAILED]
    assert {report.standing(number) for number in CRITERIA} == {Standing.MET}
    assert report.ok


RULES = {
    "enforce": (Reaction.REFUSED, Reaction.ADVISED, Standing.MET),
    "strict": (Reaction.REFUSED, Reaction.REFUSED, Standing.MET),
    "advise": (Reaction.ADVISED, Reaction.NOT_TRIED, Standing.BY_CHOICE),
    "open": (Reaction.RAN, Reaction.NOT_TRIED, Standing.NOT_MET),
}


@pytest.mark.parametrize("protocol", ["2025-06-18", "2026-07-28"])
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_a_gate_is_told_from_the_others(rule: str, protocol: str) -> None:
    report = verify(raw(rule), protocol=protocol, timeout=10)
    listed, unlisted, standing = RULES[rule]
    assert (report.protocol, report.listed, report.unlisted) == (protocol, listed, unlisted)
    assert [report.standing(number) for number in CRITERIA] == [Standing.MET] * 5 + [standing] * 3
    assert report.ok is (rule != "open")
    assert verify(raw(rule), protocol=protocol, timeout=10, strict=True).ok is (rule == "strict")


@pytest.mark.parametrize("method", ["initialize", "tools/list"])
def test_a_server_that_never_answers_is_named_with_what_it_did_not_answer(method: str) -> None:
    with pytest.raises(NoAnswerError, match=f"did not answer {method} within 1 s"):
        verify(raw("silent", method), timeout=1)


@pytest.mark.parametrize("method", ["resources/list", "resources/templates/list", "resources/read", "tools/call"])
def test_what_is_never_answered_fails_and_nothing_more_is_waited_for(method: str) -> None:
    started = time.monotonic()
    report = verify(raw("silent", method), timeout=2)
    assert time.monotonic() - started < 20
    assert not report.ok
    [answers] = [check for check in report.checks if check.id == "answers"]
    assert answers.binding_failure
    assert f"on the first session: the server did not answer {method} within 2 s" in answers.detail


def test_pages_without_end_have_an_end() -> None:
    with pytest.raises(BadAnswerError, match="tools/list with more than 1000 pages"):
        verify(raw("pages"), timeout=10)


def test_slow_pages_without_end_have_an_end() -> None:
    started = time.monotonic()
    with pytest.raises(NoAnswerError, match="did not come to the end of tools/list within 10 s: "):
        verify(raw("pages", "slow"), timeout=1)
    assert time.monotonic() - started < 20


def test_a_gate_that_no_harmless_call_can_try_is_not_tested_and_no_failure() -> None:
    report = verify(raw("acting"), timeout=10)
    assert [report.standing(number) for number in CRITERIA] == [Standing.MET] * 5 + [Standing.NOT_TESTED] * 3
    assert (report.ok, verify(raw("acting"), timeout=10, strict=True).ok) == (True, False)
    assert {check.id.partition("-")[0] for check in report.untested} == {"9.6", "9.7", "9.8"}
    assert "choose one with --tool" in to_text(report).rpartition("not tested, which only --strict")[2]
    settled = verify(raw("acting"), tool="delete_note", arguments={}, timeout=10)
    assert {settled.standing(number) for number in CRITERIA} == {Standing.MET}


def test_a_server_without_tools_is_not_verified() -> None:
    report = verify(raw("nothing"), timeout=10)
    assert not report.ok
    assert "there is nothing to verify" in next(check.detail for check in report.checks if check.id == "9.1")


def test_the_tool_and_its_arguments_can_be_chosen() -> None:
    report = verify(raw(), tool="count_notes", arguments={"folder": 7}, timeout=10)
    assert report.called == "count_notes"
    assert report.ok


def test_a_tool_that_is_not_listed_is_a_mistake_of_the_user() -> None:
    with pytest.raises(UsageError, match="no tool 'count'") as caught:
        verify(raw(), tool="count", timeout=10)
    assert "count_notes" in caught.value.hint


def test_a_server_that_does_not_know_the_era_cannot_be_asked() -> None:
    with pytest.raises(RpcError, match="server/discover"):
        verify(raw("only-handshake"), protocol="2026-07-28", timeout=10)


def test_a_server_that_does_not_start_cannot_be_asked() -> None:
    with pytest.raises(ServerEndedError, match="status 3"):
        verify(StdioTarget((sys.executable, "-c", "raise SystemExit(3)")), timeout=10)
