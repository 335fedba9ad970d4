"""Dicts that are not plain ones: ``OrderedDict``, ``defaultdict`` and ``MappingProxyType``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.dict_methods import DICT_METHODS, make_dict
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.natives import call_origin, first_argument
from pdmigrate.evaluate.core.operations import truth
from pdmigrate.evaluate.core.python_values import NotPlain, describe, key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    TRUE,
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    Native,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
)
from pdmigrate.evaluate.language.literals import update

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

ORDERED, DEFAULT, PROXY = "collections.OrderedDict", "collections.defaultdict", "types.MappingProxyType"


def _filled(run: Interpreter, arguments: Arguments, kind: str) -> Value:
    """What ``kind(*arguments)`` holds."""
    result = DictValue(kind=kind, origin=call_origin(kind, arguments))
    if arguments.positional:
        unknown = first_unknown(arguments.positional[0])
        if unknown is not None:
            return unknown
        made = make_dict(run, arguments.positional[0], arguments.place)
        assert isinstance(made, DictValue)
        result.entries, result.rest, result.order = made.entries, made.rest, made.order
    update(run, result, arguments.collected(arguments.keywords))
    return result


def _ordered(run: Interpreter, arguments: Arguments) -> Value:
    return _filled(run, arguments, ORDERED)


def _default(run: Interpreter, arguments: Arguments) -> Value:
    factory = arguments.positional[0] if arguments.positional else None
    made = _filled(run, arguments._replace(positional=arguments.positional[1:]), DEFAULT)
    if isinstance(made, DictValue) and not (isinstance(factory, Const) and factory.value is None):
        made.factory = factory
    return made


def _proxy(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if isinstance(source, DictValue):
        return ViewValue(source, "mapping", origin=call_origin(PROXY, arguments))
    return first_unknown(source) or reasons.unknown(
        reasons.UNSUPPORTED, f"a proxy of {describe(source)}", arguments.place
    )


FUNCTIONS: dict[str, Callable[[Interpreter, Arguments], Value]] = {ORDERED: _ordered, DEFAULT: _default, PROXY: _proxy}
_READING = frozenset({"get", "items", "keys", "values", "copy"})


def kind_method(value: DictValue | ViewValue, name: str) -> Value | None:
    """A method that only this kind of dict has, or that differs for it."""
    if isinstance(value, ViewValue):
        known = value.kind == "mapping" and name in _READING
        return BoundMethod(Native(name, DICT_METHODS[name]), value.source) if known else None
    if value.kind == ORDERED and name in _ORDERED_METHODS:
        return BoundMethod(Native(name, _ORDERED_METHODS[name]), value)
    return None


def _receiver(arguments: Arguments) -> DictValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, DictValue)
    return receiver


def _last(run: Interpreter, arguments: Arguments, index: int) -> bool | UnknownValue:
    given = arguments.positional[index] if len(arguments.positional) > index else arguments.keywords.get("last", TRUE)
    return truth(run, given)


def _move_to_end(run: Interpreter, arguments: Arguments) -> Value:
    target, last = _receiver(arguments), _last(run, arguments, 2)
    run.trail.touch(target)
    try:
        key = key_of(first_argument(run, arguments, 1))
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
        return NONE
    if isinstance(last, UnknownValue) or target.rest is not None:
        target.rest = target.rest or first_unknown(NONE if isinstance(last, bool) else last)
        return NONE
    if key not in target.entries:
        raise run.failure("KeyError", repr(key))
    entry = target.entries.pop(key)
    target.entries = {**target.entries, key: entry} if last else {key: entry, **target.entries}
    return NONE


def _pop_item(run: Interpreter, arguments: Arguments) -> Value:
    target, last = _receiver(arguments), _last(run, arguments, 1)
    run.trail.touch(target)
    if isinstance(last, UnknownValue) or not target.exact or target.order is not None:
        reason = reasons.unknown(reasons.CONDITION, "which element is taken out", arguments.place)
        unknown = last if isinstance(last, UnknownValue) else target.rest or target.order or reason
        target.rest = target.rest or unknown
        return unknown
    if not target.entries:
        raise run.failure("KeyError", "dictionary is empty")
    key = next(reversed(target.entries)) if last else next(iter(target.entries))
    entry = target.entries.pop(key)
    return TupleValue((entry.key, entry.value))


_ORDERED_METHODS = {"move_to_end": _move_to_end, "popitem": _pop_item}
