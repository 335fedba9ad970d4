"""Two branches that both added a tool, merged as the documentation says: nothing of either is lost, or left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.desk import NEW_FUNCTION, SERVER, Desk, unmigrated
from tests.support.repositories import git

PLACES = {"one": "@mcp.tool()\ndef list_notes", "two": 'if __name__ == "__main__"'}
ADDED = {"one": "pin_note", "two": "pin_other_note"}
"""Neighbours in every sorted list: their lines in the lock are in each other's way."""


def function(branch: str) -> str:
    return NEW_FUNCTION.replace("pin_note", ADDED[branch]) + PLACES[branch]


def merge(desk: Desk, side: str) -> None:
    """A tool on each of two branches, synced and committed there, and a merge that takes the record of ``side``."""
    for branch, before in PLACES.items():
        git(desk.root, "checkout", "-q", "-b", branch, "main")
        desk.replace(SERVER, before, function(branch))
        assert desk.run("sync").status == 0
        desk.commit()
    git(desk.root, "merge", "one", fails=True)
    assert desk.run("check").status == 2
    git(desk.root, "checkout", f"--{side}", ".pdmigrate")
    assert desk.run("sync").status == 0
    desk.commit()


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_revert_takes_back_what_both_branches_made(written: Desk, side: str) -> None:
    merge(written, side)
    for tool in ADDED.values():
        assert written.content(tool)["owner"] == "code"
    assert written.run("check").status == 0
    assert written.run("revert").status == 0
    expected = written.files[SERVER]
    for branch, before in PLACES.items():
        expected = expected.replace(before, function(branch))
    assert written.tree() == {path: raw.encode() for path, raw in {**written.files, SERVER: expected}.items()}


def test_words_of_the_other_branch_are_kept(written: Desk) -> None:
    merge(written, "ours")
    written.edit(ADDED["one"], lambda content: content.update(usage_guidance="Mine."))
    ran = written.run("revert")
    assert (ran.status, "PD611" in ran.stderr + ran.stdout) == (0, True)
    assert written.content(ADDED["one"])["usage_guidance"] == "Mine."


def test_a_file_that_was_described_before_the_migration_is_not_its_own(tmp_path: Path) -> None:
    here = unmigrated(tmp_path / "project", "mcp1-fastmcp")
    assert here.run("extract").status == 0
    here.commit()
    before = here.tree()
    assert here.run("apply", "--write").status == 0
    here.commit()
    here.replace(SERVER, "Slow.", "Slower.")
    assert here.run("sync").status == 0
    here.replace(SERVER, "Slower.", "Slow.")
    assert here.run("sync").status == 0
    assert here.run("revert").status == 0
    assert here.tree() == before
