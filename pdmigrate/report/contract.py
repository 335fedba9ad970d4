"""The machine-readable form of an extraction: ``pdmigrate extract --format json``.

It is a contract with a version of its own; ``docs/extract-json.md`` describes it field by field and
``docs/extract-json.schema.json`` says the same as a JSON Schema.  A field may be added within a version; none changes
its meaning or goes away.
"""

from __future__ import annotations

from pdmigrate.model import Finding, Inventory, JsonObject, JsonValue, Known, Server, Tool

VERSION = 1


def inventory_json(inventory: Inventory) -> JsonObject:
    """An inventory as the contract writes it."""
    return {
        "version": VERSION,
        "servers": [_server(server) for server in inventory.servers],
        "findings": [finding_json(finding) for finding in inventory.findings],
    }


def finding_json(finding: Finding) -> JsonObject:
    """One finding; ``file`` and ``line`` are ``null`` if it has no place in source."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint,
        "file": finding.site.file if finding.site else None,
        "line": finding.site.line if finding.site else None,
    }


def _server(server: Server) -> JsonObject:
    optional: list[JsonValue] = [_tool(tool) for tool in server.tools if tool.optional]
    return {
        "dialect": server.dialect,
        "file": server.site.file,
        "line": server.site.line,
        "name": server.name,
        "sdk": {key: getattr(server.sdk, key) for key in ("package", "version", "pydantic", "basis")},
        "complete": _complete(server),
        "tools": [_tool(tool) for tool in server.tools if not tool.optional],
        **({"optional": optional} if optional else {}),
    }


def _complete(server: Server) -> JsonValue:
    """``True``, or why the server may list other tools than those in ``tools``."""
    optional = sum(tool.optional for tool in server.tools)
    if server.incomplete is not None or not optional:
        return True if server.incomplete is None else server.incomplete
    tools = "1 more tool is" if optional == 1 else f"{optional} more tools are"
    return f"{tools} listed where a setting has another value than its default; see `optional`"


def _tool(tool: Tool) -> JsonObject:
    unknown: list[JsonValue] = [
        {"field": field, "path": value.path, "reason": value.reason, "code": value.code}
        for field, value in tool.unknown.items()
    ]
    basis: JsonObject = {key: known.basis for key, known in tool.fields.items() if isinstance(known, Known)}
    return {
        "definition": tool.definition,
        "unknown": unknown,
        "conditional": tool.conditional,
        "owner": tool.owner,
        "site": {"file": tool.site.file, "line": tool.site.line},
        "findings": [finding_json(finding) for finding in tool.findings],
        **({"basis": basis} if set(basis.values()) - {"source"} else {}),
    }
