"""Which of the two homes a tool's definition gets: its description file, or the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.model import DISCLOSED_FIELDS, Fixed, Known, Server, Site, Tool


def kept_in_code(tool: Tool, file: DescriptionFile | None, move: str, shared: frozenset[Site]) -> str | None:
    """Why the code keeps the definition of a named tool under ``--move MODE``; ``None`` if a file owns it.

    A tool that has moved stays moved; ``shared`` are the declarations of several servers, not to have a home for each.
    """
    if file is not None and file.owner == "file":
        return None
    if move == "none":
        return "all code is left as it is (--move none)"
    if unsettled := [key for key in tool.unknown if move == "all" or key in DISCLOSED_FIELDS]:
        return f"source does not settle {', '.join(unsettled)}"
    if "inputSchema" not in tool.fields:
        return "it has no input schema"
    if tool.site in shared:
        return "several servers list it"
    return tool.declaration.reason if isinstance(tool.declaration, Fixed) and move != "all" else None


def shared_declarations(servers: Iterable[Server]) -> frozenset[Site]:
    """The sites of tools that more than one server lists."""
    seen = Counter(site for server in servers for site in {tool.site for tool in server.tools})
    return frozenset(site for site, count in seen.items() if count > 1)


def literal_in_code(tool: Tool) -> Mapping[str, Known] | Fixed:
    """The disclosed fields, if the code spells them as literals that can be edited in place; otherwise why not."""
    if isinstance(tool.declaration, Fixed):
        return tool.declaration
    return {key: value for key in DISCLOSED_FIELDS if isinstance(value := tool.fields.get(key), Known)}
