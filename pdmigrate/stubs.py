"""The input schema of a stub: enough to choose a tool and to make a first call, with no prose and no nesting.

The functions between the markers also stand in every generated module, for tools that are known only at run time, so
they use nothing but the standard library and each other.
"""

from __future__ import annotations

from typing import Any

STUB_SCHEMAS = ("skeleton", "open", "full")

# --- shared with the generated module: begin ---


def skeleton_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Property names, types, short enums and ``required`` of a JSON Schema; ``properties`` is always there."""
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    stub: dict[str, Any] = {"type": "object", "properties": {key: _shape(value) for key, value in properties.items()}}
    if schema.get("required"):
        stub["required"] = schema["required"]
    return stub


def open_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """An object with no declared properties, but for those that travel as HTTP headers."""
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    headers = {
        key: _shape(value) for key, value in properties.items() if isinstance(value, dict) and "x-mcp-header" in value
    }
    return {"type": "object", "properties": headers}


def _shape(schema: Any) -> dict[str, Any]:
    """One property: its type, a short enum, the type of an array's items; nothing where there is no single type."""
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
        # A client rejects an array whose items have no type; without one the property says nothing of its type.
        items = _shape(schema.get("items"))
        shape = {"type": "array", "items": items} if "type" in items else {}
    enum = schema.get("enum")
    if isinstance(enum, list) and all(isinstance(value, (str, int, float)) for value in enum) and len(str(enum)) <= 120:
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
