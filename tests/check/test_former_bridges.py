"""Servers that an earlier version migrated keep the name of their bridge, and `sync` says once how it is changed.

``tests/cases/earlier/bridges`` holds three servers as they were, and as the version left them that made the name when a
server started: one with a long name, one with the name that an SDK gives, and one without a name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.wire import StdioTarget
from tests.check import earlier
from tests.runtime.samples import among_samples, session
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import tree
from tests.support.repositories import commit

TREES = earlier.TREES / "bridges"
LONG = "village_bakery_and_coffee_house_describe_tools"
KEPT = {
    "house.py": ("village_bakery_and_coffee_house", LONG),
    "plain.py": ("plain", "fastmcp_describe_tools"),
    "shop.py": ("mcp_server", "mcp_server_describe_tools"),
}
"""The folder of each server's descriptions, and the name of its bridge before this version."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = earlier.committed(TREES / "migrated", tmp_path / "project")
    monkeypatch.chdir(root)
    return root


def about(root: Path, folder: str) -> Path:
    return root / "tool_descriptions" / folder / "_server.json"


def written(root: Path, folder: str) -> str:
    return str(json.loads(about(root, folder).read_text(encoding="utf-8"))["bridge"])


def listed(root: Path, file: str) -> str:
    with session(StdioTarget(among_samples(MCP1, file), {}, root)) as asked:
        tools: Any = asked.list_tools()
    return str(tools[-1]["name"])


def test_sync_keeps_the_names_that_hosts_know_and_says_so_once(project: Path) -> None:
    before = {file: listed(project, file) for file in KEPT}
    assert before == {file: name for file, (_, name) in KEPT.items()}
    ran = pdmigrate("sync")
    assert ran.status == 0, ran.stdout + ran.stderr
    assert {file: written(project, folder) for file, (folder, _) in KEPT.items()} == before
    assert {file: listed(project, file) for file in KEPT} == before
    said = ran.stdout + ran.stderr
    assert said.count("PD547 note: ") == 3
    assert f"the bridge keeps the name {LONG} of an earlier version" in said
    assert "a new one would be called village_bakery_describe_tools" in said
    folder, _ = KEPT["house.py"]
    assert f"to rename it, edit `bridge` in tool_descriptions/{folder}/_server.json, then run `pdmigrate sync`" in said

    after = tree(project)
    for again in (("sync",), ("check",), ("apply", "--check", "--allow-dirty")):
        ran = pdmigrate(*again)
        assert ran.status == 0, ran.stdout + ran.stderr
        assert "PD547" not in ran.stdout + ran.stderr
    assert tree(project) == after


@pytest.mark.parametrize("command", [("check",), ("apply",)], ids=" ".join)
def test_what_only_looks_says_it_too_and_writes_nothing(project: Path, command: tuple[str, ...]) -> None:
    before = tree(project)
    ran = pdmigrate(*command, *(VERSIONS if command == ("apply",) else ()))
    assert (ran.stdout + ran.stderr).count("PD547 note: ") == 3
    assert tree(project) == before


def test_a_bridge_is_renamed_by_editing_the_line(project: Path) -> None:
    assert pdmigrate("sync").status == 0
    folder, name = KEPT["house.py"]
    text = about(project, folder).read_text(encoding="utf-8")
    about(project, folder).write_text(text.replace(name, "village_bakery_describe_tools"), encoding="utf-8")
    for again in (("check",), ("sync",)):
        assert pdmigrate(*again).status == 0
    assert written(project, folder) == "village_bakery_describe_tools"
    assert listed(project, "house.py") == "village_bakery_describe_tools"
    commit(project)
    assert pdmigrate("revert").status == 0
    left = tree(project)
    assert {path: raw for path, raw in left.items() if path.endswith(".py")} == {
        path: raw for path, raw in tree(TREES / "original").items() if path.endswith(".py")
    }


UNSETTLED = (
    "source does not settle what an earlier version called the bridge; it is tide_desk_describe_tools from now on"
)
MADE = {
    "a name": ('FastMCP("Bakery")', "bakery_describe_tools", None),
    "a name with blanks at its ends": ('FastMCP(" Bakery! ")', "bakery_describe_tools", None),
    "a name of 40 characters": (f'FastMCP("{"b" * 45}")', f"{'b' * 40}_describe_tools", "keeps the name"),
    "a name in another script": ('FastMCP("Пекарня")', "describe_tools", "keeps the name describe_tools"),
    "settings, and no name": ('FastMCP(instructions="Bread.")', "fastmcp_describe_tools", "keeps the name fastmcp_"),
    "a name by keyword": ('FastMCP(name="Bakery")', "bakery_describe_tools", None),
    "a name of the environment": ('FastMCP(os.environ["NAME"])', "tide_desk_describe_tools", UNSETTLED),
    "one of several": ("FastMCP(**json.loads(os.environ['ALL']))", "tide_desk_describe_tools", UNSETTLED),
}


@pytest.mark.parametrize("case", MADE)
def test_the_name_is_kept_where_source_settles_it(project: Path, case: str) -> None:
    made, name, note = MADE[case]
    house = project / "house.py"
    source = house.read_text(encoding="utf-8").replace('FastMCP("Village Bakery and Coffee House")', made)
    house.write_text(f"import json\nimport os\n\n{source}", encoding="utf-8")
    ran = pdmigrate("sync")
    said = ran.stdout + ran.stderr
    folder, _ = KEPT["house.py"]
    assert written(project, folder) == name, said
    # The other two servers have their notes in any case.
    assert said.count("PD547 note: ") == 2 + (note is not None)
    assert note is None or note in said


def test_the_first_modules_named_the_bridge_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = earlier.committed(earlier.TREES / "lowlevel" / "migrated", tmp_path / "warehouse")
    module = root / "progressive_disclosure.py"
    text = module.read_text(encoding="utf-8")
    assert 'BRIDGE = "warehouse_describe_tools"' in text
    module.write_text(text.replace("warehouse_describe_tools", "old_describe_tools"), encoding="utf-8")
    commit(root)
    monkeypatch.chdir(root)
    ran = pdmigrate("sync", "--ours")
    assert "the bridge keeps the name old_describe_tools of an earlier version" in ran.stdout + ran.stderr
    assert (
        json.loads((root / "tool_descriptions" / "_server.json").read_text("utf-8"))["bridge"] == "old_describe_tools"
    )
