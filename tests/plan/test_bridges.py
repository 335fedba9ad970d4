"""The name of the bridge: made once, from what tells a server from others, and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.layouts.living import migrated
from tests.support.command_line import pdmigrate
from tests.support.files import write
from tests.support.repositories import committed

SERVER = '''\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP({name})


@mcp.tool()
def bake(loaf: str) -> str:
    """Bake one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf{more}


if __name__ == "__main__":
    mcp.run()
'''
CASES = {
    "its name": ('"bakery"', "", "tide-desk", "bakery_describe_tools"),
    "no name": ("", "", "tide-desk", "tide_desk_describe_tools"),
    "a name that says nothing": ('"mcp-server"', "", "tide-desk", "tide_desk_describe_tools"),
    "a word of its code": ('"bakery"', "  # bakery_describe_tools", "", "bakery_2_describe_tools"),
}


def project(root: Path, name: str, more: str, called: str, **others: str) -> Path:
    about = f'[project]\nname = "{called}"\nversion = "1"\ndependencies = ["mcp>=1.20,<2"]\n' if called else ""
    files = {"pyproject.toml": about, "server.py": SERVER.format(name=name, more=more), **others}
    migrated(committed(write(root, files)), "--all")
    return root


def bridges(root: Path) -> list[str]:
    return [json.loads(path.read_text("utf-8"))["bridge"] for path in root.rglob("_server.json")]


@pytest.mark.parametrize("case", CASES)
def test_a_bridge_is_named_after_what_tells_its_server_from_others(case: str, tmp_path: Path) -> None:
    name, more, called, expected = CASES[case]
    assert bridges(project(tmp_path / "bread", name, more, called)) == [expected]
    assert len(expected) <= 30


def test_two_unnamed_servers_of_a_project_have_two_bridges(tmp_path: Path) -> None:
    root = project(tmp_path / "bread", "", "", "tide-desk", **{"night.py": SERVER.format(name="", more="")})
    assert len({*bridges(root)}) == 2


def test_a_name_that_a_person_writes_is_kept(tmp_path: Path) -> None:
    root = project(tmp_path / "bread", '"bakery"', "", "tide-desk")
    about = root / "tool_descriptions" / "_server.json"
    content = json.loads(about.read_text(encoding="utf-8"))
    about.write_text(json.dumps({**content, "bridge": "my_describe_tools"}), encoding="utf-8")
    assert pdmigrate("sync", root).status == 0
    assert pdmigrate("check", root).status == 0
    assert bridges(root) == ["my_describe_tools"]
