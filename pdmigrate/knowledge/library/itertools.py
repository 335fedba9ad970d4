"""``itertools.chain``, and functions that are followed only where they call a function passed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.natives import Function, declare, first_argument
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.values import (
    Arguments,
    IteratorValue,
    Origin,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.iterators import later
from pdmigrate.knowledge.builtin.callbacks import called_any_number

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _chain(run: Interpreter, arguments: Arguments) -> Value:
    items: list[Value] = []
    rest: UnknownValue | None = None
    for source in arguments.positional:
        more = spread(run, source, arguments.place)
        run.budget.make(len(more.items))
        items += more.items
        rest = rest or more.rest
    return IteratorValue(items, rest, origin=Origin("itertools", arguments.place))


def _chain_from(run: Interpreter, arguments: Arguments) -> Value:
    outer = spread(run, first_argument(run, arguments), arguments.place)
    if outer.uncertain is not None:
        return IteratorValue([], outer.uncertain, origin=Origin("itertools", arguments.place))
    return _chain(run, arguments._replace(positional=tuple(outer.items)))


declare({"itertools.chain": later(_chain), "itertools.chain.from_iterable": later(_chain_from)})


def _calling(name: str, index: int, count: int | None) -> Function:
    """A function that calls its argument at ``index`` with ``count`` values, or with as many as that argument takes."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        unknown = reasons.unknown(reasons.OUTSIDE, f"what {name}() gives", arguments.place)
        poison_arguments(run, arguments, unknown)
        given = (*arguments.positional[index : index + 1], *arguments.keywords.values())
        for value in given:
            function = value.as_function
            taken = len(function.parameters) if count is None and function is not None else count
            called_any_number(run, value, unknown, arguments.place, arguments=taken or 1)
        return unknown

    return call


_CALLING: dict[str, tuple[int, int | None]] = {
    "functools.reduce": (0, 2),
    "itertools.accumulate": (1, 2),
    "itertools.dropwhile": (0, 1),
    "itertools.filterfalse": (0, 1),
    "itertools.groupby": (1, 1),
    "itertools.starmap": (0, None),
    "itertools.takewhile": (0, 1),
}
declare({name: _calling(name, *how) for name, how in _CALLING.items()})
