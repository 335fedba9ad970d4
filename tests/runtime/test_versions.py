"""The same module on the releases of mcp 1.x: nothing but the listing changes on any of them."""

from __future__ import annotations

from typing import Any

import pytest

from pdmigrate.live.wire import Session
from tests.runtime.harness import MCP_1_6, MCP_1_12, OLD_PINS, Bench, build, served
from tests.runtime.programs.definitions import FULL
from tests.runtime.samples import answers
from tests.runtime.test_settings import SKELETON
from tests.runtime.test_stdio import BRIDGE, CALLS, LISTED, URI
from tests.support.environments import MCP1

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
