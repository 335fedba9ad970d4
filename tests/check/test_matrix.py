"""Every kind of edit and of conflict: ``check`` says the right thing at the right line, ``sync`` does it or refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.check.desk import ABOUT, FOLDER, LOCK, MODEL, MODULE, MOVED, NEW_TOOL, OWNED, SERVER, Desk

Said = tuple[str, str, str]
"""A finding that has to be there: its code, the file, and a text that is in its line (empty: any line)."""
Change = Callable[[Desk], object]


@dataclass(frozen=True)
class Edit:
    """One kind of edit: what is done, what ``check`` says, what ``sync`` leaves.

    ``then`` looks at the project after ``sync``; ``left`` is what ``sync`` cannot settle, ``()`` for agreement.
    """

    name: str
    make: Change
    says: tuple[Said, ...] = ()
    then: Change = lambda _: None
    left: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """How ``sync`` is called."""
    dialect: str = "mcp1-lowlevel"


def in_file(path: str, old: str, new: str) -> Change:
    return lambda desk: desk.replace(path, old, new)


def in_server(old: str, new: str) -> Change:
    return in_file(SERVER, old, new)


def edited(tool: str, change: Callable[[dict[str, Any]], object]) -> Change:
    return lambda desk: desk.edit(tool, change)


def limit(**values: object) -> Change:
    """An edit of what the file of the moved tool says of a property."""
    return edited("find_note", lambda content: content["inputSchema"]["properties"]["limit"].update(values))


def both(*changes: Change) -> Change:
    return lambda desk: [change(desk) for change in changes]


def has(tool: str, **wanted: object) -> Change:
    """The description file of a tool says something of a field."""

    def check(desk: Desk) -> None:
        content = desk.content(tool)
        assert {key: content.get(key) for key in wanted} == wanted

    return check


def holds(path: str, text: str, times: int = 1) -> Change:
    def check(desk: Desk) -> None:
        assert desk.read(path).count(text) == times, desk.read(path)

    return check


def is_there(path: str, *, there: bool = True) -> Change:
    def check(desk: Desk) -> None:
        assert (desk.root / path).exists() is there

    return check


def delete(path: str) -> Change:
    return lambda desk: (desk.root / path).unlink()


WORDS = {"examples": [{"input": {"text": "tide"}}], "usage_guidance": "Mine."}


def rename(old: str, new: str) -> Change:
    """Name a tool anew in the code, after a person has written something of it."""
    return both(edited("find_note", lambda content: content.update(WORDS)), Desk.commit, in_server(old, new))


RENAMED = both(has("search_notes", name="search_notes", **WORDS), is_there(MOVED, there=False))


def conflict_markers(desk: Desk) -> None:
    line = next(line for line in desk.read(MOVED).splitlines() if '"summary"' in line)
    desk.replace(MOVED, line, f"<<<<<<< ours\n{line}\n=======\n{line}\n>>>>>>> theirs")


def add_tool(desk: Desk) -> None:
    text = desk.read(SERVER)
    end = text.rindex("    ]\n")
    desk.write(SERVER, text[:end] + NEW_TOOL + text[end:])


def new_tool_copied(desk: Desk) -> None:
    content = desk.content("pin_note")
    assert (content["owner"], content["inputSchema"]["properties"]["note"]["minimum"]) == ("code", 1)
    assert NEW_TOOL in desk.read(SERVER)


def make_conditional(desk: Desk) -> None:
    head, _, rest = desk.read(SERVER).partition("    return [\n")
    extra = '    import os\n    if os.environ.get("NOTES_READ_ONLY"):\n        tools = tools[:1]\n    return tools\n'
    desk.write(SERVER, f"{head}    tools = [\n{rest}{extra}")


LOGGER, OWN_LOGGER = "logger = logging.getLogger(__name__)", 'logger = logging.getLogger("mine")'
ENABLE = 'enable(server, stdio="enforce", http="advise")\n'
SETTINGS = "[tool.pdmigrate]\n"
CHANGED = in_server('f"Change a note. At most', 'f"Change one note. At most')
ONE_NOTE = "Change one note. At most 20 changes a day are kept."
FITTING, UNFITTING = {"input": {"text": "tide"}}, {"input": {"text": 7}}

EDITS = (
    # --- in code -----------------------------------------------------------------------------------------------------
    Edit("nothing", lambda _: None),
    Edit(
        "a parameter added",
        in_file(MODEL, "    keep: bool = True\n", "    keep: bool = True\n    colour: str | None = None\n"),
        (("PD901", SERVER, "EditNote.model_json_schema()"),),
        holds(OWNED, '"colour": {'),
    ),
    Edit(
        "a rename",
        rename('name="find_note"', 'name="search_notes"'),
        (("PD906", SERVER, "types.Tool("),),
        both(RENAMED, holds(ABOUT, "find_note", 0)),
    ),
    Edit(
        "a function renamed",
        rename("def find_note(", "def search_notes("),
        (("PD906", SERVER, ""),),
        RENAMED,
        dialect="mcp1-fastmcp",
    ),
    Edit(
        "a tool deleted",
        lambda desk: desk.drop("find_note"),
        (("PD905", MOVED, '"name": "find_note"'),),
        left=("PD905",),
    ),
    Edit(
        "a tool deleted, and its file pruned",
        lambda desk: desk.drop("find_note"),
        (("PD905", MOVED, '"name": "find_note"'),),
        both(is_there(MOVED, there=False), holds(LOCK, MOVED, 0), holds(ABOUT, "find_note", 0)),
        options=("--prune",),
    ),
    Edit("a new tool", add_tool, (("PD904", SERVER, "types.Tool("),), new_tool_copied),
    Edit("a list made conditional", make_conditional),
    Edit(
        "the text of a stub",
        in_server('description="Find notes by their text."', 'description="Look a note up."'),
        (("PD903", SERVER, "Look a note up."),),
        has("find_note", summary="Look a note up."),
    ),
    Edit(
        "the call that enables the server taken out",
        in_server(ENABLE, ""),
        (("PD909", SERVER, 'Server("notes"'),),
        holds(SERVER, "enable(server"),
    ),
    Edit(
        "the call that enables the server put under a condition",
        in_server(ENABLE, f"if LIMIT:\n    {ENABLE}"),
        then=holds(SERVER, "if LIMIT:\n    enable(server"),
    ),
    Edit(
        "the call that enables the server moved to a function that is handed it",
        in_server(ENABLE, f"def prepare(one):\n    {ENABLE}".replace("(server", "(one")),
        (("PD909", SERVER, 'Server("notes"'),),
        both(holds(SERVER, "enable(one"), holds(SERVER, "enable(")),
        left=("PD909",),
    ),
    # --- in description files ----------------------------------------------------------------------------------------
    Edit(
        "a summary",
        lambda desk: desk.summarise("Look a note up."),
        (("PD902", MOVED, "Look a note up."),),
        both(has("find_note", summary="Look a note up."), holds(SERVER, 'description="Look a note up."')),
    ),
    Edit(
        "a summary of a tool that the code owns, and its description in the code",
        both(lambda desk: desk.summarise("Mine.", "edit_note"), CHANGED),
        (("PD901", SERVER, "Change one note. At most"),),
        has("edit_note", summary="Mine.", description=ONE_NOTE),
    ),
    Edit(
        "the first sentence of a description, whose summary is generated",
        edited("find_note", lambda content: content.update(description="Look notes up. Slowly.")),
        (("PD902", MOVED, "Look notes up. Slowly."),),
        both(has("find_note", summary="Look notes up."), holds(SERVER, 'description="Look notes up."')),
    ),
    Edit(
        "a schema",
        limit(type="string"),
        (("PD902", MOVED, '"inputSchema"'),),
        holds(SERVER, '"limit": {"type": "string", "default": 20}'),
    ),
    Edit("a constraint in a schema that no stub shows", limit(maximum=50)),
    Edit("a schema that is none", limit(minimum="no"), (("PD405", MOVED, '"minimum": "no"'),), left=("PD405",)),
    Edit(
        "an example that does not fit",
        edited("find_note", lambda content: content.update(examples=[FITTING, UNFITTING])),
        (("PD406", MOVED, '"text": 7'),),
        has("find_note", examples=[FITTING, UNFITTING]),
        left=("PD406",),
    ),
    Edit(
        "an example that a schema in the code has left behind",
        both(
            edited("edit_note", lambda content: content.update(examples=[{"input": {"note": 1, "text": "tide"}}])),
            in_file(MODEL, "max_length=2000", "max_length=3"),
        ),
        (("PD406", OWNED, '"text": "tide"'), ("PD901", SERVER, "EditNote.model_json_schema()")),
        left=("PD406",),
    ),
    Edit("the only home of a definition deleted", delete(MOVED), (("PD517", SERVER, ""),), left=("PD517",)),
    Edit("a copy deleted", delete(OWNED), (("PD904", SERVER, "types.Tool("),), holds(OWNED, '"Change a note."')),
    Edit(
        "a file renamed",
        lambda desk: (desk.root / MOVED).rename(desk.root / FOLDER / "a_better_name.json"),
        (("PD911", LOCK, ""),),
        both(is_there(f"{FOLDER}/a_better_name.json"), is_there(MOVED, there=False)),
    ),
    Edit(
        "a file duplicated",
        lambda desk: desk.write(f"{FOLDER}/zz_copy.json", desk.read(MOVED)),
        (("PD403", f"{FOLDER}/zz_copy.json", '"name"'),),
        left=("PD403",),
    ),
    Edit("the markers of a merge conflict", conflict_markers, (("PD401", MOVED, "<<<<<<< ours"),), left=("PD401",)),
    # --- in what is generated ----------------------------------------------------------------------------------------
    Edit(
        "the generated module",
        in_file(MODULE, LOGGER, OWN_LOGGER),
        (("PD908", MODULE, '"mine"'),),
        holds(MODULE, '"mine"'),
        left=("PD908",),
    ),
    Edit("the generated module deleted", delete(MODULE), (("PD907", MODULE, ""),), is_there(MODULE)),
    Edit("a comment in the generated module", lambda desk: desk.write(MODULE, "# ours\n" + desk.read(MODULE))),
    Edit(
        "the schema of description files deleted",
        delete(".pdmigrate/description.schema.json"),
        (("PD911", ".pdmigrate/description.schema.json", ""),),
        is_there(".pdmigrate/description.schema.json"),
    ),
    # --- in the build file -------------------------------------------------------------------------------------------
    Edit(
        "packaging that leaves the files out",
        lambda desk: desk.write("pyproject.toml", desk.files["pyproject.toml"]),
        (("PD910", "pyproject.toml", ""),),
        holds("pyproject.toml", "package-data"),
    ),
    Edit(
        "a setting",
        in_file("pyproject.toml", SETTINGS, f'{SETTINGS}stub-schema = "open"\n'),
        (
            ("PD902", MOVED, '"inputSchema"'),
            ("PD902", f"{FOLDER}/share_note.json", '"inputSchema"'),
            ("PD907", MODULE, ""),
        ),
        holds(SERVER, 'inputSchema={"type": "object", "properties": {}}', 2),
    ),
    Edit(
        "a policy",
        in_file("pyproject.toml", SETTINGS, f'{SETTINGS}http = "enforce"\n'),
        (("PD907", SERVER, 'http="advise"'),),
        holds(SERVER, 'http="enforce"'),
    ),
)


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


def test_a_summary_of_a_person_is_named_beside_the_description_that_changed(desk: Desk) -> None:
    desk.summarise("Mine.", "edit_note")
    assert desk.run("sync").status == 0
    CHANGED(desk)
    ran = desk.run("check")
    assert f'{OWNED}:5: PD912 note: the description of "edit_note" changed, and its hand-written' in ran.stdout
    assert ran.stderr.startswith("1 error, 1 note\n")


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
