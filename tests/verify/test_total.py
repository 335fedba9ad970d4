"""Whatever a server answers, every check has a verdict and every report can be written."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from pdmigrate.live.verify import CHECKS, judge
from pdmigrate.live.verify.answers import Answer, Exchange, NotAsked
from pdmigrate.live.verify.comparison import ASPECTS, Before, compare
from pdmigrate.live.verify.model import Interview, Report
from pdmigrate.live.verify.picks import Pick, bridge_parameter, pick, wrong_arguments
from pdmigrate.live.verify.report import to_json, to_junit, to_text
from pdmigrate.live.wire import RpcError, WireError
from pdmigrate.live.wire.session import LISTS
from pdmigrate.model import JsonObject, JsonValue

KEYS = (  # noqa: SIM905 - a list would be one word to a line
    "a b name description inputSchema outputSchema annotations properties required items type enum const error code "
    "message examples resource_uri tool_description available_tools content contents text mimeType uri isError "
    "structuredContent data pdmigrate_no_such_tool capabilities resources instructions serverInfo readOnlyHint "
    "anyOf $defs"
).split(" ")
CODES = ("TOOL_DESCRIPTION_REQUIRED", "MISSING_TOOL_SELECTION", "object", "array", "a", "b", "resource:///x?tools=a")

values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-9, 9) | st.text() | st.sampled_from(CODES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)
junk: st.SearchStrategy[JsonObject] = st.dictionaries(st.sampled_from(KEYS), values, max_size=6)


def _result(body: JsonValue, around: str, extra: JsonObject) -> JsonObject:
    part: JsonObject = {"text": around + json.dumps(body), "mimeType": "application/json"}
    return {"content": [part], "contents": [part], **extra}


answers: st.SearchStrategy[Answer] = st.one_of(
    junk,
    st.builds(_result, values, st.sampled_from(["", "{", "see "]), junk),
    st.builds(RpcError, st.integers(), st.text(), values),
    st.builds(WireError, st.text(min_size=1)),
)
exchanges = st.one_of(
    st.builds(NotAsked, st.text()),
    st.builds(
        Exchange,
        st.sampled_from(["first", "second"]),
        st.just("resources/read"),
        st.fixed_dictionaries({"uri": st.sampled_from(["x", "resource:///t?tools=a,b"]), "name": st.just("a")}),
        answers,
    ),
)
ROLES = (  # noqa: SIM905 - as above
    "base,ungranted,unknown,still ungranted,single,granted,other,persisting,comma,second,"
    "second with receipt,unlisted,again,case"
).split(",")
listings = st.lists(junk, max_size=3).map(tuple)


@st.composite
def interviews(draw: Any) -> Interview:
    tools = draw(listings)
    return Interview(
        target="x",
        transport=draw(st.sampled_from(["stdio", "http"])),
        has_session=draw(st.booleans()),
        protocol=draw(st.sampled_from(["2025-06-18", ""])),
        server=draw(junk),
        tools=tools,
        lists={method: draw(listings) for method in LISTS},
        descriptor=draw(st.none() | junk),
        resource="resource:///tool_descriptions",
        chosen=pick(tools),
        other=draw(st.none() | st.just("b")),
        bridge=draw(st.none() | st.just("a")),
        asked={role: draw(exchanges) for role in ROLES},
        fetches=draw(st.lists(exchanges, max_size=2).map(tuple)),
        relisted=draw(listings | st.builds(WireError, st.text(min_size=1))),
        second_listing=draw(listings | st.builds(WireError, st.text(min_size=1))),
        rehearsed={"a": draw(exchanges)},
        originals={"a": draw(junk)},
    )


@settings(max_examples=60, deadline=None)
@given(interviews(), interviews())
def test_every_check_has_a_verdict_and_every_report_can_be_written(seen: Interview, other: Interview) -> None:
    results = [*judge(seen), *judge(seen, strict=True)]
    before = Before(other.server, other.tools, other.lists, other.rehearsed)
    results += compare(before, seen)
    assert len(results) >= 2 * len(CHECKS) + len(ASPECTS)
    report = Report(tuple(results), "x\0", seen.transport, seen.has_session, "y", len(seen.tools), None, "z")
    to_text(report, color=True).encode()
    json.loads(to_json(report).encode())
    ElementTree.fromstring(to_junit(report))


@given(listings, junk)
def test_a_tool_is_picked_from_anything(tools: tuple[JsonObject, ...], schema: JsonObject) -> None:
    assert isinstance(pick(tools), Pick | NotAsked)
    json.dumps(wrong_arguments(schema))
    for tool in tools:
        bridge_parameter(tool, {"a", "b"})
