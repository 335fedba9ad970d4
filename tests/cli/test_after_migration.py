"""What people do to a migrated project, and what the next command makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import SERVER, project
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree

FILE = "tool_descriptions/find_note.json"


def edit(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = root / FILE
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def definition(root: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((root / FILE).read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("apply_between", [False, True], ids=["at once", "after another apply"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda c: c.update(description="Mine."), id="the description"),
        pytest.param(lambda c: c["inputSchema"]["properties"]["text"].update(description="Mine."), id="the schema"),
    ],
)
def test_a_revert_keeps_a_definition_that_was_edited_in_its_file(
    migrated: Path, change: Callable[[dict[str, Any]], object], apply_between: bool
) -> None:
    edit(migrated, change)
    if apply_between:
        assert pdmigrate("apply", "--all", migrated, "--write", *VERSIONS).status == 0
    edited = definition(migrated)
    ran = pdmigrate("revert", migrated)
    assert ran.status == 0
    assert f"{FILE}:1: PD611" in ran.stdout + ran.stderr
    assert definition(migrated) == edited
    assert (migrated / "server.py").read_text(encoding="utf-8") == SERVER


@pytest.mark.parametrize("command", ["apply", "extract"])
def test_a_definition_is_never_made_from_its_stub(migrated: Path, command: str) -> None:
    (migrated / FILE).unlink()
    before = tree(migrated)
    ran = pdmigrate(command, migrated, *(("--write",) if command == "apply" else ()), *VERSIONS)
    assert ran.status == 1
    assert "PD517" in ran.stdout + ran.stderr
    assert {path: raw for path, raw in tree(migrated).items() if ".pdmigrate" not in path} == {
        path: raw for path, raw in before.items() if ".pdmigrate" not in path
    }


def test_a_definition_that_is_written_in_code_again_moves_again(migrated: Path) -> None:
    (migrated / FILE).unlink()
    server = migrated / "server.py"
    enabled = SERVER.replace('server = Server("notes")', 'server = Server("notes")\nenable(server)')
    server.write_text("from progressive_disclosure import enable\n" + enabled, encoding="utf-8")
    assert pdmigrate("apply", "--all", migrated, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert definition(migrated)["description"].endswith("the newest first.")
    assert "the newest first" not in server.read_text(encoding="utf-8")


def test_an_edit_that_touches_no_tool_is_no_reason_to_do_anything(migrated: Path) -> None:
    server = migrated / "server.py"
    server.write_text(server.read_text(encoding="utf-8") + "\nprint('hello')\n", encoding="utf-8")
    ran = pdmigrate("apply", "--all", migrated, "--check", *VERSIONS)
    assert (ran.status, ran.stdout) == (0, "")


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "other"}'], ids=["cut off", "no object", "another tool's"])
def test_a_description_file_that_cannot_be_used_fails_the_check(migrated: Path, text: str) -> None:
    (migrated / FILE).write_text(text, encoding="utf-8")
    before = tree(migrated)
    ran = pdmigrate("apply", "--all", migrated, "--check", *VERSIONS)
    assert ran.status == 1
    assert FILE in ran.stderr
    assert tree(migrated) == before


def test_a_schema_edited_in_the_stub_fails_and_nothing_is_written(migrated: Path) -> None:
    server = migrated / "server.py"
    text = server.read_text(encoding="utf-8")
    stub = '"limit": {"type": "integer", "default": 20}'
    assert stub in text
    server.write_text(text.replace(stub, '"limit": {"type": "string"}'), encoding="utf-8")
    before = tree(migrated)
    ran = pdmigrate("apply", "--all", migrated, "--write", "--allow-dirty", *VERSIONS)
    assert ran.status == 1
    assert "PD513" in ran.stdout + ran.stderr
    assert FILE in ran.stdout + ran.stderr
    assert tree(migrated) == before


def test_a_summary_edited_after_an_extraction_survives_a_revert(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    extracted = tree(root)
    assert pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    edit(root, lambda c: c.update(summary="Find it."))
    assert pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert 'description="Find it."' in (root / "server.py").read_text(encoding="utf-8")
    ran = pdmigrate("revert", root)
    assert ran.status == 0, ran.stderr
    after = tree(root)
    assert definition(root)["summary"] == "Find it."
    assert definition(root)["owner"] == "code"
    assert {path: raw for path, raw in after.items() if path != FILE} == {
        path: raw for path, raw in extracted.items() if path != FILE
    }


def test_an_audit_says_that_the_server_is_migrated(tmp_path: Path) -> None:
    root = project(tmp_path)
    line = "it is migrated: `listing now` is what it would list without that\n"
    assert line not in pdmigrate("audit", root, *VERSIONS).stdout
    assert pdmigrate("apply", "--all", root, "--write", *VERSIONS).status == 0
    assert line in pdmigrate("audit", root, *VERSIONS).stdout
