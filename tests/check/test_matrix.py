"""Every kind of edit: ``check`` says the right thing at the right line, ``sync`` does the right thing or refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.check.desk import Desk, copied
from tests.check.edits import EDITS, FUNCTION_EDITS, Edit

ROWS = [
    pytest.param(dialect, edit, id=f"{dialect}: {edit.name}")
    for dialect, edits in (("mcp1-lowlevel", EDITS), ("mcp1-fastmcp", FUNCTION_EDITS))
    for edit in edits
]


def said_by(desk: Desk, command: str, *options: str) -> tuple[int, set[tuple[str, str, int]]]:
    """The exit status, and what is found, as code, file and line; notes are no disagreements."""
    ran = desk.run(command, "--format", "json", *options)
    said = json.loads(ran.stdout)
    findings = {(f["code"], f["file"], f["line"]) for f in said["findings"] if f["severity"] != "note"}
    assert ran.status == (0 if said["agrees"] else 1)
    assert bool(findings) is (not said["agrees"])
    return ran.status, findings


@pytest.mark.parametrize(("dialect", "edit"), ROWS)
def test_an_edit(
    dialect: str, edit: Edit, templates: Callable[[str], Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = copied(templates(dialect), tmp_path / "project")
    monkeypatch.chdir(desk.root)
    edit.make(desk)
    before = desk.tree()
    _, said = said_by(desk, "check")
    assert desk.tree() == before, "check writes nothing"
    wanted = edit.says(desk)
    assert {(code, path) for code, path, _ in said} == {(code, path) for code, path, _ in wanted}
    for code, path, text in wanted:
        lines = [line for one, file, line in said if (one, file) == (code, path)]
        assert not text or text in desk.read(path).splitlines()[lines[0] - 1], lines
    status, left = said_by(desk, "sync", *edit.options)
    assert {code for code, _, _ in left} == set(edit.left)
    edit.then(desk)
    after = desk.tree()
    again = said_by(desk, "sync", *edit.options)
    assert (again, desk.tree()) == ((status, left), after)
