"""``pdmigrate export`` from end to end."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pdmigrate.cli.export import EXPORTS
from tests.cli.projects import SERVER, project
from tests.runtime.nurseries import planted
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import tree, write

WHOLE = SERVER.replace('os.environ["EDIT_HELP"]', '"Change the text of a note."')


def test_the_prompt_is_printed_with_the_names_of_the_server(tmp_path: Path) -> None:
    ran = pdmigrate("export", "prompt", project(tmp_path, server=WHOLE), *VERSIONS)
    assert ran.status == 0
    assert ran.stdout.startswith("# Tools of notes\n")
    assert 'notes_describe_tools(names=["find_note", "edit_note"])' in ran.stdout


def test_what_source_does_not_settle_is_left_out_and_named(tmp_path: Path) -> None:
    ran = pdmigrate("export", "trustgraph", project(tmp_path), *VERSIONS)
    assert ran.status == 1
    assert [tool["name"] for tool in json.loads(ran.stdout)] == ["find_note"]
    assert "left out, since source does not settle them: edit_note\n" in ran.stderr
    assert "PD620 note: " in ran.stderr


UNSETTLED = """import os
from elsewhere import Kind
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool(description=os.environ["TEXT"])
def find(words: str) -> str:
    return ""


@mcp.tool()
def drop(words: Kind) -> str:
    \"\"\"Drop a note.\"\"\"
    return ""


if __name__ == "__main__":
    mcp.run()
"""


def test_a_summary_of_a_person_stands_for_a_description_that_source_does_not_settle(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(UNSETTLED, encoding="utf-8")
    ran = pdmigrate("export", "prompt", tmp_path, *VERSIONS)
    assert ran.status == 1
    assert "left out, since source does not settle them: find\n" in ran.stderr
    summary = json.dumps({"name": "find", "owner": "code", "summary": "Find notes."})
    write(tmp_path, {"tool_descriptions/find.json": summary})
    ran = pdmigrate("export", "prompt", tmp_path, *VERSIONS)
    assert "- find: Find notes.\n- drop: Drop a note.\n" in ran.stdout, ran.stderr
    assert ran.status == 0


def test_one_of_several_servers_is_named(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, {f"{name}/server.py": WHOLE.replace('"notes"', f'"{name}"')})
    refused = pdmigrate("export", "prompt", tmp_path, *VERSIONS)
    assert refused.status == 2
    assert "one, two" in refused.stderr
    assert pdmigrate("export", "prompt", tmp_path, *VERSIONS, "--server", "two").stdout.startswith("# Tools of two\n")
    gone = pdmigrate("export", "prompt", tmp_path, *VERSIONS, "--server", "three")
    assert "there is no server 'three'" in gone.stderr


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_touches_nothing_of_the_project(tmp_path: Path, what: str) -> None:
    folder = project(tmp_path / "notes", server=WHOLE)
    before = tree(folder)
    ran = pdmigrate("export", what, folder, *VERSIONS, "--output", tmp_path / "out")
    assert ran.status == 0, ran.stderr
    assert tree(folder) == before
    if what == "skill":  # a folder of its name, with a page for each tool
        pages = {"notes/SKILL.md", "notes/references/find_note.md", "notes/references/edit_note.md"}
        assert {*tree(tmp_path / "out")} == pages


def test_what_the_running_server_told_is_exported(tmp_path: Path) -> None:
    """The tools that are discovered only at run time: their description files hold what it listed."""
    (tmp_path / "server.py").write_text(UNSETTLED.replace("from elsewhere import Kind\n", "Kind = str\n"), "utf-8")
    left = pdmigrate("export", "trustgraph", tmp_path, *VERSIONS)
    assert [tool["name"] for tool in json.loads(left.stdout)] == ["drop"]
    command = shlex.join(["env", "TEXT=Find notes. All of them.", *planted(MCP1, str(tmp_path / "server.py"))])
    asked = pdmigrate("extract", tmp_path, "--live", command, *VERSIONS)
    assert asked.status == 0, asked.stderr
    ran = pdmigrate("export", "trustgraph", tmp_path, *VERSIONS)
    described = {tool["name"]: tool["description"] for tool in json.loads(ran.stdout)}
    assert described == {"find": "Find notes. All of them.", "drop": "Drop a note."}
