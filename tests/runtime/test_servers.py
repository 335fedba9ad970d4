"""Servers written in many ways on both majors of the SDK, each enabled in one process and asked over a pipe."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import Bench, build, spec
from tests.runtime.programs.definitions import FULL
from tests.runtime.test_stdio import BRIDGE, URI
from tests.support.environments import MCP1, MCP2
from tests.support.files import write

EXPECTED = {
    "listed": ["find", "lend", "plain", BRIDGE],
    "gated": True,
    "schema": FULL["find"]["inputSchema"],
    "bad": 'find {"words": "t"}',
    "good": 'find {"words": "tidal"}',
    "resources": [URI],
}
REGISTERED = (
    *("enabled_first", "enabled_last", "enabled_in_between", "enabled_twice", "listed_in_pages", "registered_twice"),
    "handlers_that_call_the_ones_they_replace",
)
VALIDATED = {**EXPECTED, "bad": "Input validation error: 't' is too short"}
"""The SDK for mcp 1.x holds arguments against the full schema before the server sees them."""
MISSING = {
    "code": "MISSING_TOOL_SELECTION",
    "message": "You must specify one or more tool names in the 'names' parameter.",
    "examples": [{"names": ["find"]}, {"names": ["find", "lend"]}],
    "available_tools": ["find", "lend", "plain", BRIDGE],
}
RATION = [60, 10, 10, None]
"""How many fetches are allowed, and how long to wait then, after 9.5 seconds, and after 10."""
ON_BOTH: dict[str, Any] = {
    # Our resource is on the first page only.
    "resources_in_two_pages": [[[URI, "x://one"], "two"], [["x://two"], None]],
    "listings_of_each_request": {
        **dict.fromkeys(("a listing", "a bridge call", "a read", "a refusal", "advice"), 1),
        "a granted call": 0,
    },
    "two_servers": ["one", "two", "TOOL_DESCRIPTION_REQUIRED:"],
}
FLOODED = ["RATE_LIMITED", 10, True, [True, False], ["lend"]]
ON_1: dict[str, Any] = {
    "a_flood_of_fetches": [FLOODED],
    # Without the decorators, arguments are not validated, as before.
    "handlers_put_into_the_table": {**VALIDATED, "bad": 'find {"words": "t"}'},
    "cache_after_a_refresh_by_the_sdk": {
        "cache": {name: FULL[name] for name in ("find", "lend", "plain")},
        "first": VALIDATED["bad"],
    },
    # A failing listing does not hide the error of a tool.
    "a_tool_and_a_listing_that_fail": [["the tool's own error"]] * 2,
    "listed_objects_are_never_changed": True,
    "outside_a_request": 'find {"words": "ab"}',
    "a_server_without_tools": [[], "MISSING_TOOL_SELECTION", "Tool 'a' not found"],
    "tools_without_a_description": {
        "lend_book": [None, "lend_book"],
        "take_back": ["", "take_back"],
        "found": ["Find it.", "Find it. More."],
        "shut_desk": ["shut_desk", "Args:\n    desk: Which one. From 1."],  # a list is no summary
    },
    "a_server_that_overrides_run": [1, True, True, False],
    "a_module_that_is_reloaded": [["find", "lend", "plain", BRIDGE], True, False],
    "names_that_arrive_as_text": {
        **{names: ["find", "lend"] for names in ('"[\\"find\\",\\"lend\\"]"', '"find, lend"')},
        **{names: ["find"] for names in ('" [\\"find\\"]"', "\"['find']\"", '"\\"find\\""', '["find"]')},
        **dict.fromkeys(("null", "[]"), MISSING),
    },
    "a_grant_that_comes_while_the_gate_lists": [True, 'find {"words": "ab"}'],
    "a_second_transport_that_a_tool_starts": ["started", ["find", BRIDGE], True],
    "logging_to_stdout": ["", "a line of ours\n", True],
    "names_with_blanks_at_an_end": [[" a", "b ", "c"], ["c", "b ", " a", "größe"]],
}
ON_2: dict[str, Any] = {
    "a_flood_of_fetches": [FLOODED] * 2,
    "made_with_handlers": [EXPECTED] * 2,
    # A client in the same process is advised.
    "in_process_without_a_session": [["find", "lend", "plain", BRIDGE], ['find {"words": "ab"}'], 2],
    "a_client_that_listens": ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"] * 2,
    # It sees calls as calls.
    "telemetry_stays_in_front": ["OpenTelemetryMiddleware", "Mcp2Disclosure"],
    "fetches_over_time": {"2025-06-18": RATION, "2026-07-28": RATION, "none": [200, None, None, None]},
}
FOUND = {"bench": {**ON_BOTH, **ON_1}, "bench2": {**ON_BOTH, **ON_2}}
"""By major, what each experiment finds that needs no process of its own."""
OTHERS = {
    "bench": ("odd_names",),
    "bench2": ("a_middleware_that_hides_tools", "advice_in_an_error_of_the_protocol", "malformed_requests"),
}
ON_EITHER = ("capabilities", "instructions", "listings_that_count", "no_resources_of_its_own")


@pytest.fixture(scope="module", params=FOUND)
def lab(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the experiments of a major find, or of both."""
    bench: Bench = request.getfixturevalue(request.param)
    return bench.experiments(*REGISTERED, *ON_EITHER, *FOUND[request.param], *OTHERS[request.param])


ONE = pytest.mark.parametrize("lab", ["bench"], indirect=True)
TWO = pytest.mark.parametrize("lab", ["bench2"], indirect=True)


@pytest.mark.parametrize(
    ("lab", "name", "expected"),
    [pytest.param(bench, name, found[name], id=f"{bench} {name}") for bench, found in FOUND.items() for name in found],
    indirect=["lab"],
)
def test_an_odd_server_is_served_well(lab: dict[str, Any], name: str, expected: Any) -> None:
    assert lab[name] == expected


@pytest.mark.parametrize("way", REGISTERED)
@pytest.mark.parametrize(
    ("lab", "expected"), [("bench", [VALIDATED]), ("bench2", [EXPECTED] * 2)], indirect=["lab"], ids=FOUND
)
def test_it_does_not_matter_when_handlers_are_registered(lab: dict[str, Any], expected: list[Any], way: str) -> None:
    first = {"listed": ["lend", "plain", BRIDGE]} if way == "listed_in_pages" else {}
    assert lab[way] == [{**each, **first} for each in expected]


def test_a_session_has_listed_once_a_listing_of_it_was_answered_before_its_first_call(lab: dict[str, Any]) -> None:
    found = lab["listings_that_count"]
    assert all(found.pop("a page"))
    assert len(found) == 6
    assert not any(refused for each in found.values() for refused in each), found


def test_a_server_without_resources_has_the_capability_and_an_error_for_unknown_ones(lab: dict[str, Any]) -> None:
    missing = {"code": -32602, "message": "Resource not found", "data": {"uri": "x://nothing"}}
    assert lab["no_resources_of_its_own"] == [missing, []]
    told = {case: {tuple(each) for each in found} for case, found in lab["capabilities"].items()}
    both = {key: {("resources", "tools")} for key in ("registered", "by hand")}
    assert told == {"no tools yet": {("resources",)}, **both, "as it was": {("tools",)}}


def test_instructions_keep_the_servers_own_words_and_stay_within_what_clients_read(lab: dict[str, Any]) -> None:
    answers = lab["instructions"]
    assert len(answers) in (16, 24)
    for own, sent, kept in answers:
        assert kept, "server.instructions is the server's"
        assert (sent or "").startswith(own or "")
        added = (sent or "")[len(own or "") :]
        assert re.fullmatch(r"((\n\n)?([A-Z][^.]*(\.[^ .][^.]*)*\. ?)+)?", added), added
        if len(own or "") <= 1700:
            assert f"{URI}?tools=find" in added
            assert BRIDGE in added
            assert len(sent) <= 2048
        else:
            assert sent == own, "whole sentences or nothing"


@pytest.mark.parametrize("major", FOUND)
def test_no_session_inherits_a_grant_and_none_is_remembered(major: str, request: pytest.FixtureRequest) -> None:
    """Nor does anything of ours keep a server alive."""
    *found, is_gone = request.getfixturevalue(major).experiment("many_sessions")
    assert found == [[100, 0, 0]] * len(found) != []
    assert is_gone


# --- mcp 2.x ---------------------------------------------------------------------------------------------------------


@TWO
def test_what_a_middleware_hides_is_hidden_and_the_bridge_is_answered_before_it(lab: dict[str, Any]) -> None:
    for found in lab["a_middleware_that_hides_tools"]:
        assert found["listed"] == ["find", "plain", BRIDGE]
        assert found["enum"] == ["find", "plain"]
        assert found["fetched"] == {"error": "Tool 'lend' not found", "available_tools": ["find", "plain", BRIDGE]}
        assert found["bridge"] == ["find"]
        assert found["called"] == "no lend here"


@TWO
def test_malformed_requests_are_answered_by_the_sdk(lab: dict[str, Any]) -> None:
    before, after, bridged = lab["malformed_requests"]
    assert before == after
    assert bridged[0]["7"]["error"] == "Tool '7' not found"
    assert bridged[1]["error"]["code"] == "MISSING_TOOL_SELECTION"


@TWO
def test_advice_reaches_who_gets_errors_of_the_protocol_once(lab: dict[str, Any]) -> None:
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


# --- names ------------------------------------------------------------------------------------------------------------


@ONE
def test_a_tool_of_any_name_can_be_fetched_by_the_address_that_its_refusal_gives(lab: dict[str, Any]) -> None:
    answers, ways = lab["odd_names"]
    assert len(answers) == 9
    assert ways == {
        "c++": [],
        "c%2B%2B": ["c++"],
        "a,c%2B%2B": ["a", "c++"],
        "c%2B%2B%2Ca": ["c++", "a"],
        "a+b": ["a b"],
        "a%20b,c%2B%2B": ["a b", "c++"],
    }
    assert answers == {name: [[name], f"{name} {{}}"] for name in answers}


def test_the_receipt_takes_a_name_that_the_tool_has_not(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(receipt=True)))
    name, stub, full, schema = bench.experiment("a_tool_that_has_an_argument_of_the_receipts_name")
    own = {"description_receipt": {"type": "integer"}}
    assert name == "description_receipt_"
    assert stub == {"type": "object", "properties": {**own, name: {"type": "string"}}, "required": []}
    assert (full["required"], full["properties"][name]["enum"]) == ([name], ["abcd"])
    assert schema == {"type": "object", "properties": own, "required": []}


# --- files ------------------------------------------------------------------------------------------------------------


def test_edited_files_are_read_again_and_invalid_ones_leave_what_was(own_bench: Bench) -> None:
    answer = own_bench.experiment("edited_files")
    seen = answer["seen"]
    assert {text for _, text in seen.values()} == {VALIDATED["bad"]}
    original = ("nothing", "restored", "a second file for the tool", "a file for a tool of the code")
    texts = {change: "Find books b" if change in original else "Find books. " for change in seen}
    assert {change: text for change, (text, _) in seen.items()} == texts
    assert "usage_guidance" in answer["plain"]
    assert not {"examples", "summary", "owner", "$schema"} & set(answer["plain"])
    assert answer["summary"] == "Plainly."
    assert "Seek books" in answer["told"]["by the bridge"]
    assert "Hunt books" in answer["told"]["by a refusal"]


def test_a_server_does_not_start_without_the_definition_of_a_moved_tool(own_bench: Bench) -> None:
    messages = own_bench.experiment("broken_files")
    assert len(messages) == 9
    for case, message in messages.items():
        assert (message or "").startswith("RuntimeError: "), case
        assert str(own_bench.folder / "tool_descriptions") in message
        assert "no valid file for ['find']; restore it" in message
        assert "package data" in message


def test_a_server_does_not_start_without_the_folder_or_when_off(own_bench: Bench) -> None:
    for file in (own_bench.folder / "tool_descriptions").iterdir():
        file.unlink()
    (own_bench.folder / "tool_descriptions").rmdir()
    for variables in ({}, {"PROGRESSIVE_DISCLOSURE": "off"}):
        message = own_bench.experiment("start", **variables)[0]
        assert message.startswith("RuntimeError: ")
        assert f"{own_bench.folder / 'tool_descriptions'}: no valid file for ['_server.json']" in message


def test_what_only_looks_like_a_description_file_is_ignored_and_named(own_bench: Bench) -> None:
    """Above all it must not be waited for: a pipe has no end, and nor has a device."""
    folder = own_bench.folder / "tool_descriptions"
    os.mkfifo(folder / "pipe.json")
    (folder / "device.json").symlink_to("/dev/zero")
    (folder / "gone.json").symlink_to(folder / "nothing")
    (folder / "folder.json").mkdir()
    write(folder, {"deep.json": "[" * 100_000, "list.json": "[1]"})
    mistyped = {"description": 1, "inputSchema": "x"}
    for key, value in mistyped.items():
        (folder / f"{key}.json").write_text(json.dumps({"name": f"plain {key}", key: value}))
    # The first of two files for one tool counts: that after it says something else.
    (folder / "twice.json").write_text(json.dumps({"name": "find", "inputSchema": {}}))
    answer = own_bench.experiment("what_is_said_of_files")
    assert answer["tour"] == VALIDATED
    said = dict(line.removeprefix(f"{folder}/").split(".json is ignored: ", 1) for line in answer["said"])
    assert "recursion" in said.pop("deep")
    assert "list" in said.pop("list")
    assert said == {key: f"it has no valid {key}" for key in mistyped}


def test_a_setting_that_does_not_exist_is_refused(bench: Bench) -> None:
    start, *refused = bench.experiment("start")
    assert start is None
    assert len(refused) == 4
    for message in refused:
        assert message.startswith("ValueError: ")
        assert "('enforce', 'strict', 'advise', 'off')" in message


def test_grants_refusals_and_mismatches_are_logged(bench: Bench) -> None:
    lines = bench.experiment("log")
    labels = [re.findall(r"session [0-9a-f]+", line)[0] for line in (lines[0], lines[3])]
    assert labels[0] != labels[1]
    assert len(set(lines[5:])) == 20, "a label is one session's"
    assert all(line.endswith("refused 'lend', which was not fetched") for line in lines[5:])
    assert lines[:5] == [
        f"INFO {labels[0]}: refused 'find', which was not fetched",
        f"INFO {labels[0]}: described ['find'] of ['find', 'nonsense']",
        "WARNING a call with no listing before it in its session is not refused",
        f"INFO {labels[1]}: described ['plain'] of ['plain']",
        f"WARNING {labels[1]}: fetches too often",
    ]
