"""What an ``apply`` leaves behind: the record of agreement, the versions it was given, definitions in their places."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pdmigrate.record import quick
from tests.check.desk import ABOUT, FOLDER, LOCK, MOVED, NEW_TOOL, PYPROJECT, SERVER, Desk, unmigrated
from tests.support.command_line import pdmigrate
from tests.support.repositories import commit

OPEN = PYPROJECT.replace("mcp==1.30.0", "mcp").replace("pydantic==2.14.3", "pydantic").partition("[tool.pdmigrate]")[0]
APPLY = ("apply", "--all", "--write", "--copies")


@pytest.fixture
def open_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A project of a low-level server that does not say which SDK it runs on."""
    desk = unmigrated(tmp_path / "project", "mcp1-lowlevel")
    desk.write("pyproject.toml", OPEN)
    commit(desk.root)
    monkeypatch.chdir(desk.root)
    return desk


def sdk_of(desk: Desk) -> dict[str, str]:
    ran = pdmigrate("extract", desk.root, "--no-write", "--format", "json")
    (server,) = json.loads(ran.stdout)["servers"]
    said: dict[str, str] = server["sdk"]
    return said


@pytest.mark.parametrize("name", ["mcp1-lowlevel", "mcp1-fastmcp"])
def test_the_first_check_is_answered_by_the_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = unmigrated(tmp_path / "project", name)
    monkeypatch.chdir(desk.root)
    assert quick.agreed(str(desk.root)) is None
    assert pdmigrate(*APPLY).status == 0
    described = {path.name for path in (desk.root / FOLDER).iterdir()} - {"_server.json"}
    assert quick.agreed(str(desk.root)) == (len(described), 0)


def test_what_does_not_agree_after_an_apply_has_no_record(desk: Desk) -> None:
    pdmigrate("revert")
    desk.replace(SERVER, "Share a note with a colleague.", "Share a note in /home/alice/notes.")
    assert pdmigrate(*APPLY, "--allow-dirty").status == 0
    assert quick.agreed(str(desk.root)) is None
    assert pdmigrate("check").status == 1


def test_versions_are_remembered_if_they_were_given(open_ended: Desk) -> None:
    assert pdmigrate(*APPLY).status == 0
    assert "sdk" not in json.loads(open_ended.read(LOCK))["choices"]
    pdmigrate("revert")
    given = ("--sdk", "mcp==1.29.0", "--sdk", "pydantic==2.12.0")
    assert pdmigrate(*APPLY, *given).status == 0
    assert json.loads(open_ended.read(LOCK))["choices"]["sdk"] == {"mcp": "1.29.0", "pydantic": "2.12.0"}
    commit(open_ended.root)
    ran = pdmigrate("check")
    assert (ran.status, ran.stdout) == (0, "")
    assert sdk_of(open_ended) == {"package": "mcp", "version": "1.29.0", "pydantic": "2.12.0", "basis": "given"}
    before = open_ended.tree()
    assert pdmigrate("sync").status == 0
    assert pdmigrate("apply", "--all", "--check").status == 0
    assert open_ended.tree() == before


def in_build(requirement: str) -> Callable[[Desk], object]:
    return lambda desk: desk.replace("pyproject.toml", '"mcp"', f'"{requirement}"')


SAID: dict[str, tuple[Callable[[Desk], object], str, str]] = {
    "a lock file": (
        lambda desk: desk.write("uv.lock", '[[package]]\nname = "mcp"\nversion = "1.28.0"\n'),
        "1.28.0",
        "lock",
    ),
    "a pin": (in_build("mcp==1.27.0"), "1.27.0", "requirement"),
    "a range that it is not in": (in_build("mcp>=1.30,<2"), "1.30.0", "requirement"),
    "a range that it is in": (in_build("mcp>=1.2"), "1.29.0", "given"),
    "the configuration": (
        lambda desk: desk.write("pyproject.toml", OPEN + '[tool.pdmigrate]\nsdk = { mcp = "1.26.0" }\n'),
        "1.26.0",
        "given",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_the_project_says_by_itself_counts_more(open_ended: Desk, name: str) -> None:
    spoil, version, basis = SAID[name]
    assert pdmigrate(*APPLY, "--sdk", "mcp==1.29.0").status == 0
    spoil(open_ended)
    said = sdk_of(open_ended)
    assert (said["version"], said["basis"]) == (version, basis)


def test_a_check_for_another_version_remembers_nothing_and_a_sync_does(open_ended: Desk) -> None:
    assert pdmigrate(*APPLY, "--sdk", "mcp==1.29.0").status == 0
    before = open_ended.tree()
    pdmigrate("check", "--sdk", "mcp==1.30.0")
    assert open_ended.tree() == before
    assert pdmigrate("check").status == 0
    assert pdmigrate("sync", "--sdk", "mcp==1.30.0").status == 0
    assert pdmigrate("check").status == 0
    assert sdk_of(open_ended)["version"] == "1.30.0"


def test_an_extraction_remembers_the_versions_too(open_ended: Desk) -> None:
    assert pdmigrate("extract", "--sdk", "mcp==1.29.0").status == 0
    assert sdk_of(open_ended)["version"] == "1.29.0"
    assert pdmigrate("check").status == 0


MOVABLE: Mapping[str, tuple[str, Mapping[str, str], tuple[str, ...]]] = {
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
@pytest.mark.parametrize("edit", MOVABLE)
def test_only_apply_moves_a_definition(
    edit: str, copies: bool, command: tuple[str, ...], copied: Callable[..., Desk]
) -> None:
    desk = copied("mcp1-lowlevel", *(("--copies",) if copies else ()))
    tool, edits, said = MOVABLE[edit]
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
