"""``urlparse`` and ``urlsplit``, and the attributes of their results that are not fields."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import TUPLE_ATTRIBUTES
from pdmigrate.evaluate.core.natives import Function, declare, plain_function
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import Arguments, TupleValue, Value, const

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_FIELDS = {
    "urlparse": ("scheme", "netloc", "path", "params", "query", "fragment"),
    "urlsplit": ("scheme", "netloc", "path", "query", "fragment"),
}
_KINDS: dict[tuple[str, ...], Callable[..., object]] = {
    _FIELDS["urlparse"]: urllib.parse.ParseResult,
    _FIELDS["urlsplit"]: urllib.parse.SplitResult,
}
_PARTS = frozenset({"hostname", "port", "username", "password"})


def _part(run: Interpreter, value: TupleValue, name: str) -> Value | None:
    """A non-field attribute of a named tuple that a library made; ``None`` for an attribute that every tuple has.

    Raises:
        AbstractRaise: reading the part raises ``ValueError``, as for a port that is not a number.
    """
    if not value.fields or hasattr(tuple, name):
        return None
    kind = _KINDS.get(value.fields)
    if kind is None or name not in _PARTS:
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a named tuple")
    try:
        return const(getattr(kind(*map(to_python, value.items)), name), value.origin)
    except NotPlain as reason:
        return reason.unknown
    except ValueError as error:
        raise run.failure("ValueError", str(error)) from None


def _taken_apart(name: str) -> Function:
    function, fields = getattr(urllib.parse, name), _FIELDS[name]
    listed = plain_function(f"urllib.parse.{name}", lambda *given, **keywords: list(function(*given, **keywords)))

    def call(run: Interpreter, arguments: Arguments) -> Value:
        taken = listed(run, arguments)
        return taken if taken.sequence is None else TupleValue(tuple(taken.sequence), fields, origin=taken.origin)

    return call


TUPLE_ATTRIBUTES.append(_part)
declare({f"urllib.parse.{name}": _taken_apart(name) for name in _FIELDS})
