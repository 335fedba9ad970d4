"""What a server is composed of: servers mounted in it, transforms and providers, tools that are shown or hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, unwrapped
from pdmigrate.evaluate.core.natives import settled
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ListValue,
    SdkObject,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.servers.record import (
    EVENTS,
    Mounted,
    Unfollowed,
    Visibility,
    events_of,
    family_of,
    guarded,
    record,
    registry_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pdmigrate.evaluate.core.interpreter import Interpreter


def mount(run: Interpreter, arguments: Arguments) -> Value:
    """``server.mount(child, prefix)``: records the mount; the child's tools are read when the list is requested."""
    server = arguments.receiver
    if server.type != FASTMCP.type:
        raise run.failure("AttributeError", "the server has no attribute mount")
    record(run, server, _mounting(arguments))
    return NONE


def import_server(run: Interpreter, arguments: Arguments) -> Value:
    """``import_server``: the tools that the other server has at this moment become tools of this one."""
    server = arguments.receiver
    if server.type != FASTMCP.type or family_of(run, FASTMCP).major > 3:
        raise run.failure("AttributeError", "the server has no attribute import_server")
    event = _mounting(arguments)
    if isinstance(event, Mounted):
        event.server = _frozen(event.server)
    record(run, server, event)
    return NONE


def _mounting(arguments: Arguments) -> Mounted | Unfollowed:
    options, place = arguments.by_name(("server", "prefix"), 1), arguments.place
    child, prefix = options.get("server", NONE), options.get("prefix", options.get("namespace", NONE))
    if registry_in(child) is None and registry_in(prefix) is not None:
        child, prefix = prefix, child  # the order of fastmcp 2.0 to 2.8
    inner, names = registry_in(child), options.get("tool_names", NONE)
    if inner is None:
        return Unfollowed(first_unknown(child) or reasons.unknown(reasons.UNSUPPORTED, "what is mounted", place))
    known = prefix.scalar
    unknown = first_unknown(prefix) if known is None else None
    given = {} if names.is_just(None) else names.by_key
    renamed = {name: text for name, value in (given or {}).items() if (text := value.text) is not None}
    if given is None or len(renamed) < len(given):
        unknown = unknown or reasons.unknown(reasons.UNSUPPORTED, "the names of mounted tools", place)
    return Mounted(inner, str(known.value or "") if known is not None else "", renamed, unknown)


ORIGINAL = "<original>"


def _frozen(server: SdkObject) -> SdkObject:
    """A copy of ``server`` with a copy of its record as it is now; ``ORIGINAL`` names the server it was made from."""
    events = events_of(server)
    names = {**server.names, EVENTS: ListValue(list(events.items), events.rest), ORIGINAL: server}
    return SdkObject(names, server.rest, server.type, server.place)


def visibility(enabled: bool) -> Callable[[Interpreter, Arguments], Value]:
    """``server.enable(...)`` or ``server.disable(...)``"""

    def change(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.receiver
        for event in _criteria(run, enabled, arguments):
            record(run, server, event)
        return server

    return change


def _criteria(run: Interpreter, enabled: bool, arguments: Arguments) -> list[Visibility | Unfollowed]:
    given: dict[str, frozenset[str] | None] = {}
    try:
        for name in ("names", "keys", "tags", "components"):
            given[name] = texts_of(run, arguments.keywords.get(name, NONE))
    except NotPlain as not_known:
        return [Unfollowed(not_known.unknown), Visibility(enabled, unsure=True)]
    if "version" in arguments.keywords:
        unknown = reasons.unknown(reasons.UNSUPPORTED, "tools are shown by version", arguments.place)
        return [Unfollowed(unknown, rewrites=True)]
    components = given.pop("components")
    event = Visibility(
        enabled,
        given["tags"],
        given["names"],
        given["keys"],
        nothing=components is not None and "tool" not in components,
        everything=components is not None and all(texts is None for texts in given.values()),
    )
    if arguments.keywords.get("only", NONE).is_just(True):
        return [Visibility(False, everything=True), event]
    return [event]


def texts_of(run: Interpreter, value: Value) -> frozenset[str] | None:
    """The texts of a collection; ``None`` if ``value`` is the constant ``None``.

    Raises:
        NotPlain: they are not known.
    """
    if value.is_just(None):
        return None
    items: Sequence[Value] = ()
    if (given := settled(value).as_set) is not None:
        if not given.exact:
            raise NotPlain(given.rest or reasons.unknown(reasons.CONDITION, "part of it depends on a condition"))
        items = tuple(given.items.values())
    elif value.sequence is not None:
        elements = spread(run, value)
        if elements.uncertain is not None:
            raise NotPlain(elements.uncertain)
        items = elements.items
    texts = [text for item in items if (text := item.text) is not None]
    if len(texts) != len(items):
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "what is enabled or disabled"))
    return frozenset(texts)


# --- transforms and providers -----------------------------------------------------------------------------------------

_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""
_ADDING = ("fastmcp.server.transforms.ResourcesAsTools(", "fastmcp.server.transforms.PromptsAsTools(",
           "fastmcp.server.transforms.resources_as_tools.", "fastmcp.server.transforms.prompts_as_tools.")  # fmt: skip


def unfollowed_in(
    run: Interpreter, server: SdkObject, value: Value, reason: UnknownValue, *, rewrites: bool = False
) -> None:
    """Record a transform or a provider, a collection of them, or ``None``: what they may do to the tools."""
    for guards, part in unwrapped(value):
        for event in _events(part, reason, rewrites):
            record(run, server, guarded(event, guards))


def _events(value: Value, reason: UnknownValue, rewrites: bool) -> list[Value]:
    name = value.library_name
    if value.is_just(None) or value.by_key == {}:
        return []
    if isinstance(value, TupleValue) or (isinstance(value, ListValue) and value.kind == "list" and value.rest is None):
        parts = [part for item in value.items for part in unwrapped(item)]
        return [guarded(event, guards) for guards, part in parts for event in _events(part, reason, rewrites)]
    if name.startswith(_REPLACING):
        return [Unfollowed(reason, rewrites, replaces=True)]
    return [Unfollowed(reason, rewrites and not name.startswith(_ADDING))]
