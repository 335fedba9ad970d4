"""Derive the tools that a server of a decorator family lists from the record of its events.

Every SDK keeps its tools in a dict, but which of two registrations of one name wins differs: the first with ``mcp``,
the last (in the position of the first) with ``fastmcp``; mounted tools come after the server's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, unwrapped
from pdmigrate.evaluate.core.values import NONE, Const, Guard, SdkObject, UnknownValue, Value
from pdmigrate.evaluate.language.any_order import Unordered
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.servers.composing import texts_of
from pdmigrate.recognise.servers.registered import (
    TAMPERED,
    Mounted,
    Removal,
    ToolValue,
    Unfollowed,
    Visibility,
)
from pdmigrate.recognise.servers.registries import HIDES, REWRITES, events_of, family_of, outside_changer
from pdmigrate.recognise.servers.tools import listing_options
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

DEEPEST = 10


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


@dataclass(frozen=True)
class Replay:
    """All tools of a server, in order; ``incomplete`` says why there may be more, ``rewritten`` why fields differ."""

    tools: tuple[Registered, ...]
    incomplete: str | None = None
    rewritten: UnknownValue | None = None
    fields: dict[str, UnknownValue] = field(default_factory=dict)
    """Unknown fields, because the program sets them on tools that it reaches in a way that is not followed."""
    unordered: bool = False
    """Whether the order of the tools may differ."""


def replayed(run: Interpreter, server: SdkObject, *, visible_only: bool = True, depth: int = 0) -> Replay:
    """Read the record of ``server``, with the tools that are hidden unless ``visible_only`` is set."""
    state = _State(run, server, depth)
    events = events_of(server)
    for item in events.items:
        for guards, event in unwrapped(item):
            state.apply(event, guards)
    if events.rest is not None:
        state.note(events.rest.reason)
    state.lost(server.names.get(HIDES), server.names.get(REWRITES))
    if server.rest is not None:
        state.note(f"other tools may be registered: {server.rest.reason}")
    if (changer := outside_changer(server)) is not None:
        state.handed_over(changer)
    return state.result(visible_only)


def _unknown_in(value: Value | None) -> UnknownValue | None:
    found = alternatives(value) if value is not None else ()
    return next((item for item in found if isinstance(item, UnknownValue)), None)


class _State:
    def __init__(self, run: Interpreter, server: SdkObject, depth: int) -> None:
        self.run, self.server, self.depth = run, server, depth
        self.fastmcp = server.type == FASTMCP.type
        self.major = family_of(run, FASTMCP).major if self.fastmcp else 0
        self.own: list[Registered] = []
        self.mounted: list[Registered] = []
        self.marks: list[tuple[Visibility, tuple[Guard, ...]]] = []
        self.replaced: list[tuple[Unfollowed, tuple[Guard, ...]]] = []
        self.hiding = ""
        self.incomplete: str | None = None
        self.rewritten: UnknownValue | None = None
        self.fields: dict[str, UnknownValue] = {}
        self.unordered = False

    def note(self, reason: str) -> None:
        self.incomplete = self.incomplete or reason

    def lost(self, hides: Value | None, rewrites: Value | None) -> None:
        """Note that a loop of unknown length removed or changed tools, of which no more is known."""
        rewritten = _unknown_in(rewrites)
        self.rewritten = self.rewritten or rewritten
        unknown = rewritten or _unknown_in(hides)
        if unknown is not None:
            self.note(unknown.reason)
            self.hiding = self.hiding or f"a loop may remove it: {unknown.reason}"

    def handed_over(self, changer: UnknownValue) -> None:
        """Code that is not known had the server: it may hide its tools, or wrap what registers them."""
        self.rewritten = self.rewritten or changer
        self.hiding = self.hiding or f"it may be hidden: {changer.reason}"

    def apply(self, event: Value, guards: tuple[Guard, ...]) -> None:
        if isinstance(event, ToolValue):
            self._add(Registered(event, event.tool_name, guards))
        elif isinstance(event, Removal):
            self._remove(event, guards)
        elif isinstance(event, Mounted):
            self._mount(event, guards)
        elif isinstance(event, Visibility):
            self.marks.append((event, guards))
        elif isinstance(event, Unordered):
            self.unordered = True
            self.note(event.reason.reason)
        elif isinstance(event, Unfollowed):
            self.note(event.reason.reason)
            if event.replaces and guards:
                self.replaced.append((event, guards))
            elif event.rewrites:
                self.rewritten = self.rewritten or event.reason
                self.hiding = self.hiding or f"it may be hidden: {event.reason.reason}"

    def _add(self, new: Registered) -> None:
        same = [index for index, old in enumerate(self.own) if old.name is not None and old.name == new.name]
        if same and not self.own[same[-1]].guards and not self._replaces():
            return
        if same and not new.guards and self._replaces():
            first = same[0]
            self.own[first] = new
            for index in reversed(same[1:]):
                del self.own[index]
            return
        self.own.append(new)

    def _replaces(self) -> bool:
        """Whether the later of two tools with one name wins."""
        return self.fastmcp and not self._ignores()

    def _ignores(self) -> bool:
        names = self.server.names
        return (names.get("on_duplicate_tools") or names.get("on_duplicate") or NONE).text == "ignore"

    def _remove(self, event: Removal, guards: tuple[Guard, ...]) -> None:
        if event.name is None:
            self.own = [tool.doubted("a tool is removed by a name that is not known") for tool in self.own]
        elif guards:
            self.own = [tool.unless(guards[-1]) if tool.name == event.name else tool for tool in self.own]
        else:
            self.own = [tool for tool in self.own if tool.name != event.name]

    def _mount(self, event: Mounted, guards: tuple[Guard, ...]) -> None:
        if self.depth > DEEPEST:
            self.note("servers are mounted too deeply")
            return
        inner = replayed(self.run, event.server, depth=self.depth + 1)
        if inner.incomplete is not None:
            self.note(inner.incomplete)
        self.rewritten = self.rewritten or inner.rewritten
        self.fields.update(inner.fields)
        self.unordered = self.unordered or inner.unordered
        if listing_options(self.run, event.server) != listing_options(self.run, self.server):
            unknown = reasons.unknown(reasons.UNSUPPORTED, "servers that list in different ways are mounted", None)
            self.fields.update(dict.fromkeys(("parameters", "output_schema", "meta"), unknown))
        if event.unknown is not None:
            self.note(f"the names of mounted tools are not known: {event.unknown.reason}")
        for tool in inner.tools:
            name = None if event.unknown is not None or tool.name is None else self._mounted_name(event, tool.name)
            if self.major >= 3 and tool.name in event.names:
                tool = replace(tool, tool=_rebuilt(tool.tool))
            self.mounted.append(replace(tool, name=name, guards=(*guards, *tool.guards)))

    def _mounted_name(self, event: Mounted, name: str) -> str:
        renamed = event.names.get(name)
        if self.major >= 3:
            name = renamed or name
            return f"{event.prefix}_{name}" if event.prefix else name
        return renamed or (f"{event.prefix}_{name}" if event.prefix else name)

    # --- the resulting list ------------------------------------------------------------------------------------------

    def result(self, visible_only: bool) -> Replay:
        tools = [self._unless_replaced(self._shown(tool)) for tool in _unless_renamed(self._merged())]
        if visible_only:
            tools = [tool for tool in tools if not tool.hidden]
        self._tampering()
        if any(tool.name is None for tool in tools):
            self.note("the name of a tool is not known")
        return Replay(tuple(tools), self.incomplete, self.rewritten, self.fields, self.unordered)

    def _merged(self) -> list[Registered]:
        """Own tools, then mounted ones; of two with one name the later wins in fastmcp 2, the first since 3."""
        result = list(self.own)
        for tool in self.mounted:
            index = next((i for i, old in enumerate(result) if old.name is not None and old.name == tool.name), None)
            if index is None or tool.guards or result[index].guards:
                result.append(tool)
            elif self.major == 2:
                result[index] = tool
        return result

    def _unless_replaced(self, tool: Registered) -> Registered:
        """``tool`` with the conditions under which it is hidden, or other tools are listed in its place."""
        for event, guards in self.replaced:
            if len(guards) == 1:
                tool = tool.unless(guards[0])
            else:
                tool = tool.doubted(f"others may be listed in its place: {event.reason.reason}")
        return tool.doubted(self.hiding) if self.hiding else tool

    def _shown(self, tool: Registered) -> Registered:
        """``tool`` with its visibility, and the doubts about it."""
        shown: bool | None = _flag(tool.tool)
        if shown is None:
            tool = tool.doubted("whether it is enabled is not known")
            shown = True
        known = tool.tool.tags
        tags = frozenset(map(str, known)) if known is not None else None
        for mark, guards in self.marks:
            matches = _matches(mark, tool, tags)
            if matches is None or (matches and guards):
                tool = tool.doubted("it may be enabled or disabled")
                shown = shown or mark.enabled
            elif matches:
                shown = mark.enabled
        if self.fastmcp and self.major == 2:
            tool, shown = self._by_tags(tool, tags, shown)
        return replace(tool, hidden=not shown)

    def _by_tags(self, tool: Registered, tags: frozenset[str] | None, shown: bool) -> tuple[Registered, bool]:
        for name, wanted in (("include_tags", True), ("exclude_tags", False)):
            value = self.server.names.get(name)
            chosen = texts_of(self.run, value) if value is not None else None
            if chosen is None:
                continue
            if isinstance(chosen, UnknownValue) or tags is None:
                reason = chosen.reason if isinstance(chosen, UnknownValue) else "its tags are not known"
                tool = tool.doubted(f"tools are chosen by their tags: {reason}")
            elif bool(chosen & tags) is not wanted:
                shown = False
        return tool, shown

    def _tampering(self) -> None:
        marker = self.server.names.get(TAMPERED)
        if not isinstance(marker, SdkObject):
            return
        if marker.rest is not None:
            self.rewritten = self.rewritten or marker.rest
            self.note(f"its tools are changed in a way that is not followed: {marker.rest.reason}")
        for name in marker.names:
            unknown = reasons.unknown(reasons.MUTATED, f"{name} is set on tools of the server", None)
            self.fields[name] = unknown


def _unless_renamed(tools: list[Registered]) -> list[Registered]:
    """``tools``, with only the name known of each that a tool of unknown name replaces in the opposite branch."""
    instead = {(guard.text, not guard.negated) for tool in tools if tool.name is None for guard in tool.guards}
    return [_unless_one_of(tool, instead) if tool.name is not None else tool for tool in tools]


def _unless_one_of(tool: Registered, instead: set[tuple[str, bool]]) -> Registered:
    for guard in tool.guards:
        if (guard.text, guard.negated) in instead:
            reason = f"a tool whose name is not known is registered instead {guard.inverse()}"
            return replace(tool, tool=replace(tool.tool, rest=reasons.unknown(reasons.CONDITION, reason)))
    return tool


def _rebuilt(tool: ToolValue) -> ToolValue:
    """A mounted tool that fastmcp renames: since 3.0 fastmcp makes a new schema for it."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "the schema of a tool that is renamed when it is mounted")
    return replace(tool, names={**tool.names, "parameters": unknown})


def _flag(tool: ToolValue) -> bool | None:
    """Whether the tool itself is enabled; ``None`` if that is not known."""
    switched = tool.names.get("enabled")
    if switched is not None:
        return bool(switched.value) if isinstance(switched, Const) else None
    option = tool.option("enabled")
    if option is None or option == specs.PlainValue(None):
        return True
    return bool(option.value) if isinstance(option, specs.PlainValue) else None


def _matches(mark: Visibility, tool: Registered, tags: frozenset[str] | None) -> bool | None:
    """Whether ``mark`` applies to ``tool``; ``None`` if that is not known."""
    if mark.nothing:
        return False
    if mark.unsure:
        return None
    if mark.everything and mark.tags is None and mark.tool_names is None and mark.keys is None:
        return True
    if mark.tags is None and mark.tool_names is None and mark.keys is None:
        return False
    if mark.tool_names is not None and tool.name is not None and tool.name not in mark.tool_names:
        return False
    if mark.keys is not None and tool.name is not None and f"tool:{tool.name}@" not in mark.keys:
        return False
    if mark.tags is not None and tags is not None and not mark.tags & tags:
        return False
    unknown = (mark.tags is not None and tags is None) or (tool.name is None and (mark.tool_names or mark.keys))
    return None if unknown else True
