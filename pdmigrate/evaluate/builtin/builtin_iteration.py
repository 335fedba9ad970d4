"""Built-in functions that make containers or iterate over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.builtin.callbacks import called, called_any_number
from pdmigrate.evaluate.builtin.dict_methods import make_dict
from pdmigrate.evaluate.builtin.list_methods import all_objects
from pdmigrate.evaluate.builtin.sorting import in_order, keyed_items, sorted_items
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to, out_of
from pdmigrate.evaluate.core.budget import LARGEST_CONTAINER
from pdmigrate.evaluate.core.natives import Function, call_origin, first_argument, plain_function
from pdmigrate.evaluate.core.operations import Spread, call, spread, truth
from pdmigrate.evaluate.core.python_values import NotPlain, describe, to_python
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    Arguments,
    DictValue,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    RangeValue,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.iterators import later, put_back, start
from pdmigrate.evaluate.language.literals import update
from pdmigrate.evaluate.language.operators import binary

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _list(run: Interpreter, arguments: Arguments) -> Value:
    if not arguments.positional:
        return ListValue(origin=call_origin("list", arguments))
    elements = spread(run, arguments.positional[0], arguments.place)
    run.budget.make(len(elements.items))
    return ListValue(list(elements.items), elements.rest, origin=call_origin("list", arguments))


def _tuple(run: Interpreter, arguments: Arguments) -> Value:
    if not arguments.positional:
        return TupleValue(())
    elements = spread(run, arguments.positional[0], arguments.place)
    if elements.uncertain is not None:
        # A ``ListValue`` of kind ``tuple``, which nothing can change, stands for a tuple of unknown length.
        return ListValue(list(elements.items), elements.rest, "tuple", origin=call_origin("tuple", arguments))
    return TupleValue(tuple(elements.items), origin=call_origin("tuple", arguments))


def _set(run: Interpreter, arguments: Arguments) -> SetValue:
    elements = elements_of(run, arguments.positional[0], arguments.place) if arguments.positional else Spread([])
    return make_set(run, elements, call_origin("set", arguments))


def _frozenset(run: Interpreter, arguments: Arguments) -> Value:
    made = _set(run, arguments)
    made.frozen = True
    return made


def new_dict(run: Interpreter, arguments: Arguments) -> DictValue | UnknownValue:
    """``dict(...)``; unknown if the mapping that it is made from is."""
    result = DictValue(origin=call_origin("dict", arguments))
    if arguments.positional:
        unknown = first_unknown(arguments.positional[0])
        if unknown is not None:
            return unknown
        result = make_dict(run, arguments.positional[0], arguments.place)
    update(run, result, arguments.collected(arguments.keywords))
    return result


def _iterator(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "iter() with a sentinel", arguments.place)
    if isinstance(source, IteratorValue):
        return source
    return _LATER["iter"](run, arguments)


def _all_elements(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    return ListValue(list(elements.items), elements.rest)


def _next(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    unknown = first_unknown(source)
    if unknown is not None:
        return unknown
    if not isinstance(source, IteratorValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"next() of {describe(source)}", arguments.place)
    start(run, source)
    run.trail.touch(source)
    if source.items and source.rest is None and not isinstance(source.items[0], Maybe):
        first, *others = source.items
        put_back(run, source, others)
        return first
    if source.items or source.rest is not None:
        doubt = Spread(source.items, source.rest).uncertain
        unknown = out_of(source, doubt) if doubt is not None else None
        source.items, source.rest = [], unknown
        return leading_to(unknown, *arguments.positional[1:]) if unknown is not None else NONE
    if len(arguments.positional) > 1:
        return arguments.positional[1]
    raise run.failure("StopIteration")


def _range(run: Interpreter, arguments: Arguments) -> Value:
    try:
        plain = [to_python(value) for value in arguments.positional]
    except NotPlain as reason:
        return reason.unknown
    try:
        numbers = range(*plain)
        size = len(numbers)
    except (TypeError, ValueError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    if size > LARGEST_CONTAINER:
        # Unknown rather than over budget: a module's table of code points says nothing of the tools, and the rest of
        # the program is followed.
        return reasons.unknown(reasons.BUDGET, f"a range of {size:,} numbers", arguments.place)
    run.budget.make(size)
    return RangeValue(tuple(const(number) for number in numbers), origin=call_origin("range", arguments))


def _enumerate(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    start = arguments.keywords.get("start", arguments.positional[1] if len(arguments.positional) > 1 else const(0))
    if (first := start.number) is None:
        return first_unknown(start) or reasons.unknown(reasons.UNSUPPORTED, "enumerate()", arguments.place)
    doubt = elements.rest
    items: list[Value] = []
    for index, item in enumerate(elements.items, first):
        if isinstance(item, Maybe):
            doubt = doubt or item.guard.unknown
            items.append(Maybe(TupleValue((doubt, item.value)), item.guard))
        else:
            items.append(TupleValue((doubt or const(index), item)))
    return IteratorValue(items, elements.rest, origin=call_origin("enumerate", arguments))


def _zip(run: Interpreter, arguments: Arguments) -> Value:
    strict = truth(run, arguments.keywords.get("strict", FALSE))
    if isinstance(strict, UnknownValue):
        return strict
    feeds = [_Feed(run, value, arguments) for value in arguments.positional]
    unknown = next((feed.uncertain for feed in feeds if feed.uncertain is not None), None)
    if unknown is not None:
        return leading_to(unknown, *(item for feed in feeds for item in feed.items))
    rows: list[Value] = []
    while feeds:
        row: list[Value] = []
        for feed in feeds:
            if not feed.left:
                break
            row.append(feed.take())
        if len(row) < len(feeds):
            if strict and (row or any(feed.left for feed in feeds)):
                raise run.failure("ValueError", "zip() arguments have different lengths")
            break
        rows.append(TupleValue(tuple(row)))
    run.budget.make(len(rows))
    return IteratorValue(rows, None, origin=call_origin("zip", arguments))


class _Feed:
    """An iterable that ``zip`` reads; an iterator loses the elements read, and may be given to ``zip`` twice."""

    def __init__(self, run: Interpreter, value: Value, arguments: Arguments) -> None:
        self.run, self.position = run, 0
        self.iterator = value if isinstance(value, IteratorValue) else None
        if self.iterator is not None:
            start(run, self.iterator)
            elements = Spread(self.iterator.items, self.iterator.rest)
        else:
            elements = spread(run, value, arguments.place)
        self.items, self.uncertain = elements.items, elements.uncertain

    @property
    def left(self) -> bool:
        return bool(self.iterator.items) if self.iterator is not None else self.position < len(self.items)

    def take(self) -> Value:
        if self.iterator is not None:
            first, *others = self.iterator.items
            put_back(self.run, self.iterator, others)
            return first
        self.position += 1
        return self.items[self.position - 1]


def _map(run: Interpreter, arguments: Arguments) -> Value:
    function, *sources = arguments.positional
    if len(sources) == 1:
        elements = spread(run, sources[0], arguments.place)
        if elements.rest is not None:
            called_any_number(run, function, elements.rest, arguments.place)
        results = [called(run, function, item, arguments.place) for item in elements.items]
        kept = [result for result in results if result is not None]
        rest = elements.rest and called_any_number(run, function, elements.rest, arguments.place)
        return IteratorValue(kept, rest, origin=call_origin("map", arguments))
    rows = _zip(run, arguments._replace(positional=tuple(sources)))
    if isinstance(rows, UnknownValue):
        return called_any_number(run, function, rows, arguments.place, arguments=len(sources))
    assert isinstance(rows, ListValue)
    made: list[Value] = [
        call(run, function, row.items, place=arguments.place) for row in rows.items if isinstance(row, TupleValue)
    ]
    return IteratorValue(made, None, origin=call_origin("map", arguments))


def _filter(run: Interpreter, arguments: Arguments) -> Value:
    function = first_argument(run, arguments)
    elements = spread(run, first_argument(run, arguments, 1), arguments.place)
    plain = function.is_just(None)
    items: list[Value] = []
    if elements.rest is not None and not plain:
        called_any_number(run, function, elements.rest, arguments.place)
    for item in elements.items:
        answer = item if plain else called(run, function, item, arguments.place)
        known = answer is not None and truth(run, answer.element)
        if isinstance(known, UnknownValue):
            items.append(Maybe(item, Guard("the filter keeps it", known)))
        elif known:
            items.append(item)
    if elements.rest is not None and not plain:
        called_any_number(run, function, elements.rest, arguments.place)
    return IteratorValue(items, elements.rest, origin=call_origin("filter", arguments))


def _reversed(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if isinstance(source, (SetValue, IteratorValue)):
        raise run.failure("TypeError", f"{describe(source)} is not reversible")
    return _LATER["reversed"](run, arguments)


def _backwards(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    return IteratorValue(elements.items[::-1], elements.rest, origin=call_origin("reversed", arguments))


def _sorted(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    items, rest = _to_compare(run, source, arguments)
    result = sorted_items(run, Spread(items, rest), arguments)
    if isinstance(result, UnknownValue) and not all_objects(items):
        return result
    return ListValue(
        items if isinstance(result, UnknownValue) else result, rest, origin=call_origin("sorted", arguments)
    )


def _to_compare(run: Interpreter, source: Value, arguments: Arguments) -> Spread:
    """The elements to compare: their order is ignored, unless equal results of ``key`` make it matter for a dict."""
    by_key = "key" in arguments.keywords and isinstance(source, (DictValue, ViewValue))
    return spread(run, source, arguments.place) if by_key else elements_of(run, source, arguments.place)


def _any(run: Interpreter, arguments: Arguments) -> Value:
    return _search(run, arguments, wanted=True)


def _all(run: Interpreter, arguments: Arguments) -> Value:
    return _search(run, arguments, wanted=False)


def _search(run: Interpreter, arguments: Arguments, *, wanted: bool) -> Value:
    source = first_argument(run, arguments)
    elements = elements_of(run, source, arguments.place)
    unknown = elements.uncertain
    for position, item in enumerate(elements.items, 1):
        known = truth(run, item.element)
        if known is wanted and not isinstance(item, Maybe):
            put_back(run, source, elements.items[position:])
            return const(wanted)
        if isinstance(known, UnknownValue):
            unknown = unknown or known
    return unknown or const(not wanted)


def _sum(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    total = arguments.keywords.get("start", arguments.positional[1] if len(arguments.positional) > 1 else const(0))
    assert arguments.place is not None
    if total.string is not None:
        raise run.failure("TypeError", "sum() can't sum texts")
    for item in elements.items:
        total = binary(run, cst.Add, total, item, arguments.place)
    return total


def _extreme(name: str, function: Callable[..., Any]) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        if not arguments.keywords and len(arguments.positional) > 1:
            return plain_function(name, function)(run, arguments)
        return _extreme_of(run, arguments, function)

    return call


def _extreme_of(run: Interpreter, arguments: Arguments, function: Callable[..., Any]) -> Value:
    """``max(iterable, key=..., default=...)``"""
    many = len(arguments.positional) > 1
    elements = (
        Spread(list(arguments.positional)) if many else _to_compare(run, first_argument(run, arguments), arguments)
    )
    keyed = keyed_items(run, elements, arguments)
    if elements.uncertain is not None:
        return elements.uncertain
    if not elements.items and "default" in arguments.keywords:
        return arguments.keywords["default"]
    if not elements.items:
        raise run.failure("ValueError", "the iterable is empty")
    # ``max`` returns the first of equal elements, which a stable reverse sort puts first, too.
    ordered = in_order(run, keyed, arguments, backwards=function is max)
    return ordered if isinstance(ordered, UnknownValue) else ordered[0]


_LATER: dict[str, Function] = {"iter": later(_all_elements), "reversed": later(_backwards)}

ITERATION: dict[str, Function] = {
    "list": _list,
    "tuple": _tuple,
    "set": _set,
    "frozenset": _frozenset,
    "dict": new_dict,
    "iter": _iterator,
    "next": _next,
    "range": _range,
    "enumerate": later(_enumerate),
    "zip": later(_zip),
    "map": later(_map),
    "filter": later(_filter),
    "reversed": _reversed,
    "sorted": _sorted,
    "any": _any,
    "all": _all,
    "sum": _sum,
    "min": _extreme("min", min),
    "max": _extreme("max", max),
}
