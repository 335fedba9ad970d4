"""Which of the two homes a tool's definition gets: its description file, or the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.model import DISCLOSED_FIELDS, Fixed, Known, Movable, Server, Site, Tool, Unknown


@dataclass(frozen=True, slots=True)
class Owned:
    """The decision for one tool: its ``owner``, ``file`` or ``code``, and the ``reason`` why the code keeps it."""

    owner: str
    reason: str = ""


def decide(tool: Tool, file: DescriptionFile | None, move: str, shared: frozenset[Site]) -> Owned:
    """The owner of a tool's definition under ``--move MODE``.

    A tool that has moved stays moved.  ``shared`` holds the declarations that several servers list: the code keeps
    their definitions, which would otherwise have two homes, in the files of two servers.
    """
    if file is not None and file.owner == "file":
        return Owned("file")
    if move == "none":
        return Owned("code", "all code is left as it is (--move none)")
    unsettled = [key for key in DISCLOSED_FIELDS if isinstance(tool.fields.get(key), Unknown)]
    if tool.name is None:
        return Owned("code", "its name is known only at run time")
    if unsettled:
        return Owned("code", f"source does not settle {', '.join(unsettled)}")
    if not isinstance(tool.fields.get("inputSchema"), Known):
        return Owned("code", "it has no input schema")
    if tool.site in shared:
        return Owned("code", "several servers list it")
    if move == "all":
        return Owned("file") if tool.exact else Owned("code", f"source does not settle {', '.join(tool.unknown)}")
    if isinstance(tool.declaration, Movable):
        return Owned("file")
    return Owned("code", tool.declaration.reason)


def shared_declarations(servers: Iterable[Server]) -> frozenset[Site]:
    """The sites of tools that more than one server lists."""
    seen = Counter(site for server in servers for site in {tool.site for tool in server.tools})
    return frozenset(site for site, count in seen.items() if count > 1)


def literal_in_code(tool: Tool) -> Mapping[str, Known] | Fixed:
    """The disclosed fields, if the code spells them as literals that can be edited in place; otherwise why not."""
    if isinstance(tool.declaration, Fixed):
        return tool.declaration
    return {key: value for key in DISCLOSED_FIELDS if isinstance(value := tool.fields.get(key), Known)}
