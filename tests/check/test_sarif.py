"""What the commands print as SARIF, each with findings of a project: valid by the schema of the standard."""

from __future__ import annotations

import json

import pytest

from tests.check.desk import SERVER, Desk
from tests.report.standard import SARIF


@pytest.mark.parametrize("command", ["check", "sync", "extract", "apply"])
def test_it_is_valid(desk: Desk, command: str) -> None:
    desk.write(SERVER, desk.read(SERVER) + "\ndef broken(:\n")
    log = json.loads(desk.run(command, "--format", "sarif").stdout)
    assert list(SARIF.iter_errors(log)) == []
    assert "PD101" in [result["ruleId"] for result in log["runs"][0]["results"]]
