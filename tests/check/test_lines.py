"""Summaries of tools without a file, one line each in ``_server.json``, and what two branches made of a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.check.desk import ABOUT, FOLDER, MODULE, NEW_FUNCTION, SERVER, Desk, unmigrated
from tests.support.repositories import git

OWN = "Look for notes."
GUARD = 'if __name__ == "__main__"'


def lines(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.read(ABOUT))["summaries"]
    return found


def edit(desk: Desk, tool: str, text: str) -> None:
    content = json.loads(desk.read(ABOUT))
    content["summaries"][tool] = text
    desk.write(ABOUT, json.dumps(content, indent=2, sort_keys=True))


def test_only_files_that_are_needed_are_written(notes: Desk) -> None:
    made = notes.tree().keys() - notes.files.keys()
    assert {path for path in made if path.startswith("notes/")} == {MODULE, ABOUT}
    assert {"find_note", "list_notes"} <= {*lines(notes)}
    notes.settled()
    notes.replace(SERVER, "def list_notes(kind: Kind", "def list_notes(most: int = 3, kind: Kind")
    notes.settled()


def test_a_generated_summary_follows_its_description_and_a_person_s_stays(notes: Desk) -> None:
    before = lines(notes)["find_note"]
    notes.replace(SERVER, before.split(".")[0], "Look up a note by a word of it")
    notes.settled("PD901")
    assert lines(notes)["find_note"].startswith("Look up a note by a word of it.")
    edit(notes, "find_note", OWN)
    notes.settled()
    notes.replace(SERVER, "Look up a note by a word of it", "Look up one note")
    notes.settled("PD912")
    assert lines(notes)["find_note"] == OWN


BROKEN = {
    "half of the file": (lambda text: text[: len(text) // 2], "is not JSON"),
    "nothing": (lambda _: "", "is not JSON"),
    "a list": (lambda _: "[]", "not a JSON object"),
    "summaries in a list": (lambda _: '{"summaries": []}', "not a JSON object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_not_made_anew(notes: Desk, name: str) -> None:
    """It may hold summaries that a person has written."""
    breaking, said = BROKEN[name]
    edit(notes, "find_note", OWN)
    notes.write(ABOUT, breaking(notes.read(ABOUT)))
    broken = notes.read(ABOUT)
    status, found_there = notes.said("check")
    (found,) = (one for one in found_there if one["code"] == "PD401")
    assert status == 1
    assert said in found["message"]
    assert found["line"] > 1 or "\n" not in broken
    assert notes.run("sync").status == 1
    assert notes.read(ABOUT) == broken


def test_a_line_that_was_deleted_comes_back(notes: Desk) -> None:
    content = json.loads(notes.read(ABOUT))
    before = content["summaries"].pop("find_note")
    notes.write(ABOUT, json.dumps(content))
    notes.settled("PD904")
    assert lines(notes)["find_note"] == before


def test_a_new_tool_gets_a_line_and_one_that_is_gone_loses_it(notes: Desk) -> None:
    notes.replace(SERVER, GUARD, NEW_FUNCTION + GUARD)
    notes.settled("PD904")
    assert "pin_note" in lines(notes)
    assert not list((notes.root / FOLDER).glob("[!_]*"))
    notes.replace(SERVER, NEW_FUNCTION, "")
    notes.settled("PD901")
    assert "pin_note" not in lines(notes)


def test_a_person_s_line_outlives_its_tool(notes: Desk) -> None:
    edit(notes, "no_such_tool", OWN)
    ran = notes.run("check")
    assert 'PD410 warning: "no_such_tool" is not among the tools' in ran.stdout
    assert notes.run("sync").status == 0
    assert lines(notes)["no_such_tool"] == OWN
    others = {name: text for name, text in lines(notes).items() if name != "no_such_tool"}
    assert notes.run("sync", "--prune").status == 0
    assert lines(notes) == others
    notes.settled()
    notes.write(ABOUT, json.dumps(json.loads(notes.read(ABOUT)), indent=8))
    laid_out = notes.read(ABOUT)
    assert notes.run("sync", "--prune").status == 0
    assert notes.read(ABOUT) == laid_out


def test_a_person_s_line_of_a_tool_that_is_renamed_is_told_of_and_kept(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    assert notes.run("sync").status == 0
    notes.replace(SERVER, "def find_note(", "def seek_note(")
    assert 'PD410 warning: "find_note" is not among the tools' in notes.run("sync").stdout
    assert lines(notes)["find_note"] == OWN
    assert lines(notes)["seek_note"].startswith("Find notes")


def test_a_summary_with_details_is_told_of(notes: Desk) -> None:
    edit(notes, "find_note", "Look for notes (e.g. find_note(text='x')).")
    ran = notes.run("check")
    assert "PD409" in ran.stdout
    line = notes.read(ABOUT).partition("find_note(")[0].count("\n") + 1
    assert f"{ABOUT}:{line}" in ran.stdout.replace('"', "")


def test_a_host_of_one_network_is_found_in_the_code_and_not_again_in_the_summary_made_of_it(notes: Desk) -> None:
    def found() -> list[str]:
        return [one["file"] for one in notes.said("check")[1] if one["code"] == "PD408"]

    notes.replace(SERVER, "Find notes by their text.", "Find notes of http://wiki.corp.internal/notes.")
    notes.run("sync")
    assert found() == [SERVER]
    edit(notes, "list_notes", "List notes of wiki.acme.lan.")
    assert sorted(found()) == sorted((SERVER, ABOUT))


def test_extract_carries_a_person_s_summary_into_the_file(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    assert notes.run("extract").status == 0
    assert notes.content("find_note")["summary"] == OWN
    assert notes.run("sync").status == 0
    assert "summaries" not in json.loads(notes.read(ABOUT))
    notes.settled()


def test_a_file_of_one_tool_takes_its_line_away(notes: Desk) -> None:
    words = {"name": "find_note", "owner": "code", "summary": OWN, "usage_guidance": "Mine."}
    notes.write(f"{FOLDER}/find_note.json", json.dumps(words))
    assert notes.run("sync").status == 0
    assert "find_note" not in lines(notes)
    assert notes.content("find_note")["usage_guidance"] == "Mine."
    notes.replace(SERVER, GUARD, NEW_FUNCTION + GUARD)
    assert notes.run("sync").status == 0
    assert "pin_note" in lines(notes)
    notes.settled()


def test_a_revert_keeps_a_person_s_summary(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    notes.commit()
    ran = notes.run("revert")
    assert (ran.status, f"{ABOUT}:1: PD611" in ran.stdout + ran.stderr) == (0, True)
    assert lines(notes)["find_note"] == OWN
    assert notes.read(SERVER) == notes.files[SERVER]


def test_a_conflict_of_two_branches_is_for_a_person_to_settle(notes: Desk) -> None:
    text = lines(notes)["find_note"]
    ours, theirs = (f'    "find_note": "{one}",\n' for one in ("Mine.", "Yours."))
    line = f'    "find_note": "{text}",\n'
    notes.replace(ABOUT, line, f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> two\n")
    torn = notes.read(ABOUT)
    assert "PD401 error" in notes.run("check").stdout
    assert notes.run("sync").status == 1
    assert notes.read(ABOUT) == torn


def test_copies_can_be_asked_for_later(notes: Desk) -> None:
    tools = set(lines(notes))
    assert notes.run("apply", "--copies", "--write").status == 0
    made = {path.stem for path in (notes.root / FOLDER).glob("[!_]*")}
    assert made == tools
    notes.settled()


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
