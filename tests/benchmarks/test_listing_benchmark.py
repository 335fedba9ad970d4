"""The benchmark of recorded listings: what it counts, and what it says of a folder without any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.listing.keywords import KEYWORDS, changed, costs
from benchmarks.listing.measuring import measure
from pdmigrate.audit.tokens import Estimate
from pdmigrate.runtime.stubs import skeleton_schema

ROOT = Path(__file__).parents[2]


def tool(name: str, description: str, **parameters: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "additionalProperties": False},
        "annotations": {"readOnlyHint": True},
    }


TOOLS = [
    tool(f"read_{place}", f"Read one thing. It lives in the {place} and nowhere else.", key="The key to look it up by.")
    for place in ("attic", "cellar", "garden", "kitchen", "library", "stable", "tower", "vault")
]


def test_every_form_is_measured_against_the_same_questions() -> None:
    measured = measure(TOOLS, Estimate())
    assert {value.questions for value in measured.values()} == {len(TOOLS)}
    full = measured["full", ""]
    assert full.found == len(TOOLS)
    assert full.refused == len(TOOLS)
    for form in ("skeleton", "open"):
        cheapest, plain, made = (measured[form, text] for text in ("no words", "first sentence", "summary"))
        assert cheapest.tokens < plain.tokens <= made.tokens < full.tokens
        assert made.found >= plain.found
        assert made.refused == 0


# --- what each keyword costs ------------------------------------------------------------------------------------------

RICH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "plain": {"type": "string"},
        "count": {"type": "integer", "default": 10},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "listed": {"type": ["string", "null"]},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "many": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object", "additionalProperties": True},
        "there": {"$ref": "#/$defs/There"},
        "region": {"type": "string", "x-mcp-header": "Region"},
        "default": {"type": "string"},
    },
    "required": ["plain"],
    "$defs": {"There": {"type": "boolean"}},
}


def without(name: str) -> Any:
    """The properties of the stub that leaving a keyword out makes shorter."""
    change, before = KEYWORDS[name]
    stub = skeleton_schema(RICH)
    shorter = skeleton_schema(changed(RICH, change)) if before else changed(stub, change)
    assert list(shorter["properties"]) == list(stub["properties"])
    return {key: part for key, part in shorter["properties"].items() if part != stub["properties"][key]}


def test_a_keyword_is_left_out_where_it_stands_and_nowhere_else() -> None:
    assert without("`default`") == {"count": {"type": "integer"}}
    assert without("null, as a choice") == {
        "maybe": {"type": "string"},
        "listed": {"type": "string"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    }
    assert without("unions of other types") == {"either": {}}
    assert without("`enum` and `const`") == {"kind": {"type": "string"}}
    assert without("`items`") == {"many": {"type": "array"}}
    assert without("`additionalProperties`") == {"map": {"type": "object"}}
    assert without("what `$ref` and `allOf` lead to") == {"there": {}}
    assert without("`x-mcp-header`") == {"region": {"type": "string"}}
    assert without("`required`") == {}


def test_every_keyword_of_a_rich_listing_costs_something_in_one_tool() -> None:
    listing = [{"name": "rich", "description": "Do it.", "inputSchema": RICH}, *TOOLS]
    found = costs({"house": listing}, Estimate())
    assert {name: cost.tools for name, cost in found.items()} == dict.fromkeys(KEYWORDS, 1)
    assert all(cost.tokens > 0 for cost in found.values())
