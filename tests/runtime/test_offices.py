"""Servers that stand in a migration's way, on every adapter and transport, in both protocol eras.

The same office on three SDKs, and once more with a requirement that admits both majors: it has tools with the
names of the bridge, what it lists depends on who asks, and changes while it runs.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.verify import verify
from pdmigrate.live.verify.model import CRITERIA, Status
from pdmigrate.live.wire import Session, StdioTarget, Target
from tests.runtime.offices import (
    ADAPTERS,
    BRIDGE,
    CALLS,
    GUESTS,
    HIDDEN,
    OWN,
    PAGED,
    STAFF,
    Way,
    cells,
    fetch,
    is_refused,
    names,
    pages,
)
from tests.runtime.samples import ENFORCED, HANDSHAKE, STRICT, URI, Call, Stand, answer, answers, asked, session
from tests.support.running import eventually

EVERY = [*cells()]
REPLACED = {"description", "inputSchema"}


@cache
def as_it_was(office: Stand, way: Way, *, staff: bool = False) -> dict[str, Any]:
    """What a guest, or somebody of the staff, gets from the office before the migration."""
    with session(way.target(office, None, staff=staff), way.era) as opened:
        return snapshot(opened)


def as_it_is(office: Stand, way: Way, *, staff: bool = False) -> dict[str, Any]:
    """The pages and everything else, but for the calls, of the office after the migration."""
    with session(way.target(office, ENFORCED, staff=staff), way.era) as opened:
        return {"pages": pages(opened), "else": everything_else(opened)}


def snapshot(opened: Session) -> dict[str, Any]:
    return {
        "pages": pages(opened),
        "calls": dict(zip(CALLS, answers(opened, CALLS), strict=True)),
        "else": everything_else(opened),
        "ours": [
            asked(opened, "resources/read", {"uri": f"{URI}?tools=find_items"}),
            answer(opened, BRIDGE, {"names": ["find_items"]}),
        ],
    }


# --- the listing, page by page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("office", "way"), EVERY, indirect=["office"])
def test_pages_differ_in_two_fields_and_the_bridge(office: Stand, way: Way) -> None:
    for seen in (GUESTS, STAFF):
        before = as_it_was(office, way, staff=seen is STAFF)["pages"]
        after = as_it_is(office, way, staff=seen is STAFF)["pages"]
        assert names(before) == [*seen]
        assert len(before) == (2 if office.sample.name in PAGED else 1)
        bridge = after[0]["tools"].pop()
        assert bridge["name"] == BRIDGE
        assert bridge["annotations"] == {"readOnlyHint": True, "idempotentHint": True}
        assert bridge["inputSchema"]["properties"]["names"]["items"]["enum"] == [*seen]
        assert [without_texts(page) for page in after] == [without_texts(page) for page in before]
        assert {"title", "annotations", "icons", "_meta", "outputSchema"} <= set(after[0]["tools"][0])


def without_texts(page: Any) -> Any:
    kept = [[(key, value) for key, value in tool.items() if key not in REPLACED] for tool in page["tools"]]
    return {**page, "tools": kept}


# --- the bridge and the resource --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("office", "way"), EVERY, indirect=["office"])
def test_the_bridge_gives_what_the_resource_gives(office: Stand, way: Way) -> None:
    """The same content, and the same grants: for what was named and may be seen, and for nothing else."""
    asked = ["find_items", OWN, HIDDEN, "nonsense"]
    for staff, seen in ((True, STAFF), (False, GUESTS)):
        told = []
        for by_bridge in (True, False):
            with session(way.target(office, STRICT, staff=staff), way.era) as opened:
                given = fetch(opened, asked, BRIDGE if by_bridge else None)
                told.append((given, *(is_refused(opened, *call) for call in CALLS.values())))
        assert told[0] == told[1]
        content, *refused = told[0]
        assert [*content] == asked
        available = {"available_tools": [*seen, BRIDGE]}  # said once
        assert content[HIDDEN].get("error") == (None if staff else f"Tool '{HIDDEN}' not found")
        assert content["nonsense"] == {"error": "Tool 'nonsense' not found", **(available if staff else {})}
        assert content[HIDDEN].get("available_tools") == (None if staff else [*seen, BRIDGE])
        assert dict(zip(CALLS, refused, strict=True)) == {
            call: way.has_session and name == "hand_out" for call, (name, _) in CALLS.items()
        }
    assert "inputSchema" in content[OWN]


@pytest.mark.parametrize(("office", "way"), EVERY, indirect=["office"])
def test_definitions_and_calls_are_as_before_once_everything_is_fetched(office: Stand, way: Way) -> None:
    """The first call after the fetch is one that does not validate."""
    before = as_it_was(office, way, staff=True)
    full = {tool["name"]: tool for page in before["pages"] for tool in page["tools"]}
    with session(way.target(office, ENFORCED, staff=True), way.era) as new:
        content = fetch(new, STAFF)
        found = dict(zip(CALLS, answers(new, CALLS), strict=True))
    assert {name: {key: told[key] for key in told if key != "digest"} for name, told in content.items()} == full
    if not way.has_session:
        found = {call: without_advice(CALLS[call], given) for call, given in found.items()}
    assert found == before["calls"]
    assert sum(given.get("isError", False) for given in found.values()) > 3
    kinds = [part["type"] for part in found["everything"]["content"]]
    assert kinds == ["text", "image", "audio", "resource_link", "resource"]


def without_advice(call: Call, given: Any) -> Any:
    """An answer as it was: to an error of a listed tool its description was added."""
    if not given.get("isError") or call[0] not in (*STAFF, "search_cellar"):
        return given
    *content, advice = given["content"]
    assert list(json.loads(advice["text"])) == [call[0]]
    return {**given, "content": content}


# --- everything else --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("office", "way"), EVERY, indirect=["office"])
def test_resources_templates_and_prompts_are_as_before(office: Stand, way: Way) -> None:
    before = as_it_was(office, way)["else"]
    after = as_it_is(office, way)["else"]
    first = after["resources/list"]["resources"].pop(0)
    template = after["resources/templates/list"]["resourceTemplates"].pop(0)
    assert (first.pop("uri"), template.pop("uriTemplate")) == (URI, f"{URI}{{?tools}}")
    assert (first.pop("name"), template.pop("name")) == ("tool_descriptions", "descriptions_of_tools")
    assert first == template
    assert first["mimeType"] == "application/json"
    own = str(before["about"]["instructions"])
    assert str(after["about"]["instructions"]).startswith(f"{own}\n\n")
    after["about"]["instructions"] = own
    assert after == before
    assert set(before["an unknown resource"]) == {"code", "message", "data"}


def everything_else(opened: Session) -> dict[str, Any]:
    """What a client sees of a server besides its tools."""
    lists = ("resources/list", "resources/templates/list", "prompts/list")
    return {
        "about": {**opened.server},
        **{method: opened.request(method) for method in lists},
        "its resource": opened.read_resource("office://hours"),
        "of its template": opened.read_resource("office://shelves/b"),
        "its prompt": opened.request("prompts/get", {"name": "notice", "arguments": {"item": "a hat"}}),
        "an unknown resource": asked(opened, "resources/read", {"uri": "office://nothing"}),
        "an unknown prompt": asked(opened, "prompts/get", {"name": "nothing"}),
        "an unknown method": asked(opened, "tools/nonsense", {}),
        "an unknown page": asked(opened, "tools/list", {"cursor": "nonsense"}).get("message"),
    }


@pytest.mark.parametrize(("office", "way"), [*cells(("stdio", "http"))], indirect=["office"])
def test_the_switch_brings_everything_back(office: Stand, way: Way) -> None:
    """PROGRESSIVE_DISCLOSURE=off: not a byte differs from what the server said before."""
    variables = {"PROGRESSIVE_DISCLOSURE": "off"}
    with session(way.target(office, ENFORCED, variables=variables), way.era) as opened:
        assert json.dumps(snapshot(opened)) == json.dumps(as_it_was(office, way))


# --- while it runs ----------------------------------------------------------------------------------------------------


def overheard(target: Target, era: str, log: Path) -> AbstractContextManager[Session]:
    """A session; what it is told over a pipe is in ``log``, too."""
    if isinstance(target, StdioTarget):
        target = replace(target, command=("sh", "-c", '"$@" | tee "$0"', str(log), *target.command))
    return session(target, era)


@pytest.mark.parametrize(("office", "way"), [*cells(("stdio", "http"))], indirect=["office"])
def test_a_tool_that_appears_is_told_of_as_before_and_has_to_be_fetched(
    office: Stand, way: Way, tmp_path: Path
) -> None:
    heard = way.transport == "stdio" and way.era == HANDSHAKE
    told: list[Any] = []
    for policies in (None, ENFORCED):
        log = tmp_path / f"{len(told)}.log"
        # The tool stays, so nobody else may talk to these servers.
        with overheard(way.target(office, policies, variables={"OFFICE_DAY": way.era}), way.era, log) as opened:
            assert [name for name in names(pages(opened)) if name != BRIDGE] == [*GUESTS]
            if policies is not None:
                fetch(opened, ["open_cellar"])
            calls = [answer(opened, "open_cellar", {})]
            listed = pages(opened)
            if policies is not None:
                bridge = listed[0]["tools"].pop()
                assert bridge["name"] == BRIDGE
                assert names(listed) == [*GUESTS, "search_cellar"]
                assert bridge["inputSchema"]["properties"]["names"]["items"]["enum"] == names(listed)
                assert is_refused(opened, "search_cellar", {"box": 1}) is way.has_session
                assert fetch(opened, ["search_cellar"], bridge["name"])["search_cellar"]["inputSchema"]["required"]
            calls += [answer(opened, "search_cellar", {"box": box}) for box in (10, 1)]
            if policies is not None and not way.has_session:
                calls = [without_advice(("search_cellar", {}), call) for call in calls]
            assert eventually(lambda log=log: len(notifications(log)) == heard)
            told.append((names(listed), calls, notifications(log)))
    assert told[0] == told[1]


def notifications(log: Path) -> set[str]:
    """What a client was told unasked.  How often is the SDK's business: fastmcp 2 says it twice."""
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True) if log.exists() else []
    messages = (json.loads(line) for line in lines if line.endswith("\n"))
    return {json.dumps(message) for message in messages if "id" not in message}


@pytest.mark.parametrize("office", ADAPTERS, indirect=True)
def test_verify_tells_the_bridge_from_the_tools_that_are_named_like_it(office: Stand) -> None:
    for staff in (False, True):
        targets = [Way("http").target(office, policies, staff=staff) for policies in (ENFORCED, None)]
        report = verify(targets[0], before=targets[1])
        assert {report.standing(number) for number in CRITERIA} == {Status.PASSED}
        failed = {check.id for check in report.checks if check.status is Status.FAILED}
        assert failed <= {"3.2-examples", "3.2-errors"}  # a person's to write
