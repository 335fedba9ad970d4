"""What was found in source, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pdmigrate.counting import plural, some
from pdmigrate.escaping import name, one_line, place
from pdmigrate.model import Inventory, Server, Tool
from pdmigrate.report.text import PLAIN, Colours


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
