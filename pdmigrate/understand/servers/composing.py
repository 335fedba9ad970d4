"""What a server whose tools are functions is composed of, and what it lists, derived from what it was told.

Every SDK keeps its tools in a dict, but which of two registrations of one name wins differs: the first with ``mcp``,
the last (in the position of the first) with ``fastmcp``; mounted tools come after the server's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import FASTMCP
from pdmigrate.sdk.names import is_within
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.servers.answers import Answer, Listed, agreed, blurred, function_of
from pdmigrate.understand.servers.making import lost, note, server_in
from pdmigrate.understand.servers.objects import (
    Middleware,
    Mounted,
    Opaque,
    Registered,
    Removed,
    ServerValue,
    ToolValue,
    Visibility,
)
from pdmigrate.understand.servers.overriding import overridden, overriding
from pdmigrate.understand.servers.wire import LISTING, registered
from pdmigrate.understand.values.calls import Arguments, BoundMethod
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import CONDITION, NONE, UNSUPPORTED, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as
from pdmigrate.understand.values.objects import FunctionValue, Instance, text_of
from pdmigrate.understand.values.outside import Called

Method = Callable[[Run, ServerValue, Arguments], Value]


def mount(method: str, run: Run, server: ServerValue, arguments: Arguments) -> Value:
    """``server.mount(child, prefix)``, or ``import_server``, which takes the tools that the child has by then."""
    event: Value = _mounted(run, server, arguments, method)
    if isinstance(event, Mounted):
        event.server.mounted = True
        if method == "import_server" and arguments.node in run.whole_runs:
            event = replace(event, copied=tuple(event.server.data))
        elif method == "import_server":
            event = Opaque(run.unsettled("import_server() is not awaited where it is called"))
    note(run, server, event)
    return NONE


_COPYING = {
    "server": ("", ""),
    "prefix": ("", "4.0.0"),
    **dict.fromkeys(("tool_separator", "resource_separator", "prompt_separator"), ("", "2.14.7")),
}
_MOUNTING = {**_COPYING, "as_proxy": ("", "4.0.0"), "namespace": ("3.0.0", ""), "tool_names": ("2.11.0", "")}
"""The keywords of the methods that mount servers: from which release on, and before which one, each takes them.

Read from the sources of fastmcp 2.10.6, 2.14.7, 3.4.10, 4.1.2 and 4.2.3.
"""


def _mounted(run: Run, server: ServerValue, arguments: Arguments, method: str) -> Mounted | Opaque:
    version = run.versions.get(server.family.package, "")
    taken = _MOUNTING if method == "mount" else _COPYING
    for word in arguments.keywords.keys() - arguments.perhaps.keys():
        if is_within(version, *taken.get(word, ("0.0", "0.0"))) is False:
            what = f"{method}() of fastmcp {version} takes no {word}"
            raise RaisedError("builtins.TypeError", what, run.site())
    names = ("server", "namespace") if server.family.major > 3 else ("server", "prefix", "as_proxy")
    given = arguments.named((*names, "tool_names"))
    child, prefix = given.get("server", NONE), given.get("prefix", given.get("namespace", NONE))
    if server_in(child) is None and server_in(prefix) is not None:
        if is_within(version, "", "2.14.7") is False:  # before, the order of fastmcp 2.0 to 2.8 is taken, too
            raise RaisedError("builtins.AttributeError", f"{method}() takes the server first", run.site())
        child, prefix = prefix, child
    inner = server_in(child)
    if inner is None:
        return Opaque(run.because("a server is mounted that is not known", child))
    unknown = arguments.unknown
    if not isinstance(prefix, Const):
        unknown = unknown or run.because("a prefix that is not known", prefix)
    if given.get("tool_names", NONE) != NONE:
        unknown = unknown or run.unsettled("the names of mounted tools")
    return Mounted(inner, str(prefix.value or "") if isinstance(prefix, Const) else "", unknown)


def show(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    note(run, server, Visibility("the visibility of tools is changed at run time"))
    return server


_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""


def unfollowed(what: str, run: Run, server: ServerValue, arguments: Arguments) -> Value:
    note_unfollowed(run, server, arguments.unknown or arguments.first, what)
    return NONE


def note_unfollowed(run: Run, server: ServerValue, value: Value, what: str) -> None:
    """Record what a transform or a provider may do to the tools, or a collection of them."""
    items = [] if value == NONE or (isinstance(value, DictValue) and value.rest is None and not value.data) else [value]
    if isinstance(value, (ListValue, TupleValue)):
        items, more = elements(run, value)
        items += [more] if more is not None else []
    why = run.unsettled(f"{what} of the server")
    for item in items:
        replaces = isinstance(inner := bare_value(item), Called) and inner.callee.startswith(_REPLACING)
        note(run, server, conditional_as(item, Opaque(why, "transform" in what, replaces)))


# --- middleware -------------------------------------------------------------------------------------------------------

_HOOKS = ("on_list_tools", "on_request", "on_message")
_BEFORE = ("on_initialize", "on_notification", "on_discover", "_dispatch_handler")
"""The methods of a middleware that run before a list is asked for, and may change it."""
_PLAIN_BASES = frozenset({"", "builtins.object", "abc.ABC", "typing.Generic"})
_CHANGING = ("tool_injection", "authorization", "ToolInjection", "Authorization", "ResourcesAsTools", "PromptsAsTools")
"""What the names of those of fastmcp's middleware have in them that change the list."""


def add_middleware(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    hooks = _hooks(arguments.first)
    if hooks is None:
        lost(run, server, "a middleware of the server")
    elif hooks:
        note(run, server, Middleware(hooks))
    return NONE


def _hooks(value: Value) -> tuple[Value, ...] | None:
    """The functions that see a list, the innermost first; ``None`` if they are not known."""
    if isinstance(value, (FunctionValue, BoundMethod)):
        return (value,)
    if isinstance(value, Called) and _leaves_alone(value.callee):
        return ()
    if not isinstance(value, Instance) or value.cls.refused is not None:
        return None
    if any(name not in _PLAIN_BASES and not _leaves_alone(name) for name in value.cls.outside):
        return None
    if value.cls.find(*_BEFORE) is not None:
        return None
    found = [value.cls.find(name) for name in (("__call__",) if value.cls.find("__call__") is not None else _HOOKS)]
    return tuple(BoundMethod(each, value) for each in found if each is not None)


def _leaves_alone(name: str) -> bool:
    """Whether a class of fastmcp's middleware leaves the list of tools as it is."""
    return name.startswith("fastmcp.server.middleware") and not any(part in name for part in _CHANGING)


# --- what it lists ----------------------------------------------------------------------------------------------------

_DEEPEST = 10
_CHOSEN = ("include_tags", "exclude_tags")
_ON_DUPLICATE = ("on_duplicate_tools", "on_duplicate")


def replayed(run: Run, server: ServerValue) -> Answer:
    return _Replay(run, server).answer(server.data)


class _Replay:
    def __init__(self, run: Run, server: ServerValue, depth: int = 0) -> None:
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
        for tool in self.mounted:
            self.add(tool, mounted=True)
        shown = [tool for tool in self.own if tool.enabled or self.doubts]
        made = Answer([replace(tool, conditions=(*tool.conditions, *self.doubts)) for tool in shown], self.incomplete)
        return made if self.rewritten is None else blurred(made, self.rewritten.reason, self.rewritten.code)

    def note(self, reason: str) -> None:
        """Note that there may be more tools."""
        self.incomplete = self.incomplete or reason

    def give_up(self, reason: str, code: str = CONDITION) -> None:
        """Note that nothing is known of the list, which there is none of if the SDK refuses a registration."""
        self.note(reason)
        self.rewritten = self.rewritten or Unknown(reason, code)

    def add(self, new: Listed, *, mounted: bool = False) -> None:
        """Take a tool among others: of two with one name, one wins if it is there, and keeps the first one's place."""
        index = next((i for i, old in enumerate(self.own) if old.name is not None and old.name == new.name), None)
        if index is None:
            self.own.append(new)
            return
        if not mounted and any(self.server.options.get(name, NONE) != NONE for name in _ON_DUPLICATE):
            self.give_up(f"what becomes of a second tool {new.name} is an option of the server", UNSUPPORTED)
        old = self.own[index]
        if old.has_version or new.has_version:
            self.give_up(f"{new.name} has several versions", UNSUPPORTED)
        # Of two mounted tools the later wins in fastmcp 2, the first since 3.
        winner = new if (self.major == 2 if mounted else self.major > 0) else old
        self.own[index] = agreed(old, new) if winner.conditions else winner

    def listed(self, tool: ToolValue, conditions: tuple[str, ...]) -> Listed:
        """A registered tool as the server lists it."""
        fields, site = registered(self.run, self.server.options, tool)
        inner = function_of(tool.function)
        doc = text_of(inner.data.get("__doc__")) if inner is not None else None
        made = Listed(fields, site, conditions, doc, tool=tool, has_version=tool.options.get("version", NONE) != NONE)
        # Other SDKs than fastmcp 2 take no such option.
        enabled = tool.data.get("enabled", tool.options.get("enabled", NONE) if self.major == 2 else NONE)
        if not isinstance(enabled, Const):
            made.conditions = (*conditions, "whether it is enabled is not known")
        made.enabled = enabled == NONE or not isinstance(enabled, Const) or bool(enabled.value)
        return made


# --- events -----------------------------------------------------------------------------------------------------------


def _remove(replay: _Replay, event: Removed, conditions: tuple[str, ...]) -> None:
    if not conditions:
        if replay.incomplete is None and all(tool.name not in (event.name, None) for tool in replay.own):
            replay.give_up(f"the SDK refuses to remove {event.name}, which is not a tool of the server")
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
    alone = overriding(child) is not None or overridden(replay.run, child) is not None
    if alone or (event.copied is None and any(isinstance(bare_value(each), Middleware) for each in child.data)):
        inner = blurred(inner, "a mounted server answers by itself", UNSUPPORTED)
    if inner.incomplete is not None:
        replay.note(inner.incomplete)
    if event.unknown is not None:
        replay.note(f"the names of mounted tools are not known: {event.unknown.reason}")
    if any(child.options.get(name) != replay.server.options.get(name) for name in LISTING):
        replay.give_up("servers that list in different ways are mounted", UNSUPPORTED)
    take = replay.mounted.append if event.copied is None else replay.add
    for tool in inner.tools:
        take(replace(_renamed(below, event, tool), conditions=(*conditions, *tool.conditions)))


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
    copy.parts, copy.read = known.parts, known.read
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
