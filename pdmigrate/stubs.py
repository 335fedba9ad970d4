"""The input schema of a stub: enough to choose a tool and to make a first call, with no prose and no nesting.

The functions between the markers also stand in every generated module, for tools that are known only at run time, so
they use nothing but the standard library and each other, in lines of at most 88 characters.
"""

from __future__ import annotations

from typing import Any

STUB_SCHEMAS = ("skeleton", "open", "full")

# --- shared with the generated module: begin ---


def skeleton_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Names, types, short enums and ``required``; ``properties`` is always there."""
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    shapes = {name: _shape(value) for name, value in properties.items()}
    stub: dict[str, Any] = {"type": "object", "properties": shapes}
    if schema.get("required"):
        stub["required"] = schema["required"]
    return stub


def open_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """No declared properties, but for those that travel as HTTP headers."""
    properties = schema.get("properties")
    headers: dict[str, Any] = {}
    for name, value in properties.items() if isinstance(properties, dict) else ():
        if isinstance(value, dict) and "x-mcp-header" in value:
            headers[name] = _shape(value)
    return {"type": "object", "properties": headers}


def _shape(schema: Any) -> dict[str, Any]:
    """A property's type, its short enum, the type of an array's items: what it has."""
    if not isinstance(schema, dict):
        return {}
    union = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(union, list):
        others = [option for option in union if option != {"type": "null"}]
        return _shape(others[0]) if len(others) == 1 else {}
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [name for name in kind if name != "null"]
        kind = kinds[0] if len(kinds) == 1 else None
    shape: dict[str, Any] = {"type": kind} if isinstance(kind, str) else {}
    if kind == "array":
        # Clients reject an array whose items have no type: then it says nothing at all.
        items = _shape(schema.get("items"))
        shape = {"type": "array", "items": items} if "type" in items else {}
    enum = schema.get("enum")
    enum = enum if isinstance(enum, list) and len(str(enum)) <= 120 else [None]
    if all(isinstance(value, (str, int, float)) for value in enum):
        shape["enum"] = enum
    if "x-mcp-header" in schema:
        shape["x-mcp-header"] = schema["x-mcp-header"]
    return shape


# --- shared with the generated module: end ---


def stub_schema(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The stage-1 input schema of ``kind`` for a full ``schema``.

    Raises:
        ValueError: ``kind`` is not one of ``STUB_SCHEMAS``.
    """
    if kind == "skeleton":
        return skeleton_schema(schema)
    if kind == "open":
        return open_schema(schema)
    if kind == "full":
        return schema
    raise ValueError(f"unknown stub schema {kind!r}")
