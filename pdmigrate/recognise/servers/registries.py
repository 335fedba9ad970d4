"""Servers of the decorator families as objects of the evaluated program, and the events that they record.

Bodies of tools are never evaluated: registering a function reads its signature and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.joining import join_values
from pdmigrate.evaluate.core.values import (
    Choice,
    Instance,
    ListValue,
    SdkObject,
    UnknownValue,
    Value,
    is_sdk,
)
from pdmigrate.families import DECORATED, Family, ServerClass, of_class
from pdmigrate.recognise.servers.registered import Removal, Unfollowed, Visibility

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


CLASSES = {each.type: each for each in DECORATED}
"""The server classes of the decorator families by their canonical dotted names."""
TOOL_CLASSES = {name: each for each in DECORATED for name in each.tools}
REMOTE = frozenset({"from_openapi", "from_fastapi", "from_client", "as_proxy", "create_proxy", "FastMCPProxy"})
"""The callables that make a server whose tools are defined elsewhere."""
EVENTS = "<events>"
HIDES, REWRITES = "<hides>", "<rewrites>"


def family_of(run: Interpreter, server: ServerClass) -> Family:
    """The family of a server class in the version that the program runs on."""
    return of_class(server, run.versions.get(server.package, ""))


def events_of(server: SdkObject) -> ListValue:
    """The record of what ``server`` was told."""
    events = server.names[EVENTS]
    assert isinstance(events, ListValue)
    return events


def record(run: Interpreter, server: SdkObject, event: Value) -> None:
    """Append ``event`` to the record of ``server``."""
    events = events_of(server)
    run.trail.touch(events)
    events.items.append(event)
    kind = _kind_of_change(event)
    if kind:
        run.trail.touch(server)
        server.names[kind] = event


def _kind_of_change(event: Value) -> str:
    """The name under which a server holds its last event that may hide or change tools; empty for other events.

    A loop of unknown length loses the events that it adds to a record, but leaves the value of this name unknown.
    """
    if isinstance(event, (Removal, Visibility)):
        return HIDES
    return REWRITES if isinstance(event, Unfollowed) and (event.rewrites or event.replaces) else ""


def outside_changer(server: SdkObject) -> UnknownValue | None:
    """The code from outside the project that was handed the server, as an unknown value; ``None`` if there is none.

    A function that is left out for its steps is no such code: what it may change is known by what it spells.
    """
    return server.rest if server.rest is not None and server.rest.code == reasons.MUTATED else None


def registry_in(value: Value) -> SdkObject | None:
    """The server object that ``value`` is, or wraps as an instance of a subclass; ``None`` if it is no server."""
    if isinstance(value, Instance):
        value = value.names.get("<server>", value)
    return value if is_sdk(value, *CLASSES) else None


def each(run: Interpreter, value: Value, make: Callable[[Value], Value]) -> Value:
    """``make(value)``, applied to each alternative of a choice."""
    if isinstance(value, Choice):
        first, second = each(run, value.first, make), each(run, value.second, make)
        return join_values(value.guard, first, second)
    return make(value)
