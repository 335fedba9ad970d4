"""``pdmigrate extract`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.projects import BROKEN, SERVER, UNRELATED, project
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "extract-json.schema.json").read_text(encoding="utf-8"))


def document(*arguments: object, status: int = 0) -> Any:
    """What ``extract --format json`` prints; it must be a document of the contract and nothing else."""
    ran = pdmigrate("extract", *arguments, "--format", "json", *VERSIONS)
    assert (ran.status, ran.stderr) == (status, "")
    value = json.loads(ran.stdout)
    Draft202012Validator(SCHEMA).validate(value)
    return value


def test_the_json_is_the_contract_and_nothing_is_written(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    [server] = document(root, "--no-write")["servers"]
    assert tree(root) == before
    assert (server["name"], server["file"], server["complete"]) == ("notes", "server.py", True)
    assert server["sdk"] == {"package": "mcp", "version": "1.30.0", "pydantic": "2.14.3", "basis": "given"}
    find, edit = server["tools"]
    assert (find["unknown"], "basis" in find) == ([], False)
    assert find["definition"]["description"].startswith("Find notes by their text. Returns")
    assert edit["definition"].keys() == {"name", "inputSchema"}
    assert [part["field"] for part in edit["unknown"]] == ["description"]


def test_a_file_is_written_for_every_tool_and_a_second_run_writes_nothing(tmp_path: Path) -> None:
    root = project(tmp_path)
    ran = pdmigrate("extract", root, *VERSIONS)
    assert ran.status == 0
    assert "  find_note  exact" in ran.stdout
    assert "  edit_note  1 field not settled" in ran.stdout
    assert "1 server, 2 tools: 1 exact, 1 with fields that source does not settle" in ran.stderr
    written = tree(root)
    assert {"tool_descriptions/find_note.json", "tool_descriptions/edit_note.json"} < written.keys()
    assert written["server.py"] == SERVER.encode()
    again = pdmigrate("extract", root, *VERSIONS)
    assert again.status == 0
    assert "all description files are up to date" in again.stderr
    assert tree(root) == written


def test_check_tells_whether_something_would_change(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    ran = pdmigrate("extract", root, "--check", *VERSIONS)
    assert ran.status == 1
    assert "add     tool_descriptions/find_note.json" in ran.stderr
    assert tree(root) == before
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    assert pdmigrate("extract", root, "--check", *VERSIONS).status == 0
    (root / "server.py").write_text(SERVER.replace("the newest first", "the oldest first"), encoding="utf-8")
    ran = pdmigrate("extract", root, "--check", *VERSIONS)
    assert ran.status == 1
    assert "change  tool_descriptions/find_note.json" in ran.stderr
    assert "edit_note.json" not in ran.stderr


def test_a_project_without_a_server_is_an_empty_document(tmp_path: Path) -> None:
    root = project(tmp_path, script=UNRELATED)
    assert document(root, status=1) == {"version": 1, "servers": [], "findings": []}
    assert set(tree(root)) == {"script.py"}


def test_a_file_that_cannot_be_read_is_a_finding_unless_it_is_excluded_or_ignored(tmp_path: Path) -> None:
    root = project(tmp_path, server=SERVER, broken=BROKEN)
    value = document(root, "--no-write")
    assert [(found["code"], found["file"]) for found in value["findings"]] == [("PD101", "broken.py")]
    assert len(value["servers"]) == 1
    ran = pdmigrate("extract", root, "--no-write")
    assert ran.status == 0
    assert "broken.py:" in ran.stderr
    assert "PD101 error: " in ran.stderr
    assert "1 error" in ran.stderr
    assert document(root, "--no-write", "--exclude-paths", "broken.py")["findings"] == []
    for setting in ("exclude-paths = ['broken.py']", "ignore = ['PD101']"):
        (root / "pyproject.toml").write_text(f"[tool.pdmigrate]\n{setting}\n", encoding="utf-8")
        assert document(root, "--no-write")["findings"] == []
    assert "PD101" not in pdmigrate("extract", root, "--no-write").stderr


def test_people_in_another_folder_are_told_what_paths_are_relative_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert f"paths are relative to {root.resolve()}" in pdmigrate("extract", root, "--no-write").stderr
    monkeypatch.chdir(root)
    assert "paths are relative" not in pdmigrate("extract", "--no-write").stderr
