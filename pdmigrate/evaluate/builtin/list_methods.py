"""Methods of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.sorting import sorted_items
from pdmigrate.evaluate.core import arity, reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to, out_of
from pdmigrate.evaluate.core.blurring import doubtful
from pdmigrate.evaluate.core.disturbing import poison
from pdmigrate.evaluate.core.natives import first_argument, methods_from
from pdmigrate.evaluate.core.operations import METHODS, Spread, spread
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    IteratorValue,
    ListValue,
    SdkObject,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.comparison import equal
from pdmigrate.evaluate.language.literals import extend_list
from pdmigrate.evaluate.language.subscripts import ITEM_DELETING

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _list(arguments: Arguments) -> ListValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, ListValue)
    return receiver


def _append(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    run.budget.make(1)
    target.items.append(first_argument(run, arguments, 1))
    return NONE


def _extend(run: Interpreter, arguments: Arguments) -> Value:
    extend_list(run, _list(arguments), first_argument(run, arguments, 1), arguments.place)
    return NONE


def _insert(run: Interpreter, arguments: Arguments) -> Value:
    target, index = _list(arguments), first_argument(run, arguments, 1)
    run.trail.touch(target)
    number = index.number
    if number is None and first_unknown(index) is None:
        raise run.failure("TypeError", "an index must be an integer")
    if number is not None and (target.exact or number == 0):
        target.items.insert(number, first_argument(run, arguments, 2))
    else:
        unknown = first_unknown(index) or reasons.unknown(
            reasons.MUTATED, "an insertion at a place not known", arguments.place
        )
        target.items = doubtful([*target.items, first_argument(run, arguments, 2)], unknown)
    return NONE


def _pop(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    index = arguments.positional[1].number if len(arguments.positional) > 1 else -1
    if not target.exact or index is None:
        return _lose(run, target, arguments)
    if not -len(target.items) <= index < len(target.items):
        raise run.failure("IndexError", "pop from empty list")
    return target.items.pop(index)


def _lose(run: Interpreter, target: ListValue, arguments: Arguments) -> UnknownValue:
    unknown = first_unknown(*arguments.positional[1:]) or reasons.unknown(
        reasons.MUTATED, "a list of unknown content is changed", arguments.place
    )
    lost = out_of(target, unknown)
    poison(run, target, target.rest or unknown)
    return lost


def _remove(run: Interpreter, arguments: Arguments) -> Value:
    target, wanted = _list(arguments), first_argument(run, arguments, 1)
    run.trail.touch(target)
    if not target.exact:
        return _lose(run, target, arguments)
    for index, item in enumerate(target.items):
        answer = equal(run, item, wanted)
        if answer is True:
            del target.items[index]
            return NONE
        if isinstance(answer, UnknownValue):
            return _lose(run, target, arguments)
    raise run.failure("ValueError", "list.remove(x): x not in list")


def _clear_list(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    target.items, target.rest = [], None
    return NONE


def _reverse(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    if target.rest is not None and not all_objects(target.items):
        target.items, target.rest = [], leading_to(target.rest, *target.items)
    target.items = target.items[::-1]
    return NONE


def _sort(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    result = sorted_items(run, Spread(target.items, target.rest), arguments)
    if not isinstance(result, UnknownValue) and target.exact:
        target.items = result
    elif not all_objects(target.items):
        unknown = result if isinstance(result, UnknownValue) else spread(run, target).uncertain
        lost = target.rest or unknown
        target.rest = leading_to(lost, *target.items) if lost is not None else None
        target.items = []
    return NONE


def all_objects(items: list[Value]) -> bool:
    """Whether all elements are SDK objects, a list of which lists the same tools in any order."""
    return all(isinstance(item.element, SdkObject) for item in items)


def _copy_list(_run: Interpreter, arguments: Arguments) -> Value:
    source = _list(arguments)
    return ListValue(list(source.items), source.rest, origin=source.origin)


def _index(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, arguments.positional[0])
    wanted, bounds = first_argument(run, arguments, 1), _bounds(run, arguments)
    unknown = elements.uncertain or (bounds if isinstance(bounds, UnknownValue) else None)
    if unknown is not None or isinstance(bounds, UnknownValue):
        return unknown or NONE
    for position in range(*bounds.indices(len(elements.items))):
        run.budget.step()
        answer = equal(run, elements.items[position], wanted)
        if answer is True:
            return const(position)
        if isinstance(answer, UnknownValue):
            return answer
    raise run.failure("ValueError", "not in list")


def _bounds(run: Interpreter, arguments: Arguments) -> slice | UnknownValue:
    """The slice that ``index(value, start, stop)`` searches."""
    bounds: list[int | None] = [None, None]
    for position, value in enumerate(arguments.positional[2:4]):
        unknown = first_unknown(value)
        if unknown is not None:
            return unknown
        if value.number is None:
            raise run.failure("TypeError", "slice indices must be integers")
        bounds[position] = value.number
    return slice(*bounds)


def _count(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, arguments.positional[0])
    if elements.uncertain is not None:
        return elements.uncertain
    answers = [equal(run, item, first_argument(run, arguments, 1)) for item in elements.items]
    unknown = next((answer for answer in answers if isinstance(answer, UnknownValue)), None)
    return unknown or const(sum(1 for answer in answers if answer is True))


_FUNCTIONS = {
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "remove": _remove,
    "clear": _clear_list,
    "reverse": _reverse,
    "sort": _sort,
    "copy": _copy_list,
    "index": _index,
    "count": _count,
}
LIST_METHODS = arity.counted(_FUNCTIONS, arity.LISTS, methods=True)
METHODS.of(Value, IteratorValue)(lambda _value, _name: None)
METHODS.of(ListValue)(methods_from(LIST_METHODS))
METHODS.of(TupleValue)(methods_from({name: LIST_METHODS[name] for name in ("index", "count")}))
ITEM_DELETING.of(ListValue)(lambda run, owner, key, place: _pop(run, Arguments((owner, key), {}, None, place)))
