"""The servers that were found, with the places at which a migration edits them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Fixed, Movable, Sdk, Server, Site, Tool
from pdmigrate.sdk.families import SERVER
from pdmigrate.source.outline import BLOCKS, SCOPES, TRY, Outline
from pdmigrate.understand.evaluation import FoundServer
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.places.declarations import MADE, Declarations
from pdmigrate.understand.places.outline import Outlines, anchor_of
from pdmigrate.understand.places.steps import Provenance
from pdmigrate.understand.servers.answers import Answer, as_one, function_of
from pdmigrate.understand.servers.objects import ServerValue, names_of
from pdmigrate.understand.values.objects import text_of


class Placing:
    def __init__(self, names: Names) -> None:
        self._names, self._outlines = names, Outlines(names.tree)
        self._provenance = Provenance(self._outlines, names)

    def servers(self, found: list[FoundServer], sdks: Mapping[str, Sdk]) -> Iterator[Server]:
        """What was found, as servers of the model; alternatives of which one is ever made are one server."""
        groups: list[list[FoundServer]] = []
        for item in found:
            same = next((group for group in groups if all(self._alternatives(item, other) for other in group)), None)
            if same is None:
                groups.append([item])
            else:
                same.append(item)
        for group in groups:
            yield self._one(group, sdks[group[0].server.family.package])

    def _alternatives(self, one: FoundServer, other: FoundServer) -> bool:
        first, second = one.server, other.server
        if name_of(one) != name_of(other) or first.family is not second.family or first.site is None:
            return False
        try:
            outline = self._outlines.at(first.site.file)
        except SourceError:
            return False  # the anchor says so
        nodes = [node for node in (first.node, second.node) if node in outline.parents]
        return len({*nodes}) == 2 and _exclude_each_other(outline, *nodes)

    def _one(self, group: list[FoundServer], sdk: Sdk) -> Server:
        made = group[0].server
        site = made.site or Site("", 1)
        anchor, *others = (anchor_of(self._outlines, item.server.site or site, item.server.node) for item in group)
        answer = as_one([item.answer for item in group])
        tools = tuple(self._tools(made, answer, site, sdk))
        server = Server(made.family.id, site, name_of(group[0]), sdk, anchor, tools, answer.incomplete)
        return replace(server, twins=tuple(other for other in others if isinstance(other, Anchor)))

    def _tools(self, server: ServerValue, answer: Answer, site: Site, sdk: Sdk) -> Iterator[Tool]:
        wire = names_of("mcp.types.Tool", {"mcp": sdk.version}) or {}
        declarations = Declarations(self._outlines, self._names, wire)
        handler = function_of(answer.handler)
        made = [listed.source for listed in answer.tools if listed.source is not None]
        for listed in answer.tools:
            place = listed.site or site
            declaration: Movable | Fixed = Fixed("it is made from a function", MADE, place)
            fields = listed.fields
            if server.cls is SERVER:
                declaration = declarations.of(listed.source, place, fields, handler, made)
                fields = self._provenance.of(listed.source, fields, wire) if listed.source is not None else fields
            conditional = "; ".join(dict.fromkeys(listed.conditions)) or None
            yield Tool(fields, place, declaration, conditional, optional=listed.optional, doc=listed.doc)


def name_of(found: FoundServer) -> str | None:
    return text_of(found.server.attributes.data.get("name"))


# --- alternatives -----------------------------------------------------------------------------------------------------


def _exclude_each_other(outline: Outline, first: ast.AST, second: ast.AST) -> bool:
    """Whether a call of the function around two nodes carries out only one of them."""
    one, other = [first, *outline.around(first)], [second, *outline.around(second)]
    common = next(node for node in one if node in other)
    scopes = [[node for node in path if isinstance(node, SCOPES)] for path in (one, other)]
    if scopes[0] != scopes[1] or common in (first, second):
        return False
    one, other = one[: one.index(common)], other[: other.index(common)]
    ways = _way(common, one[-1]), _way(common, other[-1])
    if ways[0] == ways[1] and ways[0] in BLOCKS:
        places = [(getattr(node, "lineno", 0), getattr(node, "col_offset", 0)) for node in (first, second)]
        return _returns(outline, one if places[0] < places[1] else other)
    if isinstance(common, (ast.If, ast.IfExp)):
        return "test" not in ways
    if isinstance(common, TRY):
        return all(way in ("body", "handlers") for way in ways)
    return isinstance(common, ast.Match) and ways == ("cases", "cases")


_BRANCHING = (ast.If, ast.Match, *TRY)


def _way(parent: ast.AST, child: ast.AST) -> str:
    """The field of ``parent`` in which ``child`` stands."""
    for name, value in ast.iter_fields(parent):
        if value is child or (isinstance(value, list) and child in value):
            return name
    return ""


def _returns(outline: Outline, path: list[ast.AST]) -> bool:
    """Whether the path from a block down to a node leads into a branch that ends in a ``return``."""
    if not isinstance(path[-1], _BRANCHING):
        return False
    inner = next(node for node in path if isinstance(node, ast.stmt))
    return inner is not path[-1] and isinstance(outline.block(inner)[-1], ast.Return)
