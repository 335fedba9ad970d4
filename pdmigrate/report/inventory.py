"""What was found in source, for people, and for programs: ``pdmigrate extract --format json``.

The JSON is a contract with a version of its own; ``docs/extract-json.md`` describes it field by field and
``docs/extract-json.schema.json`` says the same as a JSON Schema.  A field may be added within a version; none changes
its meaning or goes away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pdmigrate.counting import plural, some
from pdmigrate.escaping import name, one_line, place
from pdmigrate.model import Finding, Inventory, JsonObject, JsonValue, Known, Server, Tool
from pdmigrate.report.text import PLAIN, Colours

VERSION = 1
"""Of the contract."""


def inventory_text(inventory: Inventory, style: Colours = PLAIN) -> str:
    """Every server with its tools: a tool is exact when source settles every field that is on the wire."""
    return "\n\n".join("\n".join(_server(server, style)) for server in inventory.servers)


def inventory_total(inventory: Inventory) -> str:
    """``1 server, 6 tools: 5 exact, 1 with fields that source does not settle``."""
    tools = [tool for server in inventory.servers for tool in server.tools]
    exact = sum(tool.exact for tool in tools)
    rest = f", {len(tools) - exact} with fields that source does not settle" if exact < len(tools) else ""
    return f"{plural(len(inventory.servers), 'server')}, {plural(len(tools), 'tool')}: {exact} exact{rest}"


def server_title(server: Server) -> str:
    """How reports name a server."""
    return name(server.name) if server.name else f"unnamed server of {name(server.site.file)}"


def _server(server: Server, style: Colours) -> Iterator[str]:
    sdk = f"{server.sdk.package} {server.sdk.version} ({server.sdk.basis})"
    yield f"{style.bold(server_title(server))}  {server.dialect} on {sdk}  {style.dim(place(server.site))}"
    width = max((len(_name(tool)) for tool in server.tools), default=0)
    for tool in server.tools:
        state = style.good("exact") if tool.exact else style.bad(f"{plural(len(tool.unknown), 'field')} not settled")
        absent = ", may be absent" if tool.conditional is not None else ""
        yield f"  {_name(tool):<{width}}  {state}{absent}  {style.dim(place(tool.site))}"
    yield from (f"    {line}" for line in _reasons(server.tools))
    if not server.tools:
        yield "  no tools"
    if server.incomplete is not None:
        yield f"  {style.bad('there may be more tools')}: {one_line(server.incomplete)}"


def _name(tool: Tool) -> str:
    return name(tool.name) if tool.name is not None else "(name not known)"


def _reasons(tools: Sequence[Tool]) -> Iterator[str]:
    """Each reason once, with the fields and the tools that it applies to."""
    fields: dict[tuple[str, ...], list[Tool]] = {}
    absent: dict[str, list[Tool]] = {}
    for tool in tools:
        said: dict[str, list[str]] = {}
        for field, part in tool.unknown.items():
            where = f" at {name(part.path)}" if part.path else ""
            said.setdefault(f"{one_line(part.reason)} ({part.code})", []).append(f"{name(field)}{where}")
        for reason, parts in said.items():
            fields.setdefault((reason, *parts), []).append(tool)
        if tool.conditional is not None:
            absent.setdefault(one_line(tool.conditional), []).append(tool)
    for (reason, *parts), mine in fields.items():
        yield f"{', '.join(parts)} of {_these(mine)}: {reason}"
    for reason, mine in absent.items():
        yield f"{_these(mine)} may be absent: {reason}"


def _these(tools: Sequence[Tool]) -> str:
    return some([f"the tool at {place(tool.site)}" if tool.name is None else name(tool.name) for tool in tools])


def inventory_json(inventory: Inventory) -> JsonObject:
    """An inventory as the contract writes it."""
    return {
        "version": VERSION,
        "servers": [_server_json(server) for server in inventory.servers],
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


def _server_json(server: Server) -> JsonObject:
    optional: list[JsonValue] = [_tool_json(tool) for tool in server.tools if tool.optional]
    return {
        "dialect": server.dialect,
        "file": server.site.file,
        "line": server.site.line,
        "name": server.name,
        "sdk": {key: getattr(server.sdk, key) for key in ("package", "version", "pydantic", "basis")},
        "complete": _complete(server),
        "tools": [_tool_json(tool) for tool in server.tools if not tool.optional],
        **({"optional": optional} if optional else {}),
    }


def _complete(server: Server) -> JsonValue:
    """``True``, or why the server may list other tools than those in ``tools``."""
    optional = sum(tool.optional for tool in server.tools)
    if server.incomplete is not None or not optional:
        return True if server.incomplete is None else server.incomplete
    tools = "1 more tool is" if optional == 1 else f"{optional} more tools are"
    return f"{tools} listed where a setting has another value than its default; see `optional`"


def _tool_json(tool: Tool) -> JsonObject:
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
