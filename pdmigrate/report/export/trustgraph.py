"""Tools as configuration of trustgraph's agents, which know arguments by name, type and description only.

Three forms: ``tools``, one object a tool as the "MCP tool arguments" specification writes it; ``entries``, the two
configuration entries that today's releases read for each tool; ``cli``, the commands that make the same entries.
Features of an argument that have no field there go into its description, and a finding names them.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence

from pdmigrate.findings import finding
from pdmigrate.model import Finding, JsonObject, JsonValue, mapping
from pdmigrate.report.export import Exported, ExportedTool, Subject, document

FORMS = ("tools", "entries", "cli")
LOST = "PD620"

_PLAIN = ("string", "number")
"""The types that trustgraph knows."""

_NULLABLE = " null"
"""Marks a resolved schema of one type that also allows null: no keyword of JSON Schema begins with a blank."""

_ELSEWHERE = ("type", "description", "title", _NULLABLE)
"""The keywords that the form, or a word of its own, expresses."""
_EXPORTED_FIELDS = ("name", "description", "inputSchema")
_OF_OBJECTS = ("$defs", "$schema", "definitions", "description", "properties", "required", "title", "type")


def export(subject: Subject, form: str, url: str) -> Exported:
    """The tools of one server in one of ``FORMS``; ``url`` is where trustgraph reaches it."""
    names = _identifiers(subject.tools)
    findings = [found for tool in subject.tools for found in _findings(tool, names[tool.name])]
    made = {"tools": _tools, "entries": _entries, "cli": _commands}
    suffix = "sh" if form == "cli" else "json"
    return Exported({f"trustgraph.{suffix}": made[form](subject, names, url)}, tuple(findings))


def _tools(subject: Subject, names: dict[str, str], _url: str) -> str:
    return document([{"type": "mcp-tool", **_tool(tool, names)} for tool in subject.tools])


def _entries(subject: Subject, names: dict[str, str], url: str) -> str:
    entries = _values(subject, names, url)
    return document([{"type": kind, "key": key, "value": value} for kind, key, value in entries])


def _commands(subject: Subject, names: dict[str, str], url: str) -> str:
    """The command that takes any entry: ``tg-set-tool`` splits texts at their colons, and takes dashes for options."""
    lines = [
        shlex.join(["tg-put-config-item", "--type", kind, "--key", key, "--value", value])
        for kind, key, value in _values(subject, names, url)
    ]
    return "\n".join(["#!/bin/sh", "set -e", *lines]) + "\n"


def _values(subject: Subject, names: dict[str, str], url: str) -> Iterator[tuple[str, str, str]]:
    """The type, the key and the value of each entry; values are JSON in a string, as they are stored."""
    for tool in subject.tools:
        remote: JsonObject = {"remote-name": tool.name, "url": url}
        agent: JsonObject = {**_tool(tool, names), "type": "mcp-tool"}
        yield "mcp", names[tool.name], json.dumps(remote, ensure_ascii=False)
        yield "tool", names[tool.name], json.dumps(agent, ensure_ascii=False)


def _tool(tool: ExportedTool, names: dict[str, str]) -> JsonObject:
    key = names[tool.name]
    arguments: list[JsonValue] = [argument for argument, _ in _arguments(tool)]
    return {"name": key, "description": tool.description, "mcp-tool": key, "arguments": arguments}


def _identifiers(tools: Sequence[ExportedTool]) -> dict[str, str]:
    """A unique identifier for each tool, by which an agent can call it; a name that is one stays as it is."""
    plain = {tool.name: re.sub(r"\W", "_", tool.name, flags=re.ASCII) for tool in tools}
    plain = {name: f"_{made}" if made[:1].isdigit() or not made else made for name, made in plain.items()}
    taken = {name: made for name, made in plain.items() if name == made}
    for name, made in plain.items():
        free = made
        while name not in taken and free in taken.values():
            free += "_"
        taken.setdefault(name, free)
    return taken


def _arguments(tool: ExportedTool) -> list[tuple[JsonObject, list[str]]]:
    """The arguments, each with the features of its schema that the form has no field for."""
    schema, required = tool.schema, tool.schema.get("required")
    wanted = required if isinstance(required, list) else []
    items = mapping(schema.get("properties")).items()
    return [_argument(name, _resolved(value, schema), schema, required=name in wanted) for name, value in items]


def _argument(name: str, schema: JsonObject, root: JsonObject, *, required: bool) -> tuple[JsonObject, list[str]]:
    kind = _kind(schema)
    whole = kind in (*_PLAIN, "integer", "boolean")
    # Of other types the description holds the schema itself.
    shown = [key for key in schema if key not in _ELSEWHERE and (whole or key == "default")]
    features = [
        *([(_spelled(schema, kind, root), f"the type {kind}")] if kind not in _PLAIN else []),
        *([("optional", "that it is optional")] if not required else []),
        *((f"{key} {_text(schema[key])}", f"its {key}") for key in shown),
        *([("may be null", "that it may be null")] if _NULLABLE in schema else []),
    ]
    said, lost = [told for told, _ in features], [what for _, what in features]
    description = schema.get("description")
    told = description.strip() if isinstance(description, str) else ""
    more = f"({'; '.join(said)})" if said else ""
    form = kind if kind in _PLAIN else "number" if kind == "integer" else "string"
    return {"name": name, "type": form, "description": " ".join(part for part in (told, more) if part)}, lost


def _kind(schema: JsonObject) -> str:
    """The only type besides null that a value may have; ``JSON`` if there is none, or several."""
    kind = schema.get("type")
    if isinstance(kind, list):
        others = [one for one in kind if one != "null"]
        kind = others[0] if len(others) == 1 else None
    return kind if isinstance(kind, str) else "JSON"


def _spelled(schema: JsonObject, kind: str, root: JsonObject) -> str:
    """How to write a value of a type that the form does not know."""
    items = schema.get("items")
    if kind in ("integer", "boolean"):
        return kind
    if kind == "array" and isinstance(items, dict) and items.keys() <= {"type", "title"}:
        return f"JSON array of {items.get('type', 'anything')}"
    without = ("description", "title", "default", _NULLABLE)
    shape = {key: value for key, value in schema.items() if key not in without}
    if "$ref" in json.dumps(shape) and "$defs" in root:
        shape["$defs"] = root["$defs"]
    return f"JSON matching {_text(shape)}" if shape.keys() - {"type"} else f"JSON {kind}".replace("JSON JSON", "JSON")


def _resolved(schema: JsonValue, root: JsonObject) -> JsonObject:
    """A property's schema with its reference, or its only option besides null, resolved; its other keywords win."""
    found = mapping(schema)
    nullable = False
    for _ in range(_DEEPEST):
        options = found.get("anyOf", found.get("oneOf"))
        kinds = found.get("type")
        nullable |= {"type": "null"} in options if isinstance(options, list) else False
        nullable |= "null" in kinds if isinstance(kinds, list) else False
        step = next((key for key in ("$ref", "anyOf", "oneOf", "allOf") if key in found), None)
        inner = _inside(found, step, root) if step else None
        if inner is None:
            break
        found = {**inner, **{key: value for key, value in found.items() if key != step}}
    # If several types are left, the shape in the description shows that null is one of them.
    return {**found, _NULLABLE: True} if nullable and _kind(found) != "JSON" else found


_DEEPEST = 20
"""The most steps from reference to reference; more of them are a cycle."""


def _inside(schema: JsonObject, step: str, root: JsonObject) -> JsonObject | None:
    """The target of a reference, or the only option of a union besides null; ``None`` if there are several."""
    value = schema[step]
    if isinstance(value, list):
        options = [option for option in value if option != {"type": "null"}]
        return options[0] if len(options) == 1 and isinstance(options[0], dict) else None
    target: JsonValue = root
    for part in str(value).removeprefix("#/").split("/"):
        target = target.get(part) if isinstance(target, dict) else None
    return target if isinstance(target, dict) else None


def _findings(tool: ExportedTool, name: str) -> Iterator[Finding]:
    if name != tool.name:
        yield _lost(tool, f'"{tool.name}" is not a name that an agent can call; it is called {name} there')
    for argument, lost in _arguments(tool):
        if lost:
            yield _lost(tool, f'"{argument["name"]}" of "{tool.name}": its description says {", ".join(lost)}')
    left = [key for key in (*tool.definition, *tool.words) if key not in _EXPORTED_FIELDS]
    if left:
        yield _lost(tool, f'{", ".join(left)} of "{tool.name}": left out')
    if whole := [key for key in tool.schema if key not in _OF_OBJECTS]:
        yield _lost(tool, f'{", ".join(whole)} of the input schema of "{tool.name}": left out')


def _lost(tool: ExportedTool, message: str) -> Finding:
    return finding(LOST, message, site=tool.site, tool=tool.name)


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
