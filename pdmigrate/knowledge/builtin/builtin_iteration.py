"""Built-in functions that make containers or iterate over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import taken_from, with_aliases
from pdmigrate.evaluate.core.arity import AT_MOST_ONE, ONE, TWO, Arity, functions
from pdmigrate.evaluate.core.budget import LARGEST_CONTAINER
from pdmigrate.evaluate.core.natives import Function, call_origin, first_argument, known, plain_function, settled, unfit
from pdmigrate.evaluate.core.operations import Spread, call, spread, truth
from pdmigrate.evaluate.core.python_values import NotPlain, describe, to_python
from pdmigrate.evaluate.core.values import (
    FALSE,
    Arguments,
    DictValue,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    RangeValue,
    SetValue,
    TupleValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.iterators import later, put_back, start
from pdmigrate.evaluate.language.literals import update
from pdmigrate.evaluate.language.operators import binary
from pdmigrate.knowledge.builtin.callbacks import called, called_any_number
from pdmigrate.knowledge.builtin.dict_methods import make_dict
from pdmigrate.knowledge.builtin.list_methods import all_objects
from pdmigrate.knowledge.builtin.sorting import in_order, keyed_items, sorted_items

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


def new_dict(run: Interpreter, arguments: Arguments) -> DictValue:
    """``dict(...)``

    Raises:
        NotPlain: the mapping that it is made from is unknown.
    """
    result = DictValue(origin=call_origin("dict", arguments))
    if arguments.positional:
        result = make_dict(run, settled(arguments.positional[0]), arguments.place)
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
    source = settled(first_argument(run, arguments))
    if not isinstance(source, IteratorValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"next() of {describe(source)}", arguments.place)
    start(run, source)
    run.trail.touch(source)
    if source.items and source.rest is None and source.items[0].doubt is None:
        first, *others = source.items
        put_back(run, source, others)
        return first
    doubt = Spread(source.items, source.rest).uncertain
    if doubt is not None:
        source.items, source.rest = [], taken_from(source, doubt)
        return with_aliases(source.rest, *arguments.positional[1:])
    if len(arguments.positional) > 1:
        return arguments.positional[1]
    raise run.failure("StopIteration")


def _range(run: Interpreter, arguments: Arguments) -> Value:
    plain = [to_python(value) for value in arguments.positional]
    try:
        numbers = range(*plain)
        size = len(numbers)
    except (TypeError, ValueError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    if size > LARGEST_CONTAINER:
        # Unknown rather than over budget, so that the rest of the program is followed: a module's table of code points
        # says nothing about the tools.
        return reasons.unknown(reasons.BUDGET, f"a range of {size:,} numbers", arguments.place)
    run.budget.make(size)
    return RangeValue(tuple(const(number) for number in numbers), origin=call_origin("range", arguments))


def _enumerate(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    start = arguments.given(1, "start") or const(0)
    if (first := start.number) is None:
        raise unfit(start, "enumerate()", arguments.place)
    doubt = elements.rest
    items: list[Value] = []
    for index, item in enumerate(elements.items, first):
        doubt = doubt or item.doubt
        items.append(item.conditional(TupleValue((doubt or const(index), item.element))))
    return IteratorValue(items, elements.rest, origin=call_origin("enumerate", arguments))


def _zip(run: Interpreter, arguments: Arguments) -> Value:
    return IteratorValue(_rows(run, arguments), None, origin=call_origin("zip", arguments))


def _rows(run: Interpreter, arguments: Arguments) -> list[Value]:
    """The tuples that ``zip`` makes; an iterator loses the elements read, and may be passed to ``zip`` twice."""
    strict = known(truth(run, arguments.keywords.get("strict", FALSE)))
    feeds = [_Feed(run, value, arguments) for value in arguments.positional]
    unknown = next((feed.uncertain for feed in feeds if feed.uncertain is not None), None)
    if unknown is not None:
        raise NotPlain(with_aliases(unknown, *(item for feed in feeds for item in feed.items)))
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
    return rows


class _Feed:
    """An iterable that ``zip`` reads."""

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
    place = arguments.place
    if len(sources) == 1:
        elements = spread(run, sources[0], place)
        if elements.rest is not None:
            called_any_number(run, function, elements.rest, place)
        results = [called(run, function, item, place) for item in elements.items]
        kept = [result for result in results if result is not None]
        rest = elements.rest and called_any_number(run, function, elements.rest, place)
        return IteratorValue(kept, rest, origin=call_origin("map", arguments))
    try:
        rows = _rows(run, arguments._replace(positional=tuple(sources)))
    except NotPlain as reason:
        return called_any_number(run, function, reason.unknown, place, arguments=len(sources))
    made = [call(run, function, tuple(row.sequence or ()), place=place) for row in rows]
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
        try:
            if answer is not None and known(truth(run, answer.element)):
                items.append(item)
        except NotPlain as reason:
            items.append(Maybe(item, Guard("the filter keeps it", reason.unknown)))
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
    items, rest = _to_compare(run, arguments.first, arguments)
    try:
        ordered = sorted_items(run, Spread(items, rest), arguments)
    except NotPlain:
        if not all_objects(items):
            raise
        ordered = items
    return ListValue(ordered, rest, origin=call_origin("sorted", arguments))


def _to_compare(run: Interpreter, source: Value, arguments: Arguments) -> Spread:
    """The elements to compare: their order is ignored, unless equal results of ``key`` make it matter for a dict."""
    by_key = "key" in arguments.keywords and isinstance(source, (DictValue, ViewValue))
    return spread(run, source, arguments.place) if by_key else elements_of(run, source, arguments.place)


def _search(*, wanted: bool) -> Function:
    """``any`` or ``all``"""

    def search(run: Interpreter, arguments: Arguments) -> Value:
        elements = elements_of(run, arguments.first, arguments.place)
        unknown = elements.uncertain
        for position, item in enumerate(elements.items, 1):
            answer = truth(run, item.element)
            if answer is wanted and item.doubt is None:
                put_back(run, arguments.first, elements.items[position:])
                return const(wanted)
            unknown = unknown or (None if answer is True or answer is False else answer)
        return unknown or const(not wanted)

    return search


def _sum(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, first_argument(run, arguments), arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    total = arguments.given(1, "start") or const(0)
    assert arguments.place is not None
    if total.string is not None:
        raise run.failure("TypeError", "sum() can't sum texts")
    for item in elements.items:
        total = binary(run, cst.Add, total, item, arguments.place)
    return total


def _extreme(name: str, function: Callable[..., Any]) -> Function:
    plain = plain_function(name, function)

    def call(run: Interpreter, arguments: Arguments) -> Value:
        several = len(arguments.positional) > 1
        return plain(run, arguments) if several and not arguments.keywords else _extreme_of(run, arguments, function)

    return call


def _extreme_of(run: Interpreter, arguments: Arguments, function: Callable[..., Any]) -> Value:
    """``max(iterable, key=..., default=...)``"""
    many = len(arguments.positional) > 1
    elements = Spread(list(arguments.positional)) if many else _to_compare(run, arguments.first, arguments)
    keyed = keyed_items(run, elements, arguments)
    if elements.uncertain is not None:
        return elements.uncertain
    if not elements.items and "default" in arguments.keywords:
        return arguments.keywords["default"]
    if not elements.items:
        raise run.failure("ValueError", "the iterable is empty")
    # ``max`` returns the first of equal elements, which a stable reverse sort puts first, too.
    return in_order(run, keyed, arguments, backwards=function is max)[0]


_LATER: dict[str, Function] = {"iter": later(_all_elements), "reversed": later(_backwards)}

ITERATION = functions(
    {
        "list": (_list, AT_MOST_ONE),
        "tuple": (_tuple, AT_MOST_ONE),
        "set": (_set, AT_MOST_ONE),
        "frozenset": (_frozenset, AT_MOST_ONE),
        "dict": (new_dict, Arity(0, 1, None)),
        "iter": (_iterator, Arity(1, 2)),
        "next": (_next, Arity(1, 2)),
        "range": (_range, Arity(1, 3)),
        "enumerate": (later(_enumerate), Arity(1, 2, ("start",))),
        "zip": (later(_zip), Arity(0, None, ("strict",))),
        "map": (later(_map), Arity(2, None)),
        "filter": (later(_filter), TWO),
        "reversed": (_reversed, ONE),
        "sorted": (_sorted, Arity(1, 1, ("key", "reverse"))),
        "any": (_search(wanted=True), ONE),
        "all": (_search(wanted=False), ONE),
        "sum": (_sum, Arity(1, 2, ("start",))),
        "min": (_extreme("min", min), Arity(1, None, ("key", "default"))),
        "max": (_extreme("max", max), Arity(1, None, ("key", "default"))),
    }
)
