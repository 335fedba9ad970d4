"""A place that makes claims doubtful, and taking them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pdmigrate.model import TOOL_FIELDS, Field, Fixed, Movable, Server, Site, Tool, Unknown

CHANGED = "PD309"
"""The code of findings about changes that are not followed."""
CONDITION = "PD310"
"""The code of findings about what depends on a condition, such as the way in which the program is started."""
ALL = frozenset(TOOL_FIELDS) - {"name"}
"""Every field that may change behind a name."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place in the program, and what it may make wrong.

    ``fields`` may differ from what is claimed; ``absent``: tools may not be listed; ``more``: others may be listed.
    ``only`` limits the doubt to tools declared at these places (line 0 stands for all of a file), ``but`` exempts some.
    """

    reason: str
    site: Site
    fields: frozenset[str] = ALL
    absent: bool = True
    more: bool = True
    code: str = CHANGED
    only: frozenset[Site] | None = None
    but: frozenset[Site] = frozenset()
    names: frozenset[str] | None = None
    """The only names of tools that are meant; ``None`` for all."""
    dialect: str = ""
    """The only dialect whose servers are meant; empty for all."""

    def __str__(self) -> str:
        return f"{self.reason} ({self.site})"

    def concerns(self, tool: Tool) -> bool:
        """Whether the doubt is about ``tool``."""
        places = {tool.site, Site(tool.site.file, 0)}
        named = self.names is None or tool.name is None or tool.name in self.names
        return named and not places & self.but and (self.only is None or bool(places & self.only))


def doubted(server: Server, doubts: Iterable[Doubt]) -> Server:
    """``server`` without the claims that ``doubts`` may make wrong."""
    for doubt in doubts:
        if doubt.dialect not in ("", server.dialect):
            continue
        tools = tuple(_doubted(tool, doubt) if doubt.concerns(tool) else tool for tool in server.tools)
        more = server.incomplete or (str(doubt) if doubt.more else None)
        server = replace(server, tools=tools, incomplete=more)
    return server


def _doubted(tool: Tool, doubt: Doubt) -> Tool:
    conditional = tool.conditional or (str(doubt) if doubt.absent else None)
    if not doubt.fields:
        return replace(tool, conditional=conditional)
    unknown = Unknown(doubt.reason, doubt.code, site=doubt.site)
    fields: Mapping[str, Field] = {
        **tool.fields,
        **{name: unknown for name in TOOL_FIELDS if name in doubt.fields - tool.unknown.keys()},
    }
    fixed = Fixed(doubt.reason, doubt.code, doubt.site)
    declaration = fixed if isinstance(tool.declaration, Movable) else tool.declaration
    return replace(tool, fields=fields, conditional=conditional, declaration=declaration)


REFUSED = frozenset({"PD311", "PD312", "PD342"})
"""The codes of a field that the SDK refuses to make, where it registers the tool."""


def refusals(server: Server) -> Iterator[Doubt]:
    """The doubt that the server starts at all: its SDK raises an exception where it registers one of its tools."""
    for tool in server.tools:
        refused = next((field for field in tool.unknown.values() if field.code in REFUSED), None)
        if refused is not None and tool.conditional is None:
            yield Doubt(f"the server does not start: {refused.reason}", tool.site, frozenset())
