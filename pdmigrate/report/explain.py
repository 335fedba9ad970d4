"""What a finding means, and where every field of a tool came from."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pdmigrate import disk, escaping
from pdmigrate.errors import UsageError
from pdmigrate.escaping import one_line, place
from pdmigrate.findings import CODES
from pdmigrate.model import TOOL_FIELDS, Field, Fixed, Inventory, Known, Movable, Server, Step, Tool, Unknown
from pdmigrate.report.inventory import server_title
from pdmigrate.report.text import PLAIN, Colours
from pdmigrate.settings import nearest

_SHOWN = 300


def code_page(word: str) -> str:
    """The page of a finding code, as Markdown.  Raises UsageError if there is no such code."""
    if (code := word.upper()) not in CODES:
        near = nearest(code, CODES, 0.8)
        hint = f"did you mean {near}?" if near else "docs/findings lists them all"
        raise UsageError(f"there is no finding {code}", hint=hint)
    # From the wheel, or else from ``docs``: in a checkout, the package has no copy of the pages.
    return disk.packaged(f"_findings/{code}.md", f"docs/findings/{code}.md").decode("utf-8")


def code_title(code: str) -> str:
    """The title of a finding code: the heading of its page."""
    return code_page(code).partition("\n")[0].removeprefix(f"# {code}: ")


def tools_named(inventory: Inventory, name: str) -> list[tuple[Server, Tool]]:
    """The tools of that name, each with its server.  Raises UsageError if no server has such a tool."""
    pairs = [(server, tool) for server in inventory.servers for tool in server.tools]
    if not (found := [(server, tool) for server, tool in pairs if tool.name == name]):
        near = nearest(name, {tool.name for _, tool in pairs if tool.name})
        hint = f"did you mean {near!r}?" if near else "`pdmigrate extract --no-write` lists the tools"
        raise UsageError(f"no server here has a tool {name!r}", hint=hint)
    return found


def tool_text(server: Server, tool: Tool, style: Colours = PLAIN) -> str:
    """All that is known of a tool: its server, its owner and why, and each field with the steps that led to it."""
    listed = "always" if tool.conditional is None else f"may be absent: {one_line(tool.conditional)}"
    sdk = f"{server.sdk.package} {server.sdk.version} ({server.sdk.basis})"
    lines = [
        style.bold(escaping.name(tool.name) if tool.name else "(name not known)"),
        f"  server    {server_title(server)}, {server.dialect} on {sdk}  {place(server.site)}",
        f"  declared  {place(tool.site)}",
        f"  listed    {listed}",
        f"  owner     {tool.owner}",
        f"  can move  {_movable(tool)}",
    ]
    order = (*TOOL_FIELDS, *(key for key in tool.fields if key not in TOOL_FIELDS))
    for key in order:
        if key in tool.fields:
            lines += ["", *_field(key, tool.fields[key], style)]
    if absent := [escaping.name(key) for key in order if key not in tool.fields]:
        lines += ["", f"{style.bold('not sent')}  {', '.join(absent)}"]
    return "\n".join(lines)


def _movable(tool: Tool) -> str:
    declaration = tool.declaration
    if tool.owner == "file":
        return "it has moved: the fields that its description file owns are edited there"
    if isinstance(declaration, Movable):
        from pdmigrate.migrate.plan.drafts import invalid_schemas

        for found in invalid_schemas(tool):
            declaration = Fixed(found.message, found.code, found.site)
    if isinstance(declaration, Movable):
        return f"yes: literals that only the list handler reads ({', '.join(declaration.literals)})"
    near = f"  {place(declaration.site)}" if declaration.site else ""
    return f"no: {one_line(declaration.reason)} ({declaration.code}){near}"


def _field(key: str, value: Field, style: Colours) -> Iterator[str]:
    if isinstance(value, Unknown):
        where = f" at {escaping.name(value.path)}" if value.path else ""
        near = f"  {place(value.site)}" if value.site else ""
        reason = f"{one_line(value.reason)} ({value.code})"
        yield f"{style.bold(escaping.name(key))}  {style.bad('not settled')}{where}: {reason}{near}"
    else:
        yield f"{style.bold(escaping.name(key))}  {style.good('exact')}"
        yield f"  {_shown(value)}"
    yield from (_step(number, step, style) for number, step in enumerate(value.steps, 1))


def _shown(known: Known) -> str:
    text = json.dumps(known.value, ensure_ascii=False)
    cut = f" ... ({len(text):,} characters)" if len(text) > _SHOWN else ""
    return one_line(text[:_SHOWN]) + cut


def _step(number: int, step: Step, style: Colours) -> str:
    near = f"  {style.dim(place(step.site))}" if step.site else ""
    return f"  {number}. {one_line(step.text)}{near}"
