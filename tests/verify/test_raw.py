"""Servers without any SDK are judged by the same rules, in both protocol eras."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.verify import CRITERIA, Standing, Status, verify
from pdmigrate.wire import RpcError, ServerEndedError, StdioTarget

RAW = Path(__file__).with_name("raw_notes.py")


def raw(*switches: str) -> StdioTarget:
    return StdioTarget((sys.executable, str(RAW), *switches))


@pytest.mark.parametrize("protocol", ["2025-06-18", "2026-07-28"])
@pytest.mark.parametrize("switches", [(), ("noise",)])
def test_a_server_without_an_sdk_meets_all_criteria(switches: tuple[str, ...], protocol: str) -> None:
    report = verify(raw(*switches), protocol=protocol, timeout=10)
    failed = {check.id for check in report.checks if check.status is Status.FAILED}
    assert failed == {"3.1-properties", "4.3-repeated"}
    assert {report.standing(number) for number in CRITERIA} == {Standing.MET}
    assert report.ok


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
