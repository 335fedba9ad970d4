"""``itertools``: what ends, over elements that are known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.natives import first_argument
from pdmigrate.evaluate.core.operations import call, spread
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    ListValue,
    Origin,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.iterators import later, put_back

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _made(items: list[Value], arguments: Arguments, rest: UnknownValue | None = None) -> ListValue:
    return ListValue(items, rest, "iterator", origin=Origin("itertools", arguments.place))


def _chain(run: Interpreter, arguments: Arguments) -> Value:
    items: list[Value] = []
    rest: UnknownValue | None = None
    for source in arguments.positional:
        more = spread(run, source, arguments.place)
        run.budget.make(len(more.items))
        items += more.items
        rest = rest or more.rest
    return _made(items, arguments, rest)


def _chain_from(run: Interpreter, arguments: Arguments) -> Value:
    outer = spread(run, first_argument(run, arguments), arguments.place)
    if outer.uncertain is not None:
        return _made([], arguments, outer.uncertain)
    return _chain(run, arguments._replace(positional=tuple(outer.items)))


def _columns(run: Interpreter, arguments: Arguments) -> list[list[Value]] | UnknownValue:
    columns = [spread(run, source, arguments.place) for source in arguments.positional]
    unknown = next((column.uncertain for column in columns if column.uncertain is not None), None)
    return unknown if unknown is not None else [column.items for column in columns]


def _keyword(arguments: Arguments, name: str, default: int) -> int | UnknownValue:
    """A keyword that is a number."""
    try:
        value = to_python(arguments.keywords.get(name, const(default)))
    except NotPlain as reason:
        return reason.unknown
    if isinstance(value, int) and 0 <= value < 100:
        return value
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of this kind", arguments.place)


def _product(run: Interpreter, arguments: Arguments) -> Value:
    columns, repeat = _columns(run, arguments), _keyword(arguments, "repeat", 1)
    if isinstance(columns, UnknownValue) or isinstance(repeat, UnknownValue):
        return _made([], arguments, columns if isinstance(columns, UnknownValue) else _unknown(repeat))
    size = 1
    for column in columns * repeat:
        size *= len(column)
        run.budget.make(min(size, 10**9))
        run.budget.step(min(size, 10**9) >> 4)
    return _made([TupleValue(row) for row in itertools.product(*columns, repeat=repeat)], arguments)


def _unknown(value: object) -> UnknownValue | None:
    return value if isinstance(value, UnknownValue) else None


def _choices(
    function: Callable[[list[Value], int], Iterable[tuple[Value, ...]]],
) -> Callable[[Interpreter, Arguments], Value]:
    def choose(run: Interpreter, arguments: Arguments) -> Value:
        elements = spread(run, first_argument(run, arguments), arguments.place)
        try:
            size = to_python(arguments.positional[1] if len(arguments.positional) > 1 else NONE)
        except NotPlain as reason:
            return _made([], arguments, reason.unknown)
        if elements.uncertain is not None:
            return _made([], arguments, elements.uncertain)
        if not isinstance(size, int) or size < 0:
            return _made([], arguments, reasons.unknown(reasons.UNSUPPORTED, "this choice", arguments.place))
        rows: list[Value] = []
        for row in function(elements.items, size):
            run.budget.step(len(row) >> 2)
            rows.append(TupleValue(row))
        return _made(rows, arguments)

    return choose


def _zip_longest(run: Interpreter, arguments: Arguments) -> Value:
    columns = _columns(run, arguments)
    if isinstance(columns, UnknownValue):
        return _made([], arguments, columns)
    fill = arguments.keywords.get("fillvalue", NONE)
    charge(len(columns) * max(map(len, columns), default=0))
    return _made([TupleValue(row) for row in itertools.zip_longest(*columns, fillvalue=fill)], arguments)


def _starmap(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments, 1), arguments.place)
    if elements.uncertain is not None:
        return _made([], arguments, elements.uncertain)
    made: list[Value] = []
    for item in elements.items:
        inner = spread(run, item, arguments.place)
        if inner.uncertain is not None:
            return _made(made, arguments, inner.uncertain)
        made.append(call(run, arguments.positional[0], tuple(inner.items), place=arguments.place))
    return _made(made, arguments)


def _islice(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    elements = spread(run, source, arguments.place)
    try:
        bounds = [to_python(value) for value in arguments.positional[1:]]
    except NotPlain as reason:
        return _made([], arguments, reason.unknown)
    if elements.uncertain is not None:
        return _made([], arguments, elements.uncertain)
    if not 1 <= len(bounds) <= 3 or not all(b is None or (isinstance(b, int) and b >= 0) for b in bounds):
        raise run.failure("ValueError", "indices for islice() must be None or an integer that is not negative")
    taken = slice(*bounds)
    if taken.step == 0:
        raise run.failure("ValueError", "step for islice() must not be zero")
    made = elements.items[taken]
    if taken.step in (None, 1) and taken.stop is not None:
        put_back(run, source, elements.items[max(taken.stop, taken.start or 0) :])
    return _made(made, arguments)


def _repeat(run: Interpreter, arguments: Arguments) -> Value:
    times = arguments.keywords.get("times", arguments.positional[1] if len(arguments.positional) > 1 else None)
    if not isinstance(times, Const) or not isinstance(times.value, int):
        return _made([], arguments, reasons.unknown(reasons.UNSUPPORTED, "repeat() without an end", arguments.place))
    run.budget.make(max(times.value, 0))
    return _made([first_argument(run, arguments)] * max(times.value, 0), arguments)


FUNCTIONS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    "itertools.chain": later(_chain),
    "itertools.chain.from_iterable": later(_chain_from),
    "itertools.product": _product,
    "itertools.combinations": _choices(itertools.combinations),
    "itertools.permutations": _choices(itertools.permutations),
    "itertools.zip_longest": later(_zip_longest),
    "itertools.starmap": later(_starmap),
    "itertools.islice": _islice,
    "itertools.repeat": _repeat,
}
