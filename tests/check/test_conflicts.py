"""Where two places contradict each other: whichever of them is edited so that both say the same, nothing is left."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.check.desk import FOLDER, Desk
from tests.check.edits import Change, both, edited, in_server, limit

STUB = '"limit": {"type": "integer", "default": 20}'
OTHER = STUB.replace("integer", "string")
DESCRIPTION = 'f"Change a note. At most {LIMIT} changes a day are kept."'


@dataclass(frozen=True)
class Conflict:
    """An edit that makes a conflict, what is shown of it, and by side the edits each of which settles it."""

    code: str
    shown: str
    make: Change
    ways: dict[str, Change]


def described(text: str) -> Change:
    return edited("edit_note", lambda content: content.update(description=text))


def summarised(text: str) -> Change:
    return lambda desk: desk.summarise(text)


def without(tool: str, key: str) -> Change:
    return edited(tool, lambda content: content.pop(key))


CONFLICTS = {
    "a summary": Conflict(
        "PD512",
        f"{FOLDER}/find_note.json (-) and the code (+)",
        both(summarised("In the file."), in_server('"Find notes by their text."', '"In the code."')),
        {"file": summarised("In the code."), "code": in_server('"In the code."', '"In the file."')},
    ),
    "the schema of a stub": Conflict(
        "PD513",
        "last written (-) and the code (+)",
        in_server(STUB, OTHER),
        {"file": limit(type="string"), "code": in_server(OTHER, STUB)},
    ),
    "the schema of a stub, and its home": Conflict(
        "PD513",
        f"{FOLDER}/find_note.json (-) and the code (+)",
        both(in_server(STUB, OTHER), limit(type="number")),
        {"file": limit(type="string"), "code": in_server(OTHER, STUB.replace("integer", "number"))},
    ),
    "a copy": Conflict(
        "PD514",
        f"last written (-) and {FOLDER}/edit_note.json (+)",
        described("Mine."),
        {
            "file": described("Change a note. At most 20 changes a day are kept."),
            "field deleted": without("edit_note", "description"),
            "code": in_server(DESCRIPTION, '"Mine."'),
        },
    ),
    "a copy, and its home": Conflict(
        "PD514",
        f"{FOLDER}/edit_note.json (-) and the code (+)",
        both(described("Mine."), in_server(DESCRIPTION, '"Change one note."')),
        {
            "file": described("Change one note."),
            "field deleted": without("edit_note", "description"),
            "code": in_server('"Change one note."', '"Mine."'),
        },
    ),
    "a field that the code does not have": Conflict(
        "PD514",
        f"{FOLDER}/share_note.json (-) and the code (+)",
        edited("share_note", lambda content: content.update(title="Mine")),
        {
            "field deleted": without("share_note", "title"),
            "code": in_server('name="share_note"', 'name="share_note", title="Mine"'),
        },
    ),
}


@pytest.mark.parametrize(("name", "way"), [(name, way) for name, one in CONFLICTS.items() for way in one.ways])
def test_editing_one_side_settles_a_conflict(name: str, way: str, desk: Desk) -> None:
    conflict = CONFLICTS[name]
    conflict.make(desk)
    before = desk.tree()
    status, said = desk.said("sync")
    (found,) = (one for one in said if one["severity"] == "error")
    assert status == 1
    assert (found["code"], found["detail"].split("\n")[0], bool(found["hint"])) == (conflict.code, conflict.shown, True)
    assert desk.tree() == before
    conflict.ways[way](desk)
    assert desk.run("sync").status == 0
    assert desk.run("check").status == 0
    assert desk.run("sync", "--format", "json").stdout.count('"written": []') == 1
