"""Servers in servers, and tools that are shown and hidden."""

from __future__ import annotations

from collections.abc import Callable

from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.servers.making import note, server_in
from pdmigrate.understand.servers.objects import (
    Mounted,
    Opaque,
    Removed,
    ServerValue,
)
from pdmigrate.understand.values.core import (
    NONE,
    Arguments,
    Const,
    ListValue,
    Maybe,
    SetValue,
    TupleValue,
    Value,
    text_of,
)

Method = Callable[[Run, ServerValue, Arguments], Value]


def mount(run: Run, server: ServerValue, arguments: Arguments, *, copied: bool = False) -> Value:
    given = list(arguments.positional)
    child = next((found for value in [*given, *arguments.keywords.values()] if (found := server_in(value))), None)
    named = arguments.keywords.get("namespace") or arguments.keywords.get("prefix")
    texts = [value for value in given if text_of(value) is not None]
    prefix = named if named is not None else texts[0] if texts else NONE
    text = "" if prefix == NONE else text_of(prefix)
    if child is None or text is None or arguments.unknown is not None or "tool_names" in arguments.keywords:
        note(run, server, Opaque(run.unsettled("a server is mounted that is not known")))
        return NONE
    child.mounted = True
    note(run, server, Mounted(child, text, copied=tuple(child.data) if copied else None))
    return NONE


def import_server(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    return mount(run, server, arguments, copied=True)


def visibility(shows: bool) -> Method:
    def act(run: Run, server: ServerValue, arguments: Arguments) -> Value:
        why = run.unsettled("tools are shown or hidden")
        given = arguments.keywords
        names, tags = _texts(run, given.get("names", NONE)), _texts(run, given.get("tags", NONE))
        known = arguments.unknown is None and not arguments.positional and not given.keys() - {"names", "tags", "only"}
        if not known or (names is None and tags is None):
            note(run, server, Opaque(why, rewrites=True))
        else:
            only = given.get("only") == Const(True)
            note(run, server, Removed(names, tags, shows, only, why))
        return NONE

    return act


def _texts(run: Run, value: Value) -> frozenset[str] | None:
    if not isinstance(value, (ListValue, SetValue, TupleValue)):
        return None
    items, more = elements(run, value)
    found = [text_of(item) for item in items if not isinstance(item, Maybe)]
    if more is not None or None in found or len(found) != len(items):
        return None
    return frozenset(text for text in found if text is not None)
