"""The edits that people make in a migrated project, and what has to be said of each: the rows of the drift matrix."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.check.desk import NEW_TOOL, Desk

Said = tuple[str, str, str]
"""A finding that has to be there: its code, the file, and a text that is in its line (empty: any line)."""


@dataclass(frozen=True)
class Edit:
    """One kind of edit: what is done, what ``check`` says, what ``sync`` leaves.

    ``then`` looks at the project after ``sync``; ``left`` is what ``sync`` cannot settle, ``()`` for agreement.
    """

    name: str
    make: Callable[[Desk], object]
    says: Callable[[Desk], tuple[Said, ...]]
    then: Callable[[Desk], object] = lambda _: None
    left: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """How ``sync`` is called."""


NOTHING: Callable[[Desk], tuple[Said, ...]] = lambda _: ()  # noqa: E731 - reads better in a table


def says(*said: Said) -> Callable[[Desk], tuple[Said, ...]]:
    return lambda _: said


def at(code: str, path: Callable[[Desk], str], text: str = "") -> Callable[[Desk], tuple[Said, ...]]:
    return lambda desk: ((code, path(desk), text),)


def server(desk: Desk) -> str:
    return desk.dialect.server


def only_call(desk: Desk, text: str) -> None:
    code = desk.read(desk.dialect.server)
    assert text in code
    assert code.count("enable(") == 1, code


def about(desk: Desk) -> str:
    """What the module has to know of the server."""
    return desk.read(f"{desk.dialect.folder}/_server.json")


def moved(desk: Desk) -> str:
    return desk.description(desk.dialect.moved)


def owned(desk: Desk) -> str:
    return desk.description(desk.dialect.owned)


def module(desk: Desk) -> str:
    return desk.dialect.module


def in_server(old: str, new: str) -> Callable[[Desk], None]:
    return lambda desk: desk.replace(desk.dialect.server, old, new)


def in_model(old: str, new: str) -> Callable[[Desk], None]:
    return lambda desk: desk.replace(desk.dialect.model, old, new)


def in_moved(change: Callable[[dict[str, Any]], object]) -> Callable[[Desk], None]:
    return lambda desk: desk.edit(desk.dialect.moved, change)


def in_owned(change: Callable[[dict[str, Any]], object]) -> Callable[[Desk], None]:
    return lambda desk: desk.edit(desk.dialect.owned, change)


def expect(tool: str, **wanted: object) -> Callable[[Desk], None]:
    """The description file of the tool that plays a part says something of a field."""

    def check(desk: Desk) -> None:
        content = desk.content(getattr(desk.dialect, tool))
        assert {key: content.get(key) for key in wanted} == wanted

    return check


def in_code(text: str) -> Callable[[Desk], None]:
    def check(desk: Desk) -> None:
        assert text in desk.read(desk.dialect.server)

    return check


def both(*checks: Callable[[Desk], object]) -> Callable[[Desk], None]:
    def check(desk: Desk) -> None:
        for one in checks:
            one(desk)

    return check


def formatted(*command: str) -> Callable[[Desk], None]:
    """Lay out all Python of the project by the real formatter, which leaves the generated module alone."""

    def run(desk: Desk) -> None:
        files = [path for path in desk.tree() if path.endswith(".py")]
        server, module = (desk.read(path) for path in (desk.dialect.server, desk.dialect.module))
        done = subprocess.run(
            [sys.executable, "-m", *command, *files], cwd=desk.root, capture_output=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        assert desk.read(desk.dialect.server) != server
        assert desk.read(desk.dialect.module) == module

    return run


def laid_out_anew(desk: Desk) -> None:
    for path in sorted((desk.root / desk.dialect.folder).iterdir()):
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=4), encoding="utf-8")


def rename_in_code(desk: Desk) -> None:
    desk.edit(desk.dialect.moved, lambda c: c.update(examples=[{"input": {"text": "tide"}}], usage_guidance="Mine."))
    desk.commit()
    desk.replace(desk.dialect.server, f'name="{desk.dialect.moved}"', 'name="search_notes"')


def renamed_with_words(desk: Desk) -> None:
    content = desk.content("search_notes")
    assert (content["name"], content["usage_guidance"]) == ("search_notes", "Mine.")
    assert content["examples"] == [{"input": {"text": "tide"}}]
    assert not (desk.root / desk.description(desk.dialect.moved)).exists()
    assert '"search_notes"' in about(desk)


def rename_file(desk: Desk) -> None:
    (desk.root / moved(desk)).rename(desk.root / desk.dialect.folder / "a_better_name.json")


def kept_file_name(desk: Desk) -> None:
    assert (desk.root / desk.dialect.folder / "a_better_name.json").is_file()
    assert not (desk.root / moved(desk)).exists()


def duplicate_file(desk: Desk) -> None:
    desk.write(f"{desk.dialect.folder}/zz_copy.json", desk.read(moved(desk)))


def conflict_markers(desk: Desk) -> None:
    text = desk.read(moved(desk))
    line = next(line for line in text.splitlines() if '"summary"' in line)
    desk.replace(moved(desk), line, f"<<<<<<< ours\n{line}\n=======\n{line}\n>>>>>>> theirs")


def delete(path: Callable[[Desk], str]) -> Callable[[Desk], None]:
    return lambda desk: (desk.root / path(desk)).unlink()


def drop_tool(desk: Desk) -> None:
    desk.drop(desk.dialect.moved)


def pruned(desk: Desk) -> None:
    assert not (desk.root / moved(desk)).exists()
    assert moved(desk) not in desk.read(".pdmigrate/lock.json")
    assert desk.dialect.moved not in about(desk)


def add_tool(desk: Desk) -> None:
    text = desk.read(desk.dialect.server)
    end = text.rindex("    ]\n")
    desk.write(desk.dialect.server, text[:end] + NEW_TOOL + text[end:])


def new_tool_copied(desk: Desk) -> None:
    content = desk.content("pin_note")
    assert content["owner"] == "code"
    assert content["inputSchema"]["properties"]["note"]["minimum"] == 1
    assert NEW_TOOL in desk.read(desk.dialect.server)


def make_conditional(desk: Desk) -> None:
    text = desk.read(desk.dialect.server)
    text = text.replace("    return [\n", "    tools = [\n")
    end = text.rindex("    ]\n") + len("    ]\n")
    extra = '    import os\n    if os.environ.get("NOTES_READ_ONLY"):\n        tools = tools[:1]\n'
    desk.write(desk.dialect.server, text[:end] + extra + "    return tools\n" + text[end:])


SUMMARY = "Find notes by their text."
LOGGER, OWN_LOGGER = "logger = logging.getLogger(__name__)", 'logger = logging.getLogger("mine")'
ENABLE = 'enable(server, stdio="enforce", http="advise")\n'

EDITS = (
    # --- in code -----------------------------------------------------------------------------------------------------
    Edit("nothing", lambda _: None, NOTHING),
    Edit("a log message", in_server("LIMIT = 20\n", "LIMIT = 20\nprint('starting')\n"), NOTHING),
    Edit(
        "the description of a tool that the code owns",
        in_server('f"Change a note. At most', 'f"Change one note. At most'),
        at("PD901", server, "Change one note. At most"),
        expect("owned", description="Change one note. At most 20 changes a day are kept."),
    ),
    Edit(
        "a parameter added",
        in_model("    keep: bool = True\n", "    keep: bool = True\n    colour: str | None = None\n"),
        at("PD901", server, "EditNote.model_json_schema()"),
        lambda desk: desk.content(desk.dialect.owned)["inputSchema"]["properties"]["colour"],
    ),
    Edit(
        "a member of an enumeration in another module",
        in_model('KINDS = ("private", "shared")', 'KINDS = ("private", "shared", "public")'),
        lambda desk: (("PD901", desk.dialect.server, "List the notes of one kind."),),
    ),
    Edit(
        "a rename",
        rename_in_code,
        lambda desk: (("PD906", desk.dialect.server, "types.Tool("),),
        renamed_with_words,
    ),
    Edit(
        "a tool deleted",
        drop_tool,
        at("PD905", moved, '"name": "find_note"'),
        left=("PD905",),
    ),
    Edit(
        "a tool deleted, and its file pruned",
        drop_tool,
        at("PD905", moved, '"name": "find_note"'),
        pruned,
        options=("--prune",),
    ),
    Edit("a new tool", add_tool, at("PD904", server, "types.Tool("), new_tool_copied),
    Edit("a list made conditional", make_conditional, NOTHING),
    Edit(
        "the text of a stub",
        in_server(f'description="{SUMMARY}"', 'description="Look a note up."'),
        at("PD903", server, "Look a note up."),
        expect("moved", summary="Look a note up."),
    ),
    Edit(
        "a title",
        in_server('title="Find notes"', 'title="Find a note"'),
        at("PD901", server, "Find a note"),
        expect("moved", title="Find a note"),
    ),
    Edit(
        "the call that enables the server taken out",
        in_server(ENABLE, ""),
        at("PD909", server, 'Server("notes"'),
        in_code("enable(server"),
    ),
    Edit(
        "the call that enables the server put under a condition",
        in_server(ENABLE, f"if LIMIT:\n    {ENABLE}"),
        NOTHING,
        in_code("if LIMIT:\n    enable(server"),
    ),
    Edit(
        "the call that enables the server moved to a function that is handed it",
        in_server(ENABLE, f"def prepare(one):\n    {ENABLE}".replace("(server", "(one")),
        at("PD909", server, 'Server("notes"'),
        lambda desk: only_call(desk, "enable(one"),
        left=("PD909",),
    ),
    Edit("reformatted by ruff", formatted("ruff", "format", "--line-length", "70"), NOTHING),
    # --- in description files ----------------------------------------------------------------------------------------
    Edit(
        "a summary",
        in_moved(lambda c: c.update(summary="Look a note up.")),
        at("PD902", moved, "Look a note up."),
        both(expect("moved", summary="Look a note up."), in_code('description="Look a note up."')),
    ),
    Edit(
        "a summary of a tool that the code owns, and its description in the code",
        both(in_owned(lambda c: c.update(summary="Mine.")), in_server('f"Change a note. At', 'f"Change one note. At')),
        at("PD901", server, "Change one note. At most"),
        expect("owned", summary="Mine.", description="Change one note. At most 20 changes a day are kept."),
    ),
    Edit(
        "the first sentence of a description, whose summary is generated",
        in_moved(lambda c: c.update(description="Look notes up. Slowly.")),
        at("PD902", moved, "Look notes up. Slowly."),
        both(expect("moved", summary="Look notes up."), in_code('description="Look notes up."')),
    ),
    Edit(
        "a schema",
        in_moved(lambda c: c["inputSchema"]["properties"]["limit"].update(type="string")),
        at("PD902", moved, '"inputSchema"'),
        in_code('"limit": {"type": "string", "default": 20}'),
    ),
    Edit(
        "a constraint in a schema that no stub shows",
        in_moved(lambda c: c["inputSchema"]["properties"]["limit"].update(maximum=50)),
        NOTHING,
    ),
    Edit(
        "a schema that is none",
        in_moved(lambda c: c["inputSchema"]["properties"]["limit"].update(minimum="no")),
        at("PD405", moved, '"minimum": "no"'),
        left=("PD405",),
    ),
    Edit(
        "an example that does not fit",
        in_moved(lambda c: c.update(examples=[{"input": {"text": "tide"}}, {"input": {"text": 7}}])),
        at("PD406", moved, '"text": 7'),
        expect("moved", examples=[{"input": {"text": "tide"}}, {"input": {"text": 7}}]),
        left=("PD406",),
    ),
    Edit(
        "an example that a schema in the code has left behind",
        both(
            in_owned(lambda c: c.update(examples=[{"input": {"note": 1, "text": "tide"}}])),
            in_model("max_length=2000", "max_length=3"),
        ),
        lambda desk: (
            ("PD406", owned(desk), '"text": "tide"'),
            ("PD901", desk.dialect.server, "EditNote.model_json_schema()"),
        ),
        left=("PD406",),
    ),
    Edit("the only home of a definition deleted", delete(moved), at("PD517", server, ""), left=("PD517",)),
    Edit(
        "a copy deleted",
        delete(owned),
        at("PD904", server, "types.Tool("),
        expect("owned", summary="Change a note."),
    ),
    Edit("a file renamed", rename_file, says(("PD911", ".pdmigrate/lock.json", "")), kept_file_name),
    Edit(
        "a file duplicated",
        duplicate_file,
        lambda desk: (("PD403", f"{desk.dialect.folder}/zz_copy.json", '"name"'),),
        left=("PD403",),
    ),
    Edit("the markers of a merge conflict", conflict_markers, at("PD401", moved, "<<<<<<< ours"), left=("PD401",)),
    Edit("description files laid out anew", laid_out_anew, NOTHING),
    # --- in what is generated ----------------------------------------------------------------------------------------
    Edit(
        "the generated module",
        lambda desk: desk.replace(desk.dialect.module, LOGGER, OWN_LOGGER),
        at("PD908", module, '"mine"'),
        lambda desk: desk.line(desk.dialect.module, '"mine"'),
        left=("PD908",),
    ),
    Edit("the generated module deleted", delete(module), at("PD907", module), lambda desk: desk.read(module(desk))),
    Edit(
        "a comment in the generated module",
        lambda desk: desk.write(module(desk), "# ours\n" + desk.read(module(desk))),
        NOTHING,
    ),
    Edit(
        "the schema of description files deleted",
        delete(lambda _: ".pdmigrate/description.schema.json"),
        says(("PD911", ".pdmigrate/description.schema.json", "")),
        lambda desk: desk.read(".pdmigrate/description.schema.json"),
    ),
    # --- in the build file -------------------------------------------------------------------------------------------
    Edit(
        "packaging that leaves the files out",
        lambda desk: desk.write("pyproject.toml", desk.dialect.files["pyproject.toml"]),
        says(("PD910", "pyproject.toml", "")),
        lambda desk: desk.line("pyproject.toml", "package-data"),
    ),
    Edit(
        "a setting",
        lambda desk: desk.replace("pyproject.toml", "[tool.pdmigrate]\n", '[tool.pdmigrate]\nstub-schema = "open"\n'),
        lambda desk: (
            ("PD902", moved(desk), '"inputSchema"'),
            ("PD902", desk.description("share_note"), '"inputSchema"'),
            ("PD907", module(desk), ""),
        ),
        in_code('inputSchema={"type": "object", "properties": {}}'),
    ),
    Edit(
        "a policy",
        lambda desk: desk.replace("pyproject.toml", "[tool.pdmigrate]\n", '[tool.pdmigrate]\nhttp = "enforce"\n'),
        at("PD907", server, 'http="advise"'),
        in_code('http="enforce"'),
    ),
)  # fmt: skip


# --- tools that are functions -----------------------------------------------------------------------------------------


def parameter_copied(desk: Desk) -> None:
    assert desk.content("find_note")["inputSchema"]["properties"]["skip"]["default"] == 0


def rename_function(desk: Desk) -> None:
    desk.edit("find_note", lambda c: c.update(usage_guidance="Mine."))
    desk.commit()
    desk.replace(desk.dialect.server, "def find_note(", "def search_notes(")


def renamed_function(desk: Desk) -> None:
    content = desk.content("search_notes")
    assert (content["name"], content["usage_guidance"]) == ("search_notes", "Mine.")
    assert not (desk.root / desk.description("find_note")).exists()


FUNCTION_EDITS = (
    Edit(
        "a parameter of a function",
        in_server("limit: int = 20", "limit: int = 20, skip: int = 0"),
        at("PD901", server),
        parameter_copied,
    ),
    Edit("a function renamed", rename_function, at("PD906", server), renamed_function),
)
