"""A server that follows the letter of the specification, written by hand in TypeScript: nothing is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.live.verify import verify
from pdmigrate.live.verify.model import CRITERIA, Reaction, Report, Status
from pdmigrate.live.wire import HttpTarget, StdioTarget
from tests.support import npm
from tests.support.running import serving

FOLDER = Path(__file__).parents[1] / "fixtures" / "handwritten"


@pytest.fixture(scope="module")
def command() -> tuple[str, ...]:
    if (reason := npm.missing()) is not None:
        pytest.skip(reason)
    return "node", str(npm.built(FOLDER, "typescript") / "built" / "server.js")


def check_is_right(report: Report) -> None:
    assert not [check.id for check in report.checks if check.status is Status.FAILED]
    assert [report.standing(number) for number in CRITERIA] == [Status.PASSED] * 8
    assert report.untested == ()
    assert (report.listed, report.unlisted) == (Reaction.REFUSED, Reaction.REFUSED)
    assert report.ok


def test_is_right_over_stdio(command: tuple[str, ...]) -> None:
    check_is_right(verify(StdioTarget(command), before=StdioTarget((*command, "--before")), strict=True))


def test_is_right_over_http(command: tuple[str, ...]) -> None:
    with serving(command, (*command, "--before")) as ports:
        after, before = (HttpTarget(f"http://127.0.0.1:{port}/mcp") for port in ports)
        report = verify(after, before=before)
        assert report.has_session
        check_is_right(report)
        check_is_right(verify(after, strict=True))


def test_the_same_server_before_is_wrong(command: tuple[str, ...]) -> None:
    report = verify(StdioTarget((*command, "--before")))
    assert {report.standing(number) for number in CRITERIA} == {Status.FAILED}
