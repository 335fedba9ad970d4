"""Methods of dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, taken_from, with_aliases
from pdmigrate.evaluate.core.arity import ZERO, Arity, methods
from pdmigrate.evaluate.core.natives import first_argument, known
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    DictValue,
    Origin,
    Place,
    TupleValue,
    Value,
    ViewValue,
)
from pdmigrate.evaluate.language.comparison import contains
from pdmigrate.evaluate.language.dispatching import choice_of_functions
from pdmigrate.evaluate.language.literals import put, reflect, update
from pdmigrate.evaluate.language.subscripts import ITEM_DELETING, get_item, maybe_unknown

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _get(run: Interpreter, source: DictValue, arguments: Arguments) -> Value:
    key = first_argument(run, arguments, 1)
    otherwise = arguments.positional[2] if len(arguments.positional) > 2 else NONE
    try:
        entry = source.entries.get(key_of(key))
    except NotPlain as reason:
        if (function := choice_of_functions(run, source, key, otherwise, arguments.place)) is not None:
            return function
        return with_aliases(taken_from(source, reason.unknown), *arguments.positional[2:])
    if source.rest is not None:
        return with_aliases(taken_from(source, source.rest), *arguments.positional[2:])
    if entry is not None:
        return maybe_unknown(entry.value)
    return otherwise


def _view(kind: str) -> Callable[[Interpreter, DictValue, Arguments], Value]:
    def view(_run: Interpreter, source: DictValue, _arguments: Arguments) -> Value:
        return ViewValue(source, kind, origin=source.origin)

    return view


def _update(run: Interpreter, target: DictValue, arguments: Arguments) -> Value:
    for source in arguments.positional[1:]:
        update(run, target, make_dict(run, source, arguments.place))
    update(run, target, arguments.collected(arguments.keywords))
    return NONE


def make_dict(run: Interpreter, source: Value, place: Place | None) -> DictValue:
    """``dict(source)``"""
    if (given := source.mapping) is not None:
        return DictValue(dict(given.entries), given.rest, order=given.order, origin=given.origin)
    result = DictValue(origin=Origin("dict()", place))
    unknown = first_unknown(source)
    if unknown is not None:
        result.rest = taken_from(source, unknown)
        return result
    elements = spread(run, source, place)
    result.rest = elements.rest
    for item in elements.items:
        if item.doubt is not None:
            # If the element is there, it may not be a pair.
            run.risk(item.doubt)
            result.rest = with_aliases(result.rest or item.doubt, item.element)
            continue
        both = spread(run, item, place)
        if both.uncertain is not None:
            result.rest = with_aliases(result.rest or both.uncertain, item)
            continue
        if len(both.items) != 2:
            raise run.failure("ValueError", f"dictionary update sequence element has length {len(both.items)}")
        put(run, result, both.items[0], both.items[1])
    return result


def _setdefault(run: Interpreter, target: DictValue, arguments: Arguments) -> Value:
    key = first_argument(run, arguments, 1)
    try:
        if not known(contains(run, target, key)):
            put(run, target, key, arguments.positional[2] if len(arguments.positional) > 2 else NONE)
    except NotPlain as reason:
        run.trail.touch(target)
        target.rest = with_aliases(target.rest or reason.unknown, *arguments.positional[2:])
        return with_aliases(taken_from(target, reason.unknown), *arguments.positional[2:])
    assert arguments.place is not None
    return get_item(run, target, key, arguments.place)


def _pop(run: Interpreter, target: DictValue, arguments: Arguments) -> Value:
    """``target.pop(key)``"""
    result = _popped(run, target, arguments)
    reflect(run, target)
    return result


def _popped(run: Interpreter, target: DictValue, arguments: Arguments) -> Value:
    key = first_argument(run, arguments, 1)
    run.trail.touch(target)
    try:
        found = key_of(key)
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
        return with_aliases(taken_from(target, reason.unknown), *arguments.positional[2:])
    if target.rest is not None:
        unknown = with_aliases(taken_from(target, target.rest), *arguments.positional[2:])
        target.entries.pop(found, None)
        return unknown
    if found in target.entries:
        return maybe_unknown(target.entries.pop(found).value)
    if len(arguments.positional) > 2:
        return arguments.positional[2]
    raise run.failure("KeyError", repr(found))


def _clear(run: Interpreter, target: DictValue, _arguments: Arguments) -> Value:
    run.trail.touch(target)
    target.entries, target.rest, target.order = {}, None, None
    reflect(run, target)
    return NONE


def _copy(_run: Interpreter, source: DictValue, _arguments: Arguments) -> Value:
    return DictValue(
        dict(source.entries), source.rest, source.factory, source.kind, order=source.order, origin=source.origin
    )


def _popitem(run: Interpreter, target: DictValue, arguments: Arguments) -> Value:
    run.trail.touch(target)
    if not target.exact or target.order is not None:
        reason = reasons.unknown(reasons.CONDITION, "which element is the last one", arguments.place)
        unknown = target.rest or target.order or reason
        target.rest = unknown
        return taken_from(target, unknown)
    if not target.entries:
        raise run.failure("KeyError", "popitem(): dictionary is empty")
    _, entry = target.entries.popitem()
    reflect(run, target)
    return TupleValue((entry.key, entry.value))


DICT_METHODS = methods(
    {
        "get": (_get, Arity(1, 2)),
        **{kind: (_view(kind), ZERO) for kind in ("items", "keys", "values")},
        "update": (_update, Arity(0, 1, None)),
        "setdefault": (_setdefault, Arity(1, 2)),
        "pop": (_pop, Arity(1, 2)),
        "popitem": (_popitem, ZERO),
        "clear": (_clear, ZERO),
        "copy": (_copy, ZERO),
    }
)
ITEM_DELETING.of(DictValue)(lambda run, owner, key, place: _pop(run, owner, Arguments((owner, key), {}, None, place)))
