"""Servers of mcp 2.x written in many ways, each enabled in one process and asked over a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import Bench, build, spec
from tests.runtime.programs.definitions import FULL
from tests.runtime.test_labs import EXPECTED
from tests.runtime.test_stdio import BRIDGE, URI
from tests.support.environments import MCP2

RATION = [60, 10, 10, None]
"""How many fetches are allowed, and how long to wait then, after 9.5 seconds, and after 10."""
FOUND: dict[str, Any] = {
    "made_with_handlers": [EXPECTED] * 2,
    # A client in the same process is advised.
    "in_process_without_a_session": [["find", "lend", "plain", BRIDGE], ['find {"words": "ab"}'], 2],
    "a_client_that_listens": ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"] * 2,
    # It sees calls as calls.
    "telemetry_stays_in_front": ["OpenTelemetryMiddleware", "Mcp2Disclosure"],
    "fetches_over_time": {"2025-06-18": RATION, "2026-07-28": RATION, "none": [200, None, None, None]},
}
OTHERS = ("a_middleware_that_hides_tools", "advice_in_an_error_of_the_protocol", "malformed_requests")


@pytest.fixture(scope="module")
def lab(bench2: Bench) -> Any:
    """The experiments that need no process of their own."""
    return bench2.experiments(*FOUND, *OTHERS)


@pytest.mark.parametrize("name", FOUND)
def test_an_odd_server_is_served_well(lab: Any, name: str) -> None:
    assert lab[name] == FOUND[name]


def test_what_a_middleware_hides_is_hidden_and_the_bridge_is_answered_before_it(lab: Any) -> None:
    for found in lab["a_middleware_that_hides_tools"]:
        assert found["listed"] == ["find", "plain", BRIDGE]
        assert found["enum"] == ["find", "plain"]
        assert found["fetched"] == {"error": "Tool 'lend' not found", "available_tools": ["find", "plain", BRIDGE]}
        assert found["bridge"] == ["find"]
        assert found["called"] == "no lend here"


def test_malformed_requests_are_answered_by_the_sdk(lab: Any) -> None:
    before, after, bridged = lab["malformed_requests"]
    assert before == after
    assert bridged[0]["7"]["error"] == "Tool '7' not found"
    assert bridged[1]["error"]["code"] == "MISSING_TOOL_SELECTION"


def test_advice_reaches_who_gets_errors_of_the_protocol_once(lab: Any) -> None:
    for before, after in lab["advice_in_an_error_of_the_protocol"]:
        (first, again, sdk, unknown), plain = after, before[0]
        assert (again, unknown) == (before[1], before[3])
        assert first["code"] == plain["code"]
        assert first["message"].startswith(f"{plain['message']} (Read the tool's full description")
        assert f"{URI}?tools=find" in first["message"]
        assert first["data"]["tool_description"]["inputSchema"] == FULL["find"]["inputSchema"]
        assert (sdk["code"], sdk["data"]["own"]) == (-32050, 1)
        assert sdk["data"]["tool_description"]["name"] == "lend"


SETTINGS: list[dict[str, Any]] = [
    {"moved": False, "bridge": False, "stub_schema": "open"},
    {"drop_output_schema": True, "receipt": True, "left": True, "stub_schema": "full"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["off", "on"])
def test_every_setting_runs(settings: dict[str, Any], tmp_path: Path) -> None:
    bench = Bench(MCP2, build(tmp_path, spec(adapter="mcp2", **settings), ("plain",)))
    (legacy, modern) = bench.experiment("made_with_handlers")
    assert legacy == modern
    assert (legacy["gated"], legacy["good"]) == (True, EXPECTED["good"])
    assert legacy["listed"] == ["find", "lend", "plain", *([BRIDGE] if settings.get("bridge", True) else [])]
