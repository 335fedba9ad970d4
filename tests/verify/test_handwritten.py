"""Servers that follow the letter of the specification, written by hand with the official SDKs: nothing is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pdmigrate.live.verify import verify
from pdmigrate.live.verify.model import CRITERIA, Reaction, Report, Standing, Status
from pdmigrate.live.wire import HttpTarget, StdioTarget
from tests.support import npm
from tests.support.environments import MCP2, environment
from tests.support.running import serving

FOLDER = Path(__file__).parents[1] / "fixtures" / "handwritten"

Command = tuple[str, ...]


def python() -> Command:
    return str(environment(MCP2)), str(FOLDER / "python" / "server.py")


def typescript() -> Command:
    if (reason := npm.missing()) is not None:
        pytest.skip(reason)
    return "node", str(npm.built(FOLDER, "typescript") / "built" / "server.js")


WRITTEN_IN = pytest.mark.parametrize("written", [python, typescript], ids=["Python", "TypeScript"])


def check_is_right(report: Report) -> None:
    assert not [check.id for check in report.checks if check.status is Status.FAILED]
    assert [report.standing(number) for number in CRITERIA] == [Standing.MET] * 8
    assert report.untested == ()
    assert (report.listed, report.unlisted) == (Reaction.REFUSED, Reaction.REFUSED)
    assert report.ok


@WRITTEN_IN
def test_is_right_over_stdio(written: Callable[[], Command]) -> None:
    command = written()
    check_is_right(verify(StdioTarget(command), before=StdioTarget((*command, "--before")), strict=True))


@WRITTEN_IN
def test_is_right_over_http(written: Callable[[], Command]) -> None:
    command = written()
    with serving(command, (*command, "--before")) as ports:
        after, before = (HttpTarget(f"http://127.0.0.1:{port}/mcp") for port in ports)
        report = verify(after, before=before)
        assert report.has_session
        check_is_right(report)
        check_is_right(verify(after, strict=True))


def test_is_right_in_the_era_without_handshakes() -> None:
    check_is_right(verify(StdioTarget(python()), protocol="2026-07-28"))


@WRITTEN_IN
def test_the_same_server_before_is_wrong(written: Callable[[], Command]) -> None:
    report = verify(StdioTarget((*written(), "--before")))
    assert {report.standing(number) for number in CRITERIA} == {Standing.NOT_MET}
