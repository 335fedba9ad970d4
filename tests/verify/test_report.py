"""The three forms of a report, and what decides whether it is good."""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pdmigrate.live.verify import CHECKS, JUDGES
from pdmigrate.live.verify.answers import Exchange
from pdmigrate.live.verify.model import CheckResult, Level, Reaction, Report, Status
from pdmigrate.live.verify.report import to_json, to_junit, to_text
from pdmigrate.live.wire import RpcError, WireError
from tests.support.command_line import pdmigrate
from tests.verify.conftest import NOTES

DOCS = Path(__file__).parents[2] / "docs" / "verify.md"


def check(id_: str, status: Status, level: Level = Level.MUST, *evidence: Exchange) -> CheckResult:
    return CheckResult(id_, "6.1", level, f"title of {id_}", status, f"detail of {id_}", "wanted", "do this", evidence)


def report(*checks: CheckResult) -> Report:
    told = {"protocol": "2025-06-18", "listed": Reaction.REFUSED, "unlisted": Reaction.ADVISED}
    return Report(
        checks, "python server.py", "stdio", True, "notes 1.0", 4, "search", "by its name it only reads", **told
    )


ALL_MET = tuple(check(f"9.{number}", Status.PASSED) for number in range(1, 9))


@pytest.mark.parametrize(
    ("changes", "ok", "standing"),
    [
        pytest.param((), True, Status.PASSED, id="all passed"),
        pytest.param((check("9.5-body", Status.FAILED),), False, Status.FAILED, id="one part failed"),
        pytest.param((check("9.5-body", Status.SKIPPED),), True, Status.SKIPPED, id="one part was not tested"),
        pytest.param((check("9.5-body", Status.NOT_APPLICABLE),), True, Status.PASSED, id="one part does not apply"),
        pytest.param((check("9.5-x", Status.FAILED, Level.SHOULD),), True, Status.PASSED, id="advice is not binding"),
        pytest.param((check("6.3", Status.FAILED),), False, Status.PASSED, id="binding outside the criteria"),
        pytest.param((check("before-names", Status.FAILED),), False, Status.PASSED, id="not as before"),
        pytest.param((check("before-names", Status.SKIPPED),), True, Status.PASSED, id="nothing to compare"),
    ],
)
def test_what_makes_a_report_good(changes: tuple[CheckResult, ...], ok: bool, standing: Status) -> None:
    found = report(*ALL_MET, *changes)
    assert found.ok is ok
    assert found.standing(5) is standing


def test_what_is_otherwise_for_a_reason_is_good_but_not_to_the_letter_and_no_checks_are_no_success() -> None:
    for status, standing in (
        (Status.BY_CHOICE, Status.BY_CHOICE),
        (Status.NOT_APPLICABLE, Status.NOT_APPLICABLE),
        (Status.PASSED, Status.PASSED),
    ):
        found = report(*ALL_MET[:-1], check("9.8", status))
        assert (found.standing(8), found.ok) == (standing, True)
        assert replace(found, strict=True).ok is (status is Status.PASSED)
    assert not report().ok
    assert not report(*(replace(one, status=Status.SKIPPED) for one in ALL_MET)).ok


def test_what_is_not_tested_is_no_failure_but_to_the_letter_and_named_with_what_settles_it() -> None:
    again = replace(check("9.8", Status.SKIPPED), detail="detail of 9.5-body")
    found = report(*ALL_MET[:-1], check("9.5-body", Status.SKIPPED), again, check("6.3", Status.SKIPPED))
    assert (found.ok, replace(found, strict=True).ok) == (True, False)
    named = "\n  9.5-body, 9.8: detail of 9.5-body\n"
    assert f"\nnot tested, which only --strict counts as a failure:{named}" in to_text(found)
    assert f"\nnot tested:{named}" in to_text(replace(found, strict=True))
    assert "which only" not in to_text(report(*ALL_MET))
    missed = report(*ALL_MET, check("9.5-body", Status.SKIPPED), check("9.5-x", Status.FAILED))
    assert missed.untested == ()


ANSWERS = (
    Exchange("first", "resources/read", {"uri": "x"}, {"contents": []}),
    Exchange("second", "tools/call", {"name": "n"}, RpcError(-32601, "no \x1b[31m such\0thing")),
    Exchange("before", "tools/call", {"name": "n"}, WireError("gone\nlong story")),
)
MIXED = report(
    *ALL_MET[:4],
    check("9.5", Status.FAILED, Level.MUST, *ANSWERS),
    check("9.6", Status.SKIPPED),
    check("9.7", Status.NOT_APPLICABLE),
    check("9.8", Status.BY_CHOICE),
    check("4.3", Status.FAILED, Level.SHOULD),
)


def test_text_says_what_was_sent_came_is_wanted_and_is_to_be_done() -> None:
    text = to_text(MIXED)
    for part in (
        "notes 1.0: 4 tools over stdio (2025-06-18); calling search (by its name it only reads)",
        *("ok   9.1 ", "FAIL 9.5 ", "skip 9.6 ", "n/a  9.7 ", "opt  9.8 ", "warn 4.3 ", "(on the second session)"),
        *('       sent:  resources/read {"uri": "x"}\n', '       came:  {"contents": []}\n', "       came:  gone\n"),
        *("       found: detail of 9.5\n", "       wants: wanted (section 6.1, must)\n", "       do:    do this\n"),
        "\nopt: not met by choice; only --strict counts it as a failure\n",
        "\n4/8 criteria met over stdio (2025-06-18); not met: 9.5; by choice: 9.8; not tested: 9.6; ",
        "; not applicable: 9.7; 1 failed, 1 warned\n",
        "\n  in a session that lists, then calls: refused\n",
        "\n  in a session that only calls, as with hosts that open one for each call: ran, and its error came",
    ):
        assert part in text
    assert "\x1b" not in text
    assert re.sub(r"\x1b\[\d+m", "", to_text(MIXED, color=True)) == to_text(MIXED)


def test_json_is_complete() -> None:
    body = json.loads(to_json(MIXED))
    assert body["version"] == 1
    assert body["ok"] is False
    assert (body["criteria"]["9.5"], body["criteria"]["9.8"]) == ("not met", "by choice")
    assert (body["protocol"], body["strict"]) == ("2025-06-18", False)
    assert body["before_the_fetch"] == {"listed": "refused", "unlisted": "ran, and its error came with the definition"}
    assert [c["id"] for c in body["checks"]] == [c.id for c in MIXED.checks]
    assert [e["answer"] for e in body["checks"][4]["evidence"]] == [
        {"result": {"contents": []}},
        {"error": {"code": -32601, "message": "no \x1b[31m such\0thing", "data": None}},
        {"none": "gone\nlong story"},
    ]


def test_junit_counts_and_parses() -> None:
    suite = ElementTree.fromstring(to_junit(MIXED))
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["9", "1", "0", "3"]
    parts = ("testcase", "testcase/failure", "testcase/skipped", "testcase/system-out")
    assert [len(suite.findall(part)) for part in parts] == [9, 1, 3, 1]


def test_the_documentation_has_every_check_and_every_judge_its_own() -> None:
    rows = {line.split("|")[1].strip(" `") for line in DOCS.read_text().splitlines() if line.startswith("| `")}
    assert CHECKS.keys() == JUDGES.keys() <= rows


# --- the command ------------------------------------------------------------------------------------------------------


def notes(variant: str) -> str:
    return shlex.join([sys.executable, str(NOTES), variant])


def test_the_protocol_that_is_asked_for_is_spoken() -> None:
    ran = pdmigrate("verify", "--command", notes("only-handshake"), "--protocol", "2026-07-28")
    assert ran.status == 2
    assert "server/discover" in ran.stderr


@pytest.mark.parametrize(("form", "failed"), [("text", "\nFAIL "), ("json", '"ok": false'), ("junit", "<failure ")])
def test_a_server_without_disclosure_fails_in_every_format(form: str, failed: str) -> None:
    ran = pdmigrate("verify", "--command", notes("plain"), "--timeout", "20", "--format", form)
    assert (ran.status, ran.stderr, failed in ran.stdout, "\x1b" in ran.stdout) == (1, "", True, False)
