"""Summaries of tools without a description file: one line each in ``_server.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.check.desk import DIALECTS, NEW_FUNCTION, Desk, copied, migrated
from tests.support.repositories import git

SERVER = "notes/server.py"
FILE = "notes/tool_descriptions/_server.json"
OWN = "Look for notes."


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return migrated(tmp_path_factory.mktemp("template") / "project", DIALECTS["mcp1-fastmcp"], ())


@pytest.fixture
def notes(template: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    here = copied(template, tmp_path / "project")
    monkeypatch.chdir(here.root)
    return here


def lines(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.read(FILE))["summaries"]
    return found


def edit(desk: Desk, tool: str, text: str) -> None:
    content = json.loads(desk.read(FILE))
    content["summaries"][tool] = text
    desk.write(FILE, json.dumps(content, indent=2, sort_keys=True))


def settled(desk: Desk, *codes: str) -> None:
    """The check names exactly these codes, ``sync`` settles them, and nothing is left to do."""
    ran = desk.run("check", "--format", "json")
    assert sorted(found["code"] for found in json.loads(ran.stdout)["findings"]) == sorted(codes)
    assert ran.status == (1 if codes else 0)
    assert desk.run("sync").status == 0
    assert desk.run("check").status == 0
    assert desk.run("apply", "--check", "--allow-dirty").status == 0


def test_only_files_that_are_needed_are_written(notes: Desk) -> None:
    made = {*notes.tree()} - {*DIALECTS["mcp1-fastmcp"].files}
    assert {path for path in made if path.startswith("notes/")} == {"notes/progressive_disclosure.py", FILE}
    assert {"find_note", "list_notes"} <= {*lines(notes)}
    settled(notes)


def test_a_generated_summary_follows_its_description(notes: Desk) -> None:
    before = lines(notes)["find_note"]
    notes.replace(SERVER, before.split(".")[0], "Look up a note by a word of it")
    settled(notes, "PD901")
    assert lines(notes)["find_note"].startswith("Look up a note by a word of it.")


def test_a_person_s_summary_stays_and_is_told_of_once(notes: Desk) -> None:
    before = lines(notes)["find_note"]
    edit(notes, "find_note", OWN)
    settled(notes)
    notes.replace(SERVER, before.split(".")[0], "Look up a note by a word of it")
    settled(notes, "PD912")
    assert lines(notes)["find_note"] == OWN


BROKEN = {
    "half of the file": (lambda text: text[: len(text) // 2], "is not JSON"),
    "nothing": (lambda _: "", "is not JSON"),
    "a list": (lambda _: "[]", "no JSON object"),
    "summaries in a list": (lambda _: '{"summaries": []}', "no JSON object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_not_made_anew(notes: Desk, name: str) -> None:
    """It may hold summaries that a person has written."""
    breaking, said = BROKEN[name]
    edit(notes, "find_note", OWN)
    notes.write(FILE, breaking(notes.read(FILE)))
    broken = notes.read(FILE)
    ran = notes.run("check", "--format", "json")
    (found,) = (one for one in json.loads(ran.stdout)["findings"] if one["code"] == "PD401")
    assert ran.status == 1
    assert said in found["message"]
    assert found["line"] > 1 or "\n" not in broken
    assert notes.run("sync").status == 1
    assert notes.read(FILE) == broken


def test_a_line_that_was_deleted_comes_back(notes: Desk) -> None:
    content = json.loads(notes.read(FILE))
    before = content["summaries"].pop("find_note")
    notes.write(FILE, json.dumps(content))
    settled(notes, "PD904")
    assert lines(notes)["find_note"] == before


def test_a_new_tool_gets_a_line_and_one_that_is_gone_loses_it(notes: Desk) -> None:
    notes.replace(SERVER, 'if __name__ == "__main__"', f'{NEW_FUNCTION}if __name__ == "__main__"')
    settled(notes, "PD904")
    assert "pin_note" in lines(notes)
    assert not list((notes.root / "notes/tool_descriptions").glob("[!_]*"))
    notes.replace(SERVER, NEW_FUNCTION, "")
    settled(notes, "PD901")
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
    settled(notes)
    notes.write(FILE, json.dumps(json.loads(notes.read(FILE)), indent=8))
    laid_out = notes.read(FILE)
    assert notes.run("sync", "--prune").status == 0
    assert notes.read(FILE) == laid_out


def test_a_person_s_line_follows_a_tool_that_is_renamed(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    assert notes.run("sync").status == 0
    notes.replace(SERVER, "def find_note(", "def seek_note(")
    settled(notes, "PD906")
    assert lines(notes)["seek_note"] == OWN
    assert "find_note" not in lines(notes)


def test_two_tools_that_say_the_same_are_not_taken_for_one_renamed(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    assert notes.run("sync").status == 0
    source = notes.read(SERVER)
    start = source.index("@mcp.tool", source.index("def find_note(") - 200)
    found = source[start : source.index("@mcp.tool", start + 9)]
    twins = found.replace("def find_note(", "def seek_note(") + found.replace("def find_note(", "def spot_note(")
    notes.replace(SERVER, found, twins)
    assert notes.run("sync").status == 0
    assert lines(notes)["find_note"] == OWN
    assert OWN not in (lines(notes)["seek_note"], lines(notes)["spot_note"])


def test_a_schema_that_changes_is_nobody_s_business(notes: Desk) -> None:
    notes.replace(SERVER, "def list_notes(kind: Kind", "def list_notes(most: int = 3, kind: Kind")
    settled(notes)


def test_a_summary_with_details_is_told_of(notes: Desk) -> None:
    edit(notes, "find_note", "Look for notes (e.g. find_note(text='x')).")
    ran = notes.run("check")
    assert "PD409" in ran.stdout
    assert f"{FILE}:{notes.line(FILE, 'find_note(')}" in ran.stdout.replace('"', "")


def test_extract_carries_a_person_s_summary_into_the_file(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    assert notes.run("extract").status == 0
    assert notes.content("find_note")["summary"] == OWN
    assert notes.run("check").status in (0, 1)
    assert notes.run("sync").status == 0
    assert "summaries" not in json.loads(notes.read(FILE))
    settled(notes)


def test_a_file_of_one_tool_takes_its_line_away(notes: Desk) -> None:
    words = {"name": "find_note", "owner": "code", "summary": OWN, "usage_guidance": "Mine."}
    notes.write("notes/tool_descriptions/find_note.json", json.dumps(words))
    assert notes.run("sync").status == 0
    assert "find_note" not in lines(notes)
    assert notes.content("find_note")["usage_guidance"] == "Mine."
    notes.replace(SERVER, 'if __name__ == "__main__"', f'{NEW_FUNCTION}if __name__ == "__main__"')
    assert notes.run("sync").status == 0
    assert "pin_note" in lines(notes)
    settled(notes)


def test_a_revert_keeps_a_person_s_summary(notes: Desk) -> None:
    edit(notes, "find_note", OWN)
    notes.commit()
    ran = notes.run("revert")
    assert ran.status == 0
    assert f"{FILE}:1: PD611" in ran.stdout + ran.stderr
    assert lines(notes)["find_note"] == OWN
    assert notes.read(SERVER) == DIALECTS["mcp1-fastmcp"].files[SERVER]


def test_both_sides_of_a_merge_are_taken(notes: Desk) -> None:
    for branch, before in (("one", "@mcp.tool()\ndef list_notes"), ("two", 'if __name__ == "__main__"')):
        git(notes.root, "checkout", "-q", "-b", branch, "main")
        notes.replace(SERVER, before, NEW_FUNCTION.replace("pin_note", f"pin_{branch}") + before)
        assert notes.run("sync").status == 0
        notes.commit()
    git(notes.root, "merge", "one", fails=True)
    assert "<<<<<<<" in notes.read(FILE)
    git(notes.root, "checkout", "--ours", ".pdmigrate")
    assert notes.run("sync").status == 0
    assert {"pin_one", "pin_two"} < set(lines(notes))
    settled(notes)


def test_two_edits_of_one_line_are_for_a_person_to_settle(notes: Desk) -> None:
    text = lines(notes)["find_note"]
    ours, theirs = (f'    "find_note": "{one}",\n' for one in ("Mine.", "Yours."))
    line = f'    "find_note": "{text}",\n'
    notes.replace(FILE, line, f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> two\n")
    torn = notes.read(FILE)
    assert "PD401 error" in notes.run("check").stdout
    assert notes.run("sync").status == 1
    assert notes.read(FILE) == torn


def test_copies_can_be_asked_for_later(notes: Desk) -> None:
    tools = set(lines(notes))
    assert notes.run("apply", "--copies", "--write").status == 0
    made = {path.stem for path in (notes.root / "notes/tool_descriptions").glob("[!_]*")}
    assert made == tools
    settled(notes)
