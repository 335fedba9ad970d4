"""The same module on the releases of mcp 1.x: nothing but the listing changes on any of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.harness import MCP_1_6, MCP_1_12, OLD_PINS, Bench, build, served
from tests.runtime.programs.definitions import FULL
from tests.runtime.test_stdio import BRIDGE, CALLS, LISTED, URI

NEWER = {f"mcp=={version}": (f"mcp=={version}", "uvicorn") for version in ("1.23.3", "1.26.0")}
OLDER = {
    f"mcp=={version}": (f"mcp=={version}", *OLD_PINS) for version in ("1.1.2", "1.2.1", "1.9.4", "1.16.0", "1.20.0")
}
ALWAYS = {"mcp==1.6.0": MCP_1_6, "mcp==1.12.4": MCP_1_12}
PINS = {**ALWAYS, **OLDER, **NEWER}


def version(name: str) -> Any:
    return pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.slow)


@pytest.mark.parametrize("name", [version(name) for name in PINS])
def test_every_release_is_served_alike(name: str, tmp_path: Any) -> None:
    bench = Bench(PINS[name], build(tmp_path))
    calls = [["a", "call", *call] for call in CALLS.values()]
    common = [["a", "tools"], ["a", "resources"], ["a", "read", "desk://hours"], ["a", "prompts"]]
    fetch = ["a", "read", f"{URI}?tools={','.join(LISTED)}"]
    plain = [*common, *calls]
    more = [*plain, fetch, *calls, ["a", "call", BRIDGE, {"names": ["find"]}]]
    # One client asks all three servers: to import an old SDK takes longer than to ask.
    servers = {
        "before": (bench.stdio(None), plain),
        "after": (bench.stdio({}), more),
        "off": (bench.stdio({}, PROGRESSIVE_DISCLOSURE="off"), plain),
    }
    steps = [[name, *step[1:]] for name, (_, asked) in servers.items() for step in asked]
    answers = bench.talk({name: server for name, (server, _) in servers.items()}, *steps)
    before, after, off = answers[: len(plain)], answers[len(plain) : -len(plain)], answers[-len(plain) :]
    assert len(after) == len(more)

    assert [tool["name"] for tool in after[0]["tools"]] == [*LISTED, BRIDGE]
    assert [tool.get("outputSchema") for tool in after[0]["tools"][:-1]] == [
        tool.get("outputSchema") for tool in before[0]["tools"]
    ]
    assert after[0]["tools"][3]["description"] == "A tool that the code keeps."
    assert after[1]["resources"][1:] == before[1]["resources"]
    assert after[2:4] == before[2:4]
    refused, fetched, answered, bridged = after[4:17], after[17], after[18:31], after[31]
    told = set[str]()
    for call, old, first, second in zip(CALLS.values(), before[4:], refused, answered, strict=True):
        assert second == old, call
        assert (first == old) == (call[0] not in LISTED or call[0] in told), call
        told.add(call[0])
    definitions = served(fetched)
    for tool in LISTED:
        assert {key: definitions[tool][key] for key in FULL[tool]} == FULL[tool]
    assert served(bridged)["find"] == definitions["find"]
    assert off == before
