"""Servers written in many ways on both majors of the SDK, each enabled in one process and asked over a pipe."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.runtime.harness import Bench
from tests.runtime.programs.definitions import FULL
from tests.runtime.test_stdio import BRIDGE, URI
from tests.support.environments import MCP1

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
FOUND: dict[str, Any] = {
    # Our resource is on the first page only.
    "resources_in_two_pages": [[[URI, "x://one"], "two"], [["x://two"], None]],
    "listings_of_each_request": {
        **dict.fromkeys(("a listing", "a bridge call", "a read", "a refusal", "advice"), 1),
        "a granted call": 0,
    },
    "two_servers": ["one", "two", "TOOL_DESCRIPTION_REQUIRED:"],
}
OTHERS = ("capabilities", "instructions", "listings_that_count", "no_resources_of_its_own")


@pytest.fixture(scope="module", params=["bench", "bench2"])
def either(request: pytest.FixtureRequest) -> Bench:
    found: Bench = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def lab(either: Bench) -> dict[str, Any]:
    """The experiments that need no process of their own."""
    return either.experiments(*REGISTERED, *FOUND, *OTHERS)


@pytest.mark.parametrize("name", FOUND)
def test_an_odd_server_is_served_well(lab: dict[str, Any], name: str) -> None:
    assert lab[name] == FOUND[name]


@pytest.mark.parametrize("way", REGISTERED)
def test_it_does_not_matter_when_handlers_are_registered(either: Bench, lab: dict[str, Any], way: str) -> None:
    """The SDK for mcp 1.x holds arguments against the full schema before the server sees them."""
    bad = {"bad": "Input validation error: 't' is too short"} if either.pins == MCP1 else {}
    first = {"listed": ["lend", "plain", BRIDGE]} if way == "listed_in_pages" else {}
    assert lab[way] == [{**EXPECTED, **bad, **first}] * (1 if either.pins == MCP1 else 2)


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


def test_no_session_inherits_a_grant_and_none_is_remembered(either: Bench) -> None:
    """Nor does anything of ours keep a server alive."""
    *found, is_gone = either.experiment("many_sessions")
    assert found == [[100, 0, 0]] * len(found) != []
    assert is_gone
