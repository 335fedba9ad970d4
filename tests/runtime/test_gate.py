"""Who is refused: the gate looks at whether a session has listed the tools, and operators have the last word.

Hosts that keep their session list before they call.  Others open a session, or start a process, for every call, and
what they fetch in one is forgotten in the next: refused there, they would be locked out for good.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from pdmigrate.live.wire import Session, Target
from tests.runtime.harness import served
from tests.runtime.offices import fetch
from tests.runtime.samples import ENFORCED, ENVELOPES, HANDSHAKE, URI, Policies, Stand, answer, session

RAN, REFUSED = "as before", "refused"
ENFORCE, STRICT, ADVISE, OFF = "enforce", "strict", "advise", "off"


ADAPTERS = pytest.mark.parametrize("both", ["mcp1_lowlevel", "mcp2_lowlevel", "fastmcp3", "fastmcp4"], indirect=True)
"""A server for each: what the environment says is read by code that all modules share."""


def targets(both: Stand, policy: str) -> Iterator[tuple[Target, str, bool]]:
    """Every way to talk to a server under one policy, and whether there is a session."""
    policies = Policies(policy, policy)
    for era in both.sample.eras:
        yield both.stdio(policies), era, True
        yield both.http(policies, era), era, era == HANDSHAKE
        yield both.http(policies, era, stateless=True), era, False


def outcome(opened: Session, both: Stand) -> str:
    """What becomes of a good call to a tool that was not fetched."""
    found = answer(opened, *both.sample.good)
    if "TOOL_DESCRIPTION_REQUIRED" in json.dumps(found):
        return REFUSED
    assert found.get("isError", False) is False, found
    return RAN


def is_advised(opened: Session, both: Stand) -> bool:
    """Whether the description comes with the error of a bad call."""
    name, _ = both.sample.good
    found = answer(opened, name, both.sample.bad)
    assert found["isError"]
    return "inputSchema" in found["content"][-1]["text"]


def test_enforce_refuses_where_the_session_has_listed_and_advises_elsewhere(both: Stand) -> None:
    """A host that opens a session for each call is never locked out: not after one of them listed, nor after a call.

    Nor is one whose session lists after its first call, as the Python client does by itself: a program with two calls
    is not refused the second.
    """
    for target, era, has_session in targets(both, ENFORCE):
        with session(target, era) as kept:
            assert outcome(kept, both) == (REFUSED if has_session else RAN)
        with session(target, era, lists=False) as listing_late:
            assert outcome(listing_late, both) == RAN
            listing_late.list_tools()
            assert outcome(listing_late, both) == RAN
        with session(target, era, lists=False) as per_call:
            assert is_advised(per_call, both)
            assert outcome(per_call, both) == RAN


@ADAPTERS
def test_calls_that_are_sent_together_are_all_refused(both: Stand) -> None:
    """A model that calls a tool three times in one turn has read its description before none of these calls."""
    with session(both.http(Policies(ENFORCE, ENFORCE))) as opened:
        together = Barrier(3)
        with ThreadPoolExecutor(3) as pool:
            assert {*pool.map(lambda _: together.wait() >= 0 and outcome(opened, both), range(3))} == {REFUSED}
        assert outcome(opened, both) == RAN


def test_strict_refuses_in_every_session(both: Stand) -> None:
    for target, era, has_session in targets(both, STRICT):
        with session(target, era, lists=False) as opened:
            assert outcome(opened, both) == (REFUSED if has_session else RAN)


# --- the operator's switch --------------------------------------------------------------------------------------------


@ADAPTERS
@pytest.mark.parametrize("switch", [ENFORCE, STRICT, ADVISE])
def test_the_environment_overrides_both_transports(both: Stand, switch: str) -> None:
    other = ENFORCE if switch == ADVISE else ADVISE
    written, variables = Policies(other, other), {"PROGRESSIVE_DISCLOSURE": switch}
    for target in (both.stdio(written, variables), both.http(written, variables=variables)):
        with session(target) as listed, session(target, lists=False) as unlisted:
            assert outcome(listed, both) == (RAN if switch == ADVISE else REFUSED)
            assert outcome(unlisted, both) == (REFUSED if switch == STRICT else RAN)
            assert "_describe_tools" in json.dumps(listed.list_tools())


@ADAPTERS
def test_off_in_the_environment_restores_the_listing_and_off_in_the_code_does_not(both: Stand) -> None:
    with session(both.stdio(None)) as old:
        full = old.list_tools()
    for written, value, expected in (
        (Policies(STRICT, STRICT), OFF, RAN),
        (Policies(), " OFF", RAN),
        (Policies(), "on", REFUSED),
        (Policies(), "receipt", REFUSED),
        (Policies(stdio=OFF), "", RAN),
    ):
        with session(both.stdio(written, {"PROGRESSIVE_DISCLOSURE": value})) as opened:
            assert (opened.list_tools() == full) is (value.strip().lower() == OFF)
            assert outcome(opened, both) == expected


def test_a_refusal_names_the_resource_the_bridge_and_last_the_switch(both: Stand) -> None:
    """Clients of the TypeScript SDK hold the structured content of errors against the schema, too, and raise."""
    name, _ = both.sample.good
    with session(both.stdio(Policies())) as opened:
        tools = {str(tool["name"]): tool for tool in opened.list_tools()}
        refused: Any = answer(opened, *both.sample.good)
    own, other = ("_meta", "structuredContent") if "outputSchema" in tools[name] else ("structuredContent", "_meta")
    assert refused[own]["tool_description"]["name"] == name
    assert "error" not in refused.get(other, {})
    how = refused[own]["error"]["how"]
    places = [how.index(part) for part in (f"{URI}?tools=", [*tools][-1], "PROGRESSIVE_DISCLOSURE=off")]
    assert places == sorted(places)


# --- the form of our answers, and what one caller may see ------------------------------------------------------------


def test_answers_of_ours_have_the_form_of_their_protocol(both: Stand) -> None:
    for era in both.sample.eras:
        with session(both.http(ENFORCED, era), era) as opened:
            bridge = str(opened.list_tools()[-1]["name"])
            listing = opened.request("tools/list")
            read = opened.read_resource(f"{URI}?tools={both.sample.good[0]}")
            called = opened.call_tool(bridge, {"names": [both.sample.good[0]]})
        if era == ENVELOPES:
            assert read["resultType"] == called["resultType"] == "complete"
            assert read["_meta"] == called["_meta"] == listing["_meta"]
            assert (read["ttlMs"], read["cacheScope"]) == (0, "private")
        else:
            assert set(read) == {"contents"}
            assert set(called) == {"content", "isError"}


# --- what one caller may see ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("both", ["fastmcp3"], indirect=True)
def test_what_a_session_has_opened_is_for_that_session(both: Stand) -> None:
    hidden = "prescribe_poison"
    with session(both.http(ENFORCED)) as one, session(both.http(ENFORCED)) as other:
        fetch(one, ["call_specialist"])
        one.call_tool("call_specialist")
        assert hidden in [tool["name"] for tool in one.list_tools()]
        assert "inputSchema" in served(one.read_resource(f"{URI}?tools={hidden}"))[hidden]
        assert hidden not in json.dumps([other.list_tools(), other.read_resource(URI)])
        assert served(other.read_resource(f"{URI}?tools={hidden}"))[hidden]["error"]


@pytest.mark.parametrize("both", ["mcp2_mcpserver"], indirect=True)
def test_arguments_that_travel_as_headers_are_still_compared(both: Stand) -> None:
    """Servers check them against the schema that they list, so the stub says of which arguments that holds."""
    for policies in (None, ENFORCED):
        with session(both.http(policies), ENVELOPES) as opened:
            assert answer(opened, *both.sample.good)["code"] == -32020
