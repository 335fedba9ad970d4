"""The system prompt for agents, from what servers list, and the agent of ``examples/`` with its scripted model."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import pdmigrate.agent
from pdmigrate.agent import Listing, system_prompt
from pdmigrate.runtime.guidance import describing_tool
from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES
from tests.support.environments import ROOT
from tests.support.processes import run

TOOLS = [{"name": "find", "description": "Find\n  notes."}, {"name": "edit"}]
BRIDGE = describing_tool("notes_describe_tools", ["find", "edit"])
OWN = {"name": "notes_describe_tools", "description": "Say what a hammer is for."}
RESOURCE = {"uri": "resource:///tool_descriptions", "name": "tool_descriptions"}


@pytest.mark.parametrize(
    ("tools", "resources", "discloses"),
    [
        (TOOLS, [], False),
        (TOOLS, [RESOURCE], True),
        (TOOLS, [{"uri": "notes://tool_descriptions/"}], True),
        (TOOLS, [{"uri": "resource://gateway/notes/tool_descriptions"}], True),
        (TOOLS, [{"uri": "resource:///tool_descriptions{?tools}"}], True),
        (TOOLS, [{"uri": "file:///docs/tool_descriptions"}], False),
        (TOOLS, [{"uri": "resource:///old_tool_descriptions"}], False),
        (TOOLS, [{"uri": "resource:///tool_descriptions/about"}], False),
        ([*TOOLS, BRIDGE], [], True),
        ([*TOOLS, {**BRIDGE, "name": "describe_tools"}], [], True),
        ([*TOOLS, {**BRIDGE, "name": "mcp__notes__notes_describe_tools"}], [], True),
        # a server whose own tool has that name
        ([{"name": "describe_tools"}], [], False),
        ([*TOOLS, OWN], [], False),
        ([*TOOLS, {**OWN, "inputSchema": BRIDGE["inputSchema"]}], [], False),
        ([*TOOLS, {**OWN, "description": BRIDGE["description"], "inputSchema": {}}], [], False),
        ([*TOOLS, {**BRIDGE, "inputSchema": {"properties": {"names": {}, "shop": {}}}}], [], False),
        ([*TOOLS, {**BRIDGE, "name": "predescribe_tools"}], [], False),
    ],
)
def test_servers_that_disclose_progressively_are_recognised(tools: Any, resources: Any, discloses: bool) -> None:
    listing = Listing("notes", tools, resources)
    assert listing.discloses_progressively is discloses
    assert ("TOOL_DESCRIPTION_REQUIRED" in system_prompt([listing])) is discloses


def test_the_prompt_says_all_four_things_that_the_specification_asks_for() -> None:
    prompt = system_prompt([Listing("notes", [*TOOLS, BRIDGE], [RESOURCE])])
    assert "- find: Find notes.\n- edit\n" in prompt
    assert "notes_describe_tools:" not in prompt
    positions = [prompt.index(step) for step in ("1. PICK", "2. FETCH", "3. CALL")]
    assert positions == sorted(positions)
    assert "enough to choose by" in prompt
    assert "never fetch without naming tools" in prompt
    assert 'read_resource("resource:///tool_descriptions?tools=find,edit")' in prompt
    assert 'notes_describe_tools(names=["find", "edit"])' in prompt


def test_a_model_that_cannot_read_resources_is_only_told_of_the_tool() -> None:
    names = [{"name": 'say "x"'}, {"name": "büro"}]
    prompt = system_prompt([Listing("notes", [*names, BRIDGE], [RESOURCE])], read_resource=None)
    assert "resource:///" not in prompt
    assert r'notes_describe_tools(names=["say \"x\"", "büro"])' in prompt


def test_servers_of_both_kinds_stand_side_by_side() -> None:
    prompt = system_prompt([Listing("plain", TOOLS), Listing("notes", TOOLS, [RESOURCE])])
    plain, notes = prompt.split("\n\n# Tools of notes")
    assert "PICK" not in plain
    assert "PICK" in notes


@pytest.mark.parametrize(
    ("tools", "bridge"),
    [
        ([*TOOLS, OWN], None),
        ([*TOOLS, OWN, {**BRIDGE, "name": "notes_describe_tools_pd"}], "notes_describe_tools_pd"),
        ([OWN, *TOOLS, {**BRIDGE, "name": "desk_describe_tools"}], "desk_describe_tools"),
    ],
)
def test_a_tool_of_the_servers_own_is_no_bridge_and_stays_in_the_prompt(tools: Any, bridge: str | None) -> None:
    listing = Listing("notes", tools, [RESOURCE])
    assert listing.bridge == bridge
    assert "- notes_describe_tools: Say what a hammer is for." in system_prompt([listing])


def test_a_read_names_its_server_where_there_are_several() -> None:
    names = ["alpha", "beta", 'the "third"']
    prompt = system_prompt([Listing(name, TOOLS, [RESOURCE]) for name in names])
    for name in names:
        own = prompt.split(f"# Tools of {name}\n")[1].split("# Tools of")[0]
        uri = "resource:///tool_descriptions?tools=find,edit"
        assert f'read_resource(server={json.dumps(name)}, uri="{uri}")' in own
    assert prompt.count("read_resource(") == 3
    with pytest.raises(ValueError, match="two servers are called 'alpha'"):
        system_prompt([Listing("alpha", TOOLS, [RESOURCE])] * 2)


@pytest.mark.parametrize(
    ("names", "query"),
    [
        (["find all", "a&b"], "find%20all,a%26b"),
        (["büro", "a+b"], "b%C3%BCro,a%2Bb"),
        (["a,b", "find"], "find"),
        (["a,b"], "a%2Cb"),
    ],
)
def test_names_are_percent_encoded(names: list[str], query: str) -> None:
    prompt = system_prompt([Listing("notes", [{"name": name} for name in names], [RESOURCE])])
    assert f'read_resource("resource:///tool_descriptions?tools={query}")' in prompt


def test_the_file_can_be_copied_into_an_agent() -> None:
    tree = ast.parse(Path(pdmigrate.agent.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {str(name).split(".")[0] for name in imported} <= sys.stdlib_module_names


SAMPLE = SAMPLES["mcp1_lowlevel"]
TASK = ("search", "the", "catalogue", "for", "copies", "by", "words", "of", "title:", "tidal")
FETCH = '> read_resource({"uri": "resource:///tool_descriptions?tools=find_copies"})'
CALL = '> find_copies({"words": "tidal"})'


def conversation(server: Path, habit: str) -> list[str]:
    """What the example prints."""
    python = planted(SAMPLE.pins)
    command = [*python, str(ROOT / "examples" / "agent_loop.py"), "--habit", habit, *TASK, "--", *python, str(server)]
    return run(*command, env={**os.environ, "PYTHONPATH": str(ROOT)}).splitlines()


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SAMPLE.migrated(tmp_path_factory.mktemp("agent") / "library") / "server.py"


@pytest.mark.parametrize(
    ("habit", "before", "code"),
    [
        ("good", None, ""),
        ("fetches-everything", '> read_resource({"uri": "resource:///tool_descriptions"})', "MISSING_TOOL_SELECTION"),
        ("skips-the-fetch", "> find_copies({})", "TOOL_DESCRIPTION_REQUIRED"),
    ],
)
def test_a_model_picks_fetches_and_calls_whatever_it_tries_first(
    migrated: Path, habit: str, before: str | None, code: str
) -> None:
    lines = conversation(migrated, habit)
    steps = [line for line in lines if line.startswith(">")]
    fetches = [] if code == "TOOL_DESCRIPTION_REQUIRED" else [FETCH]  # that answer brings the description
    assert steps == [*([before] if before else []), *fetches, CALL]
    refusals = [line for line in lines if "TOOL_DESCRIPTION_REQUIRED" in line or "MISSING_TOOL_SELECTION" in line]
    assert len(refusals) == (1 if before else 0)
    assert all(code in line for line in refusals)
    assert any(line.startswith("= 30001") for line in lines)


def test_a_server_that_is_not_migrated_is_called_at_once() -> None:
    lines = conversation(SAMPLE.source / "server.py", "good")
    assert lines[0] == "> find_copies({})"


def test_the_prompt_in_the_documentation_is_the_one_that_is_made() -> None:
    tools = [
        {"name": "find_notes", "description": "Find notes by the words in them."},
        {"name": "drop_note", "description": "Remove a note."},
        {"name": "notes_describe_tools", "description": "Returns the full descriptions of tools of this server."},
    ]
    prompt = system_prompt([Listing("notes", tools, [{"uri": "resource:///tool_descriptions"}])])
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    assert f"```text\n{prompt}\n```" in page
