"""What a server lists whose tools are functions, derived from what it was told.

Every SDK keeps its tools in a dict, but which of two registrations of one name wins differs: the first with ``mcp``,
the last (in the position of the first) with ``fastmcp``; mounted tools come after the server's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import FASTMCP
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.servers.answers import Answer, Listed, agreed, blurred
from pdmigrate.understand.servers.objects import (
    Mounted,
    Opaque,
    Registered,
    Removed,
    ServerValue,
    ToolValue,
    Visibility,
)
from pdmigrate.understand.servers.registered import LISTING, registered
from pdmigrate.understand.servers.versioned import UNKNOWN_VERSION, highest_versions
from pdmigrate.understand.values.calls import BoundMethod
from pdmigrate.understand.values.codes import CONDITION, UNSUPPORTED
from pdmigrate.understand.values.containers import ListValue, SetValue
from pdmigrate.understand.values.core import NONE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import FunctionValue, text_of

_DEEPEST = 10
OVERRIDES: list[Callable[[Run, ServerValue], Answer | None]] = []
"""Ways in which a program may take over the answer of a server."""


def replayed(run: Run, server: ServerValue, events: list[Value] | tuple[Value, ...] | None = None) -> Answer:
    """What ``server`` lists after all that it was told, or after these ``events``."""
    return _Replay(run, server, 0).answer(server.data if events is None else events)


class _Replay:
    def __init__(self, run: Run, server: ServerValue, depth: int) -> None:
        self.run, self.server, self.depth = run, server, depth
        self.major = server.family.major if server.cls is FASTMCP else 0
        """The major version of fastmcp; 0 for a server of another SDK."""
        self.own: list[Listed] = []
        self.mounted: list[Listed] = []
        self.marks: list[tuple[Visibility, tuple[str, ...]]] = []
        self.replaced: list[tuple[str, ...]] = []
        self.incomplete: str | None = None
        self.rewritten: Unknown | None = None

    def answer(self, events: list[Value] | tuple[Value, ...]) -> Answer:
        if self.server.rest is not None:
            self.note(self.server.rest.reason)
        for event in events:
            conditions: tuple[str, ...] = ()
            while isinstance(event, Maybe):
                conditions, event = (*conditions, event.condition), event.value
            APPLY.get(type(event), _nothing)(self, event, conditions)
        tools = [shown for tool in self._merged() if (shown := self._shown(tool)) is not None]
        for conditions in self.replaced:
            for tool in tools:
                tool.conditions = (*tool.conditions, *conditions)
        made = Answer(highest_versions(tools), self.incomplete)
        return made if self.rewritten is None else blurred(made, self.rewritten.reason, self.rewritten.code)

    def note(self, reason: str) -> None:
        """Note that there may be more tools."""
        self.incomplete = self.incomplete or reason

    def refuse(self, reason: str) -> None:
        """Note that the SDK refuses a registration, so that the server does not start."""
        self.note(reason)
        self.rewritten = self.rewritten or Unknown(reason, CONDITION)

    def add(self, new: Listed) -> None:
        """Take a tool among the server's own ones, as the SDK does where it has one of that name."""
        own, options = self.own, self.server.options
        same = [index for index, old in enumerate(own) if old.name is not None and old.name == new.name]
        if self.major >= 3:
            if any((own[index].version is None) is not (new.version is None) for index in same if not new.conditions):
                self.refuse(f"the SDK refuses {new.name} with a version beside one without")
            same = [index for index in same if own[index].version == new.version]
        if not same:
            own.append(new)
            return
        old = own[same[0]]
        on_duplicate = text_of(options.get("on_duplicate_tools", options.get("on_duplicate", NONE)))
        if on_duplicate == "error" and not new.conditions and not old.conditions:
            self.refuse(f"the SDK refuses a second tool {new.name}")
        replaces = self.major > 0 and on_duplicate != "ignore"
        if replaces and not new.conditions:
            own[same[0]] = new
        elif replaces or old.conditions:
            own[same[0]] = agreed(old, new)

    def _merged(self) -> list[Listed]:
        """Own tools, then mounted ones; of two with one name the later wins in fastmcp 2, the first since 3."""
        result = list(self.own)
        for tool in self.mounted:
            index = next((i for i, old in enumerate(result) if old.name is not None and old.name == tool.name), None)
            other = index is not None and self.major >= 3 and result[index].version != tool.version
            if index is None or other:
                result.append(tool)
            elif tool.conditions or result[index].conditions:
                result[index] = agreed(result[index], tool)
            elif self.major == 2:
                result[index] = tool
        return result

    def _shown(self, tool: Listed) -> Listed | None:
        """``tool`` with the doubts about its visibility; ``None`` if it is hidden."""
        doubts: list[str] = []
        shown = tool.enabled
        if shown is None:
            doubts.append("whether it is enabled is not known")
        shown = shown is not False
        for mark, conditions in self.marks:
            matches = _matches(mark, tool)
            if matches is None or (matches and conditions):
                doubts += conditions or [mark.why.reason]
                shown = shown or mark.enabled
            elif matches:
                shown = mark.enabled
        for name, wanted in (("include_tags", True), ("exclude_tags", False)) if self.major == 2 else ():
            value = self.server.options.get(name, NONE)
            chosen = texts_of(value)
            if value != NONE and (chosen is None or tool.tags is None):
                doubts.append("tools are chosen by their tags, which are not known")
            elif chosen is not None and tool.tags is not None and bool(chosen & tool.tags) is not wanted:
                shown = False
        if not shown:
            return None
        return replace(tool, conditions=(*tool.conditions, *doubts)) if doubts else tool


# --- events -----------------------------------------------------------------------------------------------------------


def _nothing(_replay: _Replay, _event: Any, _conditions: tuple[str, ...]) -> None:
    """An event that concerns something else than the list."""


def _register(replay: _Replay, event: Registered, conditions: tuple[str, ...]) -> None:
    replay.add(listed(replay.run, replay.server, event.tool, conditions))


def _remove(replay: _Replay, event: Removed, conditions: tuple[str, ...]) -> None:
    if event.name is None:
        conditions = conditions or (event.why.reason,)
    elif not conditions:
        if replay.incomplete is None and all(tool.name not in (event.name, None) for tool in replay.own):
            replay.refuse(f"the SDK refuses to remove {event.name}, which is no tool of the server")
        replay.own = [tool for tool in replay.own if tool.name != event.name]
        return
    for tool in replay.own:
        if event.name is None or tool.name == event.name or tool.name is None:
            tool.conditions = (*tool.conditions, *conditions)


def _mount(replay: _Replay, event: Mounted, conditions: tuple[str, ...]) -> None:
    run, child = replay.run, event.server
    if replay.depth > _DEEPEST:
        replay.note("servers are mounted in one another")
        return
    taken = (hook(run, child) for hook in OVERRIDES)
    inner = next((found for found in taken if found is not None), None)
    if inner is None:
        inner = _Replay(run, child, replay.depth + 1).answer(child.data if event.copied is None else event.copied)
    if inner.incomplete is not None:
        replay.note(inner.incomplete)
    if event.unknown is not None:
        replay.note(f"the names of mounted tools are not known: {event.unknown.reason}")
    differ = any(child.options.get(name) != replay.server.options.get(name) for name in LISTING)
    for tool in inner.tools:
        made = replace(_renamed(replay, event, tool), conditions=(*conditions, *tool.conditions))
        if differ:
            unknown = UnknownField("servers that list in different ways are mounted", UNSUPPORTED)
            made.fields = {**made.fields, "inputSchema": unknown, "outputSchema": unknown, "_meta": unknown}
        if event.copied is not None:
            replay.add(made)
        else:
            replay.mounted.append(made)


def _renamed(replay: _Replay, event: Mounted, tool: Listed) -> Listed:
    """A tool of a mounted server as it is listed under the name that it has there."""
    if event.unknown is not None or tool.name is None:
        why = event.unknown or Unknown("the name of a mounted tool is not known", CONDITION)
        return replace(tool, fields={**tool.fields, "name": UnknownField(why.reason, why.code)})
    new = event.names.get(tool.name)
    if new and replay.major < 3:  # before fastmcp 3.0, no prefix is put before a name that is given
        name = new
    else:
        name = f"{event.prefix}_{new or tool.name}" if event.prefix else new or tool.name
    if name == tool.name:
        return tool
    renamed = _named(replay.run, event.server, tool, name)
    if replay.major >= 3 and new:  # fastmcp makes a new schema for it
        unknown = UnknownField("the schema of a tool that is renamed when it is mounted", UNSUPPORTED)
        renamed.fields = {**renamed.fields, "inputSchema": unknown}
    return renamed


def _named(run: Run, server: ServerValue, tool: Listed, name: str) -> Listed:
    """``tool`` under another name; its title may come from its name."""
    if tool.tool is None:
        unknown = UnknownField("what a mounted server that answers by itself says", UNSUPPORTED)
        return replace(tool, fields={**tool.fields, "name": unknown, "title": unknown})
    copy = ToolValue(tool.tool.function, {**tool.tool.options, "name": Const(name)}, tool.tool.family, tool.tool.site)
    copy.data, copy.rest = {key: value for key, value in tool.tool.data.items() if key != "name"}, tool.tool.rest
    fields = listed(run, server, copy, tool.conditions).fields
    # What has become unknown on the way here stays unknown.
    lost = {key: field for key, field in tool.fields.items() if isinstance(field, UnknownField)}
    return replace(tool, fields={**fields, **lost}, tool=copy)


def _mark(replay: _Replay, event: Visibility, conditions: tuple[str, ...]) -> None:
    replay.marks.append((event, conditions))


def _opaque(replay: _Replay, event: Opaque, conditions: tuple[str, ...]) -> None:
    replay.note(event.why.reason)
    if event.replaces and conditions:
        replay.replaced.append(conditions)
    elif event.rewrites:
        replay.rewritten = replay.rewritten or event.why


APPLY: dict[type[Value], Callable[[_Replay, Any, tuple[str, ...]], None]] = {
    Registered: _register,
    Removed: _remove,
    Mounted: _mount,
    Visibility: _mark,
    Opaque: _opaque,
}
"""What an event, under these conditions, does to the tools before it."""


# --- one tool ---------------------------------------------------------------------------------------------------------


def listed(run: Run, server: ServerValue, tool: ToolValue, conditions: tuple[str, ...]) -> Listed:
    """A registered tool as the server lists it."""
    fields, site = registered(run, server.options, tool)
    made = Listed(fields, site, conditions, _doc(tool.function), _tags(tool))
    made.tool, made.version, made.enabled = tool, _version(tool), _enabled(tool)
    return made


def _enabled(tool: ToolValue) -> bool | None:
    value = tool.data.get("enabled", tool.options.get("enabled", NONE))
    return (value == NONE or bool(value.value)) if isinstance(value, Const) else None


def _version(tool: ToolValue) -> str | None:
    value = tool.options.get("version", NONE)
    return None if value == NONE else text_of(value) or UNKNOWN_VERSION


def _doc(function: Value) -> str | None:
    inner = function.function if isinstance(function, BoundMethod) else function
    doc = inner.data.get("__doc__") if isinstance(inner, FunctionValue) else None
    return doc.value if isinstance(doc, Const) and isinstance(doc.value, str) else None


def _tags(tool: ToolValue) -> frozenset[str] | None:
    value = tool.data.get("tags", tool.options.get("tags", NONE))
    return frozenset() if value == NONE else texts_of(value)


def texts_of(value: Value) -> frozenset[str] | None:
    """The texts of a collection; ``None`` if they are not all known."""
    if not isinstance(value, (SetValue, ListValue)) or value.rest is not None:
        return None
    texts = [text_of(item) for item in (value.data.values() if isinstance(value, SetValue) else value.data)]
    return None if None in texts else frozenset(text for text in texts if text is not None)


def _matches(mark: Visibility, tool: Listed) -> bool | None:
    """Whether ``mark`` applies to ``tool``; ``None`` if that is not known."""
    if mark.nothing or mark.unsure:
        return False if mark.nothing else None
    if mark.tags is None and mark.names is None and mark.keys is None:
        return mark.everything
    if mark.names is not None and tool.name is not None and tool.name not in mark.names:
        return False
    if mark.keys is not None and tool.name is not None and f"tool:{tool.name}@" not in mark.keys:
        return False
    if mark.tags is not None and tool.tags is not None and not mark.tags & tool.tags:
        return False
    unknown = (mark.tags is not None and tool.tags is None) or (tool.name is None and (mark.names or mark.keys))
    return None if unknown else True
