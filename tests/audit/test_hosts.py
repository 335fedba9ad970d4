"""What hosts do to a server as it is, what their search finds, what providers refuse, and that a stub adds nothing."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.audit import Catalogue
from pdmigrate.audit.hosts import Remark, refusals, remarks, rules
from pdmigrate.audit.search import SearchIndex, document, words
from pdmigrate.findings import CODES
from pdmigrate.runtime.stubs import stub_schema
from tests.audit.listings import tool

EMPTY = {"type": "object", "properties": {}}
CLEAN = {"name": "find", "description": "Find notes by their words.", "inputSchema": EMPTY}


def found(*tools: dict[str, Any], server: str = "notes", instructions: str | None = None) -> list[Remark]:
    every = list(remarks(Catalogue(server, tools, instructions=instructions)))
    assert {one.code for one in every} <= set(CODES)
    return [one for one in every if one.code != "PD635"]


def test_a_plain_server_has_nothing_to_fear_but_hosts_that_defer() -> None:
    assert found(CLEAN) == []
    (one,) = remarks(Catalogue("notes", (CLEAN,)))
    assert (one.code, one.tool) == ("PD635", None)
    assert one.message.startswith("Claude Code, Cursor and VS Code load tools on demand")
    assert list(remarks(Catalogue("empty", ()))) == []


def test_the_text_behind_a_cut_is_what_is_lost() -> None:
    long, fits = {**CLEAN, "description": "a" * 2048 + "lost"}, {**CLEAN, "description": "a" * 2048}
    assert found(fits, instructions="b" * 2048) == []
    (one,) = found(long)
    assert (one.code, one.tool, one.lost) == ("PD631", "find", "lost")
    assert "a description of 2,052 loses its end" in one.message
    (server,) = found(CLEAN, instructions="b" * 2048 + "gone")
    assert (server.tool, server.lost) == (None, "gone")


def test_a_schema_is_named_once_for_each_problem_with_its_first_place() -> None:
    loose = {"type": "array"}
    (one,) = found({**CLEAN, "inputSchema": {"type": "object", "properties": {"a": loose, "b": loose}}})
    assert one.code == "PD632"
    assert one.message.endswith("an array that does not say what its items are, at properties.a")
    assert "VS Code" in one.message


@pytest.mark.parametrize(
    ("name", "server", "said"),
    [
        ("find note", "notes", "accept only A-Z, a-z, 0-9, _ and - in a tool's name; this name has ' '"),
        ("f" * 65, "notes", "accept 1 to 64 characters in a tool's name; this name has 65"),
        (
            "f" * 50,
            "a server",
            "Claude Code accepts at most 64 characters for server and tool name together; this makes 65",
        ),
        ("f" * 52, "a server", "Cursor accepts at most 60 characters for server and tool name together; this makes 61"),
        ("member account!", "notes", "this name has ' ' and '!'"),
    ],
)
def test_names_that_are_too_long_or_odd(name: str, server: str, said: str) -> None:
    assert found({**CLEAN, "name": "f" * 49}, server=server) == []
    told = found({**CLEAN, "name": name}, server=server)
    assert {one.code for one in told} == {"PD633"}
    assert any(said in one.message for one in told)


@pytest.mark.parametrize("other", ["read-file", "Read_File", "read.file"])
def test_names_that_become_one_are_named_together(other: str) -> None:
    one, two = {**CLEAN, "name": "read_file"}, {**CLEAN, "name": other, "description": "Other words entirely."}
    told = [remark for remark in found(one, two) if "may confuse" in remark.message]
    assert [(one.tool, one.message.rpartition(": ")[2]) for one in told] == [("read_file", f"read_file, {other}")]


def test_a_tool_whose_words_are_those_of_a_sibling_is_not_found() -> None:
    hidden = {**CLEAN, "name": "a", "description": "List the notes of a member. Only those that are open."}
    louder = {**CLEAN, "name": "list_notes", "description": "List notes of a member, the notes of a member."}
    told = [one for one in found(hidden, louder) if one.code == "PD634"]
    said = [(one.tool, one.message) for one in told]
    assert said == [("a", "a search for its first sentence finds list_notes first")]
    same = [{**CLEAN, "name": name} for name in ("x", "y")]
    told = [one for one in found(*same) if one.code == "PD634"]
    assert [one.message.rpartition(" finds ")[2] for one in told] == ["y just as well", "x just as well"]


def test_words_that_a_large_listing_is_full_of_decide_nothing() -> None:
    every = [tool(f"tool_{number}") for number in range(200)]
    assert [one for one in found(*every) if one.code == "PD634"] == []


def test_every_rule_says_who_where_and_when() -> None:
    for name, rule in rules().items():
        assert rule.who, name
        assert re.match(r"https://\S+$", rule.source), name
        assert date(2022, 1, 1) < date.fromisoformat(rule.date) < date(2027, 1, 1), name


def test_every_refusal_has_a_rule() -> None:
    properties = {
        "a b": {"type": ["string", "null"], "enum": [1], "$ref": "#"},
        "c": True,
        "d": {"type": "array", "properties": {}},
        "e": {"enum": ["x"]},
        "f": {"type": "string", "enum": [""]},
    }
    odd = {"type": "date", "anyOf": [], "$schema": "x", "required": ["z"], "properties": properties}
    told = [*refusals({"name": "a b", "inputSchema": odd}), *refusals({"name": "x"}), *refusals({"inputSchema": {}})]
    assert all(refusal.rule.who for refusal in told)
    seen = {refusal.name for refusal in told}
    elsewhere = {name for name in rules() if name.startswith(("cut", "defers", "found", "name"))}
    assert seen | elsewhere == set(rules())


def refused(schema: Any) -> list[tuple[str, str]]:
    return [(refusal.path, refusal.problem) for refusal in refusals({"inputSchema": schema})]


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_nothing_is_wrong_with_a_plain_schema() -> None:
    nested = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    inner = {"type": "object", "properties": {"b": {}}, "required": ["b"]}
    texts = [{"type": "string", "enum": ["x", "y"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]
    properties = {"a": {}, "x-y.z_1": {"type": "array", "items": {}}, "c": nested, "d": inner}
    assert refused({**an_object(**properties, e=texts[0], f=texts[1]), "required": ["a"]}) == []
    assert refused(an_object()) == []


ITEMS = "an array that does not say what its items are"


@pytest.mark.parametrize(
    ("schema", "path", "problem"),
    [
        (None, "", "there is no input schema"),
        ({"properties": {}}, "", 'its type is not "object"'),
        ({"type": "object", "additionalProperties": True}, "", "it has no properties"),
        *(({**an_object(), word: {}}, "", f"{word} stands at the top level") for word in ("anyOf", "not")),
        *(({**an_object(), word: "x"}, "", f"it uses {word}") for word in ("$schema", "additionalProperties")),
        ({**an_object(), "required": ["a"]}, "required", "'a' is required but not a property"),
        (
            an_object(**{"a b": {}}),
            "properties.a b",
            "the name of a property is not 1 to 64 of A-Z, a-z, 0-9, _, . and -",
        ),
        (an_object(**{"a" * 65: {}}), f"properties.{'a' * 65}", "the name of a property is not 1 to 64 of"),
    ],
)
def test_a_whole_schema_is_refused(schema: Any, path: str, problem: str) -> None:
    assert any(where == path and what.startswith(problem) for where, what in refused(schema))


@pytest.mark.parametrize(
    ("schema", "path", "problem"),
    [
        (True, "", "a schema that is not an object"),
        ({"$ref": "#/$defs/A"}, "", "it uses $ref"),
        ({"type": ["string", "null"]}, "", "several types in a list"),
        ({"type": "date"}, "", "'date' is not a type"),
        ({"type": "array"}, "", ITEMS),
        ({"type": "array", "items": True}, "", ITEMS),
        ({"type": "array", "items": {"type": "array"}}, ".items", ITEMS),
        ({"anyOf": [{"type": "array"}]}, ".anyOf.0", ITEMS),
        ({"type": "string", "required": []}, "", "properties or required without the type object"),
        ({"type": "integer", "enum": [1, 2]}, "", "an enum with non-string values"),
        ({"type": "string", "enum": []}, "", "an empty enum"),
        ({"type": "string", "enum": ["", "x"]}, "", "an enum with an empty string"),
        ({"enum": ["x"]}, "", "an enum without the type string"),
    ],
)
def test_a_property_is_refused(schema: Any, path: str, problem: str) -> None:
    assert (f"properties.a{path}", problem) in refused(an_object(a=schema))


@pytest.mark.parametrize("name", ["", "a b", "a/b", "größe", "a" * 65, "a.b"])
def test_a_name_that_providers_do_not_take(name: str) -> None:
    told = [one.message for one in found({**CLEAN, "name": name}) if one.code == "PD633"]
    assert [message.startswith("OpenAI and Anthropic accept ") for message in told] == [True]


_LEAF = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "string", "array", "null", "date"])
_KEYS = st.sampled_from(
    ["type", "properties", "items", "enum", "anyOf", "oneOf", "required", "$ref", "x-mcp-header", "a", "b c", "const"]
)
_JSON = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=25
)


@given(st.dictionaries(st.sampled_from(["a", "b c", "tags", "Ü", "x.y"]), _JSON, max_size=4), _JSON)
def test_a_stub_is_refused_for_nothing_that_its_server_did_not_send(properties: dict[str, Any], required: Any) -> None:
    schema = {"type": "object", "properties": properties, "required": required, "anyOf": [], "$defs": {}}
    # An object whose properties are left out says that it takes others: see the decision on pruned stubs.
    known = {problem for _, problem in refused(schema)} | {"it uses additionalProperties"}
    assert {problem for _, problem in refused(stub_schema("skeleton", schema))} <= known
    assert {problem for _, problem in refused(stub_schema("open", {**schema, "required": None}))} <= known


def test_words() -> None:
    assert words("list_open_issues getHTTPUrl v2") == ["list", "open", "issues", "get", "httpurl", "v", "2"]
    assert words("Größe --- ! 検索する") == ["größe", "検", "索", "す", "る"]
    assert words("") == []


NESTED: dict[str, Any] = {
    "name": "book",
    "description": "Book a room. Cancelling is free until noon.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "guest": {"$ref": "#/$defs/Guest"},
            "nights": {"type": "integer", "description": "How many nights to stay."},
            "extras": {"type": "array", "items": {"properties": {"kind": {"description": "breakfast or dinner"}}}},
        },
        "$defs": {"Guest": {"properties": {"passport": {"description": "Number of the passport."}}}},
    },
}


def test_a_document_holds_every_parameter_wherever_it_is_nested() -> None:
    found = document(NESTED)
    assert {"book", "guest", "nights", "extras", "kind", "breakfast", "passport", "noon"} <= set(found)


@pytest.mark.parametrize("schema", [None, [], "object", {"properties": None}, {"properties": {"a": True}}])
def test_a_schema_of_any_shape_can_be_read(schema: Any) -> None:
    assert document({"name": "odd", "inputSchema": schema})[0] == "odd"


CATALOGUE = [["red", "apple"], ["green", "apple", "tree"], ["stone"], ["stone"]]


def test_a_rare_word_weighs_more_than_a_common_one_and_an_absent_one_nothing() -> None:
    index = SearchIndex(CATALOGUE)
    assert index.scores(["red"])[0] > index.scores(["apple"])[0] > index.scores(["unheard"])[0] == 0.0
