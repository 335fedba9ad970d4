"""Every SDK family, as `pdmigrate apply` migrates its sample server: both transports, both protocol eras."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pdmigrate.live.wire import RpcError, Session
from tests.runtime.harness import served
from tests.runtime.samples import (
    ALL,
    ENFORCED,
    ENVELOPES,
    HANDSHAKE,
    URI,
    Call,
    Stand,
    answers,
    session,
)

EVERY = [pytest.param(name, id=name) for name in ALL]


# --- nothing but the listing changes ----------------------------------------------------------------------------------


def test_calls_are_answered_as_before_once_everything_is_fetched(both: Stand) -> None:
    """Without a session nobody knows what was fetched: then the description follows each error."""
    for era in both.sample.eras:
        with session(both.http(None, era), era) as old, session(both.http(ENFORCED, era), era) as new:
            fetch(new, both)
            expected, found = answers(old, both.sample.calls), answers(new, both.sample.calls)
        if era == ENVELOPES:
            found = [without_advice(*each) for each in zip(both.sample.calls.values(), found, strict=True)]
        assert dict(zip(both.sample.calls, found, strict=True)) == dict(zip(both.sample.calls, expected, strict=True))


def without_advice(call: Call, answer: Any) -> Any:
    """An answer as it was: only errors of tools that the caller may see have the description at the end."""
    if not answer.get("isError") or len(answer["content"]) == 1:
        return answer
    *content, advice = answer["content"]
    assert list(json.loads(advice["text"])) == [call[0]]
    return {**answer, "content": content}


def fetch(opened: Session, both: Stand) -> Any:
    bridge = str(opened.list_tools()[-1]["name"])
    return served(opened.call_tool(bridge, {"names": list(both.sample.tools)}))


def test_the_calls_cover_results_validation_and_errors(both: Stand) -> None:
    with session(both.http(None)) as old:
        found = answers(old, both.sample.calls)
    failed = [answer for answer in found if answer.get("isError") or "code" in answer]
    assert 3 <= len(failed) <= len(found) - 2
    assert any("structuredContent" in answer for answer in found)


def test_listings_and_what_the_server_says_of_itself_differ_only_where_they_must(both: Stand) -> None:
    for era in both.sample.eras:
        with session(both.http(None, era), era) as old, session(both.http(ENFORCED, era), era) as new:
            tools, stubs = old.list_tools(), new.list_tools()
            assert [tool["name"] for tool in tools] == [*both.sample.tools]
            assert [tool["name"] for tool in stubs[:-1]] == [*both.sample.tools]
            for tool, stub in zip(tools, stubs[:-1], strict=True):
                changed = {"description", "inputSchema"}
                kept = [{key: entry[key] for key in entry if key not in changed} for entry in (tool, stub)]
                assert kept[0] == kept[1]
                assert len(str(stub["description"])) <= 200
            assert new.list_resources()[0]["uri"] == URI
            assert new.list_resources()[1:] == old.list_resources()
            assert new.list_prompts() == old.list_prompts()
            ours, *others = new.list_resource_templates()
            assert ours["uriTemplate"] == f"{URI}{{?tools}}"
            assert others == templates(old)
            uri = both.sample.resource
            assert new.read_resource(uri) == old.read_resource(uri)
            assert plain(new.server) == plain(old.server)
            said, added = str(old.server["instructions"]), str(new.server["instructions"])
            assert added.startswith(f"{said}\n\n")
            assert f"{URI}?tools=" in added


def templates(opened: Session) -> Any:
    try:
        return opened.list_resource_templates()
    except RpcError:  # a server without resources, which has the method now
        return []


def plain(about: Any) -> Any:
    return {key: value for key, value in about.items() if key != "instructions"}


def test_the_switch_brings_back_what_was_moved(both: Stand) -> None:
    off = {"PROGRESSIVE_DISCLOSURE": "off"}
    for era in both.sample.eras:
        with session(both.stdio(None), era) as old, session(both.stdio(ENFORCED, off), era) as new:
            assert new.list_tools() == old.list_tools()
            assert answers(new, both.sample.calls) == answers(old, both.sample.calls)
            assert new.server == old.server
            assert new.list_resources() == old.list_resources()


def test_definitions_are_those_of_before(both: Stand) -> None:
    for era in both.sample.eras:
        with session(both.http(None, era), era) as old, session(both.http(ENFORCED, era), era) as new:
            tools = {str(tool["name"]): tool for tool in old.list_tools()}
            read = served(new.read_resource(f"{URI}?tools={','.join(both.sample.tools)}"))
            assert fetch(new, both) == read
        assert {name: {key: read[name][key] for key in tool} for name, tool in tools.items()} == tools
        for name, tool in tools.items():
            added = {key: read[name][key] for key in set(read[name]) - {*tool, "digest"}}
            assert added == guidance(both, name)


def guidance(both: Stand, name: str) -> dict[str, Any]:
    """What the description file of a tool adds to its definition."""
    file = both.folder(ENFORCED) / "tool_descriptions" / f"{name}.json"
    content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    fields = ("examples", "usage_guidance", "error_guidance")
    return {field: content[field] for field in fields if content.get(field)}


# --- the bridge -------------------------------------------------------------------------------------------------------


def test_the_bridge_is_a_harmless_tool_that_names_what_may_be_seen(both: Stand) -> None:
    for era in both.sample.eras:
        with session(both.http(ENFORCED, era), era) as opened:
            bridge: Any = opened.list_tools()[-1]
            missing = opened.call_tool(bridge["name"], {})
        assert bridge["name"].endswith("_describe_tools")
        assert bridge["inputSchema"]["properties"]["names"]["items"]["enum"] == [*both.sample.tools]
        assert bridge["annotations"] == {"readOnlyHint": True, "idempotentHint": True}
        assert served(missing)["error"]["code"] == "MISSING_TOOL_SELECTION"
        assert missing["isError"] is True


def test_answers_of_ours_have_the_form_of_their_protocol(both: Stand) -> None:
    for era in both.sample.eras:
        with session(both.http(ENFORCED, era), era) as opened:
            bridge = str(opened.list_tools()[-1]["name"])
            listing = opened.request("tools/list")
            read = opened.read_resource(f"{URI}?tools={both.sample.tools[0]}")
            called = opened.call_tool(bridge, {"names": [both.sample.tools[0]]})
        if era == ENVELOPES:
            assert read["resultType"] == called["resultType"] == "complete"
            assert read["_meta"] == called["_meta"] == listing["_meta"]
            assert (read["ttlMs"], read["cacheScope"]) == (0, "private")
        else:
            assert set(read) == {"contents"}
            assert set(called) == {"content", "isError"}


# --- per-request visibility -------------------------------------------------------------------------------------------

HIDDEN: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "mcp2_lowlevel": ("assign_plot", {"x-garden-role": "steward"}, {"plot": 1}),
    "fastmcp4": ("lend_piece", {"x-depot-role": "staff"}, {"number": "0", "borrower": "x", "until": "2027-01-01"}),
}


@pytest.mark.parametrize("both", [name for name in EVERY if name.values[0] in HIDDEN], indirect=True)
def test_what_a_caller_may_not_see_shows_up_nowhere(both: Stand) -> None:
    tool, headers, arguments = HIDDEN[both.sample.name]
    for era in both.sample.eras:
        with session(both.http(ENFORCED, era), era) as guest:
            seen = json.dumps([guest.list_tools(), guest.read_resource(URI), fetch(guest, both)])
            unknown = served(guest.read_resource(f"{URI}?tools={tool}"))[tool]
            refused = answers(guest, [(tool, arguments)])
        with session(both.http(None, era), era) as old:
            assert refused == answers(old, [(tool, arguments)])
        assert tool not in seen
        assert tool not in unknown["available_tools"]
        with session(both.http(ENFORCED, era, **headers), era) as insider:
            bridge: Any = insider.list_tools()[-1]
            (first,) = answers(insider, [(tool, arguments)])
            served_now = served(insider.read_resource(f"{URI}?tools={tool}"))[tool]
        assert tool in bridge["inputSchema"]["properties"]["names"]["items"]["enum"]
        assert "inputSchema" in served_now
        assert ("TOOL_DESCRIPTION_REQUIRED" in json.dumps(first)) is (era == HANDSHAKE)


@pytest.mark.parametrize("both", [name for name in EVERY if name.values[0] == "fastmcp3"], indirect=True)
def test_what_a_session_has_opened_is_for_that_session(both: Stand) -> None:
    hidden = "prescribe_poison"
    with session(both.http(ENFORCED)) as one, session(both.http(ENFORCED)) as other:
        fetch(one, both)
        one.call_tool("call_specialist")
        assert hidden in [tool["name"] for tool in one.list_tools()]
        assert "inputSchema" in served(one.read_resource(f"{URI}?tools={hidden}"))[hidden]
        assert hidden not in json.dumps([other.list_tools(), other.read_resource(URI)])
        assert served(other.read_resource(f"{URI}?tools={hidden}"))[hidden]["error"]


@pytest.mark.parametrize("both", [name for name in EVERY if ALL[str(name.values[0])].headers], indirect=True)
def test_arguments_that_travel_as_headers_are_still_compared(both: Stand) -> None:
    """Servers check them against the schema that they list, so the stub says of which arguments that holds."""
    name, arguments = both.sample.calls["structured"]
    for policies in (None, ENFORCED):
        with session(both.http(policies, ENVELOPES), ENVELOPES) as opened:
            assert not answers(opened, [(name, arguments)])[0].get("isError")
        with session(both.http(policies), ENVELOPES) as opened:
            assert answers(opened, [(name, arguments)])[0]["code"] == -32020
