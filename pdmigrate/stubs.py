"""The input schema of a stub: enough to choose a tool and to make a first call, with no prose and no nesting.

The functions between the markers also stand in every generated module, for tools that are known only at run time, so
they use nothing but the standard library and each other, in lines of at most 88 characters.
"""

from __future__ import annotations

import re
from typing import Any

STUB_SCHEMAS = ("skeleton", "open", "full")

# --- shared with the generated module: begin ---


def skeleton_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Names, types, short enums and ``required``; ``properties`` is always there."""
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    shapes = {key: _shape(value) for key, value in properties.items() if _accepted(key)}
    stub: dict[str, Any] = {"type": "object", "properties": shapes}
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    if required := [name for name in required if name in list(shapes)]:
        stub["required"] = required
    return stub


def open_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """No declared properties, but for those that travel as HTTP headers."""
    return {"type": "object", "properties": _headers(schema)}


def _headers(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties that travel as HTTP headers, and those on the way to them."""
    properties = schema.get("properties")
    found: dict[str, Any] = {}
    for name, value in properties.items() if isinstance(properties, dict) else ():
        shape = _shape(value) if _accepted(name) else {}
        if "x-mcp-header" in shape or "properties" in shape:
            found[name] = shape
    return found


def _accepted(name: str) -> bool:
    """Whether providers take such a property: one that they refuse costs all tools."""
    return re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) is not None


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
    known = ("string", "number", "integer", "boolean", "object", "array", "null")
    shape: dict[str, Any] = {"type": kind} if kind in known else {}
    if kind == "array":
        # Clients reject an array whose items have no type: then it says nothing at all.
        items = _shape(schema.get("items"))
        shape = {"type": "array", "items": items} if "type" in items else {}
    enum = schema.get("enum")
    enum = enum if isinstance(enum, list) and len(str(enum)) <= 120 else []
    # Some providers take no values but strings, and no empty one, and want their type.
    texts = [value for value in enum if value and isinstance(value, str)]
    if texts and texts == enum and kind in (None, "string"):
        shape |= {"type": "string", "enum": texts}
    if "x-mcp-header" in schema:
        shape["x-mcp-header"] = schema["x-mcp-header"]
    if kind == "object" and (headers := _headers(schema)):
        shape["properties"] = headers
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
