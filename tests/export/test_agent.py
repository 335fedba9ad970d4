"""The system prompt for agents, from what servers list."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

import pdmigrate.agent
from pdmigrate.agent import Listing, system_prompt

TOOLS = [{"name": "find", "description": "Find\n  notes."}, {"name": "edit"}]
BRIDGE = {"name": "notes_describe_tools", "description": "Returns the full descriptions."}
RESOURCE = {"uri": "resource:///tool_descriptions", "name": "tool_descriptions"}


@pytest.mark.parametrize(
    ("tools", "resources", "discloses"),
    [
        (TOOLS, [], False),
        (TOOLS, [{"uri": "file:///notes"}], False),
        (TOOLS, [RESOURCE], True),
        (TOOLS, [{"uri": "notes://tool_descriptions/"}], True),
        ([*TOOLS, BRIDGE], [], True),
        ([{"name": "describe_tools"}], [], False),  # a server whose own tool has that name
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
    prompt = system_prompt([Listing("notes", [*TOOLS, BRIDGE], [RESOURCE])], read_resource=None)
    assert "resource:///" not in prompt
    assert "notes_describe_tools(" in prompt


def test_servers_of_both_kinds_stand_side_by_side() -> None:
    prompt = system_prompt([Listing("plain", TOOLS), Listing("notes", TOOLS, [RESOURCE])])
    plain, notes = prompt.split("\n\n# Tools of notes")
    assert "PICK" not in plain
    assert "PICK" in notes


def test_the_file_can_be_copied_into_an_agent() -> None:
    tree = ast.parse(Path(pdmigrate.agent.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {str(name).split(".")[0] for name in imported} <= sys.stdlib_module_names
