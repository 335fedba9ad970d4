"""One tool of a server, and which of several versions of a tool the server lists: since fastmcp 3.0 the highest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from packaging.version import InvalidVersion, Version

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Guard
from pdmigrate.recognise.servers.record import UNKNOWN_VERSION, ToolValue
from pdmigrate.schemas import specs


@dataclass(frozen=True)
class Registered:
    """One tool of a server: its name on the wire, and the conditions under which it is listed."""

    tool: ToolValue
    name: str | None
    guards: tuple[Guard, ...] = ()
    hidden: bool = False
    doubts: tuple[str, ...] = ()
    """Reasons other than a condition of the program why it may not be listed."""

    def doubted(self, reason: str) -> Registered:
        """The tool with one more reason why it may not be listed."""
        return replace(self, doubts=(*self.doubts, reason))

    def unless(self, guard: Guard) -> Registered:
        """The tool, listed only where ``guard`` does not hold."""
        return replace(self, guards=(*self.guards, guard.inverse()))

    @property
    def named(self) -> ToolValue:
        """The tool under the name that it has on this server.

        A mounted tool is a copy, and its title may come from its name.
        """
        tool = self.tool
        if self.name is None or self.name == tool.tool_name:
            return tool
        options = tuple((name, value) for name, value in tool.options if name != "name")
        names = {name: value for name, value in tool.names.items() if name != "name"}
        return replace(tool, names=names, options=(("name", specs.PlainValue(self.name)), *options), fields=None)


def highest_versions(tools: Sequence[Registered]) -> list[Registered]:
    """``tools`` with one of each name that stands for several versions, in the place of the first of them."""
    versions: dict[str, list[Registered]] = {}
    for tool in tools:
        if tool.name is not None:
            versions.setdefault(tool.name, []).append(tool)
    result: list[Registered] = []
    seen: set[str] = set()
    for tool in tools:
        every = versions.get(tool.name or "", [tool])
        if len({each.tool.version for each in every}) == 1:
            result.append(tool)
        elif tool.name is not None and tool.name not in seen:
            seen.add(tool.name)
            result.append(_highest(every))
    return result


def _highest(every: Sequence[Registered]) -> Registered:
    ordered = sorted(every, key=lambda each: _key(each.tool.version))
    highest, next_one = ordered[-1], ordered[-2]
    sure = not any(each.guards or each.doubts or each.tool.version == UNKNOWN_VERSION for each in every)
    if sure and _key(highest.tool.version) != _key(next_one.tool.version):
        unknown = reasons.unknown(reasons.UNSUPPORTED, "what is said of the versions of a tool")
        return replace(highest, tool=replace(highest.tool, names={**highest.tool.names, "meta": unknown}))
    unknown = reasons.unknown(reasons.CONDITION, f"which version of {highest.name} is the highest is not known")
    certain = any(not each.guards and not each.doubts for each in every)
    return replace(
        highest,
        tool=replace(highest.tool, rest=unknown),
        guards=() if certain else highest.guards,
        doubts=() if certain else (*highest.doubts, unknown.reason),
    )


def _key(version: str | None) -> tuple[int, Version | str]:
    """How fastmcp orders versions: none, then those of PEP 440, then other texts."""
    if version is None:
        return 0, ""
    try:
        return 1, Version(version)
    except InvalidVersion:
        return 2, version
