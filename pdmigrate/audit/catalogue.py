"""What one server lists, as an audit counts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pdmigrate.audit.tokens import SEEN_FIELDS
from pdmigrate.errors import UsageError
from pdmigrate.model import JsonObject, Movable, Server, Site, mapping
from pdmigrate.project.reconcile import words
from pdmigrate.source.documents import DocumentError, read_json


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools of one server in wire form, in the order of the listing.

    ``site`` is where the server is made (``None`` when only the wire is known); ``uncounted`` names the tools with a
    field that a model sees and source does not settle.
    """

    name: str
    tools: tuple[JsonObject, ...]
    site: Site | None = None
    instructions: str | None = None
    uncounted: tuple[str, ...] = ()
    incomplete: str | None = None
    """Why the server may list more tools than these."""
    sites: Mapping[str, Site] = field(default_factory=dict)
    """Where tools are declared, by the name of the tool."""
    nameless: bool = False
    """Whether ``name`` stands in for a name that the server gets only when it starts."""
    words: Mapping[str, JsonObject] = field(default_factory=dict)
    """What a fetch adds to the definition, by tool name; for a tool without an entry, it is lifted from its texts."""
    migrated: bool = False
    """Whether the server lists stubs already: ``tools`` are what it would list without them."""

    @property
    def file(self) -> str | None:
        return None if self.site is None else self.site.file


def from_listing(text: str, name: str) -> Catalogue:
    """The catalogue of a saved answer to ``tools/list``; ``name`` is used if the text does not name the server.

    A bare list of tools, a whole JSON-RPC response, and an object that holds the answers to ``initialize`` and
    ``tools/list`` under those names are accepted, too.  Raises UsageError if the text is not JSON, or has none of these
    forms.
    """
    try:
        content = read_json(text)
    except DocumentError as error:
        raise UsageError(f"the listing is not JSON: {error}", hint=_FORM) from error
    about = mapping(mapping(content).get("initialize"))
    own, told = mapping(about.get("serverInfo")).get("name"), about.get("instructions")
    instructions = told if isinstance(told, str) else None
    return Catalogue(own if isinstance(own, str) and own else name, tuple(_listed(content)), instructions=instructions)


_FORM = 'save what the server answers to tools/list, an object such as {"tools": [...]}'


def _listed(content: object) -> list[JsonObject]:
    for key in ("result", "tools/list", "tools"):
        if isinstance(content, dict) and key in content:
            content = content[key]
    if not isinstance(content, list):
        raise UsageError("the listing holds no list of tools", hint=_FORM)
    tools = [tool for tool in content if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
    if len(tools) != len(content):
        raise UsageError("the listing holds entries that are not tools with a name", hint=_FORM)
    return tools


def from_server(server: Server) -> Catalogue:
    """The catalogue of one server in an inventory."""
    counted: list[JsonObject] = []
    uncounted: list[str] = []
    for tool in server.tools:
        if tool.name is None or not tool.unknown.keys().isdisjoint(SEEN_FIELDS):
            uncounted.append(tool.name or f"the tool at {tool.site}")
        elif not tool.optional:
            counted.append(tool.definition)
    name = server.name or f"unnamed server of {server.site.file}"
    # Guidance is fetched from description files alone: those that are there, and those that a migration makes.
    with_file = (tool for tool in server.tools if tool.words is not None or isinstance(tool.declaration, Movable))
    return Catalogue(
        name,
        tuple(counted),
        server.site,
        uncounted=tuple(uncounted),
        incomplete=server.incomplete,
        sites={tool.name: tool.site for tool in server.tools if tool.name is not None},
        nameless=not server.name,
        words={tool.name: words(tool) for tool in with_file if tool.name is not None},
        migrated=server.is_enabled,
    )
