"""Projects whose tools are decorated functions, where that matters: migrated, started as they are started, taken back.

Every layout is tried in one family, by turns; with ``EVERY_FAMILY=1`` in the environment, in all of them.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pdmigrate.live.wire import Session, connect
from pdmigrate.model import JsonObject
from tests.layouts.decorated import FAMILIES, LAYOUTS, Family
from tests.layouts.living import Start, target
from tests.support.command_line import Ran, pdmigrate
from tests.support.files import tree, write

VALID: dict[str, JsonObject] = {"find_note": {"text": "tides"}, "drop_note": {"id": "7"}}
WRONG: JsonObject = {"neither": 1}
ALONE = (
    "one file",
    "a factory with tools inside",
    "registered by a function of another module",
    "functions that are registered in a loop",
)
"""Those that are started as users start them, one of each family; the others by a process that has imported the SDK."""


@dataclass(frozen=True)
class Tool:
    """A tool as the unmigrated server has it: what it lists, and answers to good and to wrong arguments."""

    definition: dict[str, Any]
    good: dict[str, Any]
    wrong: dict[str, Any]


def _cases() -> list[tuple[str, Family]]:
    """The layouts, each with the family whose turn it is, or with all that can do it."""
    cases: list[tuple[str, Family]] = []
    for number, (name, layout) in enumerate(LAYOUTS.items()):
        able = [family for family in FAMILIES if family.id in layout.only]
        chosen = able if os.environ.get("EVERY_FAMILY") else [able[number % len(able)]]
        cases += [(name, family) for family in chosen]
    return cases


@pytest.mark.parametrize(("name", "family"), _cases(), ids=lambda value: getattr(value, "id", value))
def test_a_layout(name: str, family: Family, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    root = write(tmp_path / "project", {path: family.text(text) for path, text in layout.files.items()})
    before = tree(root)
    truths = [_truth(family, root, start) for start in layout.starts]
    found = len({name for truth in truths for name in truth})
    ran = _apply(family, root, "--write")
    assert ran.status == 0, ran.stderr
    assert f"found {found} = moved 0 + stubbed {found} + skipped 0 + failed 0\n" in ran.stderr
    for start, truth in zip(layout.starts, truths, strict=True):
        _check_disclosure(family, root, start, truth, alone=name in ALONE)
    after = tree(root)
    again = _apply(family, root, "--check")
    assert (again.status, again.stdout) == (0, ""), again
    assert tree(root) == after
    taken_back = pdmigrate("revert", root)
    assert taken_back.status == 0, taken_back.stderr
    assert tree(root) == before


def _apply(family: Family, path: Path, *options: str) -> Ran:
    return pdmigrate("apply", "--all", path, *options, *family.versions)


def _truth(family: Family, root: Path, start: Start) -> dict[str, Tool]:
    with connect(target(root, start, family.pins), timeout=30) as session:
        session.initialize()
        tools = {str(tool["name"]): tool for tool in session.list_tools()}
        truth = {
            name: Tool(tool, session.call_tool(name, VALID[name]), session.call_tool(name, WRONG))
            for name, tool in tools.items()
        }
    assert truth
    for name, tool in truth.items():
        assert name in _words(tool.good), tool.good
        assert tool.wrong.get("isError"), tool.wrong
    return truth


def _check_disclosure(family: Family, root: Path, start: Start, truth: dict[str, Tool], *, alone: bool) -> None:
    with connect(target(root, start, family.pins, alone=alone), timeout=30) as session:
        session.initialize()
        listed = {str(tool["name"]): tool for tool in session.list_tools()}
        *names, bridge = listed
        assert names == list(truth)
        assert bridge.endswith("describe_tools")
        for name, tool in truth.items():
            stub = listed[name]
            assert len(json.dumps(stub)) < len(json.dumps(tool.definition)), stub
            kept = {key: value for key, value in tool.definition.items() if key not in _DISCLOSED}
            assert {key: value for key, value in stub.items() if key not in _DISCLOSED} == kept
            _check_gate(session, name, tool)


_DISCLOSED = ("description", "inputSchema")


def _check_gate(session: Session, name: str, tool: Tool) -> None:
    assert "TOOL_DESCRIPTION_REQUIRED" in _words(session.call_tool(name, VALID[name]))
    answer: Any = session.read_resource(f"resource:///tool_descriptions?tools={quote(name, safe='')}")
    described = json.loads(answer["contents"][0]["text"])[name]
    assert {key: described[key] for key in tool.definition} == tool.definition
    assert session.call_tool(name, VALID[name]) == tool.good
    assert session.call_tool(name, WRONG) == tool.wrong


def _words(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])
