"""The servers that were found, with the places at which a migration edits them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Fixed, Movable, Sdk, Server, Site, Tool
from pdmigrate.sdk.families import SERVER
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.places.anchors import anchor_of
from pdmigrate.understand.places.branches import exclude_each_other, grouped
from pdmigrate.understand.places.declarations import MADE, Declarations, handler_of
from pdmigrate.understand.places.outline import Outlines
from pdmigrate.understand.places.readers import Readers
from pdmigrate.understand.places.steps import Provenance
from pdmigrate.understand.programs import FoundServer
from pdmigrate.understand.servers.answers import Answer, as_one
from pdmigrate.understand.servers.fields import names_of
from pdmigrate.understand.servers.listing import NO_HANDLER
from pdmigrate.understand.values.core import NONE
from pdmigrate.understand.values.objects import text_of


class Placing:
    """Finds the places of the servers of one program."""

    def __init__(self, names: Names) -> None:
        self._outlines = Outlines(names.tree)
        self._readers = Readers(names.tree)
        self._provenance = Provenance(self._outlines, names)

    def servers(self, found: list[FoundServer], sdks: Mapping[str, Sdk]) -> Iterator[Server]:
        """What was found, as servers of the model; alternatives of which one is ever made are one server."""
        for group in grouped(found, self._alternatives):
            yield self._one(group, sdks[group[0].server.family.package])

    def _alternatives(self, one: FoundServer, other: FoundServer) -> bool:
        first, second = one.server, other.server
        if name_of(one) != name_of(other) or first.family is not second.family:
            return False
        if first.node is None or second.node is None or first.site is None or second.site is None:
            return False
        if first.site.file != second.site.file or first.node is second.node:
            return False
        try:
            outline = self._outlines.at(first.site.file)
        except SourceError:
            return False  # the anchor says so
        known = first.node in outline.parents and second.node in outline.parents
        return known and exclude_each_other(outline, first.node, second.node)

    def _one(self, group: list[FoundServer], sdk: Sdk) -> Server:
        first = group[0]
        site = first.server.site or Site("", 1)
        anchors = [anchor_of(self._outlines, item.server.site or site, item.server.node) for item in group]
        answer = as_one([item.answer for item in group])
        tools = tuple(self._tools(first, answer, site, sdk))
        twins = tuple(anchor for anchor in anchors[1:] if isinstance(anchor, Anchor))
        incomplete = answer.incomplete
        if incomplete == NO_HANDLER and first.server.options.get("on_list_tools", NONE) != NONE:
            incomplete = (
                f"its list handler is registered in a way that {sdk.package} {sdk.version} ({sdk.basis}) has not"
            )
        server = Server(first.server.family.id, site, name_of(first), sdk, anchors[0], tools, incomplete)
        return replace(server, twins=twins, by_hand=first.answer.by_hand)

    def _tools(self, found: FoundServer, answer: Answer, site: Site, sdk: Sdk) -> Iterator[Tool]:
        wire = names_of("mcp.types.Tool", {"mcp": sdk.version}) or {}
        declarations = Declarations(self._outlines, self._readers, wire)
        handler = handler_of(answer.handler)
        made = [listed.source for listed in answer.tools if listed.source is not None]
        for listed in answer.tools:
            place = listed.site or site
            declaration: Movable | Fixed = Fixed("it is made from a function", MADE, place)
            fields = listed.fields
            if found.server.cls is SERVER:
                declaration = declarations.of(listed.source, place, fields, handler, made)
                fields = self._provenance.of(listed.source, fields, wire) if listed.source is not None else fields
            conditional = "; ".join(dict.fromkeys(listed.conditions)) or None
            yield Tool(fields, place, declaration, conditional, optional=listed.optional, doc=listed.doc)


def name_of(found: FoundServer) -> str | None:
    """The name of a server, if it is known."""
    return text_of(found.server.attributes.data.get("name"))
