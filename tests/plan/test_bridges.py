"""The name of the bridge: made once, from what tells a server from others, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.project.bridges import bridges
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.cli.projects import SERVER as LOWLEVEL
from tests.support.files import write

SERVER = '''\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP({name})


@mcp.tool()
def bake(loaf: str) -> str:
    """Bake one loaf."""
    return loaf{more}
'''
DESK = {"pyproject.toml": '[project]\nname = "tide-desk"\nversion = "1"\ndependencies = ["mcp>=1.20,<2"]\n'}
BAKERY = SERVER.format(name='"bakery"', more="")
UNNAMED = SERVER.format(name="", more="")
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "its name": ({**DESK, "server.py": BAKERY}, ("bakery_describe_tools",)),
    "no name": ({**DESK, "server.py": UNNAMED}, ("tide_desk_describe_tools",)),
    "a name that says nothing": (
        {**DESK, "server.py": SERVER.format(name='"mcp-server"', more="")},
        ("tide_desk_describe_tools",),
    ),
    "a word of its code": (
        {"server.py": SERVER.format(name='"bakery"', more="  # bakery_describe_tools")},
        ("bakery_2_describe_tools",),
    ),
    "two of no name": (
        {**DESK, "server.py": UNNAMED, "night.py": UNNAMED},
        ("tide_desk_describe_tools", "bread_describe_tools"),
    ),
    "a name that a person has written": (
        {**DESK, "server.py": BAKERY, "tool_descriptions/_server.json": '{"bridge": "my_describe_tools"}'},
        ("my_describe_tools",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bridge_is_named_after_what_tells_its_server_from_others(case: str, tmp_path: Path) -> None:
    files, expected = CASES[case]
    project = load_project(write(tmp_path / "bread", {"pyproject.toml": "", **files}), ".", Settings())
    assert bridges(project) == expected
    assert all(len(name) <= 30 for name in expected)


REQUIREMENTS = {
    "open above": ('dependencies = ["mcp>=1.6"]', {}, True),
    "bounded": ('dependencies = ["mcp>=1.6,<2"]', {}, False),
    "pinned": ('dependencies = ["mcp==1.30.0"]', {}, False),
    "no requirement at all": ("", {}, True),
    "a version that is given": ("", {"mcp": "1.30.0"}, False),
}


@pytest.mark.parametrize(("requirement", "given", "named"), REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_an_open_requirement_is_named(tmp_path: Path, requirement: str, given: dict[str, str], named: bool) -> None:
    write(tmp_path, {"server.py": LOWLEVEL, "pyproject.toml": f'[project]\nname = "x"\nversion = "1"\n{requirement}\n'})
    settings = Settings(sdk=given)
    notes = plan_migration(load_project(tmp_path, ".", settings), settings).notes
    assert any("mcp<2" in note for note in notes) is named
