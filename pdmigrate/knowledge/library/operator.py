"""``operator``: functions that get an item or an attribute."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.natives import Function, declare, first_argument
from pdmigrate.evaluate.core.operations import get_attribute
from pdmigrate.evaluate.core.values import Arguments, Native, TupleValue, Value
from pdmigrate.evaluate.language.subscripts import get_item

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import Place


def _getter(name: str, one: Callable[[Interpreter, Value, Value, Place], Value]) -> Function:
    def make(_run: Interpreter, arguments: Arguments) -> Value:
        def get(run: Interpreter, inner: Arguments) -> Value:
            assert inner.place is not None
            value = first_argument(run, inner)
            found = [one(run, value, key, inner.place) for key in arguments.positional]
            return found[0] if len(found) == 1 else TupleValue(tuple(found))

        return Native(f"{name}()", get)

    return make


declare(
    {
        "operator.itemgetter": _getter("operator.itemgetter", get_item),
        "operator.attrgetter": _getter(
            "operator.attrgetter", lambda run, value, key, _: get_attribute(run, value, key.text or "")
        ),
    }
)
