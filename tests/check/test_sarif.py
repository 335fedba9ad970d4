"""What the commands print as SARIF, each with findings of a project: valid by the schema of the standard."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.check.desk import Desk
from tests.check.edits import EDITS, Edit
from tests.report.standard import SARIF

NAMES = {
    "a rename",
    "a schema that is none",
    "packaging that leaves the files out",
    "the generated module",
}
SAID = [edit for edit in EDITS if edit.name in NAMES]


@pytest.mark.parametrize("command", ["check", "sync"])
@pytest.mark.parametrize("edit", SAID, ids=lambda edit: edit.name)
def test_a_comparison(desk: Desk, edit: Edit, command: str) -> None:
    edit.make(desk)
    wanted = edit.says(desk)
    ran = desk.run(command, "--format", "sarif")
    log = json.loads(ran.stdout)
    assert list(SARIF.iter_errors(log)) == []
    found = {(result["ruleId"], _file(result)) for result in log["runs"][0]["results"]}
    if command == "check":
        assert found >= {(code, path) for code, path, _ in wanted}


def _file(result: dict[str, Any]) -> object:
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]


@pytest.mark.parametrize("command", ["extract", "apply"])
def test_a_migration(desk: Desk, command: str) -> None:
    desk.write("notes/server.py", desk.read("notes/server.py") + "\ndef broken(:\n")
    ran = desk.run(command, "--format", "sarif")
    log = json.loads(ran.stdout)
    assert list(SARIF.iter_errors(log)) == []
    assert log["runs"][0]["results"]
