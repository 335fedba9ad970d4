"""What one server lists, as an audit counts it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pdmigrate.audit.tokens import SEEN_FIELDS
from pdmigrate.errors import UsageError
from pdmigrate.model import Anchor, Inventory, JsonObject, Server, Site, Unknown
from pdmigrate.project.reconcile import words
from pdmigrate.tree.documents import DocumentError, read_json


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools of one server in wire form, in the order of the listing.

    ``site`` is where the server is made (``None`` when only the wire is known); ``uncounted`` names the tools of which
    source does not settle a field that a model sees.
    """

    name: str
    tools: tuple[JsonObject, ...]
    site: Site | None = None
    instructions: str | None = None
    uncounted: tuple[str, ...] = ()
    incomplete: str | None = None
    """Why the server may list more tools than these."""
    sites: Mapping[str, Site] = field(default_factory=dict)
    """Where tools are declared, by their names."""
    nameless: bool = False
    """Whether ``name`` only stands for the name that the server gets when it starts."""
    words: Mapping[str, JsonObject] = field(default_factory=dict)
    """What fetches bring besides definitions, by the names of the tools; of others what their texts say."""
    migrated: bool = False
    """Whether the server lists stubs already: ``tools`` are what it would list without."""

    @property
    def file(self) -> str | None:
        return None if self.site is None else self.site.file


def from_inventory(inventory: Inventory) -> Iterator[Catalogue]:
    """The catalogue of every server that was found in source."""
    return map(from_server, inventory.servers)


def from_listing(text: str, name: str) -> Catalogue:
    """The catalogue in a saved answer to ``tools/list``; ``name`` is for one that does not name its server.

    Taken as well are a bare list of tools, a whole JSON-RPC response, and an object that holds the answers to
    ``initialize`` and ``tools/list`` by those names.

    Raises:
        UsageError: the text is no JSON, or none of these forms.
    """
    try:
        content = read_json(text)
    except DocumentError as error:
        raise UsageError(f"the listing is not JSON: {error}", hint=_FORM) from error
    about = content.get("initialize") if isinstance(content, dict) else None
    return from_wire(_listed(content), about if isinstance(about, dict) else {}, name)


def from_wire(tools: list[JsonObject], about: Mapping[str, object], name: str) -> Catalogue:
    """The catalogue of a server that said ``about`` itself what ``initialize`` answers."""
    info, instructions = about.get("serverInfo"), about.get("instructions")
    own = info.get("name") if isinstance(info, dict) else None
    told = instructions if isinstance(instructions, str) else None
    return Catalogue(own if isinstance(own, str) and own else name, tuple(tools), instructions=told)


_FORM = 'save what the server answers to tools/list, an object such as {"tools": [...]}'


def _listed(content: object) -> list[JsonObject]:
    for key in ("result", "tools/list", "tools"):
        if isinstance(content, dict) and key in content:
            content = content[key]
    if not isinstance(content, list):
        raise UsageError("the listing holds no list of tools", hint=_FORM)
    tools = [tool for tool in content if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
    if len(tools) != len(content):
        raise UsageError("the listing holds entries that are no tools with a name", hint=_FORM)
    return tools


def from_server(server: Server) -> Catalogue:
    """The catalogue of one server that was found in source."""
    counted: list[JsonObject] = []
    uncounted: list[str] = []
    for tool in server.tools:
        if any(isinstance(tool.fields.get(field), Unknown) for field in SEEN_FIELDS) or tool.name is None:
            uncounted.append(tool.name or f"the tool at {tool.site}")
        elif not tool.optional:
            counted.append(tool.definition)
    name = server.name or f"unnamed server of {server.site.file}"
    return Catalogue(
        name,
        tuple(counted),
        server.site,
        uncounted=tuple(uncounted),
        incomplete=server.incomplete,
        sites={tool.name: tool.site for tool in server.tools if tool.name is not None},
        nameless=not server.name,
        words={tool.name: words(tool) for tool in server.tools if tool.name is not None},
        migrated=isinstance(server.anchor, Anchor) and server.anchor.enabled is not None,
    )
