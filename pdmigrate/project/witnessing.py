"""One server in source and what it lists when it runs, tool by tool: the wire wins, every difference is a finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pdmigrate.counting import joined
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.findings import finding
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    Field,
    Finding,
    Fixed,
    JsonObject,
    JsonValue,
    Known,
    Movable,
    Server,
    Site,
    Step,
    Tool,
    Unknown,
)
from pdmigrate.sdk.schemas.signatures.docstrings import compiled
from pdmigrate.source.documents import same_json

LISTED = "listed by the running server"


@dataclass(frozen=True, slots=True)
class Compared:
    """A server with its tools as they are on the wire, and the findings about differences."""

    server: Server
    findings: tuple[Finding, ...]


def compare(server: Server, listing: Sequence[JsonObject], files: Mapping[str, DescriptionFile]) -> Compared:
    """``server`` as ``listing``, all tools that it lists when it runs, shows it.

    If a tool's definition has moved to a file, its disclosed fields stay those of the stub in the code, and what the
    running server lists is compared with the file.
    """
    findings: list[Finding] = []
    live = dict(_by_name(server, listing, findings))
    named = [tool for tool in server.tools if tool.name is not None]
    tools = []
    for tool in named:
        name = str(tool.name)
        shown = _with_wire_fields(tool, live[name], files.get(name), findings) if name in live else None
        tools.append(shown or _missing(tool, server, findings))
    known = {tool.name for tool in named}
    tools += (_added(server, d, findings) for name, d in live.items() if name not in known)
    # One run shows one list: where source does not settle what the list depends on, another run may list other tools.
    open_end = server.incomplete and f"listed by one run of the server, and source leaves it open: {server.incomplete}"
    return Compared(replace(server, tools=_in_order(tools, live), incomplete=open_end), tuple(findings))


def _by_name(server: Server, listing: Sequence[JsonObject], said: list[Finding]) -> Iterator[tuple[str, JsonObject]]:
    seen: set[str] = set()
    for listed in listing:
        name = listed.get("name")
        if not isinstance(name, str):
            message = "the running server lists a tool without a name, which is left out"
            said.append(finding("PD336", message, site=server.site))
        elif name in seen:
            message = f'the running server lists "{name}" more than once; the first of them is taken'
            said.append(finding("PD336", message, site=server.site, tool=name))
        else:
            seen.add(name)
            yield name, listed


def _in_order(tools: list[Tool], live: Mapping[str, JsonObject]) -> tuple[Tool, ...]:
    places = {name: place for place, name in enumerate(live)}
    return tuple(sorted(tools, key=lambda tool: places.get(tool.name or "", len(places))))


def _missing(tool: Tool, server: Server, findings: list[Finding]) -> Tool:
    message = f'source declares "{tool.name}", and the running server does not list it'
    if tool.conditional is not None:
        why = f"{message}; it is conditional: {tool.conditional}"
        findings.append(finding("PD338", why, site=tool.site, tool=tool.name))
        return tool
    findings.append(finding("PD331", message, site=tool.site, tool=tool.name))
    called = repr(server.name) if server.name else f"of {server.site.file}"
    return replace(tool, conditional=f"the running server {called} does not list it")


def _added(server: Server, listed: JsonObject, findings: list[Finding]) -> Tool:
    name = str(listed["name"])
    message = f'the running server lists "{name}", which source does not show'
    findings.append(finding("PD330", message, site=server.site, tool=name))
    reason = "only the running server shows it"
    fields = {key: Known(value, (Step(LISTED),), basis="wire") for key, value in listed.items()}
    return Tool(fields, server.site, Fixed(reason, "PD330", server.site))


def _with_wire_fields(tool: Tool, listed: JsonObject, file: DescriptionFile | None, findings: list[Finding]) -> Tool:
    moved = file is not None and file.owner == "file"
    if file is not None and moved:
        findings += _against_file(tool, listed, file)
    keys = dict.fromkeys((*tool.fields, *listed))
    fields: dict[str, Field] = {}
    settled: list[str] = []
    differing: list[str] = []
    for key in keys:
        own = tool.fields.get(key)
        if moved and key in DISCLOSED_FIELDS:
            if own is not None:
                fields[key] = own
            continue
        chosen = _chosen(own, key, listed, computed=isinstance(tool.declaration, Fixed))
        if isinstance(own, Unknown):
            settled.append(key)
        elif chosen is None or chosen.basis == "wire":
            differing.append(key)
        if chosen is not None:
            fields[key] = chosen
    findings += _said(tool, settled, differing)
    return replace(tool, fields=fields, optional=False, declaration=_declaration(tool, differing))


def _chosen(own: Field | None, key: str, listed: JsonObject, *, computed: bool) -> Known | None:
    """The field as the server sends it, if it does; ``computed``: two forms of one docstring count as the same."""
    if key not in listed:
        return None
    if isinstance(own, Known) and _is_same(own.value, listed[key], docstring=computed and key == "description"):
        return replace(own, basis="both")
    return Known(listed[key], (*(own.steps if own is not None else ()), Step(LISTED)), basis="wire")


def _is_same(own: JsonValue, sent: JsonValue, *, docstring: bool) -> bool:
    """Whether values are equal, or one docstring as Pythons before 3.13 and since compile it: any may run it."""
    texts = docstring and isinstance(own, str) and isinstance(sent, str)
    return same_json(own, sent) or (texts and compiled(str(own), "3.13") == compiled(str(sent), "3.13"))


def _said(tool: Tool, settled: list[str], differing: list[str]) -> Iterator[Finding]:
    if differing:
        message = f'the running server sends a different {joined(differing)} of "{tool.name}" from that in the source'
        yield finding("PD332", message, site=tool.site, tool=tool.name)
    if settled:
        message = f'the running server settles {joined(settled)} of "{tool.name}", where source does not'
        yield finding("PD333", message, site=tool.site, tool=tool.name)


def _declaration(tool: Tool, differing: list[str]) -> Movable | Fixed:
    """The tool's declaration; it is fixed if its literals differ from what the server sends."""
    wrong = [key for key in differing if key in DISCLOSED_FIELDS]
    if isinstance(tool.declaration, Fixed) or not wrong:
        return tool.declaration
    return Fixed(f"the running server sends a different {joined(wrong)} from that in the literal", "PD332", tool.site)


def _against_file(tool: Tool, listed: JsonObject, file: DescriptionFile) -> Iterator[Finding]:
    if wrong := [key for key in DISCLOSED_FIELDS if not same_json(listed.get(key, ...), file.data.get(key, ...))]:
        message = f'the running server sends a different {joined(wrong)} of "{tool.name}" from that in {file.path}'
        message += ", which owns it"
        yield finding("PD335", message, site=Site(file.path, 1), tool=tool.name)
