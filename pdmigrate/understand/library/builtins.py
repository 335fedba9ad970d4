"""The functions and classes of ``builtins``."""

from __future__ import annotations

import builtins
from functools import partial
from typing import Any

from pdmigrate.understand.demand.containers import (
    LATE,
    certain_elements,
    elements,
    make_dict,
    make_set,
    overlay,
    sequence_of,
    shown,
    taken,
)
from pdmigrate.understand.demand.flow import visit
from pdmigrate.understand.demand.functions import from_plain, plain_form, text_form
from pdmigrate.understand.demand.operators import LONGEST, add_keywords, is_wide, truth
from pdmigrate.understand.demand.run import ITERATED, LIBRARY, RaisedError, Run, raised
from pdmigrate.understand.demand.unfollowed import TEXT, operated
from pdmigrate.understand.library.calling import given_up, library
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, Mutable, SetValue, View
from pdmigrate.understand.values.core import CONDITION, FALSE, NONE, OUTSIDE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as, maybe, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import Instance, text_of
from pdmigrate.understand.values.outside import PathValue


@library("builtins.print", "builtins.breakpoint")
def _print(run: Run, arguments: Arguments) -> Value:
    operated(run, TEXT, *arguments.all)
    run.may_call([*arguments.keywords.values()], run.unsettled("it is printed to", OUTSIDE))
    return NONE


@library("builtins.len")
def _len(run: Run, arguments: Arguments) -> Value:
    value = shown(arguments.first)
    known = value.items if isinstance(value, TupleValue) else sequence_of(value)
    if isinstance(value, Const) and known is None:
        raise RaisedError("builtins.TypeError", "the argument of len() has no length", run.site())
    if known is not None:
        return Const(len(known))
    if not isinstance(value, (ListValue, DictValue, SetValue)):
        run.risk = True
        return run.because("the length of an object", value)
    if value.exact:
        return Const(len(value.data))
    return value.rest or run.unsettled("a length that depends on a condition", CONDITION)


@library("builtins.list")
def _list(run: Run, arguments: Arguments) -> Value:
    if not arguments.all:
        return ListValue([], arguments.unknown)
    return ListValue(*elements(run, arguments.first))


@library("builtins.tuple")
def _tuple(run: Run, arguments: Arguments) -> Value:
    items = certain_elements(run, arguments.first) if arguments.all else []
    return items if isinstance(items, Unknown) else TupleValue(tuple(items))


@library("builtins.set")
def _set(run: Run, arguments: Arguments) -> SetValue:
    items, more = elements(run, arguments.first, ordered=False) if arguments.all else ([], None)
    return make_set(run, items, more)


@library("builtins.frozenset")
def _frozenset(run: Run, arguments: Arguments) -> Value:
    made = _set(run, arguments)
    made.frozen = True
    return made


@library("builtins.dict", "pydantic.ConfigDict", "pydantic.config.ConfigDict")
def _dict(run: Run, arguments: Arguments) -> DictValue:
    made = DictValue()
    if arguments.positional:
        source = arguments.at(0)
        if type(source) in ITERATED:
            source = run.call(run.attribute(source, "copy"), Arguments(site=run.site()))
        if isinstance(source, DictValue):
            made.data.update(source.data)
            made.rest = made.rest or source.rest
        else:
            items, more = elements(run, source)
            pairs = [item.items for item in items if isinstance(item, TupleValue) and len(item.items) == 2]
            more = more if len(pairs) == len(items) else more or run.risky("pairs that are not known")
            made = _made_dict(run, [(pair[0], pair[1]) for pair in pairs], items, more)
    add_keywords(made, arguments)
    return made


def _made_dict(run: Run, pairs: list[tuple[Value, Value]], items: list[Value], more: Unknown | None) -> DictValue:
    """A dict of these entries, which ``items`` give, and perhaps of others."""
    made = make_dict(pairs, run)
    if more is not None:
        overlay(made, unsettled(more, *items))
    return made


@library("builtins.dict.fromkeys")
def _from_keys(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.first)
    value = arguments.at(1) if len(arguments.all) > 1 else NONE
    more = unsettled(more, value) if more is not None else None  # an element under every key that is not known, too
    return _made_dict(run, [(bare_value(item), conditional_as(item, value)) for item in items], items, more)


@library("collections.OrderedDict")
def _ordered(run: Run, arguments: Arguments) -> Value:
    made = _dict(run, arguments)
    made.ordered = True
    return made


@library("builtins.str")
def _str(run: Run, arguments: Arguments) -> Value:
    if not arguments.all or isinstance(arguments.first, PathValue):
        return arguments.first if arguments.all else Const("")  # a path stands for its text too
    return text_form(run, arguments.first) if len(arguments.all) == 1 else run.risky("bytes as a text")


LIBRARY["builtins.repr"] = lambda run, arguments: text_form(run, arguments.first, as_repr=True)


def _is_long(run: Run, function: Any, given: list[Any]) -> bool:
    """Whether a result may be longer than any text of a program; what is read is charged in any case."""
    own = getattr(function, "__self__", None)
    lengths = [_length(item) for item in (own, *given)]
    run.step(sum(lengths) // 64)
    if not isinstance(own, (str, bytes)):
        return False
    wide = function.__name__.startswith("format") and is_wide(str(own))
    wide |= any(isinstance(item, int) and item * (lengths[0] + 1) > 10 * LONGEST for item in given)
    return wide or (lengths[0] + 1) * (sum(lengths[1:]) + 1) > 10 * LONGEST


def _length(item: Any) -> int:
    if isinstance(item, (list, tuple, dict)):
        return sum(_length(part) + 1 for part in (item.values() if isinstance(item, dict) else item))
    return len(item) if isinstance(item, (str, bytes)) else 0


def on_plain(run: Run, function: Any, arguments: Arguments) -> Value:
    """The result of a function of Python on scalars, and lists, tuples and dicts of them.

    Raises RaisedError if the function raises.
    """
    plain = [*map(plain_form, arguments.all)]
    if arguments.unknown is not None or None in plain:
        why = run.risky(f"{function.__name__}() of this", *arguments.all)
        run.may_call(arguments.all, why)
        return why
    given = [item[0] for item in plain if item is not None]
    count = len(arguments.positional)
    if _is_long(run, function, given):
        return run.exhausted()
    try:
        return from_plain(function(*given[:count], **dict(zip(arguments.keywords, given[count:], strict=True))))
    except Exception as error:  # whatever the function raises, the program raises
        raise raised(error, run.site()) from error


def enter_plain(name: str, function: Any) -> None:
    """Let a function of a library be carried out by itself."""
    LIBRARY[name] = lambda run, arguments: on_plain(run, function, arguments)


for _name in ("int", "float", "abs", "round", "chr", "ord", "hex", "bytes", "format"):
    enter_plain(f"builtins.{_name}", getattr(builtins, _name))


@library("builtins.bool")
def _bool(run: Run, arguments: Arguments) -> Value:
    known = truth(run, arguments.first)
    return run.because("the truth of a value", arguments.first) if known is None else Const(known)


@library("builtins.range")
def _range(run: Run, arguments: Arguments) -> Value:
    plain = [item.value for item in arguments.positional if isinstance(item, Const)]
    if len(plain) != len(arguments.positional):
        return run.unsettled("a range whose ends are not known")
    try:
        numbers = range(*plain)
        run.step(len(numbers))
    except OverflowError:
        return run.exhausted()
    except (TypeError, ValueError) as error:
        raise raised(error, run.site()) from error
    return Const(numbers)


def _gone_through(value: Value) -> Mutable | None:
    """The container that an iterator over ``value`` goes through."""
    source = value.source if isinstance(value, View) else value.through if isinstance(value, IteratorValue) else value
    return source if isinstance(source, Mutable) else None


@library("builtins.enumerate")
def _enumerate(run: Run, arguments: Arguments) -> Value:
    items, more = taken(run, arguments.first)
    start = arguments.get(1, "start") or Const(0)
    settled = start if more is None and not any(isinstance(item, Maybe) for item in items) else None
    why = run.unsettled("a number that depends on a condition", CONDITION)
    numbers = [Const(settled.value + i) if isinstance(settled, Const) else why for i in range(len(items))]
    rows = zip(numbers, items, strict=True)
    found = [conditional_as(item, TupleValue((number, bare_value(item)))) for number, item in rows]
    return IteratorValue(found, more, _gone_through(arguments.first))


@library(*(f"builtins.{name}" for name in ("zip", "reversed", "min", "max", "sum")))
def _from_containers(run: Run, arguments: Arguments) -> Value:
    """What is made of containers, which is not followed; iterators and objects may be changed by it."""
    plain = all(isinstance(item, (ListValue, DictValue, SetValue, TupleValue, View, Const)) for item in arguments.all)
    if plain and not any(isinstance(item, Instance) for item in reachable(arguments.all)):
        return unsettled(run.risky("zip, reversed, min, max and sum are not followed"), *arguments.all)
    return given_up(run, arguments)


@library("builtins.iter")
def _iter(run: Run, arguments: Arguments) -> Value:
    if len(arguments.all) > 1:  # a function that is called until it returns a value
        return given_up(run, arguments)
    if isinstance(arguments.first, IteratorValue):
        return arguments.first
    return IteratorValue(*elements(run, arguments.first), _gone_through(arguments.first))


@library("builtins.next")
def _next(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if isinstance(value, IteratorValue) and value.is_late:
        value.rest = value.rest or run.unsettled(LATE)
    if isinstance(value, IteratorValue) and value.rest is None:
        if value.data and not isinstance(value.data[0], Maybe):
            run.journal.touch(value)
            return value.data.pop(0)
        if not value.data and len(arguments.positional) > 1:
            return arguments.at(1)
        if not value.data:
            raise RaisedError("builtins.StopIteration", "there is no next element", run.site())
    why = run.risky("the next element of something", value)
    run.disturb([value], why)
    return unsettled(why, *arguments.positional)


@library("builtins.sorted")
def _sorted(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.first, ordered=False)
    ordered = _in_order(run, items, arguments.keywords, more)
    unordered = isinstance(arguments.first, SetValue) and not arguments.first.ordered
    if unordered and len(items) > 1 and "key" in arguments.keywords:
        ordered = None  # elements with equal keys stand in the order of the set
    if ordered is None:
        run.risk = True
        why = more or run.unsettled("an order that is not known")
        return ListValue([maybe(item, why) for item in items], why)
    return ListValue(ordered, more)


def _sorted_by(item: Value) -> tuple[Any] | None:
    return plain_form(item) if not text_of(item) else (text_of(item),)


def _in_order(run: Run, items: list[Value], keywords: dict[str, Value], more: Unknown | None) -> list[Value] | None:
    """``items`` in order; ``None`` if their order is not known."""
    key, reverse, keys = keywords.get("key", NONE), keywords.get("reverse", FALSE), items
    if key != NONE:
        keys = visit(run, items, more, lambda item: run.call(key, Arguments([item], site=run.site())))
    bare = [bare_value(item) for item in keys]
    plain = [_sorted_by(item) for item in bare]
    if None in plain and all(isinstance(item, TupleValue) and item.items for item in bare):
        heads = [_sorted_by(item.items[0]) for item in bare if isinstance(item, TupleValue)]
        plain = heads if len(set(map(repr, heads))) == len(heads) else plain  # what is behind them is not compared
    if None in plain or len(plain) < len(items) or not isinstance(reverse, Const):
        return items if len(items) < 2 else None
    known: list[Any] = [item[0] for item in plain if item is not None]
    try:
        return [items[i] for i in sorted(range(len(items)), key=known.__getitem__, reverse=bool(reverse.value))]
    except TypeError:
        return None


def _quantified(wanted: bool, run: Run, arguments: Arguments) -> Value:
    """``any()`` (``wanted``) or ``all()``"""
    items, more = taken(run, arguments.first, ordered=False)
    known = [None if isinstance(item, Maybe) else truth(run, item) for item in items]
    if wanted in known:
        return Const(wanted)
    if more is None and None not in known:
        return Const(not wanted)
    return run.because("the truth of a value", more, *(item for item in items if not isinstance(item, Const)))


LIBRARY["builtins.any"], LIBRARY["builtins.all"] = partial(_quantified, True), partial(_quantified, False)
