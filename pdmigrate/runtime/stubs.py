"""The input schema of a stub: the tool's own, pruned.

All that is kept stands as the server wrote it: a host that copes with the full schema copes with the pruned one, and
every valid call stays valid.  Two keywords change, because without the pruned keywords they would mean something else:
``oneOf`` becomes ``anyOf``, since pruned branches may be alike, and an object that loses nested properties gets
``additionalProperties: true``, since converters to strict schemas would close it.

The functions between the markers also stand in every generated module, for tools that are known only at run time, so
they use only the standard library and each other, in lines of at most 88 characters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

Json = dict[str, Any]

# --- shared with the generated module: begin ---

# The keywords that stay as they are, and how long the ``repr`` of their values may be.
_STAY = {"type": 120, "enum": 120, "const": 120, "default": 40, "x-mcp-header": 120}


def skeleton_schema(schema: Json) -> Json:
    """``schema`` without prose, bounds and nested properties; the rest as it is."""
    return {"type": "object", "properties": {}, **_pruned(schema, schema, True)}


def open_schema(schema: Json) -> Json:
    """No declared properties, but for those that travel as HTTP headers."""
    headers = _pruned(schema, schema, False).get("properties", {})
    return {"type": "object", "properties": headers}


def _pruned(schema: Any, root: Json, whole: bool, seen: tuple[str, ...] = ()) -> Json:
    """What a stub keeps: all properties if ``whole``, else only those of headers."""
    if not hasattr(schema, "get"):  # true and false are schemas, too
        return {}
    kept: Json = {}
    if ref := _at(schema, "$ref", str):
        target, seen = _referred(ref, root, seen), (*seen, ref)
        kept = _pruned(target, root, whole, seen)
    # Whoever sees no default sends null, so a default of null says nothing.
    said = {key: schema[key] for key in _STAY if schema.get(key) is not None}
    kept |= {key: said[key] for key in said if len(repr(said[key])) <= _STAY[key]}
    for key in ("allOf", "oneOf", "anyOf"):
        branches = [_pruned(one, root, whole, seen) for one in _at(schema, key, list)]
        if any(branches):  # pruned, they may be alike, and oneOf allows only one match
            different = {repr(branch): branch for branch in branches}
            kept[key.replace("oneOf", "anyOf")] = [*different.values()]
    if len(kept.get("allOf", ())) == 1:
        kept = kept.pop("allOf")[0] | kept
    if isinstance(schema.get("items"), dict) and "prefixItems" not in schema:
        kept["items"] = _pruned(schema["items"], root, False, seen)
    for name, one in (own := _at(schema, "properties", dict)).items():
        if whole or "'x-mcp-header': " in repr(one):
            kept.setdefault("properties", {})[name] = _pruned(one, root, False, seen)
    if (own and not whole) or schema.get("additionalProperties", False) is not False:
        kept["additionalProperties"] = True
    if whole and _at(schema, "required", list):
        kept["required"] = schema["required"]
    return kept


def _referred(ref: str, root: Json, seen: tuple[str, ...]) -> Json:
    """What a reference names: in a cycle its type alone, outside ``root`` nothing."""
    target = root if ref.partition("/")[0] == "#" else {}
    for key in ref.split("/")[1:]:
        key = unquote(key).replace("~1", "/").replace("~0", "~")
        target = _at(target, key, dict)
    return {key: target[key] for key in target if key == "type" or ref not in seen}


def _at(schema: Json, key: str, kind: Any) -> Any:
    """The value of a keyword, if it is of the right kind; else an empty one."""
    return value if isinstance(value := schema.get(key), kind) else kind()


# --- shared with the generated module: end ---


STUB_SCHEMAS: Mapping[str, Callable[[Json], Json]] = {
    "skeleton": skeleton_schema,
    "open": open_schema,
    "full": lambda schema: schema,
}


def stub_schema(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The stage-1 input schema for a full ``schema``; ``kind`` is one of ``STUB_SCHEMAS``."""
    return STUB_SCHEMAS[kind](schema)
