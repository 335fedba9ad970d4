"""The servers that were found, with the places at which a migration edits them, and where their fields come from."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Field, Fixed, Known, Movable, Sdk, Server, Site, Step, Tool
from pdmigrate.sdk.families import SERVER
from pdmigrate.source.outline import Outline
from pdmigrate.understand.evaluation import FoundServer
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.places.declarations import MADE, Declarations
from pdmigrate.understand.places.outline import Outlines, anchor_of, plain
from pdmigrate.understand.servers.answers import Answer, as_one, function_of
from pdmigrate.understand.servers.objects import ServerValue, names_of
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import Const
from pdmigrate.understand.values.objects import SdkObject, text_of


class Placing:
    def __init__(self, names: Names) -> None:
        self._names, self._outlines = names, Outlines(names.tree)

    def servers(self, found: list[FoundServer], sdks: Mapping[str, Sdk]) -> Iterator[Server]:
        """What was found, as servers of the model; those of one name that one piece of code makes are one server."""
        groups: dict[Hashable, list[FoundServer]] = {}
        for item in found:
            groups.setdefault(self._key(item), []).append(item)
        for group in groups.values():
            yield self._one(group, sdks[group[0].server.family.package])

    def _key(self, item: FoundServer) -> Hashable:
        """What servers have in common that may be alternatives, of which one is ever made."""
        server, name = item.server, name_of(item)
        try:
            outline = self._outlines.at(server.site.file) if server.site is not None else None
        except SourceError:
            outline = None  # the anchor says so
        if name is None or outline is None or server.node not in outline.parents:
            return id(item)
        return name, server.family.id, *map(id, (outline, *outline.scopes(server.node)))

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
                fields = self._traced(listed.source, fields, wire) if listed.source is not None else fields
            conditional = "; ".join(dict.fromkeys(listed.conditions)) or None
            yield Tool(fields, place, declaration, conditional, optional=listed.optional, doc=listed.doc)

    def _traced(self, tool: SdkObject, fields: Mapping[str, Field], wire: Mapping[str, str]) -> dict[str, Field]:
        """``fields`` with the steps that led to them: the expression in the call, and where its text is written out."""
        if not isinstance(tool.node, ast.Call) or tool.site is None:
            return dict(fields)
        try:
            outline = self._outlines.at(tool.site.file)
        except SourceError:
            return dict(fields)  # the declaration says so
        given = {wire.get(item.arg, item.arg): item.value for item in tool.node.keywords if item.arg is not None}
        found: dict[str, Field] = {}
        for name, field in fields.items():
            step = _step(outline, given[name], field, tool.site) if name in given else Step("Tool(...)", tool.site)
            value = tool.data.get(name)
            last = value.made if isinstance(value, (Const, DictValue)) else None
            more = [last] if last is not None and last.site != step.site else []
            found[name] = replace(field, steps=(step, *more))
        return found


def name_of(found: FoundServer) -> str | None:
    return text_of(found.server.attributes.data.get("name"))


def _step(outline: Outline, node: ast.expr, field: Field, site: Site) -> Step:
    try:
        is_changed = isinstance(field, Known) and plain(node) != field.value
    except ValueError:
        is_changed = False
    return Step("changed after it is made", site) if is_changed else Step(_text(node), outline.site(node))


_TEXTS = {
    **dict.fromkeys((ast.Constant, ast.Dict, ast.List, ast.Set, ast.Tuple), "literal"),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "comprehension"),
    ast.JoinedStr: "f-string",
    ast.Subscript: "subscript",
}


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return f"{chain(node.func) or 'call'}()"
    return f"name {chain(node)}" if chain(node) else _TEXTS.get(type(node), "computed")
