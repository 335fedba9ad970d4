"""Where two places contradict each other: whichever of them is edited so that both say the same, nothing is left."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.check.desk import Desk

SERVER, FOLDER = "notes/server.py", "notes/tool_descriptions"
STUB = '"limit": {"type": "integer", "default": 20}'
OTHER = STUB.replace("integer", "string")
DESCRIPTION = 'f"Change a note. At most {LIMIT} changes a day are kept."'
Change = Callable[[Desk], object]


@dataclass(frozen=True)
class Conflict:
    """An edit that makes a conflict, what is shown of it, and by side the edits each of which settles it."""

    code: str
    shown: str
    make: Change
    ways: dict[str, Change]


def limit(kind: str) -> Change:
    return lambda desk: desk.edit("find_note", lambda c: c["inputSchema"]["properties"]["limit"].update(type=kind))


def described(text: str) -> Change:
    return lambda desk: desk.edit("edit_note", lambda c: c.update(description=text))


def summarised(text: str) -> Change:
    return lambda desk: desk.edit("find_note", lambda c: c.update(summary=text))


def in_code(old: str, new: str) -> Change:
    return lambda desk: desk.replace(SERVER, old, new)


def both(*changes: Change) -> Change:
    return lambda desk: [change(desk) for change in changes]


CONFLICTS = {
    "a summary": Conflict(
        "PD512",
        f"{FOLDER}/find_note.json (-) and the code (+)",
        both(summarised("In the file."), in_code('"Find notes by their text."', '"In the code."')),
        {"file": summarised("In the code."), "code": in_code('"In the code."', '"In the file."')},
    ),
    "the schema of a stub": Conflict(
        "PD513",
        "last written (-) and the code (+)",
        in_code(STUB, OTHER),
        {"file": limit("string"), "code": in_code(OTHER, STUB)},
    ),
    "the schema of a stub, and its home": Conflict(
        "PD513",
        f"{FOLDER}/find_note.json (-) and the code (+)",
        both(in_code(STUB, OTHER), limit("number")),
        {"file": limit("string"), "code": in_code(OTHER, STUB.replace("integer", "number"))},
    ),
    "a copy": Conflict(
        "PD514",
        f"last written (-) and {FOLDER}/edit_note.json (+)",
        described("Mine."),
        {
            "file": described("Change a note. At most 20 changes a day are kept."),
            "field deleted": lambda desk: desk.edit("edit_note", lambda c: c.pop("description")),
            "code": in_code(DESCRIPTION, '"Mine."'),
        },
    ),
    "a copy, and its home": Conflict(
        "PD514",
        f"{FOLDER}/edit_note.json (-) and the code (+)",
        both(described("Mine."), in_code(DESCRIPTION, '"Change one note."')),
        {
            "file": described("Change one note."),
            "field deleted": lambda desk: desk.edit("edit_note", lambda c: c.pop("description")),
            "code": in_code('"Change one note."', '"Mine."'),
        },
    ),
    "a field that the code does not have": Conflict(
        "PD514",
        f"{FOLDER}/share_note.json (-) and the code (+)",
        lambda desk: desk.edit("share_note", lambda c: c.update(title="Mine")),
        {
            "field deleted": lambda desk: desk.edit("share_note", lambda c: c.pop("title")),
            "code": in_code('name="share_note"', 'name="share_note", title="Mine"'),
        },
    ),
}


@pytest.mark.parametrize(("name", "way"), [(name, way) for name, one in CONFLICTS.items() for way in one.ways])
def test_editing_one_side_settles_a_conflict(name: str, way: str, desk: Desk) -> None:
    conflict = CONFLICTS[name]
    conflict.make(desk)
    before = desk.tree()
    ran = desk.run("sync", "--format", "json")
    assert ran.status == 1
    (found,) = [one for one in json.loads(ran.stdout)["findings"] if one["severity"] == "error"]
    assert (found["code"], found["detail"].split("\n")[0], bool(found["hint"])) == (conflict.code, conflict.shown, True)
    assert {path: raw for path, raw in desk.tree().items() if before[path] != raw} == {}
    conflict.ways[way](desk)
    assert desk.run("sync").status == 0
    assert desk.run("check").status == 0
    assert desk.run("sync", "--format", "json").stdout.count('"written": []') == 1
