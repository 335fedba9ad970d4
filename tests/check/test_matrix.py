"""Every kind of edit: ``check`` says the right thing at the right line, ``sync`` does the right thing or refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.check.desk import Desk
from tests.check.edits import EDITS, Edit


def said_by(desk: Desk, command: str, *options: str) -> tuple[int, set[tuple[str, str, int]]]:
    """The exit status, and what is found, as code, file and line; notes are no disagreements."""
    status, said = desk.said(command, *options)
    findings = {(found["code"], found["file"], found["line"]) for found in said if found["severity"] != "note"}
    assert status == int(bool(findings))
    return status, findings


@pytest.mark.parametrize("edit", EDITS, ids=[edit.name for edit in EDITS])
def test_an_edit(edit: Edit, copied: Callable[..., Desk]) -> None:
    desk = copied(edit.dialect, "--copies")
    edit.make(desk)
    before = desk.tree()
    _, said = said_by(desk, "check")
    assert desk.tree() == before, "check writes nothing"
    assert {(code, path) for code, path, _ in said} == {(code, path) for code, path, _ in edit.says}
    for code, path, text in edit.says:
        lines = [line for one, file, line in said if (one, file) == (code, path)]
        assert not text or text in desk.read(path).splitlines()[lines[0] - 1], lines
    status, left = said_by(desk, "sync", *edit.options)
    assert {code for code, _, _ in left} == set(edit.left)
    edit.then(desk)
    after = desk.tree()
    again = said_by(desk, "sync", *edit.options)
    assert (again, desk.tree()) == ((status, left), after)
