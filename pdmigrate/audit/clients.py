"""What hosts and model providers refuse in a listed tool, beyond what the protocol says.

Each rule has cost somebody every tool of a server: providers validate the whole list, and refuse all of it for one
tool. The rules are about listings, so they hold for stubs and for full definitions alike.  ``clients.json`` says who
has a rule, where that was seen, and when; hosts change, so a rule is claimed only for its date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pdmigrate import disk
from pdmigrate.model import JsonObject, JsonValue

TYPES = ("string", "number", "integer", "boolean", "object", "array")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of ``who``, according to ``source`` (a URL) on ``date``; ``limit`` is the number in it, or 0."""

    who: str
    source: str
    date: str
    limit: int = 0


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name in ``clients.json``."""
    return {name: Rule(**told) for name, told in json.loads(disk.packaged("audit/clients.json")).items()}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A breach of the rule ``name``: ``problem`` says what is wrong at ``path`` in an input schema.

    A path is spelled ``properties.tags.items``; it is empty at the root.
    """

    path: str
    problem: str
    name: str

    @property
    def rule(self) -> Rule:
        return rules()[self.name]


def refusals(tool: JsonObject) -> Iterator[Refusal]:
    """The known breaches in the ``inputSchema`` and the name of a listed tool."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(tool.get("name", ""))):
        yield Refusal("name", "a tool's name has letters, digits, _ and -, and at most 64 of them", "name")
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        yield Refusal("", "there is no input schema", "no schema")
        return
    yield from _root(schema)
    yield from _nested(schema, "")


def _root(schema: JsonObject) -> Iterator[Refusal]:
    if schema.get("type") != "object":
        yield Refusal("", "its type is not object", "no schema")
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield Refusal("", "it has no properties", "no properties")
        properties = {}
    for word in ("anyOf", "oneOf", "allOf", "not", "enum"):
        if word in schema:
            yield Refusal("", f"{word} stands at the root", "union at the root")
    for name in properties:
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
            problem = "the name of a property is not one of ^[a-zA-Z0-9_.-]{1,64}$"
            yield Refusal(f"properties.{name}", problem, "property name")
    required = schema.get("required")
    for wanted in required if isinstance(required, list) else ():
        if wanted not in list(properties):
            yield Refusal("required", f"{wanted!r} is required but not a property", "required without property")


def _nested(schema: JsonValue, path: str) -> Iterator[Refusal]:
    if not isinstance(schema, dict):
        yield Refusal(path, "a schema that is no object", "boolean schema")
        return
    yield from _types(schema, path)
    yield from _values(schema, path)
    for word in ("$ref", "$schema", "$defs", "additionalProperties"):
        if word in schema:
            yield Refusal(path, f"it uses {word}", "reference" if word in ("$ref", "$defs") else "unknown keyword")
    properties = schema.get("properties")
    for name, value in properties.items() if isinstance(properties, dict) else ():
        yield from _nested(value, _join(path, f"properties.{name}"))
    for word in ("anyOf", "oneOf", "allOf"):
        options = schema.get(word)
        for number, option in enumerate(options if isinstance(options, list) else ()):
            yield from _nested(option, _join(path, f"{word}.{number}"))
    if "items" in schema:
        yield from _nested(schema["items"], _join(path, "items"))


def _types(schema: JsonObject, path: str) -> Iterator[Refusal]:
    kind = schema.get("type")
    if isinstance(kind, list):
        yield Refusal(path, "several types in a list", "several types")
    elif kind is not None and kind not in (*TYPES, "null"):
        yield Refusal(path, f"{kind!r} is not a type", "no such type")
    if kind == "array" and not isinstance(schema.get("items"), dict):
        yield Refusal(path, "an array that does not say what its items are", "array without items")
    if kind != "object" and path and ("properties" in schema or "required" in schema):
        yield Refusal(path, "properties of what is not an object", "properties of no object")


def _values(schema: JsonObject, path: str) -> Iterator[Refusal]:
    if "enum" not in schema:
        return
    enum = schema["enum"]
    if not isinstance(enum, list) or not enum or not all(isinstance(value, str) for value in enum):
        yield Refusal(path, "an enum of other values than strings", "enum of no strings")
    elif "" in enum:
        yield Refusal(path, "an enum with an empty string", "enum with an empty string")
    elif schema.get("type") != "string":
        yield Refusal(path, "an enum without the type string", "enum without a type")


def _join(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
