"""Which tool is called, and with what: when in doubt, none."""

from __future__ import annotations

from typing import Any

import pytest

from pdmigrate.live.verify import picks
from pdmigrate.live.verify.answers import NotAsked


def tool(name: str, *required: str, **annotations: bool) -> dict[str, Any]:
    properties = {key: {"type": "string"} for key in required}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "inputSchema": schema, "annotations": annotations}


BY_NAME = ("delete_note", "deleteNote", "note.delete", "search_and_replace", "send-mail", "order_pizza", "RunCommand")


@pytest.mark.parametrize(
    "dangerous",
    [
        *(tool(name, "id") for name in BY_NAME),
        *(tool(name) for name in ("reboot", "thing")),
        tool("get_status", destructiveHint=True),
        tool("get_a", "id", destructiveHint=True),
        tool("list_and_fix", readOnlyHint=False),
        {"name": ""},
    ],
    ids=lambda value: value["name"] or "no name",
)
def test_a_tool_that_might_do_something_is_not_called(dangerous: dict[str, Any]) -> None:
    assert picks.harm(dangerous) is None
    assert not picks.fails_harmlessly(dangerous)
    assert isinstance(picks.pick([dangerous]), NotAsked)


@pytest.mark.parametrize(
    ("harmless", "rank"),
    [
        (tool("delete_preview", "id", readOnlyHint=True), 0),
        (tool("get_order", "id"), 1),
        (tool("listMessages", "folder"), 1),
        (tool("anything", readOnlyHint=True), 2),
        (tool("list_folders"), 3),
        (tool("thing", "id"), 4),
        (tool("get_thing", "id", readOnlyHint=False), 4),
    ],
    ids=lambda value: value["name"] if isinstance(value, dict) else str(value),
)
def test_harmless_tools_are_ranked(harmless: dict[str, Any], rank: int) -> None:
    assert picks.harm(harmless)[0] == rank
    assert picks.fails_harmlessly(harmless) is (rank <= 1), "only tools that read are called for their error"


def test_the_least_harmful_tool_is_picked_and_the_first_of_equals() -> None:
    tools = [tool("reboot"), tool("list_a"), tool("get_b", "id"), tool("get_c", "id")]
    assert picks.pick(tools) == picks.Pick("get_b", "by its name it only reads; it needs arguments")


def test_why_there_is_no_pick_says_what_to_do() -> None:
    found = picks.pick([tool("reboot"), tool("delete_note", "id")])
    assert isinstance(found, NotAsked)
    assert found.reason.startswith("none of the 2 tools")
    assert "--tool" in found.reason


def bridge(name: str, *enum: str) -> dict[str, Any]:
    names = {"type": "array", "items": {"type": "string", "enum": list(enum)}}
    return {**tool(name, readOnlyHint=True), "inputSchema": {"type": "object", "properties": {"which": names}}}


@pytest.mark.parametrize(
    ("candidate", "parameter"),
    [
        (bridge("tell_me", "a", "b"), "which"),
        (bridge("tell_me", "a"), "which"),
        (bridge("notes_describe_tools"), "which"),
        (tool("notes_describe_tools"), "names"),
        (bridge("tell_me", "red", "green"), None),
        (bridge("tell_me", "a", "red"), None),
        (bridge("tell_me"), None),
        (tool("describe_table", "name"), None),
    ],
)
def test_a_bridge_is_known_by_its_looks_and_never_picked(candidate: dict[str, Any], parameter: str | None) -> None:
    assert picks.bridge_parameter(candidate, {"a", "b", "tell_me"}) == parameter
    found = picks.pick([candidate, tool("a"), tool("b")])
    if parameter:
        assert isinstance(found, NotAsked)


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, {}),
        ({"properties": {"a": {"type": "integer"}}}, {"a": "deliberately wrong"}),
        ({"properties": {"a": {}, "b": {"type": "string"}}}, {"b": []}),
        ({"properties": {"t": {"const": "x"}, "a": {"type": "string"}}, "required": ["a", "t"]}, {"t": "x"}),
        ({"properties": {"t": {"const": "x"}, "a": {"type": "array"}}}, {"t": "x", "a": "deliberately wrong"}),
        ({"properties": {"t": {"enum": ["x"]}, "a": {"type": "string"}}, "required": ["a", "t"]}, {"t": "x"}),
        ({"properties": {"t": {"enum": ["x", "y"]}}, "required": ["t"]}, {}),
        ({"properties": {}}, {}),
        ({}, {}),
        ({"properties": None, "required": "a"}, {}),
        ({"properties": {"a": {"type": ["integer", "null"]}}}, {"a": "deliberately wrong"}),
        ({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}, {"a": []}),
        ({"properties": {"a": {"oneOf": [{"type": "string"}, {"type": "array"}]}}}, {"a": {"deliberately": "wrong"}}),
        ({"properties": {"a": {"anyOf": [{"type": "string"}, {}]}}}, {}),
        ({"properties": {"a": {"anyOf": []}}}, {}),
        ({"properties": {"a": {"type": ["string", "array", "object"]}}}, {}),
        ({"properties": {"a": {}}}, {}),
    ],
)
def test_arguments_are_wrong_in_one_place(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert picks.wrong_arguments(schema) == arguments


def schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"properties": properties, "required": [*required]}


def test_a_receipt_is_new_required_and_of_one_value() -> None:
    for asked in ({"enum": ["x"]}, {"const": "x"}):
        assert picks.receipts(schema({"t": asked}, "t"), schema({"old": {}})) == {"t": "x"}
        assert picks.receipts(schema({"t": asked}), schema({"old": {}})) == {}
        assert picks.receipts(schema({"old": asked}, "old"), schema({"old": {}})) == {}
    for properties in ({"t": {"enum": ["x", "y"]}}, {}):
        assert picks.receipts(schema(properties, "t"), schema({})) == {}


def test_a_stub_may_name_the_receipt_without_its_value() -> None:
    definition = schema({"t": {"enum": ["x"]}}, "t")
    for listed in (schema({}), schema({"t": {"type": "string"}})):
        assert picks.receipts_beyond(definition, listed) == {"t": "x"}
    for listed in (schema({"t": {"type": "string"}}, "t"), schema({"t": {"const": "x"}})):
        assert picks.receipts_beyond(definition, listed) == {}
