"""The functions and classes of ``builtins``."""

from __future__ import annotations

import builtins
from functools import reduce
from typing import Any

from pdmigrate.understand.demand.containers import content, elements, make_dict, make_set, overlay, put_entry
from pdmigrate.understand.demand.functions import from_plain, plain_form, text_form
from pdmigrate.understand.demand.operators import plain_of, truth
from pdmigrate.understand.demand.run import LIBRARY, RaisedError, Run
from pdmigrate.understand.demand.unfollowed import TEXT, operated
from pdmigrate.understand.library.calling import first, library
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import text_of
from pdmigrate.understand.values.outside import PathValue


@library("builtins.print", "builtins.breakpoint")
def _print(run: Run, arguments: Arguments) -> Value:
    operated(run, TEXT, *arguments.all)
    return NONE


@library("builtins.len")
def _len(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    text = text_of(value)
    if text is not None:
        return Const(len(text))
    if isinstance(value, TupleValue):
        return Const(len(value.items))
    if isinstance(value, (ListValue, DictValue, SetValue)):
        items = [item[1] if isinstance(item, tuple) else item for item in _values(value)]
        if value.rest is None and not any(isinstance(item, Maybe) for item in items):
            return Const(len(items))
        return value.rest or run.unsettled("a length that depends on a condition", "PD310")
    return value if isinstance(value, Unknown) else run.unsettled("the length of an object")


def _values(value: Any) -> list[Any]:
    return list(value.data.values()) if isinstance(value.data, dict) else list(value.data)


@library("builtins.list")
def _list(run: Run, arguments: Arguments) -> Value:
    if not arguments.all:
        return ListValue([], arguments.unknown)
    return ListValue(*elements(run, first(arguments)))


@library("builtins.tuple")
def _tuple(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, first(arguments)) if arguments.all else ([], None)
    if more is not None or any(isinstance(item, Maybe) for item in items):
        return more or run.unsettled("a tuple whose elements depend on a condition", "PD310")
    return TupleValue(tuple(items))


@library("builtins.set", "builtins.frozenset")
def _set(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, first(arguments), ordered=False) if arguments.all else ([], None)
    return make_set(run, items, more)


@library("builtins.dict", "collections.OrderedDict")
def _dict(run: Run, arguments: Arguments) -> Value:
    made = DictValue({}, arguments.unknown)
    if arguments.positional:
        source = content(arguments.positional[0])
        if isinstance(source, DictValue):
            made.data.update(source.data)
            made.rest = made.rest or source.rest
        else:
            items, more = elements(run, source)
            pairs = [item.items for item in items if isinstance(item, TupleValue) and len(item.items) == 2]
            if len(pairs) != len(items):
                more = more or run.unsettled("pairs that are not known")
            made = make_dict([(pair[0], pair[1]) for pair in pairs], run)
            if more is not None:
                overlay(made, unsettled(more, *items))
    for name, value in arguments.keywords.items():
        put_entry(made, (True, name), Const(name), value)
    return made


@library("collections.defaultdict")
def _defaultdict(run: Run, arguments: Arguments) -> Value:
    made = _dict(run, Arguments(arguments.positional[1:], arguments.keywords, arguments.unknown))
    assert isinstance(made, DictValue)
    made.factory = arguments.positional[0] if arguments.positional else None
    return made


@library("builtins.str")
def _str(run: Run, arguments: Arguments) -> Value:
    if not arguments.all or isinstance(first(arguments), PathValue):
        return first(arguments) if arguments.all else Const("")  # a path stands for its text too
    return text_form(run, first(arguments))


@library("builtins.repr")
def _repr(run: Run, arguments: Arguments) -> Value:
    return text_form(run, first(arguments), as_repr=True)


def _scalar(kind: str) -> Any:
    def convert(run: Run, arguments: Arguments) -> Value:
        plain = [plain_of(item) for item in arguments.positional]
        if any(item is None for item in plain) or arguments.keywords or arguments.unknown:
            run.risk = True
            return next((v for v in arguments.all if isinstance(v, Unknown)), run.unsettled(f"{kind}() of this"))
        return plainly(run, getattr(builtins, kind), [item.value for item in plain if item is not None])

    return convert


for _kind in ("int", "float", "abs", "round", "chr", "ord", "hex", "bytes", "divmod", "format", "pow", "complex"):
    LIBRARY[f"builtins.{_kind}"] = _scalar(_kind)


def plainly(run: Run, function: Any, arguments: list[Any], keywords: dict[str, Any] | None = None) -> Value:
    """The result of a function of Python on scalars; what it raises, the program raises.

    Raises:
        RaisedError: the function raises.
    """
    try:
        return from_plain(function(*arguments, **(keywords or {})))
    except Exception as error:  # whatever the function raises, the program raises
        raise RaisedError(f"builtins.{type(error).__name__}", str(error), run.site()) from error


@library("builtins.bool")
def _bool(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    known = truth(run, value)
    if known is None:
        return value if isinstance(value, Unknown) else run.unsettled("the truth of a value")
    return TRUE if known else FALSE


# --- iteration --------------------------------------------------------------------------------------------------------


@library("builtins.range")
def _range(run: Run, arguments: Arguments) -> Value:
    plain = [item.value for item in arguments.positional if isinstance(item, Const)]
    if len(plain) != len(arguments.positional):
        return run.unsettled("a range whose ends are not known")
    numbers = range(*plain)
    run.step(len(numbers))
    return TupleValue(tuple(Const(number) for number in numbers))


@library("builtins.enumerate")
def _enumerate(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, first(arguments))
    start = arguments.get(1, "start")
    number = start.value if isinstance(start, Const) else 0
    if (
        more is not None
        or any(isinstance(item, Maybe) for item in items)
        or not (start is None or isinstance(start, Const))
    ):
        why = run.unsettled("a number that depends on a condition", "PD310")
        made: list[Value] = [
            Maybe(TupleValue((why, i.value)), i.why) if isinstance(i, Maybe) else TupleValue((why, i)) for i in items
        ]
        return IteratorValue(made, more)
    return IteratorValue([TupleValue((Const(i), item)) for i, item in enumerate(items, number)], more)


@library("builtins.zip")
def _zip(run: Run, arguments: Arguments) -> Value:
    columns = [elements(run, item) for item in arguments.positional]
    more = next((rest for _, rest in columns if rest is not None), None)
    every = [item for items, _ in columns for item in items]
    more = more or next((item.why for item in every if isinstance(item, Maybe)), None)
    if more is not None:
        return IteratorValue([], unsettled(more, *every))  # what stands beside what is not known
    rows = zip(*(items for items, _ in columns), strict=False)
    return IteratorValue([TupleValue(tuple(row)) for row in rows])


@library("builtins.reversed")
def _reversed(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, first(arguments))
    return IteratorValue(items[::-1], more)


@library("builtins.iter")
def _iter(run: Run, arguments: Arguments) -> Value:
    return IteratorValue(*elements(run, first(arguments)))


@library("builtins.next")
def _next(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, IteratorValue) and value.data and not isinstance(value.data[0], Maybe) and not value.rest:
        run.journal.touch(value)
        found: Value = value.data.pop(0)
        return found
    if isinstance(value, IteratorValue) and not value.data and value.rest is None:
        if len(arguments.positional) > 1:
            return arguments.positional[1]
        raise RaisedError("builtins.StopIteration", "there is no next element", run.site())
    run.risk = True
    why = value if isinstance(value, Unknown) else run.unsettled("the next element of something")
    run.disturb([value], why)
    return unsettled(why, *arguments.positional)


@library("builtins.sorted")
def _sorted(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, first(arguments), ordered=False)
    ordered = sort(run, items, arguments.keywords)
    if ordered is None:
        why = more or run.unsettled("an order that is not known")
        return ListValue([Maybe(i, why) if not isinstance(i, Maybe) else i for i in items], more or why)
    return ListValue(ordered, more)


def sort(run: Run, items: list[Value], keywords: dict[str, Value]) -> list[Value] | None:
    """``items`` in order; ``None`` if their order is not known."""
    key = keywords.get("key", NONE)
    bare = [item.value if isinstance(item, Maybe) else item for item in items]
    keys = [item if key == NONE else run.call(key, Arguments([item], site=run.site())) for item in bare]
    plain = [plain_form(item) if not text_of(item) else (text_of(item),) for item in keys]
    if any(item is None for item in plain):
        return items if len(items) < 2 else None
    reverse = keywords.get("reverse", FALSE)
    if not isinstance(reverse, Const):
        return None
    try:
        known: list[Any] = [item[0] for item in plain if item is not None]
        order = sorted(range(len(items)), key=known.__getitem__, reverse=bool(reverse.value))
    except TypeError:
        return None
    return [items[i] for i in order]


@library("builtins.map")
def _map(run: Run, arguments: Arguments) -> Value:
    function = arguments.positional[0]
    if len(arguments.positional) > 2:
        _zipped = _zip(run, Arguments(arguments.positional[1:]))
        items, more = elements(run, _zipped)
    else:
        items, more = elements(run, arguments.positional[1])
    made: list[Value] = []
    for item in items:
        bare = item.value if isinstance(item, Maybe) else item
        given = list(bare.items) if len(arguments.positional) > 2 and isinstance(bare, TupleValue) else [bare]
        result = run.call(function, Arguments(given, site=run.site()))
        made.append(Maybe(result, item.why) if isinstance(item, Maybe) else result)
    return IteratorValue(made, more)


@library("builtins.filter")
def _filter(run: Run, arguments: Arguments) -> Value:
    function = arguments.positional[0]
    items, more = elements(run, arguments.positional[1])
    made: list[Value] = []
    for item in items:
        bare = item.value if isinstance(item, Maybe) else item
        result = bare if function == NONE else run.call(function, Arguments([bare], site=run.site()))
        known = truth(run, result)
        if known:
            made.append(item)
        elif known is None:
            why = result if isinstance(result, Unknown) else run.unsettled("it depends on a filter", "PD310")
            made.append(Maybe(bare, why))
    return IteratorValue(made, more)


def _quantified(wanted: bool) -> Any:
    def decide(run: Run, arguments: Arguments) -> Value:
        items, more = elements(run, first(arguments), ordered=False)
        unknown: Value | None = more
        for item in items:
            known = None if isinstance(item, Maybe) else truth(run, item)
            if known is wanted:
                return Const(wanted)
            if known is None:
                unknown = unknown or (item.why if isinstance(item, Maybe) else item)
        if unknown is not None:
            return unknown if isinstance(unknown, Unknown) else run.unsettled("the truth of a value")
        return Const(not wanted)

    return decide


LIBRARY["builtins.any"], LIBRARY["builtins.all"] = _quantified(True), _quantified(False)


def _aggregate(function: Any) -> Any:
    def compute(run: Run, arguments: Arguments) -> Value:
        items, more = (
            elements(run, first(arguments), ordered=False)
            if len(arguments.positional) == 1
            else (arguments.positional, None)
        )
        plain = [plain_of(item) for item in items]
        if more is not None or any(item is None for item in plain) or arguments.keywords:
            found = next((v for v in (more, *items) if isinstance(v, Unknown)), None)
            return found or run.unsettled("a number or text that is not known")
        return plainly(run, function, [[item.value for item in plain if item is not None]])

    return compute


for _name, _function in {"min": min, "max": max, "sum": lambda items: reduce(lambda a, b: a + b, items, 0)}.items():
    LIBRARY[f"builtins.{_name}"] = _aggregate(_function)
