"""A definition stays where the last ``apply`` left it: ``check`` and ``sync`` move no source."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from tests.check.desk import ABOUT, FOLDER, MOVED, NEW_TOOL, SERVER, Desk

EDITS: Mapping[str, tuple[str, Mapping[str, str], tuple[str, ...]]] = {
    "a new literal": ("pin_note", {"        ),\n    ]\n": f"        ),\n{NEW_TOOL}    ]\n"}, ("PD904",)),
    "a computed tool that is a literal now": (
        "list_notes",
        {
            "f\"List the notes of one kind. Kinds are {', '.join(KINDS)}.\"": '"List notes. Kinds are few."',
            "list(KINDS)": '["private"]',
        },
        ("PD901",),
    ),
}
"""By what is edited: the tool, the edits, and what ``check`` says."""


@pytest.mark.parametrize(
    ("command", "copies"), [(("sync",), True), (("sync",), False), (("check", "--fix"), False)], ids=str
)
@pytest.mark.parametrize("edit", EDITS)
def test_only_apply_moves_a_definition(
    edit: str, copies: bool, command: tuple[str, ...], copied: Callable[..., Desk]
) -> None:
    desk = copied("mcp1-lowlevel", *(("--copies",) if copies else ()))
    tool, edits, said = EDITS[edit]
    for old, new in edits.items():
        desk.replace(SERVER, old, new)
    source = desk.read(SERVER)
    assert {found["code"] for found in desk.said("check")[1]} == {*said}
    assert desk.run(*command).status == 0
    assert desk.run("check").status == 0
    assert desk.read(SERVER) == source
    assert (desk.root / FOLDER / f"{tool}.json").exists() is copies
    assert not copies or desk.content(tool)["owner"] == "code"
    assert copies or tool in json.loads(desk.read(ABOUT))["summaries"]
    assert desk.run("apply", "--check", "--allow-dirty").status == 1
    assert desk.run("apply", "--write", "--allow-dirty").status == 0
    assert desk.content(tool)["owner"] == "file"
    assert desk.read(SERVER) != source
    assert desk.run("check").status == 0


def test_a_definition_that_was_put_back_by_hand_stays_in_code(copied: Callable[..., Desk]) -> None:
    desk = copied("mcp1-lowlevel")
    (desk.root / MOVED).unlink()
    before, now = desk.files[SERVER], desk.read(SERVER)
    put_back, stub = (_declared(text, "find_note", "share_note") for text in (before, now))
    desk.replace(SERVER, stub, put_back)
    assert desk.run("sync").status == 0
    assert desk.run("check").status == 0
    assert put_back in desk.read(SERVER)
    assert not (desk.root / MOVED).exists()
    assert desk.run("revert").status == 0
    assert desk.read(SERVER) == before


def _declared(source: str, tool: str, following: str) -> str:
    return source[source.index(f'name="{tool}"') : source.index(f'name="{following}"')]
