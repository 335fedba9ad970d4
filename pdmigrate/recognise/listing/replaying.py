"""Derive the tools that a server lists from the record of what it was told.

Every SDK keeps its tools in a dict, but which of two registrations of one name wins differs: the first with ``mcp``,
the last (in the position of the first) with ``fastmcp``; mounted tools come after the server's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, unwrapped, with_aliases
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import NONE, Guard, ListValue, Place, SdkObject, UnknownValue, Value
from pdmigrate.evaluate.language.any_order import Unordered
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.listing.versioned import Registered, highest_versions
from pdmigrate.recognise.servers.composing import ORIGINAL, texts_of
from pdmigrate.recognise.servers.record import (
    HIDES,
    REWRITES,
    TAMPERED,
    Mounted,
    Removal,
    ToolValue,
    Unfollowed,
    Visibility,
    events_of,
    family_of,
    guarded,
    outside_changer,
)
from pdmigrate.recognise.servers.tools import listing_options, wire_tool
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

DEEPEST = 10


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


def list_of(run: Interpreter, server: SdkObject, *, wire: bool) -> ListValue:
    """The list that ``list_tools()`` returns: protocol objects if ``wire`` is set, otherwise the SDK's own tools."""
    replay = replayed(run, server)
    rest = None
    if replay.incomplete is not None or replay.rewritten is not None or replay.fields:
        rest = tools_unknown(server, replay.incomplete or "the tools", None)
    items = []
    for registered in () if replay.unordered else replay.tools:
        tool: Value = wire_tool(run, registered.named) if wire else registered.named
        doubts = tuple(Guard(doubt, reasons.unknown(reasons.CONDITION, doubt)) for doubt in registered.doubts)
        items.append(guarded(tool, (*registered.guards, *doubts)))
    return ListValue(items, rest)


def tools_unknown(server: SdkObject, name: str, place: Place | None) -> UnknownValue:
    """An unknown value that leads to the tools of ``server``: a change of it in place may change any of them."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name} of the server", place)
    return with_aliases(unknown, server.names[TAMPERED])


def replayed(run: Interpreter, server: SdkObject, *, visible_only: bool = True, depth: int = 0) -> Replay:
    """Read the record of ``server``, with the tools that are hidden unless ``visible_only`` is set."""
    state = _State(run, server, depth)
    events = events_of(server)
    for item in events.items:
        for guards, event in unwrapped(item):
            APPLY[type(event)](state, event, guards)
    if events.rest is not None:
        state.note(events.rest.reason)
    # A loop of unknown length removed or changed tools, of which no more is known.
    rewritten = _unknown_in(server.names.get(REWRITES))
    if (lost := rewritten or _unknown_in(server.names.get(HIDES))) is not None:
        state.note(lost.reason)
        state.doubt(f"a loop may remove it: {lost.reason}", rewritten)
    if server.rest is not None:
        state.note(f"other tools may be registered: {server.rest.reason}")
    if (changer := outside_changer(server)) is not None:
        # Code that is not known had the server: it may hide its tools, or wrap what registers them.
        state.doubt(f"it may be hidden: {changer.reason}", changer)
    return state.result(visible_only)


def _unknown_in(value: Value | None) -> UnknownValue | None:
    found = alternatives(value) if value is not None else ()
    return next(filter(None, (item.as_unknown for item in found)), None)


class _State:
    def __init__(self, run: Interpreter, server: SdkObject, depth: int) -> None:
        self.run, self.server, self.depth = run, server, depth
        self.major = family_of(run, FASTMCP).major if server.type == FASTMCP.type else 0
        """The major version of fastmcp; 0 if the server is of another SDK."""
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
        """Note that there may be more tools."""
        self.incomplete = self.incomplete or reason

    def doubt(self, hiding: str, rewritten: UnknownValue | None) -> None:
        """Note that every tool may be hidden, and its fields rewritten."""
        self.hiding = self.hiding or hiding
        self.rewritten = self.rewritten or rewritten

    def mounted_name(self, event: Mounted, name: str) -> str:
        """The name of a tool of a mounted server; before fastmcp 3.0, no prefix is put before one that is renamed."""
        renamed = event.names.get(name)
        if renamed and self.major < 3:
            return renamed
        name = renamed or name
        return f"{event.prefix}_{name}" if event.prefix else name

    def refuse(self, reason: str) -> None:
        """Note that the SDK refuses a registration, so that the server does not start."""
        self.note(reason)
        self.doubt(reason, None)

    def add(self, new: Registered) -> None:
        """Take a tool among the server's own ones, as the SDK does where it has one of that name."""
        own, names, version = self.own, self.server.names, new.tool.version
        same = [index for index, old in enumerate(own) if old.name is not None and old.name == new.name]
        if self.major >= 3:
            if any((own[index].tool.version is None) is not (version is None) for index in same if not new.guards):
                self.refuse(f"the SDK refuses {new.name} with a version beside one without")
            same = [index for index in same if own[index].tool.version == version]
        on_duplicate = (names.get("on_duplicate_tools") or names.get("on_duplicate") or NONE).text
        if same and on_duplicate == "error" and not new.guards and not own[same[-1]].guards:
            self.refuse(f"the SDK refuses a second tool {new.name}")
        replaces = self.major > 0 and on_duplicate != "ignore"
        if same and not replaces and not own[same[-1]].guards:
            return
        if same and replaces and not new.guards:
            own[same[0]] = new
            for index in reversed(same[1:]):
                del own[index]
        else:
            own.append(new)

    # --- the resulting list ------------------------------------------------------------------------------------------

    def result(self, visible_only: bool) -> Replay:
        tools = [self._unless_replaced(self._shown(tool)) for tool in _unless_renamed(self._merged())]
        if visible_only:
            tools = highest_versions([tool for tool in tools if not tool.hidden])
        marker = self.server.names.get(TAMPERED, NONE).as_sdk
        if marker is not None:
            if marker.rest is not None:
                self.rewritten = self.rewritten or marker.rest
                self.note(f"its tools are changed in a way that is not followed: {marker.rest.reason}")
            for name in marker.names:
                self.fields[name] = reasons.unknown(reasons.MUTATED, f"{name} is set on tools of the server", None)
        if any(tool.name is None for tool in tools):
            self.note("the name of a tool is not known")
        return Replay(tuple(tools), self.incomplete, self.rewritten, self.fields, self.unordered)

    def _merged(self) -> list[Registered]:
        """Own tools, then mounted ones; of two with one name the later wins in fastmcp 2, the first since 3."""
        result = list(self.own)
        for tool in self.mounted:
            index = next((i for i, old in enumerate(result) if old.name is not None and old.name == tool.name), None)
            other = index is not None and self.major >= 3 and result[index].tool.version != tool.tool.version
            if index is None or other or tool.guards or result[index].guards:
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
        shown = _flag(tool.tool)
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
        for name, wanted in (("include_tags", True), ("exclude_tags", False)) if self.major == 2 else ():
            try:
                chosen = texts_of(self.run, self.server.names.get(name, NONE))
            except NotPlain as not_known:
                tool = tool.doubted(f"tools are chosen by their tags: {not_known.unknown.reason}")
                continue
            if chosen is not None and tags is None:
                tool = tool.doubted("tools are chosen by their tags: its tags are not known")
            elif chosen is not None and tags is not None and bool(chosen & tags) is not wanted:
                shown = False
        return replace(tool, hidden=not shown)


# --- events -----------------------------------------------------------------------------------------------------------

APPLY: Kinds[Callable[[_State, Any, tuple[Guard, ...]], None]] = Kinds()
"""What an event of the record, under these conditions, does to the tools before it."""


@APPLY.of(Value)
def _nothing(_state: _State, _event: Value, _guards: tuple[Guard, ...]) -> None:
    """What a branch of the program left in the record in place of an event."""


@APPLY.of(ToolValue)
def _add(state: _State, tool: ToolValue, guards: tuple[Guard, ...]) -> None:
    state.add(Registered(tool, tool.tool_name, guards))


@APPLY.of(Removal)
def _remove(state: _State, event: Removal, guards: tuple[Guard, ...]) -> None:
    if event.name is None:
        state.own = [tool.doubted("a tool is removed by a name that is not known") for tool in state.own]
    elif guards:
        state.own = [tool.unless(guards[-1]) if tool.name == event.name else tool for tool in state.own]
    else:
        state.own = [tool for tool in state.own if tool.name != event.name]


@APPLY.of(Mounted)
def _mount(state: _State, event: Mounted, guards: tuple[Guard, ...]) -> None:
    if state.depth > DEEPEST:
        state.note("servers are mounted too deeply")
        return
    inner = replayed(state.run, event.server, depth=state.depth + 1)
    if inner.incomplete is not None:
        state.note(inner.incomplete)
    state.rewritten = state.rewritten or inner.rewritten
    state.fields.update(inner.fields)
    state.unordered = state.unordered or inner.unordered
    if listing_options(state.run, event.server) != listing_options(state.run, state.server):
        unknown = reasons.unknown(reasons.UNSUPPORTED, "servers that list in different ways are mounted", None)
        state.fields.update(dict.fromkeys(("parameters", "output_schema", "meta"), unknown))
    if event.unknown is not None:
        state.note(f"the names of mounted tools are not known: {event.unknown.reason}")
    for tool in inner.tools:
        name = None if event.unknown is not None or tool.name is None else state.mounted_name(event, tool.name)
        if state.major >= 3 and tool.name in event.names:
            tool = replace(tool, tool=_rebuilt(tool.tool))
        tool = replace(tool, name=name, guards=(*guards, *tool.guards))
        if ORIGINAL in event.server.names:
            state.add(tool)
        else:
            state.mounted.append(tool)


@APPLY.of(Visibility)
def _mark(state: _State, event: Visibility, guards: tuple[Guard, ...]) -> None:
    state.marks.append((event, guards))


@APPLY.of(Unordered)
def _in_any_order(state: _State, event: Unordered, _guards: tuple[Guard, ...]) -> None:
    state.unordered = True
    state.note(event.reason.reason)


@APPLY.of(Unfollowed)
def _unfollowed(state: _State, event: Unfollowed, guards: tuple[Guard, ...]) -> None:
    state.note(event.reason.reason)
    if event.replaces and guards:
        state.replaced.append((event, guards))
    elif event.rewrites:
        state.doubt(f"it may be hidden: {event.reason.reason}", event.reason)


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
        known = switched.scalar
        return bool(known.value) if known is not None else None
    match tool.option("enabled"):
        case specs.PlainValue(value):
            return value is None or bool(value)
    return None


def _matches(mark: Visibility, tool: Registered, tags: frozenset[str] | None) -> bool | None:
    """Whether ``mark`` applies to ``tool``; ``None`` if that is not known."""
    if mark.nothing or mark.unsure:
        return False if mark.nothing else None
    if mark.tags is None and mark.tool_names is None and mark.keys is None:
        return mark.everything
    if mark.tool_names is not None and tool.name is not None and tool.name not in mark.tool_names:
        return False
    if mark.keys is not None and tool.name is not None and f"tool:{tool.name}@" not in mark.keys:
        return False
    if mark.tags is not None and tags is not None and not mark.tags & tags:
        return False
    unknown = (mark.tags is not None and tags is None) or (tool.name is None and (mark.tool_names or mark.keys))
    return None if unknown else True
