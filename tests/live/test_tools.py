"""What becomes of a tool when the running server is asked, by what source and wire say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.model import Field, Fixed, JsonObject, JsonValue, Known, Movable, Sdk, Server, Site, Span, Tool, Unknown
from pdmigrate.project.witnessing import Compared, compare

SITE = Site("server.py", 3)
SPAN = Span("server.py", 0, 1)
SCHEMA: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
OPEN = Unknown("it is read from the environment", "PD301")


def tool(name: str | None = "one", conditional: str | None = None, **fields: Field | JsonValue) -> Tool:
    known = {key: value if isinstance(value, (Known, Unknown)) else Known(value) for key, value in fields.items()}
    named: dict[str, Field] = {"name": Known(name) if name else OPEN, **known}
    return Tool(named, SITE, Movable({"description": SPAN}), conditional)


def compared(*tools: Tool, live: list[JsonObject], files: dict[str, DescriptionFile] | None = None) -> Compared:
    anchor = Fixed("not in this test", "PD502")
    server = Server("mcp1-lowlevel", SITE, "demo", Sdk("mcp", "1.30.0", "given"), anchor, tools, "a filter")
    return compare(server, live, files or {})


def codes(result: Compared) -> list[str]:
    return [found.code for found in result.findings]


AGREED: list[tuple[JsonValue, JsonValue]] = [
    ({"a": 1, "b": [1.0]}, {"b": [1], "a": 1.0}),
    (None, None),
    ({"a": {"b": True}}, {"a": {"b": True}}),
]
DIFFERENT: list[tuple[JsonValue, JsonValue]] = [
    *((True, 1), ({"a": 0}, {"a": False}), ([1, 2], [2, 1]), ("x", "x "), ({}, [])),
    *(({"a": 1}, {"a": 1, "b": None}), ({"a": 1, "b": None}, {"a": 1})),
]


@pytest.mark.parametrize(("source", "wire"), AGREED)
def test_what_both_say_stays_as_source_has_it(source: JsonValue, wire: JsonValue) -> None:
    result = compared(tool(inputSchema=source), live=[{"name": "one", "inputSchema": wire}])
    field = result.server.tools[0].fields["inputSchema"]
    assert (field.basis, codes(result)) == ("both", [])
    assert isinstance(result.server.tools[0].declaration, Movable)


@pytest.mark.parametrize(("source", "wire"), DIFFERENT)
def test_where_source_and_wire_differ_the_wire_is_taken(source: JsonValue, wire: JsonValue) -> None:
    result = compared(tool(inputSchema=source), live=[{"name": "one", "inputSchema": wire}])
    told = result.server.tools[0]
    assert repr(told.definition["inputSchema"]) == repr(wire)
    assert (codes(result), told.fields["inputSchema"].steps[-1].text) == (["PD332"], "listed by the running server")
    assert told.declaration.code == "PD332"


INDENTED = "One.\n\n    More.\n        Most.\n    "
STRIPPED = "One.\n\nMore.\n    Most.\n"


@pytest.mark.parametrize(("source", "wire"), [(INDENTED, STRIPPED), (STRIPPED, INDENTED), (INDENTED, INDENTED)])
def test_a_docstring_is_the_same_whichever_python_sends_it(source: str, wire: str) -> None:
    made = replace(tool(description=source, inputSchema=SCHEMA), declaration=Fixed("made from a function", "PD324"))
    result = compared(made, live=[{"name": "one", "description": wire, "inputSchema": SCHEMA}])
    assert result.server.tools[0].definition["description"] == source
    assert codes(result) == []


@pytest.mark.parametrize(
    ("source", "wire", "literal"),
    [
        pytest.param(INDENTED, STRIPPED, True, id="a literal is no docstring"),
        pytest.param(INDENTED, STRIPPED.replace("Most", "Least"), False, id="another word"),
        pytest.param(INDENTED, STRIPPED.replace("    ", ""), False, id="all indentation is gone"),
        pytest.param(INDENTED, STRIPPED.strip(), False, id="cleaned at the end as well"),
        pytest.param("One.", "One. ", False, id="more white space"),
    ],
)
def test_other_texts_differ(source: str, wire: str, literal: bool) -> None:
    made = tool(description=source, inputSchema=SCHEMA)
    made = made if literal else replace(made, declaration=Fixed("made from a function", "PD324"))
    result = compared(made, live=[{"name": "one", "description": wire, "inputSchema": SCHEMA}])
    assert result.server.tools[0].definition["description"] == wire
    assert codes(result) == ["PD332"]


def test_a_field_that_source_does_not_settle_is_settled() -> None:
    result = compared(
        tool(description=OPEN, inputSchema=SCHEMA, title=OPEN),
        live=[{"name": "one", "description": "One.", "inputSchema": SCHEMA}],
    )
    assert result.server.tools[0].definition == {"name": "one", "description": "One.", "inputSchema": SCHEMA}
    assert result.server.tools[0].exact
    assert codes(result) == ["PD333"]
    assert "description and title" in result.findings[0].message


@pytest.mark.parametrize(
    ("sources", "wire", "kind"),
    [
        ({"inputSchema": SCHEMA}, {"inputSchema": SCHEMA, "title": "One"}, Movable),  # a title is no part of what moves
        ({"description": "One.", "inputSchema": SCHEMA}, {"inputSchema": SCHEMA}, Fixed),
    ],
    ids=["not in source", "not sent"],
)
def test_a_field_that_one_of_them_lacks_is_as_it_is_sent(sources: JsonObject, wire: JsonObject, kind: type) -> None:
    result = compared(tool(**sources), live=[{"name": "one", **wire}])
    assert result.server.tools[0].definition == {"name": "one", **wire}
    assert codes(result) == ["PD332"]
    assert isinstance(result.server.tools[0].declaration, kind)


def test_tools_stand_in_the_order_of_the_wire_and_the_list_is_complete() -> None:
    live: list[JsonObject] = [{"name": name, "inputSchema": {}} for name in ("three", "two", "one")]
    result = compared(tool("one", inputSchema={}), tool("two", inputSchema={}), tool("gone"), live=live)
    assert [each.name for each in result.server.tools] == ["three", "two", "one", "gone"]
    assert str(result.server.incomplete).endswith("source leaves it open: a filter")
    assert sorted(codes(result)) == ["PD330", "PD331"]
    assert result.server.tools[0].declaration.code == "PD330"


def test_a_tool_that_is_not_listed_is_kept_as_conditional() -> None:
    result = compared(tool("one"), tool("two", conditional="only when x"), live=[])
    assert [each.conditional for each in result.server.tools] == [
        "the running server 'demo' does not list it",
        "only when x",
    ]
    assert codes(result) == ["PD331", "PD338"]
    assert "it is conditional: only when x" in result.findings[1].message
    listed = compared(tool("one", conditional="only when x"), tool(None), live=[{"name": "one"}, {"name": "two"}])
    assert [each.name for each in listed.server.tools] == ["one", "two"]
    assert (listed.server.tools[0].conditional, codes(listed)) == ("only when x", ["PD330"])


def test_lists_that_break_the_protocol_are_named() -> None:
    live: list[JsonObject] = [{"name": "one", "title": "1"}, {"name": "one", "title": "2"}, {"title": "3"}, {"name": 4}]
    result = compared(live=live)
    assert [each.definition for each in result.server.tools] == [{"name": "one", "title": "1"}]
    assert codes(result) == ["PD336", "PD336", "PD336", "PD330"]


def test_a_definition_that_moved_is_held_against_its_file() -> None:
    stub = tool(description="Short.", inputSchema={"type": "object"}, annotations={"readOnlyHint": True})
    full: JsonObject = {"name": "one", "description": "Long.", "inputSchema": SCHEMA}
    file = DescriptionFile("tool_descriptions/one.json", {**full, "owner": "file", "summary": "Short."})
    same = compared(stub, live=[{**full, "annotations": {"readOnlyHint": True}}], files={"one": file})
    assert codes(same) == []
    assert same.server.tools[0].definition["description"] == "Short.", "the code's stub stays what the code says"
    others: list[JsonObject] = [{**full, "description": "Old."}, {"name": "one", "description": "Long."}]
    for other in others:
        assert "PD335" in codes(compared(stub, live=[other], files={"one": file}))
    code = DescriptionFile(file.path, {**file.data, "owner": "code"})
    assert "PD335" not in codes(compared(stub, live=[full], files={"one": code}))
