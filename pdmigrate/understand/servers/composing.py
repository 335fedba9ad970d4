"""What a server is composed of: servers mounted in it, transforms and providers, tools that are shown or hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.servers.making import note, server_in
from pdmigrate.understand.servers.objects import Mounted, Opaque, ServerValue, Visibility
from pdmigrate.understand.servers.replaying import texts_of
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.codes import CONDITION
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as
from pdmigrate.understand.values.objects import text_of
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
    names = given.get("tool_names", NONE)
    renamed: dict[str, str] = {}
    if isinstance(names, DictValue) and names.rest is None:
        entries = [(text_of(key), text_of(value)) for key, value in names.entries()]
        renamed = {key: value for key, value in entries if key is not None and value is not None}
    if names != NONE and (not isinstance(names, DictValue) or len(renamed) < len(names.data)):
        unknown = unknown or run.unsettled("the names of mounted tools")
    return Mounted(inner, str(prefix.value or "") if isinstance(prefix, Const) else "", renamed, unknown)


# --- what is shown ----------------------------------------------------------------------------------------------------


def visibility(enabled: bool) -> Method:
    """``server.enable(...)`` or ``server.disable(...)``"""

    def act(run: Run, server: ServerValue, arguments: Arguments) -> Value:
        for event in _criteria(run, enabled, arguments):
            note(run, server, event)
        return server

    return act


def _criteria(run: Run, enabled: bool, arguments: Arguments) -> list[Value]:
    why = run.unsettled("tools are shown or hidden", CONDITION)
    if "version" in arguments.keywords:
        return [Opaque(run.unsettled("tools are shown by version"), rewrites=True)]
    given = {name: arguments.keywords.get(name, NONE) for name in ("names", "keys", "tags", "components")}
    texts = {name: _texts(value) for name, value in given.items()}
    if arguments.unknown is not None or any(value != NONE and texts[name] is None for name, value in given.items()):
        return [Opaque(why), Visibility(enabled, why, unsure=True)]
    components = texts.pop("components")
    nothing = components is not None and "tool" not in components
    everything = components is not None and all(found is None for found in texts.values())
    event = Visibility(enabled, why, texts["tags"], texts["names"], texts["keys"], everything, nothing)
    if arguments.keywords.get("only", NONE) == TRUE:
        return [Visibility(False, why, everything=True), event]
    return [event]


def _texts(value: Value) -> frozenset[str] | None:
    return texts_of(ListValue(list(value.items)) if isinstance(value, TupleValue) else value)


# --- transforms and providers -----------------------------------------------------------------------------------------

_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""
_ADDING = (
    *("fastmcp.server.transforms.ResourcesAsTools", "fastmcp.server.transforms.PromptsAsTools"),
    *("fastmcp.server.transforms.resources_as_tools.", "fastmcp.server.transforms.prompts_as_tools."),
)


def unfollowed(what: str, *, rewrites: bool) -> Method:
    """A method that takes a transform or a provider."""

    def act(run: Run, server: ServerValue, arguments: Arguments) -> Value:
        why = run.unsettled(f"{what} of the server")
        given = arguments.all
        if len(given) == 1:
            unfollowed_in(run, server, given[0], why, rewrites=rewrites)
        else:
            note(run, server, Opaque(why, rewrites))
        return NONE

    return act


def unfollowed_in(run: Run, server: ServerValue, value: Value, why: Unknown, *, rewrites: bool) -> None:
    """A transform or a provider, a collection of them, or ``None``: what they may do to the tools."""
    if value == NONE or (isinstance(value, DictValue) and not value.data and value.rest is None):
        return
    name = value.callee if isinstance(value, Called) else ""
    if isinstance(value, (ListValue, TupleValue)):
        items, more = elements(run, value)
        for item in items:
            _event(run, server, item, why, rewrites=rewrites)
        if more is not None:
            note(run, server, Opaque(more, rewrites))
    elif name.startswith(_REPLACING):
        note(run, server, Opaque(why, rewrites, replaces=True))
    else:
        note(run, server, Opaque(why, rewrites and not name.startswith(_ADDING)))


def _event(run: Run, server: ServerValue, item: Value, why: Unknown, *, rewrites: bool) -> None:
    before = len(server.data)
    unfollowed_in(run, server, bare_value(item), why, rewrites=rewrites)
    server.data[before:] = [conditional_as(item, event) for event in server.data[before:]]
