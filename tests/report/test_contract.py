"""The machine-readable extraction: its exact shape, and its schema."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from pdmigrate.model import Inventory
from pdmigrate.report.contract import finding_json, inventory_json
from tests.report.samples import HERE, INVENTORY, NOWHERE, SERVER

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "extract-json.schema.json").read_text(encoding="utf-8"))


def check(document: object) -> None:
    Draft202012Validator(SCHEMA).validate(document)


def test_an_inventory_is_written_in_the_shape_of_the_contract() -> None:
    document: Any = inventory_json(INVENTORY)
    check(document)
    (server,) = document.pop("servers")
    tools = server.pop("tools")
    assert server == {
        "dialect": "mcp1-lowlevel",
        "file": "pkg/server.py",
        "line": 31,
        "name": "sqlite",
        "sdk": {"package": "mcp", "version": "1.30.0", "pydantic": "2.14.3", "basis": "lock"},
        "complete": "add_tool is called with a value that is not known",
    }
    assert [tool["definition"] for tool in tools] == [tool.definition for tool in SERVER.tools]
    assert list(tools[0]["definition"]) == ["name", "description", "inputSchema", "x-extra"]  # in wire order
    found = {"code": "PD101", "severity": "error", "message": "this is odd"}
    assert tools[1] == {
        "definition": {"name": "convert_time"},
        "unknown": [
            {"field": "description", "path": "", "reason": "read from a file", "code": "PD101"},
            {
                "field": "inputSchema",
                "path": "properties.tz.default",
                "reason": "depends on the platform",
                "code": "PD102",
            },
        ],
        "conditional": "listed only when DEBUG is set",
        "owner": "code",
        "site": {"file": "pkg/server.py", "line": 50},
        "findings": [{**found, "hint": "fix the syntax, or exclude the file", "file": "pkg/server.py", "line": 51}],
    }
    assert document == {"version": 1, "findings": [finding_json(HERE), finding_json(NOWHERE)]}
    assert (finding_json(NOWHERE)["file"], finding_json(NOWHERE)["line"]) == (None, None)


def test_a_server_without_a_reason_is_complete() -> None:
    whole = dataclasses.replace(SERVER, incomplete=None, name=None, tools=())
    document: Any = inventory_json(Inventory((whole,), ()))
    check(document)
    assert document["servers"][0]["complete"] is True
    assert document["servers"][0]["name"] is None


def tool(document: Any) -> Any:
    return document["servers"][0]["tools"][1]


BREAKAGES: dict[str, Callable[[Any], object]] = {
    "another version": lambda d: d.update(version=2),
    "complete is false": lambda d: d["servers"][0].update(complete=False),
    "a basis nobody knows": lambda d: d["servers"][0]["sdk"].update(basis="guess"),
    "an unknown without a reason": lambda d: tool(d)["unknown"][0].update(reason=""),
    "a file without a line": lambda d: d["findings"][0].update(line=None),
}


@pytest.mark.parametrize("case", BREAKAGES)
def test_the_schema_refuses(case: str) -> None:
    document = copy.deepcopy(inventory_json(INVENTORY))
    BREAKAGES[case](document)
    with pytest.raises(ValidationError):
        check(document)


def test_the_schema_is_one_and_the_documentation_describes_its_fields() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = (DOCS / "extract-json.md").read_text(encoding="utf-8")
    assert {name for name in properties(SCHEMA) if f"`{name}`" not in text} == set()


def properties(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {name for item in schema for name in properties(item)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {}))
    return own | {name for item in schema.values() for name in properties(item)}


def test_tools_that_only_other_settings_list_stand_apart() -> None:
    tools = tuple(dataclasses.replace(tool, optional=index == 0) for index, tool in enumerate(SERVER.tools))
    server = dataclasses.replace(SERVER, tools=tools, incomplete=None)
    document: Any = inventory_json(Inventory((server,), ()))
    check(document)
    found = document["servers"][0]
    assert [len(found["optional"]), len(found["tools"])] == [1, len(tools) - 1]
    assert isinstance(found["complete"], str)
    plain: Any = inventory_json(INVENTORY)
    assert all("optional" not in item for item in plain["servers"])
