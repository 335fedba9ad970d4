"""The input schema of a stub: the tool's own, pruned.

What is left stands as the server wrote it: a host that coped with the full schema copes with this one, and no call that
was valid is invalid now.  Two keywords are worded otherwise, because what goes beside them would change what they mean:
``oneOf`` is ``anyOf``, as branches may be alike without their details, and an object that loses nested properties says
that it takes others, as converters to strict schemas would close it.

The functions between the markers also stand in every generated module, for tools that are known only at run time, so
they use nothing but the standard library and each other, in lines of at most 88 characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

Json = dict[str, Any]

STUB_SCHEMAS = ("skeleton", "open", "full")

# --- shared with the generated module: begin ---

# The keywords that stay as they are, if their JSON has at most so many characters.
_STAY = {"type": 120, "enum": 120, "const": 120, "default": 40, "x-mcp-header": 120}


def skeleton_schema(schema: Json) -> Json:
    """``schema`` without prose, bounds and nested properties; the rest as it is."""
    return {"type": "object", "properties": {}, **_pruned(schema, schema, (), True)}


def open_schema(schema: Json) -> Json:
    """No declared properties, but for those that travel as HTTP headers."""
    headers = _pruned(schema, schema, (), False).get("properties", {})
    return {"type": "object", "properties": headers}


def _pruned(schema: Any, root: Json, seen: tuple[str, ...], whole: bool) -> Json:
    """What a stub keeps of a schema in ``root``: all its properties if ``whole``."""
    shape: Json = {}
    for part, way in _parts(schema, root, seen):
        for key, most in _STAY.items():
            # Whoever sees no default sends null, so a default of null says nothing.
            if part.get(key) is not None and len(json.dumps(part[key])) <= most:
                shape[key] = part[key]
        for union in (_at(part, "oneOf", list), _at(part, "anyOf", list)):
            branches = [_pruned(one, root, way, whole) for one in union]
            if any(branches):  # each once: without their details some are alike
                unlike = {json.dumps(branch): branch for branch in branches}
                shape["anyOf"] = [*unlike.values()]
        if isinstance(part.get("items"), dict) and "prefixItems" not in part:
            shape["items"] = _pruned(part["items"], root, way, False)
        own = _at(part, "properties", dict)
        if kept := [name for name in own if whole or _has_header(own[name])]:
            inner = {name: _pruned(own[name], root, way, False) for name in kept}
            shape["properties"] = {**shape.get("properties", {}), **inner}
        if part.get("additionalProperties", False) is not False or (own and not whole):
            shape["additionalProperties"] = True
        if whole and (required := _at(part, "required", list)):
            asked = shape.get("required", [])
            shape["required"] = [*asked, *(n for n in required if n not in asked)]
    return shape


def _parts(schema: Any, root: Json, seen: tuple[str, ...]) -> Iterable[Any]:
    """What a schema is made of, itself last, each with the references on the way."""
    for part in _at(schema, "allOf", list):
        yield from _parts(part, root, seen)
    if ref := _at(schema, "$ref", str):
        target = root if ref.partition("/")[0] == "#" else {}
        for key in ref.split("/")[1:]:
            key = unquote(key).replace("~1", "/").replace("~0", "~")
            target = _at(target, key, dict)
        if ref in seen:  # a cycle ends in its type
            target = {key: target[key] for key in target if key == "type"}
        yield from _parts(target, root, (*seen, ref))
    if isinstance(schema, dict):
        yield schema, seen


def _has_header(schema: Any) -> bool:
    """Whether a property travels as an HTTP header, or leads to one that does."""
    inner = _at(schema, "properties", dict).values()
    return bool(_at(schema, "x-mcp-header", str)) or any(map(_has_header, inner))


def _at(schema: Any, key: str, kind: Any) -> Any:
    """The value of a keyword, if it is of the right kind; else an empty one."""
    value = schema.get(key) if isinstance(schema, dict) else None
    return value if isinstance(value, kind) else kind()


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
