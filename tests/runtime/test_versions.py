"""The same module on the releases of mcp 1.x, and with other settings: nothing but the listing changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.wire import Session
from tests.runtime.harness import MCP_1_6, MCP_1_12, OLD_PINS, Bench, build, refusal, served, spec
from tests.runtime.programs.definitions import FULL
from tests.runtime.samples import answers
from tests.runtime.test_stdio import BRIDGE, CALLS, LISTED, URI
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


NEWER = {f"mcp=={version}": (f"mcp=={version}", "uvicorn") for version in ("1.23.3", "1.26.0")}
OLDER = {
    f"mcp=={version}": (f"mcp=={version}", *OLD_PINS) for version in ("1.1.2", "1.2.1", "1.9.4", "1.16.0", "1.20.0")
}
ALWAYS = {"mcp==1.6.0": MCP_1_6, "mcp==1.12.4": MCP_1_12, "the current one": MCP1}
PINS = {**ALWAYS, **OLDER, **NEWER}


def version(name: str) -> Any:
    return pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.slow)


@pytest.mark.parametrize("name", [version(name) for name in PINS])
def test_every_release_is_served_alike(name: str, tmp_path: Any) -> None:
    bench = Bench(PINS[name], build(tmp_path))
    with bench.session(None) as opened:
        before, expected = lists(opened), answers(opened, CALLS)
    with bench.session({}) as opened:
        after, refused = lists(opened), answers(opened, CALLS)
        definitions = served(opened.read_resource(f"{URI}?tools={','.join(LISTED)}"))
        answered = answers(opened, CALLS)
        bridged = served(opened.call_tool(BRIDGE, {"names": ["find"]}))
    with bench.session({}, PROGRESSIVE_DISCLOSURE="off") as opened:
        assert (lists(opened), answers(opened, CALLS)) == (before, expected)

    old, new = before["tools/list"]["tools"], after["tools/list"]["tools"]
    assert [tool["name"] for tool in new] == [*LISTED, BRIDGE]
    assert [tool.get("outputSchema") for tool in new[:-1]] == [tool.get("outputSchema") for tool in old]
    assert new[3] == {**old[3], "description": "A tool that the code keeps.", "inputSchema": SKELETON}
    assert after["resources/list"]["resources"][1:] == before["resources/list"]["resources"]
    assert (after["prompts/list"], after["hours"]) == (before["prompts/list"], before["hours"])
    assert answered == expected
    told = set[str]()
    for call, first, earlier in zip(CALLS.values(), refused, expected, strict=True):
        assert (first == earlier) == (call[0] not in LISTED or call[0] in told), call
        told.add(call[0])
    for tool in LISTED:
        assert {key: definitions[tool][key] for key in FULL[tool]} == FULL[tool]
    assert bridged["find"] == definitions["find"]


def lists(opened: Session) -> dict[str, Any]:
    found: dict[str, Any] = {
        method: opened.request(method) for method in ("tools/list", "resources/list", "prompts/list")
    }
    return {**found, "hours": opened.read_resource("desk://hours")}
