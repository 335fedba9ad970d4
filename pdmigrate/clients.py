"""What hosts and model providers refuse in a listed tool, beyond what the protocol says.

Each rule has cost somebody every tool of a server: providers validate the whole list and refuse all of it for one.
The rules are those of a listing, so they hold for stubs and for full definitions alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pdmigrate.model import JsonObject, JsonValue

TYPES = ("string", "number", "integer", "boolean", "object", "array")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A place in an input schema (``properties.tags.items``; empty: its root), what is wrong there, and for whom."""

    path: str
    problem: str
    who: str


def refusals(tool: JsonObject) -> Iterator[Refusal]:
    """What is known to be refused in the ``inputSchema`` and the name of a listed tool."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(tool.get("name", ""))):
        yield Refusal("name", "a tool's name has letters, digits, _ and -, and at most 64 of them", "OpenAI, Anthropic")
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        yield Refusal("", "there is no input schema", "every client")
        return
    yield from _root(schema)
    yield from _nested(schema, "")


def _root(schema: JsonObject) -> Iterator[Refusal]:
    if schema.get("type") != "object":
        yield Refusal("", "its type is not object", "every client")
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        # github/copilot-cli#1825, inboxapi/cli#106, openai-agents-python#454
        yield Refusal("", "it has no properties", "OpenAI, Copilot CLI, Codex")
        properties = {}
    for word in ("anyOf", "oneOf", "allOf", "not", "enum"):
        if word in schema:
            # anomalyco/opencode#47543, claude-code#40075
            yield Refusal("", f"{word} stands at the root", "Anthropic, OpenAI")
    for name in properties:
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
            # freee-mcp#15, claude-code#34771
            yield Refusal(
                f"properties.{name}", "the name of a property is not one of ^[a-zA-Z0-9_.-]{1,64}$", "Anthropic"
            )
    required = schema.get("required")
    for wanted in required if isinstance(required, list) else ():
        if wanted not in list(properties):
            # mcp-obsidian#105
            yield Refusal("required", f"{wanted!r} is required but not a property", "Gemini")


def _nested(schema: JsonValue, path: str) -> Iterator[Refusal]:
    if not isinstance(schema, dict):
        # promptfoo#5960
        yield Refusal(path, "a schema that is no object", "OpenAI")
        return
    yield from _types(schema, path)
    yield from _values(schema, path)
    for word in ("$ref", "$schema", "$defs", "additionalProperties"):
        if word in schema:
            # opencode#11889, cuplivo/cuplivo#506
            yield Refusal(path, f"it uses {word}", "Gemini")
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
        # 5ire#218
        yield Refusal(path, "several types in a list", "Gemini")
    elif kind is not None and kind not in (*TYPES, "null"):
        yield Refusal(path, f"{kind!r} is not a type", "every client")
    if kind == "array" and not isinstance(schema.get("items"), dict):
        # microsoft/vscode#248810
        yield Refusal(path, "an array that does not say what its items are", "VS Code, OpenAI")
    if kind != "object" and path and ("properties" in schema or "required" in schema):
        # opencode#11889
        yield Refusal(path, "properties of what is not an object", "Gemini")


def _values(schema: JsonObject, path: str) -> Iterator[Refusal]:
    if "enum" not in schema:
        return
    enum = schema["enum"]
    if not isinstance(enum, list) or not enum or not all(isinstance(value, str) for value in enum):
        # azure-devops-mcp#139, CLIProxyAPI#1076
        yield Refusal(path, "an enum of other values than strings", "Gemini")
    elif "" in enum:
        # mcp-server-excel#607
        yield Refusal(path, "an enum with an empty string", "Gemini")
    elif schema.get("type") != "string":
        # gemini-cli#4400
        yield Refusal(path, "an enum without the type string", "Gemini")


def _join(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
