"""What the settings of a rendered module change on the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import Bench, build, refusal, served, spec
from tests.runtime.programs.definitions import FULL
from tests.support.environments import MCP1

PLAIN = FULL["plain"]["inputSchema"]
CALL = ("plain", {"tags": ["a"]})
SKELETON = {
    "type": "object",
    "properties": {
        "fail": {"type": "boolean"},
        "where": {"type": "object", "additionalProperties": True},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "skeleton": ({}, SKELETON),
    "open": ({"stub_schema": "open"}, {"type": "object", "properties": {}}),
    "full": ({"stub_schema": "full"}, PLAIN),
    "everything off": ({"bridge": False, "moved": False, "stub_schema": "open"}, {"type": "object", "properties": {}}),
    "everything on": ({"drop_output_schema": True, "receipt": True}, SKELETON),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_a_setting_decides_what_the_stub_holds(case: str, tmp_path: Path) -> None:
    changes, schema = SETTINGS[case]
    bench = Bench(MCP1, build(tmp_path, spec(**changes)))
    with bench.session({}) as opened:
        tools = {tool["name"]: tool for tool in opened.list_tools()}
        refused = opened.call_tool(*CALL)
        definition = served(opened.read_resource("resource:///tool_descriptions?tools=plain"))["plain"]
        ran = opened.call_tool(*CALL)
    bridged = changes.get("bridge", True)
    assert tools["plain"]["inputSchema"] == schema
    assert tools["plain"].get("outputSchema") == (
        None if changes.get("drop_output_schema") else FULL["plain"]["outputSchema"]
    )
    for text in (tools, refusal(refused)["how"], opened.server["instructions"]):
        assert ("desk_describe_tools" in text) == bridged
    definition.pop("digest")
    assert definition == FULL["plain"]
    assert (refused["isError"], ran["isError"]) == (True, False)


def test_a_tool_that_is_left_out_is_listed_in_full_and_called_as_before(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(left=True, receipt=True), ("plain",)))
    with bench.session({}) as opened:
        tools = {tool["name"]: tool for tool in opened.list_tools()}
        ran, refused = opened.call_tool(*CALL), opened.call_tool("find", {"words": "tidal"})
    assert tools["plain"] == FULL["plain"]
    assert tools["find"]["inputSchema"] != FULL["find"]["inputSchema"]
    assert (ran["isError"], refused["isError"]) == (False, True)
