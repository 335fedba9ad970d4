"""Servers of fastmcp that are composed of other servers, and tools that are shown or hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    ListValue,
    Place,
    SdkObject,
    SetValue,
    UnknownValue,
    Value,
)
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.servers.registered import Mounted, Unfollowed, Visibility
from pdmigrate.recognise.servers.registries import EVENTS, events_of, family_of, record, registry_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from pdmigrate.evaluate.core.interpreter import Interpreter


def mount(run: Interpreter, arguments: Arguments) -> Value:
    """``server.mount(child, prefix)``: records the mount; the child's tools are read when the list is requested."""
    server = arguments.receiver
    if server.type != FASTMCP.type:
        raise run.failure("AttributeError", "the server has no attribute mount")
    options = arguments.by_name(("server", "prefix"), 1)
    child, prefix = options.get("server", NONE), options.get("prefix", options.get("namespace", NONE))
    event = _mounting(child, prefix, options.get("tool_names"), arguments.place)
    record(run, server, event)
    return NONE


def _mounting(child: Value, prefix: Value, names: Value | None, place: Place | None) -> Mounted | Unfollowed:
    if registry_in(child) is None and registry_in(prefix) is not None:
        child, prefix = prefix, child  # the order of fastmcp 2.0 to 2.8
    inner = registry_in(child)
    if inner is None:
        unknown = first_unknown(child) or reasons.unknown(reasons.UNSUPPORTED, "what is mounted", place)
        return Unfollowed(unknown, rewrites=False)
    text = prefix.value if isinstance(prefix, Const) else None
    unknown_prefix = None if isinstance(prefix, Const) else first_unknown(prefix)
    renamed: dict[str, str] = {}
    if names is not None and not names.is_just(None):
        given = names.by_key
        renamed = {name: text for name, value in (given or {}).items() if (text := value.text) is not None}
        if given is None or len(renamed) < len(given):
            unknown_prefix = unknown_prefix or reasons.unknown(reasons.UNSUPPORTED, "the names of mounted tools", place)
    return Mounted(inner, str(text or ""), renamed, unknown_prefix)


def import_server(run: Interpreter, arguments: Arguments) -> Value:
    """``import_server``: the tools that the other server has at this moment become tools of this one."""
    server = arguments.receiver
    if server.type != FASTMCP.type or family_of(run, FASTMCP).major > 3:
        raise run.failure("AttributeError", "the server has no attribute import_server")
    options = arguments.by_name(("server", "prefix"), 1)
    child, prefix = options.get("server", NONE), options.get("prefix", NONE)
    event = _mounting(child, prefix, None, arguments.place)
    if isinstance(event, Unfollowed):
        record(run, server, event)
    else:
        record(run, server, Mounted(_frozen(event.server), event.prefix, {}, event.unknown))
    return NONE


ORIGINAL = "<original>"


def _frozen(server: SdkObject) -> SdkObject:
    """A copy of ``server`` with a copy of its record as it is now; ``ORIGINAL`` names the server it was made from."""
    events = events_of(server)
    names = {**server.names, EVENTS: ListValue(list(events.items), events.rest), ORIGINAL: server}
    return SdkObject(names, server.rest, server.type, server.place)


def visibility(enabled: bool) -> Callable[[Interpreter, Arguments], Value]:
    def change(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.receiver
        for event in _criteria(run, enabled, arguments):
            record(run, server, event)
        return server

    return change


def _criteria(run: Interpreter, enabled: bool, arguments: Arguments) -> list[Value]:
    given: dict[str, frozenset[str] | None] = {}
    for name in ("names", "keys", "tags", "components"):
        value = arguments.keywords.get(name, NONE)
        texts = texts_of(run, value)
        if isinstance(texts, UnknownValue):
            return [Unfollowed(texts, rewrites=False), Visibility(enabled, unsure=True)]
        given[name] = texts
    if "version" in arguments.keywords:
        unknown = reasons.unknown(reasons.UNSUPPORTED, "tools are shown by version", arguments.place)
        return [Unfollowed(unknown, rewrites=True)]
    components = given["components"]
    event = Visibility(
        enabled,
        given["tags"],
        given["names"],
        given["keys"],
        nothing=components is not None and "tool" not in components,
        everything=components is not None and not any(given[name] is not None for name in ("tags", "names", "keys")),
    )
    if arguments.keywords.get("only", NONE).is_just(True):
        return [Visibility(False, everything=True), event]
    return [event]


def texts_of(run: Interpreter, value: Value) -> frozenset[str] | UnknownValue | None:
    """The texts of a collection; ``None`` if ``value`` is the constant ``None``."""
    if value.is_just(None):
        return None
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    items: list[Value] = []
    if isinstance(value, SetValue):
        if not value.exact:
            return value.rest or reasons.unknown(reasons.CONDITION, "part of it depends on a condition")
        items = list(value.items.values())
    elif value.sequence is not None:
        elements = spread(run, value)
        if elements.uncertain is not None:
            return elements.uncertain
        items = list(elements.items)
    texts = [text for item in items if (text := item.text) is not None]
    if len(texts) != len(items):
        return reasons.unknown(reasons.UNSUPPORTED, "what is enabled or disabled")
    return frozenset(texts)
