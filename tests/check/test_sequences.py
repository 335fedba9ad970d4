"""Random sequences of edits in code and JSON: no hand-written word is lost, and the end is agreement or a conflict.

Every edit writes a word that occurs nowhere else into one slot: a place that belongs to a person.  A later edit of the
same slot replaces its word; nothing else may.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check.desk import Desk, copied
from tests.support.command_line import pdmigrate

CONFLICTS = {"PD512", "PD513", "PD514", "PD517", "PD905", "PD908"}
"""What only a person can decide."""
SERVER = "notes/server.py"
Slot = tuple[str, str]


def in_file(tool: str, key: str, value: Callable[[str], object] = lambda word: f"{word} it.") -> Callable[..., Slot]:
    def edit(desk: Desk, word: str) -> Slot:
        if not (desk.root / desk.description(tool)).exists():
            return "", ""
        desk.edit(tool, lambda content: content.update({key: value(word)}))
        return tool, key

    return edit


def stub_text(desk: Desk, word: str) -> Slot:
    """The text of the moved tool's stub, which is its summary."""
    text = desk.read(SERVER)
    pattern = r'(name="find_note",\s+title="[^"]*",\s+description=)"[^"]*"'
    desk.write(SERVER, re.sub(pattern, rf'\1"{word} it."', text))
    return "find_note", "stub"


def code_text(desk: Desk, word: str) -> Slot:
    """The description of the tool that the code owns."""
    text = desk.read(SERVER)
    desk.write(SERVER, re.sub(r'(name="edit_note",\s+description=f)"[^"]*"', rf'\1"{word} a note. {{LIMIT}}."', text))
    return "edit_note", "code"


def model_text(desk: Desk, word: str) -> Slot:
    path = desk.dialect.model
    text = desk.read(path)
    desk.write(path, re.sub(r'(text: str = Field\(description=)"[^"]*"', rf'\1"{word} text."', text))
    return "edit_note", "model"


def title(desk: Desk, word: str) -> Slot:
    desk.write(SERVER, re.sub(r'title="[^"]*"', f'title="{word} notes"', desk.read(SERVER)))
    return "find_note", "title"


def deleted_copy(desk: Desk, _: str) -> Slot:
    (desk.root / desk.description("list_notes")).unlink(missing_ok=True)
    return "", ""


def relaid(desk: Desk, _: str) -> Slot:
    for path in (desk.root / desk.dialect.folder).iterdir():
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=4), encoding="utf-8")
    return "", ""


def synced(desk: Desk, _: str) -> Slot:
    desk.run("sync")
    return "", ""


def committed(desk: Desk, _: str) -> Slot:
    desk.commit()
    return "", ""


EDITS = (
    in_file("find_note", "summary"),
    in_file("find_note", "description"),
    in_file("find_note", "usage_guidance"),
    in_file("find_note", "examples", lambda word: [{"input": {"text": word}}]),
    in_file("edit_note", "summary"),
    in_file("edit_note", "error_guidance", lambda word: {"when": word}),
    in_file("share_note", "summary"),
    in_file("edit_note", "description"),
    stub_text,
    code_text,
    model_text,
    title,
    deleted_copy,
    relaid,
    synced,
    committed,
)
ONE = (("find_note", "stub"), ("find_note", "summary"))
SHARED = ("find_note", "shared")
WORDS = [f"Word{number}" for number in range(100, 140)]


@pytest.fixture(scope="module")
def template(templates: Callable[[str], Desk]) -> Desk:
    return templates("mcp1-lowlevel")


@settings(max_examples=12)
@given(edits=st.lists(st.sampled_from(EDITS), min_size=1, max_size=7))
def test_words_survive_and_the_end_is_agreement_or_a_stated_conflict(
    edits: list[Callable[[Desk, str], Slot]], template: Desk
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="pdmigrate-test-"))
    try:
        _check(copied(template, folder / "project"), edits)
    finally:
        shutil.rmtree(folder)


def _check(desk: Desk, edits: list[Callable[[Desk, str], Slot]]) -> None:
    wanted: dict[Slot, str] = {}
    for edit, word in zip(edits, WORDS, strict=False):
        slot = edit(desk, word)
        if slot in ONE:
            wanted.pop(SHARED, None)
        if slot[0]:
            wanted[slot] = word
        if (
            edit is synced
            and "find_note" in desk.dialect.moved
            and desk.content("find_note")["summary"] in desk.read(SERVER)
        ):
            # Both places say the same now: what is written next in either of them is a later edit of one text.
            words = [wanted.pop(one) for one in ONE if one in wanted]
            wanted.update((SHARED, word) for word in words if word in desk.content("find_note")["summary"])
    ran = pdmigrate("sync", desk.root, "--format", "json")
    said = json.loads(ran.stdout)
    failing = {found["code"] for found in said["findings"] if found["severity"] != "note"}
    assert said["agrees"] is not bool(failing)
    assert failing <= CONFLICTS, said
    text = _all(desk)
    for slot, word in wanted.items():
        assert word in text, (slot, word, [edit.__name__ for edit in edits])
    before = desk.tree()
    again = pdmigrate("sync", desk.root, "--format", "json")
    assert (again.status, desk.tree()) == (ran.status, before)


def _all(desk: Desk) -> str:
    paths = [SERVER, "notes/shapes.py", *sorted(p for p in desk.tree() if p.endswith(".json"))]
    return "\n".join(desk.read(path) for path in paths if (desk.root / path).exists())
