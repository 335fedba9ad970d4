"""Names that may mean several servers: what is done with one is done with each; and names that may mean any."""

from __future__ import annotations

from pdmigrate.understand.demand.run import ATTRIBUTES, CALLS, SETTERS, Run
from pdmigrate.understand.servers.making import disturb_servers, server_in
from pdmigrate.understand.servers.objects import ToolValue
from pdmigrate.understand.values.core import NONE, Const, Either, Unknown, Value
from pdmigrate.understand.values.joining import same
from pdmigrate.understand.values.objects import Arguments, BoundMethod, FunctionValue, Native
from pdmigrate.understand.values.outside import Called


def _attribute(run: Run, either: Either, name: str) -> Value:
    run.risk |= NONE in either.options  # ``None`` has no such attribute
    return _combined(run, either, [run.attribute(option, name) for option in either.options if option != NONE])


def _combined(run: Run, either: Either, found: list[Value]) -> Value:
    """What the same operation on each server gives, as one value."""
    first = found[0]
    if all(same(first, other) for other in found):
        return first
    if all(isinstance(value, _CALLABLE) for value in found):

        def call(run: Run, arguments: Arguments) -> Value:
            return _combined(run, either, [run.call(value, arguments) for value in found])

        return Native("a method of one of several servers", call)
    if all(isinstance(value, ToolValue) for value in found):
        return Either(tuple(found))
    why = run.unsettled("it depends on which server is made")
    if not all(isinstance(value, _PLAIN) for value in found):
        servers = [server for option in either.options if (server := server_in(option)) is not None]
        disturb_servers(run, [], [*servers], why)
    return why


_CALLABLE = (Native, BoundMethod, FunctionValue)
_PLAIN = (Const, Called, Unknown)


def _set(run: Run, either: Either, name: str, value: Value) -> None:
    for option in either.options:
        run.set_attribute(option, name, value)


def _call(run: Run, either: Either, arguments: Arguments) -> Value:
    return _combined(run, either, [run.call(option, arguments) for option in either.options if option != NONE])


_REGISTERING = frozenset({"tool", "add_tool", "list_tools", "add_request_handler"})
_of_unknown = ATTRIBUTES[Unknown]


def _attribute_of_unknown(run: Run, value: Unknown, name: str) -> Value:
    if name in _REGISTERING:
        why = run.unsettled(f"{name} of something that is not known is used: {value.reason}", value.code)
        run.memory.setdefault("registers on unknown", why)
    return _of_unknown(run, value, name)


ATTRIBUTES[Unknown] = _attribute_of_unknown
ATTRIBUTES[Either] = _attribute
SETTERS[Either] = _set
CALLS[Either] = _call
