"""The production checklist: what settles each row, and what stays with a person."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pdmigrate.escaping import block
from pdmigrate.live.verify.checklist import Local, checklist, is_good, to_json, to_text
from pdmigrate.live.verify.model import CheckResult, Level, Status
from tests.layouts.living import migrated
from tests.layouts.servers import module
from tests.runtime.nurseries import planted
from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1
from tests.support.files import write
from tests.support.repositories import committed
from tests.verify.test_report import ALL_MET, check, report

MIGRATED = Local(agrees=True, tools=4, module=True, tests=("tests/test_it.py",))
SETTLED = [0, 2, 4, 5, 6, 8]
"""The rows that the checks of a good server and its project settle; the others are a person's."""


def statuses(local: Local | None) -> list[str]:
    return [row.status for row in checklist(report(*ALL_MET), local)]


def test_what_nothing_can_know_stays_with_a_person_as_do_the_rows_that_a_project_settles_without_one() -> None:
    assert statuses(MIGRATED) == ["ok" if row in SETTLED else "yours" for row in range(12)]
    assert statuses(None) == ["ok" if row in SETTLED and row not in (0, 5) else "yours" for row in range(12)]
    [first, *_] = checklist(report(*ALL_MET), Local(agrees=False, tools=4, module=True))
    assert (first.status, is_good((first,))) == ("FAIL", False)


@pytest.mark.parametrize(
    ("changed", "row", "status"),
    [
        (check("9.1-prose", Status.FAILED), 1, "FAIL"),
        (check("4.2-steps", Status.FAILED, Level.SHOULD), 2, "warn"),
        (check("9.2-query", Status.FAILED), 2, "FAIL"),
        (check("9.6-tool", Status.FAILED), 4, "FAIL"),
        (check("9.6-unlisted", Status.BY_CHOICE), 4, "opt"),
        (check("9.8-x", Status.SKIPPED), 4, "yours"),
        (check("9.7-body", Status.FAILED), 6, "FAIL"),
    ],
)
def test_a_check_that_fails_is_named_in_its_row(changed: CheckResult, row: int, status: str) -> None:
    found = report(*ALL_MET, changed)
    rows = checklist(found, MIGRATED)
    assert rows[row].status == status
    assert "title of" in rows[row].detail
    others = [other.status for number, other in enumerate(rows) if number not in (row, 8)]
    assert others == ["ok" if number in SETTLED else "yours" for number in range(12) if number not in (row, 8)]
    assert is_good(rows) is found.ok


def test_the_text_counts_what_is_settled_and_the_json_names_the_checks_of_each_row() -> None:
    found = report(*ALL_MET)
    text = to_text(found, checklist(found, MIGRATED))
    assert text.splitlines()[-1] == "notes 1.0: 6 settled, 6 yours to check"
    assert "\x1b" not in text
    coloured = to_text(found, checklist(found, MIGRATED), color=True)
    assert "\x1b[32mok   \x1b[0m" in coloured
    assert block(coloured, colour=True) == coloured
    told = json.loads(to_json(found, checklist(found, None)))
    assert (told["version"], told["ok"], len(told["checklist"])) == (1, True, 12)
    assert told["checklist"][4]["checks"] == ["9.6", "9.8"]


def test_a_migrated_server_in_its_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = committed(write(tmp_path, {"pyproject.toml": "", "server.py": module()}))
    command = shlex.join(planted(MCP1, "-B", "server.py"))
    monkeypatch.chdir(root)
    before = pdmigrate("verify", "--command", command, "--checklist")
    assert before.status == 1
    assert before.stdout.startswith("yours tool descriptions extracted to JSON files\n")
    assert "\nFAIL  authorization enforcement implemented\n" in before.stdout

    migrated(root, "--with-tests")
    after = pdmigrate("verify", "--command", command, "--checklist")
    assert after.status == 0, after.stdout
    assert after.stdout.startswith("ok    tool descriptions extracted to JSON files\n      2 tools, in agreement")
    assert "yours are in tests/test_progressive_disclosure.py" in after.stdout
    assert after.stdout.endswith("6 settled, 6 yours to check\n")

    (root / "tool_descriptions" / "find_note.json").unlink()
    gone = pdmigrate("verify", "--command", command, "--checklist", "--format", "json")
    assert gone.status in (1, 2)
    assert pdmigrate("verify", "--command", command, "--checklist", "--format", "junit").status == 2
