"""A definition stays where the last ``apply`` left it: ``check`` and ``sync`` move no source."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.check.desk import DIALECTS, NEW_TOOL, Desk, copied, migrated

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


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A low-level server of which only the tools that moved have description files."""
    return migrated(tmp_path_factory.mktemp("template") / "project", DIALECTS["mcp1-lowlevel"], ())


@pytest.mark.parametrize(
    ("command", "copies"), [(("sync",), True), (("sync",), False), (("check", "--fix"), False)], ids=str
)
@pytest.mark.parametrize("edit", EDITS)
def test_only_apply_moves_a_definition(
    edit: str,
    copies: bool,
    command: tuple[str, ...],
    lines: Desk,
    templates: Callable[[str], Desk],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = copied(templates("mcp1-lowlevel") if copies else lines, tmp_path / "project")
    monkeypatch.chdir(desk.root)
    tool, edits, said = EDITS[edit]
    for old, new in edits.items():
        desk.replace(desk.dialect.server, old, new)
    source = desk.read(desk.dialect.server)
    ran = desk.run("check", "--format", "json")
    assert {found["code"] for found in json.loads(ran.stdout)["findings"]} == {*said}
    assert desk.run(*command).status == 0
    assert desk.run("check").status == 0
    assert desk.read(desk.dialect.server) == source
    home = desk.root / desk.description(tool)
    assert home.exists() is copies
    assert not copies or desk.content(tool)["owner"] == "code"
    assert copies or tool in json.loads(desk.read(f"{desk.dialect.folder}/_server.json"))["summaries"]
    assert desk.run("apply", "--check", "--allow-dirty").status == 1
    assert desk.run("apply", "--write", "--allow-dirty").status == 0
    assert desk.content(tool)["owner"] == "file"
    assert desk.read(desk.dialect.server) != source
    assert desk.run("check").status == 0


def test_a_definition_that_was_put_back_by_hand_stays_in_code(
    lines: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = copied(lines, tmp_path / "project")
    monkeypatch.chdir(desk.root)
    (desk.root / desk.description("find_note")).unlink()
    before, now = desk.dialect.files[desk.dialect.server], desk.read(desk.dialect.server)
    put_back, stub = (_declared(text, "find_note", "share_note") for text in (before, now))
    desk.replace(desk.dialect.server, stub, put_back)
    assert desk.run("sync").status == 0
    assert desk.run("check").status == 0
    assert put_back in desk.read(desk.dialect.server)
    assert not (desk.root / desk.description("find_note")).exists()
    assert desk.run("revert").status == 0
    assert desk.read(desk.dialect.server) == before


def _declared(source: str, tool: str, following: str) -> str:
    return source[source.index(f'name="{tool}"') : source.index(f'name="{following}"')]
