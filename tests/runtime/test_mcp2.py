"""Servers of mcp 2.x written in many ways, each enabled in one process and asked over a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import Bench, build, spec
from tests.runtime.programs.definitions import FULL
from tests.support.environments import MCP2

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"
EXPECTED = {
    "listed": ["find", "lend", "plain", BRIDGE],
    "gated": True,
    "schema": FULL["find"]["inputSchema"],
    "good": 'find {"words": "tidal"}',
    "resources": [URI],
}
REGISTERED = (
    "made_with_handlers",
    "handlers_registered_later",
    "handlers_replaced",
    "enabled_twice",
    "a_handler_that_calls_the_one_it_replaces",
)
SHARED = (
    *REGISTERED,
    "a_granted_call_costs_no_listing",
    "a_handler_that_is_wrapped_while_it_answers",
    "a_middleware_around_ours_that_changes_tools",
    "a_middleware_that_hides_tools",
    "a_middleware_that_reads_listings",
    "a_middleware_whose_module_has_a_name_like_ours",
    "a_server_that_lists_what_another_lists",
    "a_server_that_looks_its_handlers_up_itself",
    "advice_in_an_error_of_the_protocol",
    "capabilities",
    "fetches_over_time",
    "in_process_without_a_session",
    "instructions",
    "listings_that_count",
    "malformed_requests",
    "no_resources_of_its_own",
    "one_listing_in_two_versions",
    "resources_in_two_pages",
    "telemetry_stays_in_front",
    "tools_that_hold_what_cannot_be_copied",
    "two_servers",
    "weak",
    "what_is_listed_changes_between_listings",
)


@pytest.fixture(scope="module")
def bench2(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(MCP2, build(tmp_path_factory.mktemp("lab2"), spec(adapter="mcp2")))


@pytest.fixture(scope="module")
def lab(bench2: Bench) -> Any:
    """The experiments that need no process of their own."""
    return bench2.program("lab2.py", ",".join(SHARED))


@pytest.mark.parametrize("way", REGISTERED)
def test_it_does_not_matter_when_handlers_are_registered(lab: Any, way: str) -> None:
    assert lab[way] == [EXPECTED] * len(lab[way])


def test_what_a_middleware_hides_is_hidden_and_the_bridge_is_answered_before_it(lab: Any) -> None:
    for found in lab["a_middleware_that_hides_tools"]:
        assert found["listed"] == ["find", "plain", BRIDGE]
        assert found["enum"] == ["find", "plain"]
        assert found["fetched"] == {"error": "Tool 'lend' not found", "available_tools": ["find", "plain", BRIDGE]}
        assert found["bridge"] == ["find"]
        assert found["called"] == "no lend here"


def test_our_resource_is_on_the_first_page_only(lab: Any) -> None:
    assert lab["resources_in_two_pages"] == [[[URI, "x://one"], "two"], [["x://two"], None]]


def test_a_listing_that_repeats_is_that_of_now(lab: Any) -> None:
    a, b = ["a", None, "The a."], ["b", None, "The b."]
    told, titled = ["a", None, "Another text."], ["a", "Another title", "Another text."]
    assert lab["what_is_listed_changes_between_listings"] == [
        [1, [a, b]],
        [2, [a, b]],
        [3, [told, b]],
        [4, [titled, b]],
        [5, [b, titled]],
        [6, [b]],
        [7, [b]],
    ]


def test_what_is_kept_of_a_listing_is_for_one_version_of_the_protocol(lab: Any) -> None:
    assert lab["one_listing_in_two_versions"] == [[True, False]] * 3


def test_a_middleware_of_the_server_sees_every_listing_whole(lab: Any) -> None:
    found = lab["a_middleware_that_reads_listings"]
    assert found == {"seen": [[True, True]] * 2, "sent": [3] * 4}
    assert lab["a_middleware_whose_module_has_a_name_like_ours"] == [2, 2]


def test_what_cannot_be_copied_is_listed_as_before(lab: Any) -> None:
    assert lab["tools_that_hold_what_cannot_be_copied"] == [[["a", BRIDGE]] * 2] * 4


def test_only_we_are_told_of_a_listing_without_its_tools(lab: Any) -> None:
    inner = ["find", "plain"]
    assert lab["a_server_that_lists_what_another_lists"] == [
        *[[*inner, BRIDGE]] * 2,
        *[[*inner, "lend", BRIDGE]] * 3,
    ]
    found = lab["a_handler_that_is_wrapped_while_it_answers"]
    assert found["sent"] == [[*inner, BRIDGE]] * 6
    assert found["traced"] == [2] * len(found["traced"]) != []


def test_what_somebody_makes_of_a_listing_is_not_kept(lab: Any) -> None:
    first, *others = lab["a_middleware_around_ours_that_changes_tools"]
    assert "x-mark" in first
    assert others == [first, first]


def test_a_server_that_looks_its_handlers_up_itself_is_left_to_it(lab: Any) -> None:
    found = lab["a_server_that_looks_its_handlers_up_itself"]
    assert found == {"sent": [["find", BRIDGE], ["plain", BRIDGE], ["find", BRIDGE]], "untouched": True}


def test_instructions_keep_the_servers_own_words_in_both_eras(lab: Any) -> None:
    assert len(lab["instructions"]) == 8
    for own, said, kept in lab["instructions"]:
        assert kept, "server.instructions is the server's"
        assert (said or "").startswith(own or "")
        if len(own or "") < 100:
            assert f"{URI}?tools=find" in said
            assert BRIDGE in said
        else:
            assert said == own


def test_a_server_without_resources_has_the_capability_and_an_error_for_unknown_ones(lab: Any) -> None:
    assert lab["capabilities"] == [True, True, True, False]
    missing = {"code": -32602, "message": "Resource not found", "data": {"uri": "x://nothing"}}
    assert lab["no_resources_of_its_own"] == [missing, []]


def test_two_servers_in_one_process_share_nothing(lab: Any) -> None:
    assert lab["two_servers"] == ["one", "two", "TOOL_DESCRIPTION_REQUIRED:"]


def test_nothing_keeps_a_server_alive(lab: Any) -> None:
    assert lab["weak"] is True


def test_a_granted_call_costs_no_listing(lab: Any) -> None:
    assert lab["a_granted_call_costs_no_listing"] == [0, [False] * 5]


def test_a_client_in_the_same_process_is_advised(lab: Any) -> None:
    tools, good, blocks = lab["in_process_without_a_session"]
    assert tools == ["find", "lend", "plain", BRIDGE]
    assert good == ['find {"words": "ab"}']
    assert blocks == 2


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


def test_the_telemetry_of_the_sdk_sees_calls_as_calls(lab: Any) -> None:
    assert lab["telemetry_stays_in_front"] == ["OpenTelemetryMiddleware", "Mcp2Disclosure"]


def test_no_session_inherits_a_grant_and_none_is_remembered(bench2: Bench) -> None:
    assert bench2.program("lab2.py", "many_sessions") == {
        "many_sessions": {"2025-06-18": [100, 0, 0], "2026-07-28": [100, 0, 0]}
    }


def test_a_session_has_listed_once_a_listing_of_it_was_answered_before_its_first_call(lab: Any) -> None:
    found = lab["listings_that_count"]
    assert found.pop("a page") == [True, True]
    assert len(found) == 5
    assert all(refused == [False, False] for refused in found.values()), found


def test_fetches_are_rationed_and_allowed_again(lab: Any) -> None:
    session, none = [60, 10, 10, None], [200, None, None, None]
    assert lab["fetches_over_time"] == {"2025-06-18": session, "2026-07-28": session, "none": none}


SETTINGS: dict[str, dict[str, Any]] = {
    "nothing moved, no bridge": {"moved": False, "bridge": False},
    "everything on": {"drop_output_schema": True, "receipt": True, "left": True, "stub_schema": "full"},
    "nothing in a stub": {"stub_schema": "open"},
}


@pytest.mark.parametrize("case", SETTINGS)
def test_every_setting_runs(case: str, tmp_path: Path) -> None:
    bench = Bench(MCP2, build(tmp_path, spec(adapter="mcp2", **SETTINGS[case]), ("plain",)))
    (legacy, modern) = bench.program("lab2.py", "made_with_handlers")["made_with_handlers"]
    assert legacy == modern
    assert legacy["gated"]
    assert legacy["good"] == EXPECTED["good"]
    bridge = [] if case == "nothing moved, no bridge" else [BRIDGE]
    assert legacy["listed"] == ["find", "lend", "plain", *bridge]
