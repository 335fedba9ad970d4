"""Every SDK family, as `pdmigrate apply` migrates its sample server: both transports, both protocol eras."""

from __future__ import annotations

import json

import pytest

from tests.runtime.harness import served
from tests.runtime.offices import fetch
from tests.runtime.samples import ENFORCED, ENVELOPES, URI, Stand, answer, session


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
