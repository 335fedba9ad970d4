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
from pdmigrate.understand.servers.answers import Answer, Listed, agreed, blurred, function_of
from pdmigrate.understand.servers.objects import (
    Mounted,
    Opaque,
    Registered,
    Removed,
    ServerValue,
    ToolValue,
    Visibility,
)
from pdmigrate.understand.servers.wire import LISTING, registered
from pdmigrate.understand.values.codes import CONDITION, UNSUPPORTED
from pdmigrate.understand.values.core import NONE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import BoundMethod, Instance, text_of

_DEEPEST = 10
_CHOSEN = ("include_tags", "exclude_tags")


def replayed(run: Run, server: ServerValue) -> Answer:
    return _Replay(run, server, 0).answer(server.data)


def overriding(server: ServerValue) -> tuple[str, Value] | None:
    """The method that lists the tools in a class of the program, with its name; ``None`` if the SDK's does."""
    if not isinstance(server.instance, Instance):
        return None
    found = ((name, server.instance.cls.find(name)) for name in server.family.answering)
    return next(((name, BoundMethod(each, server.instance)) for name, each in found if each is not None), None)


class _Replay:
    def __init__(self, run: Run, server: ServerValue, depth: int) -> None:
        self.run, self.server, self.depth = run, server, depth
        self.major = server.family.major if server.cls is FASTMCP else 0
        """The major version of fastmcp; 0 for a server of another SDK."""
        self.own: list[Listed] = []
        self.mounted: list[Listed] = []
        self.doubts: list[str] = []
        """Why any of the tools may be hidden."""
        self.incomplete: str | None = None
        self.rewritten: Unknown | None = None

    def answer(self, events: list[Value] | tuple[Value, ...]) -> Answer:
        if self.server.rest is not None:
            self.note(self.server.rest.reason)
        if any(self.server.options.get(name, NONE) != NONE for name in _CHOSEN):
            self.doubts.append("tools are chosen by their tags")
        for event in events:
            conditions: tuple[str, ...] = ()
            while isinstance(event, Maybe):
                conditions, event = (*conditions, event.condition), event.value
            if type(event) in APPLY:  # others concern something else than the list
                APPLY[type(event)](self, event, conditions)
        shown = [tool for tool in self._merged() if tool.enabled or self.doubts]
        made = Answer([replace(tool, conditions=(*tool.conditions, *self.doubts)) for tool in shown], self.incomplete)
        return made if self.rewritten is None else blurred(made, self.rewritten.reason, self.rewritten.code)

    def note(self, reason: str) -> None:
        """Note that there may be more tools."""
        self.incomplete = self.incomplete or reason

    def give_up(self, reason: str, code: str = CONDITION) -> None:
        """Note that nothing is known of the list, which there is none of if the SDK refuses a registration."""
        self.note(reason)
        self.rewritten = self.rewritten or Unknown(reason, code)

    def add(self, new: Listed) -> None:
        """Take a tool among the server's own ones, as the SDK does where it has one of that name."""
        own, options = self.own, self.server.options
        index = next((i for i, old in enumerate(own) if old.name is not None and old.name == new.name), None)
        if index is None:
            own.append(new)
            return
        old = own[index]
        if any(options.get(name, NONE) != NONE for name in ("on_duplicate_tools", "on_duplicate")):
            self.give_up(f"what becomes of a second tool {new.name} is an option of the server", UNSUPPORTED)
        elif old.has_version or new.has_version:
            self.give_up(f"{new.name} has several versions", UNSUPPORTED)
        if self.major > 0 and not new.conditions:
            own[index] = new
        elif self.major > 0 or old.conditions:
            own[index] = agreed(old, new)

    def listed(self, tool: ToolValue, conditions: tuple[str, ...]) -> Listed:
        """A registered tool as the server lists it."""
        fields, site = registered(self.run, self.server.options, tool)
        inner = function_of(tool.function)
        doc = text_of(inner.data.get("__doc__")) if inner is not None else None
        made = Listed(fields, site, conditions, doc, tool=tool)
        made.has_version = tool.options.get("version", NONE) != NONE
        enabled = tool.data.get("enabled", tool.options.get("enabled", NONE))
        if not isinstance(enabled, Const):
            made.conditions = (*conditions, "whether it is enabled is not known")
        made.enabled = enabled == NONE or not isinstance(enabled, Const) or bool(enabled.value)
        return made

    def _merged(self) -> list[Listed]:
        """Own tools, then mounted ones; of two with one name the later wins in fastmcp 2, the first since 3."""
        result = list(self.own)
        for tool in self.mounted:
            index = next((i for i, old in enumerate(result) if old.name is not None and old.name == tool.name), None)
            if index is None:
                result.append(tool)
                continue
            if tool.has_version or result[index].has_version:
                self.give_up(f"{tool.name} has several versions", UNSUPPORTED)
            if tool.conditions or result[index].conditions:
                result[index] = agreed(result[index], tool)
            elif self.major == 2:
                result[index] = tool
        return result


# --- events -----------------------------------------------------------------------------------------------------------


def _remove(replay: _Replay, event: Removed, conditions: tuple[str, ...]) -> None:
    if not conditions:
        if replay.incomplete is None and all(tool.name not in (event.name, None) for tool in replay.own):
            replay.give_up(f"the SDK refuses to remove {event.name}, which is no tool of the server")
        replay.own = [tool for tool in replay.own if tool.name != event.name]
    for tool in replay.own:
        if tool.name in (event.name, None):
            tool.conditions = (*tool.conditions, *(conditions or (f"it may be {event.name}, which is removed",)))


def _mount(replay: _Replay, event: Mounted, conditions: tuple[str, ...]) -> None:
    child = event.server
    if replay.depth > _DEEPEST:
        replay.note("servers are mounted in one another")
        return
    below = _Replay(replay.run, child, replay.depth + 1)
    inner = below.answer(child.data if event.copied is None else event.copied)
    if overriding(child) is not None:
        inner = blurred(inner, "a mounted server answers by itself", UNSUPPORTED)
    if inner.incomplete is not None:
        replay.note(inner.incomplete)
    if event.unknown is not None:
        replay.note(f"the names of mounted tools are not known: {event.unknown.reason}")
    if any(child.options.get(name) != replay.server.options.get(name) for name in LISTING):
        replay.give_up("servers that list in different ways are mounted", UNSUPPORTED)
    for tool in inner.tools:
        made = replace(_renamed(below, event, tool), conditions=(*conditions, *tool.conditions))
        if event.copied is not None:
            replay.add(made)
        else:
            replay.mounted.append(made)


def _renamed(child: _Replay, event: Mounted, tool: Listed) -> Listed:
    """A tool of a mounted server as it is listed under the name that it has there; its title may come from its name."""
    if event.unknown is not None or tool.name is None or tool.tool is None:
        why = event.unknown or Unknown("the name of a mounted tool is not known", CONDITION)
        return replace(tool, fields={**tool.fields, "name": UnknownField(why.reason, why.code)})
    if not event.prefix:
        return tool
    known = tool.tool
    options = {**known.options, "name": Const(f"{event.prefix}_{tool.name}")}
    copy = ToolValue(known.function, options, known.family, known.site)
    copy.data, copy.rest = {key: value for key, value in known.data.items() if key != "name"}, known.rest
    fields = child.listed(copy, tool.conditions).fields
    # What has become unknown on the way here stays unknown.
    lost = {key: field for key, field in tool.fields.items() if isinstance(field, UnknownField)}
    return replace(tool, fields={**fields, **lost}, tool=copy)


def _opaque(replay: _Replay, event: Opaque, conditions: tuple[str, ...]) -> None:
    replay.note(event.why.reason)
    if event.replaces and conditions:
        replay.doubts.extend(conditions)
    elif event.rewrites:
        replay.rewritten = replay.rewritten or event.why


APPLY: dict[type[Value], Callable[[_Replay, Any, tuple[str, ...]], None]] = {
    Registered: lambda replay, event, conditions: replay.add(replay.listed(event.tool, conditions)),
    Removed: _remove,
    Mounted: _mount,
    Visibility: lambda replay, event, conditions: replay.doubts.extend(conditions or (event.reason,)),
    Opaque: _opaque,
}
"""What an event, under these conditions, does to the tools before it."""
