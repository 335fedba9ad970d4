"""Servers of one package share a module; an earlier version made one for each, and `sync` brings such a tree along.

``tests/cases/earlier/several`` holds three servers in two files, as they were and as that version left them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.wire import StdioTarget
from tests.check import earlier
from tests.runtime.harness import served
from tests.runtime.samples import among_samples, session
from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1
from tests.support.files import tree
from tests.support.repositories import commit

TREES = earlier.TREES / "several"
EXAMPLES = {"find_desk": "find_item", "lend_desk": "lend_item", "night_desk": "ring"}
FORMER = {
    f"desk/progressive_disclosure_{label}.py": earlier.module(
        label, tool, [tool] if label == "find_desk" else (), f"tool_descriptions/{label}"
    )
    for label, tool in EXAMPLES.items()
}
MODULE = "desk/progressive_disclosure.py"
SERVERS = {
    "find_item": (("-m", "desk.find"), {"words": "hat"}),
    "lend_item": (("-m", "desk.lend"), {"number": 7}),
    "ring": (("-m", "desk.lend", "night"), {"times": 2}),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = earlier.committed(TREES / "migrated", tmp_path / "project", FORMER)
    monkeypatch.chdir(root)
    return root


def modules(root: Path) -> set[str]:
    return {path for path in tree(root) if "progressive_disclosure" in path}


def test_sync_gives_the_servers_one_module_and_is_done(project: Path) -> None:
    assert modules(project) == set(FORMER)
    before = pdmigrate("check")
    assert before.status == 1
    for path in FORMER:
        assert f"{path}:1: PD907 error: {path} is a module for one server of several" in before.stdout + before.stderr
    ran = pdmigrate("sync")
    assert ran.status == 0, ran.stdout + ran.stderr
    assert modules(project) == {MODULE}
    after = tree(project)
    for label in EXAMPLES:
        assert f"desk/tool_descriptions/{label}/_server.json" in after
    text = (project / "desk/lend.py").read_text(encoding="utf-8")
    assert 'enable(day, stdio="enforce", http="advise", descriptions="lend_desk")' in text
    assert 'night_desk(night, stdio="enforce", http="advise", descriptions="night_desk")' in text
    assert "progressive_disclosure_lend_desk import" not in text
    for again in (("check",), ("sync",), ("apply", "--check", "--allow-dirty")):
        ran = pdmigrate(*again)
        assert ran.status == 0, ran.stdout + ran.stderr
    assert tree(project) == after


@pytest.mark.parametrize("command", [("sync",), ("apply", "--write")], ids=" ".join)
def test_a_revert_gives_the_bytes_of_before(project: Path, command: tuple[str, ...]) -> None:
    assert pdmigrate(*command).status == 0
    commit(project)
    assert pdmigrate("revert").status == 0
    assert tree(project) == tree(TREES / "original")


def test_a_module_that_somebody_edited_stays_with_its_server(project: Path) -> None:
    edited = project / "desk/progressive_disclosure_find_desk.py"
    edited.write_text(edited.read_text(encoding="utf-8") + "\nMINE = 1\n", encoding="utf-8")
    code = (project / "desk/find.py").read_bytes()
    ran = pdmigrate("sync")
    assert ran.status == 1
    assert "PD908" in ran.stdout + ran.stderr
    assert (project / "desk/find.py").read_bytes() == code
    assert modules(project) == {MODULE, "desk/progressive_disclosure_find_desk.py"}
    assert pdmigrate("sync", "--ours").status == 0
    assert modules(project) == {MODULE}
    assert pdmigrate("check").status == 0


def test_a_server_keeps_what_another_needs_of_the_module(project: Path) -> None:
    """Looked at alone, a server needs less than those that share its module."""
    assert pdmigrate("sync").status == 0
    commit(project)
    whole = (project / MODULE).read_bytes()
    assert b"class ToolCache" in whole
    lend = project / "desk/lend.py"
    lend.write_text(lend.read_text(encoding="utf-8").replace("Ring the bell.", "Ring the big bell."), encoding="utf-8")
    ran = pdmigrate("apply", lend, "--write", "--allow-dirty")
    assert ran.status == 0, ran.stdout + ran.stderr
    assert (project / MODULE).read_bytes() == whole
    assert "big bell" in (project / "desk/tool_descriptions/night_desk/ring.json").read_text(encoding="utf-8")


def test_a_file_about_a_server_is_kept_in_line(project: Path) -> None:
    assert pdmigrate("sync").status == 0
    about = project / "desk/tool_descriptions/find_desk/_server.json"
    content: dict[str, Any] = json.loads(about.read_text(encoding="utf-8"))
    assert {key: content[key] for key in ("server", "example", "moved")} == {
        "server": "find-desk",
        "example": "find_item",
        "moved": ["find_item"],
    }
    for raw in (json.dumps({**content, "moved": []}).encode(), None):
        about.unlink()
        if raw is not None:
            about.write_bytes(raw)
        ran = pdmigrate("check")
        assert ran.status == 1
        assert "PD907" in ran.stdout + ran.stderr
        assert pdmigrate("sync").status == 0
        assert json.loads(about.read_text(encoding="utf-8")) == content
    about.write_text(json.dumps(content), encoding="utf-8")  # as a formatter may lay it out
    assert pdmigrate("check").status == 0


@pytest.mark.parametrize("tool", SERVERS)
def test_each_server_lists_gates_and_describes_its_own_tools(project: Path, tool: str) -> None:
    assert pdmigrate("sync").status == 0
    arguments, call = SERVERS[tool]
    was, now = (StdioTarget(among_samples(MCP1, *arguments), {}, root) for root in (TREES / "original", project))
    with session(was) as old, session(now) as new:
        listed: Any = new.list_tools()
        assert [entry["name"] for entry in listed[:-1]] == [tool]
        assert "TOOL_DESCRIPTION_REQUIRED" in json.dumps(new.call_tool(tool, call))
        definition = served(new.read_resource(f"resource:///tool_descriptions?tools={tool}"))[tool]
        (full,) = old.list_tools()
        assert {key: definition[key] for key in full} == full
        assert new.call_tool(tool, call) == old.call_tool(tool, call)
