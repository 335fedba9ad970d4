"""Search over a catalogue: what counts as a word, what a stub leaves out, who is found first."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.questions import share_in_top, texts_missing_from
from pdmigrate.audit.search import SearchIndex, document, words


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


def test_removed_is_what_the_summary_does_not_say() -> None:
    left_out = texts_missing_from(NESTED, "Book a room.")
    assert left_out == [
        "Cancelling is free until noon.",
        "How many nights to stay.",
        "breakfast or dinner",
        "Number of the passport.",
    ]
    assert texts_missing_from({"name": "a", "description": "Book a room."}, "Book a room.") == []


CATALOGUE = [["red", "apple"], ["green", "apple", "tree"], ["stone"], ["stone"]]


@pytest.mark.parametrize(
    ("query", "number", "top", "share"),
    [(["red"], 0, 1, 1.0), (["stone"], 2, 1, 0.5), (["stone"], 2, 2, 1.0), (["red"], 1, 5, 0.0), ([], 1, 5, 0.0)],
)
def test_share_in_top(query: list[str], number: int, top: int, share: float) -> None:
    assert share_in_top(SearchIndex(CATALOGUE), query, number, top) == share


def test_a_rare_word_weighs_more_than_a_common_one_and_an_absent_one_nothing() -> None:
    index = SearchIndex(CATALOGUE)
    assert index.scores(["red"])[0] > index.scores(["apple"])[0] > index.scores(["unheard"])[0] == 0.0
