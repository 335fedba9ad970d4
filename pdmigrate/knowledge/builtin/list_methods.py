"""Methods of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, taken_from, with_aliases
from pdmigrate.evaluate.core.arity import ONE, TWO, ZERO, Arity, methods
from pdmigrate.evaluate.core.blurring import doubtful
from pdmigrate.evaluate.core.disturbing import poison
from pdmigrate.evaluate.core.natives import first_argument, known, methods_from
from pdmigrate.evaluate.core.operations import METHODS, Spread, spread
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    IteratorValue,
    ListValue,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.comparison import matches
from pdmigrate.evaluate.language.literals import extend_list
from pdmigrate.evaluate.language.subscripts import ITEM_DELETING
from pdmigrate.knowledge.builtin.sorting import sorted_items

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _append(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
    run.trail.touch(target)
    run.budget.make(1)
    target.items.append(first_argument(run, arguments, 1))
    return NONE


def _extend(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
    extend_list(run, target, first_argument(run, arguments, 1), arguments.place)
    return NONE


def _insert(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
    _, index, item = arguments.positional
    run.trail.touch(target)
    number, unknown = index.number, first_unknown(index)
    if number is None and unknown is None:
        raise run.failure("TypeError", "an index must be an integer")
    if number is not None and (target.exact or number == 0):
        target.items.insert(number, item)
    else:
        somewhere = reasons.unknown(reasons.MUTATED, "an insertion at an unknown position", arguments.place)
        target.items = doubtful([*target.items, item], unknown or somewhere)
    return NONE


def _pop(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
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
    lost = taken_from(target, unknown)
    poison(run, target, target.rest or unknown)
    return lost


def _remove(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
    run.trail.touch(target)
    try:
        position = _found(run, Spread(target.items, target.rest), arguments)
    except NotPlain:
        return _lose(run, target, arguments)
    del target.items[position]
    return NONE


def _index(run: Interpreter, target: Value, arguments: Arguments) -> Value:
    if len(arguments.positional) > 2:
        return reasons.unknown(reasons.UNSUPPORTED, "index() of a part of a list", arguments.place)
    return const(_found(run, spread(run, target), arguments))


def _found(run: Interpreter, elements: Spread, arguments: Arguments) -> int:
    """The position of the first argument among ``elements``.

    Raises:
        NotPlain: the position is not known.
        AbstractRaise: no element equals the argument.
    """
    if elements.uncertain is not None:
        raise NotPlain(elements.uncertain)
    for position, item in enumerate(elements.items):
        run.budget.step()
        if known(matches(run, item, arguments.positional[1])):
            return position
    raise run.failure("ValueError", "not in list")


def _count(run: Interpreter, target: Value, arguments: Arguments) -> Value:
    elements = spread(run, target)
    if elements.uncertain is not None:
        return elements.uncertain
    answers = [matches(run, item, arguments.positional[1]) for item in elements.items]
    return const(sum(map(known, answers)))


def _clear(run: Interpreter, target: ListValue, _arguments: Arguments) -> Value:
    run.trail.touch(target)
    target.items, target.rest = [], None
    return NONE


def _reverse(run: Interpreter, target: ListValue, _arguments: Arguments) -> Value:
    run.trail.touch(target)
    if target.rest is not None and not all_objects(target.items):
        target.items, target.rest = [], with_aliases(target.rest, *target.items)
    target.items = target.items[::-1]
    return NONE


def _sort(run: Interpreter, target: ListValue, arguments: Arguments) -> Value:
    run.trail.touch(target)
    elements = Spread(target.items, target.rest)
    ordered: list[Value] = []
    try:
        ordered, unknown = sorted_items(run, elements, arguments), elements.uncertain
    except NotPlain as reason:
        unknown = reason.unknown
    if unknown is None:
        target.items = ordered
    elif not all_objects(target.items):
        target.items, target.rest = [], with_aliases(target.rest or unknown, *target.items)
    return NONE


def all_objects(items: list[Value]) -> bool:
    """Whether all elements are SDK objects: such a list shows the same tools in any order."""
    return all(item.element.as_sdk for item in items)


def _copy(_run: Interpreter, source: ListValue, _arguments: Arguments) -> Value:
    return ListValue(list(source.items), source.rest, origin=source.origin)


LIST_METHODS = methods(
    {
        "append": (_append, ONE),
        "extend": (_extend, ONE),
        "insert": (_insert, TWO),
        "pop": (_pop, Arity(0, 1)),
        "remove": (_remove, ONE),
        "clear": (_clear, ZERO),
        "reverse": (_reverse, ZERO),
        "sort": (_sort, Arity(0, 0, ("key", "reverse"))),
        "copy": (_copy, ZERO),
        "index": (_index, Arity(1, 3)),
        "count": (_count, ONE),
    }
)
METHODS.of(Value, IteratorValue)(lambda _value, _name: None)
METHODS.of(ListValue)(methods_from(LIST_METHODS))
METHODS.of(TupleValue)(methods_from({name: LIST_METHODS[name] for name in ("index", "count")}))
ITEM_DELETING.of(ListValue)(lambda run, owner, key, place: _pop(run, owner, Arguments((owner, key), {}, None, place)))
