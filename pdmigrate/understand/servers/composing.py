"""What a server is composed of: mounted servers, transforms, providers and middleware; and which tools are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.servers.making import lost, note, server_in
from pdmigrate.understand.servers.objects import Middleware, Mounted, Opaque, ServerValue, Visibility
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import NONE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as
from pdmigrate.understand.values.objects import Arguments, BoundMethod, FunctionValue, Instance
from pdmigrate.understand.values.outside import Called

Method = Callable[[Run, ServerValue, Arguments], Value]


def mounting(*, copies: bool) -> Method:
    """``server.mount(child, prefix)``: the child's tools are read when the list is requested.

    ``copies``: ``server.import_server(child, prefix)``, which takes the tools that the child has at this moment.
    """

    def act(run: Run, server: ServerValue, arguments: Arguments) -> Value:
        if copies and server.family.major > 3:
            raise RaisedError("builtins.AttributeError", "the server has no attribute import_server", run.site())
        event = _mounted(run, arguments)
        if isinstance(event, Mounted):
            event.server.mounted = True
            event = replace(event, copied=tuple(event.server.data)) if copies else event
        note(run, server, event)
        return NONE

    return act


def _mounted(run: Run, arguments: Arguments) -> Mounted | Opaque:
    given = arguments.named(("server", "prefix"))
    child, prefix = given.get("server", NONE), given.get("prefix", given.get("namespace", NONE))
    if server_in(child) is None and server_in(prefix) is not None:
        child, prefix = prefix, child  # the order of fastmcp 2.0 to 2.8
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
    note(run, server, Visibility("tools are shown or hidden"))
    return server


_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""


def unfollowed(what: str, *, rewrites: bool) -> Method:
    def act(run: Run, server: ServerValue, arguments: Arguments) -> Value:
        given = arguments.unknown or arguments.first
        note_unfollowed(run, server, given, run.unsettled(f"{what} of the server"), rewrites=rewrites)
        return NONE

    return act


def note_unfollowed(run: Run, server: ServerValue, value: Value, why: Unknown, *, rewrites: bool) -> None:
    """Record what a transform or a provider may do to the tools, or a collection of them."""
    if isinstance(value, (ListValue, TupleValue)):
        items, more = elements(run, value)
        for item in [*items, *([more] if more is not None else [])]:
            name = inner.callee if isinstance(inner := bare_value(item), Called) else ""
            note(run, server, conditional_as(item, Opaque(why, rewrites, replaces=name.startswith(_REPLACING))))
    elif value != NONE and not (isinstance(value, DictValue) and not value.data and value.rest is None):
        note_unfollowed(run, server, TupleValue((value,)), why, rewrites=rewrites)


# --- middleware -------------------------------------------------------------------------------------------------------

_HOOKS = ("on_list_tools", "on_request", "on_message")
_PLAIN_BASES = frozenset({"", "builtins.object", "abc.ABC", "typing.Generic"})
_CHANGING = ("tool_injection", "authorization", "ToolInjection", "Authorization", "ResourcesAsTools", "PromptsAsTools")
"""What the names of those of fastmcp's middleware have in them that change the list."""


def add_middleware(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    value = arguments.all[0] if arguments.all else NONE
    hooks = _hooks(value)
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
    whole = value.cls.find("__call__")
    found = [whole] if whole is not None else [value.cls.find(name) for name in _HOOKS]
    return tuple(BoundMethod(each, value) for each in found if each is not None)


def _leaves_alone(name: str) -> bool:
    """Whether a class of fastmcp's middleware leaves the list of tools as it is."""
    return name.startswith("fastmcp.server.middleware") and not any(part in name for part in _CHANGING)
