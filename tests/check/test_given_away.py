"""Hosts of one network and credentials in texts of the code: found once, where the text is owned."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

SERVER = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def find(words: str) -> str:
    """Find notes of http://wiki.corp.internal/notes."""
    return ""


@mcp.tool()
def drop(words: str) -> str:
    """Drop a note."""
    return ""
'''


def found(root: Path, *command: str) -> list[tuple[str, str]]:
    ran = pdmigrate(*command, root, *VERSIONS, "--format", "json")
    said = json.loads(ran.stdout)["findings"]
    return [(one["code"], Path(one["file"]).name) for one in said if one["code"] in ("PD407", "PD408")]


def test_a_host_of_one_network_is_found_in_the_code_and_not_again_in_the_summary_made_of_it(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": SERVER})
    once = [("PD408", "server.py")]
    assert found(tmp_path, "apply", "--all", "--write") == once
    assert found(tmp_path, "check") == once
    about = "tool_descriptions/_server.json"
    text = (tmp_path / about).read_text("utf-8")
    write(tmp_path, {about: text.replace("Drop a note.", "Drop a note of wiki.acme.lan.")})
    assert found(tmp_path, "check") == [*once, ("PD408", "_server.json")]
