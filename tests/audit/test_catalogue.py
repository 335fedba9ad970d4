"""The forms in which a saved listing may come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pdmigrate.audit import from_listing
from pdmigrate.errors import UsageError
from tests.audit.listings import tool

TOOLS = [tool("edit"), tool("find")]
ABOUT = {"serverInfo": {"name": "notes", "version": "1"}, "instructions": "Edit with care."}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TOOLS, "saved"),
        ({"tools": TOOLS}, "saved"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}}, "saved"),
        ({"initialize": ABOUT, "tools": TOOLS}, "notes"),
        ({"initialize": ABOUT, "tools/list": {"tools": TOOLS}}, "notes"),
    ],
)
def test_every_usual_form_is_the_same_catalogue(content: Any, name: str) -> None:
    catalogue = from_listing(json.dumps(content), "saved")
    assert (catalogue.name, list(catalogue.tools)) == (name, TOOLS)
    assert catalogue.instructions == ("Edit with care." if name == "notes" else None)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"tools": 3}', '["edit"]', '[{"name": 3}]'])
def test_what_is_no_listing_is_refused_with_the_form_that_is_wanted(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        from_listing(text, "saved")
    assert "listing" in refused.value.message
    assert '{"tools": [...]}' in refused.value.hint
