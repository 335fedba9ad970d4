"""Special dicts: ``OrderedDict``, ``defaultdict`` and ``MappingProxyType``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.disturbing import poison
from pdmigrate.evaluate.core.natives import call_origin, first_argument, methods_from, unfit
from pdmigrate.evaluate.core.operations import METHODS
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import Arguments, BoundMethod, DictValue, Native, Value, ViewValue
from pdmigrate.knowledge.builtin.builtin_iteration import new_dict
from pdmigrate.knowledge.builtin.dict_methods import DICT_METHODS

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

ORDERED, DEFAULT, PROXY = "collections.OrderedDict", "collections.defaultdict", "types.MappingProxyType"


def _filled(run: Interpreter, arguments: Arguments, kind: str) -> DictValue:
    """``kind(...)``: a dict of this kind.

    Raises:
        NotPlain: the mapping that it is made from is unknown.
    """
    made = new_dict(run, arguments)
    made.kind, made.origin = kind, call_origin(kind, arguments)
    return made


def _ordered(run: Interpreter, arguments: Arguments) -> Value:
    return _filled(run, arguments, ORDERED)


def _default(run: Interpreter, arguments: Arguments) -> Value:
    made = _filled(run, arguments._replace(positional=arguments.positional[1:]), DEFAULT)
    made.factory = None if arguments.first.is_just(None) else arguments.first
    return made


def _proxy(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if source.as_dict is None:
        raise unfit(source, f"a proxy of {describe(source)}", arguments.place)
    return ViewValue(source.as_dict, "mapping", origin=call_origin(PROXY, arguments))


FUNCTIONS: dict[str, Callable[[Interpreter, Arguments], Value]] = {ORDERED: _ordered, DEFAULT: _default, PROXY: _proxy}
_READING = frozenset({"get", "items", "keys", "values", "copy"})


_METHODS = methods_from(DICT_METHODS)


@METHODS.of(DictValue)
def _of_dict(value: DictValue, name: str) -> Value | None:
    if value.kind == ORDERED and name in ("move_to_end", "popitem"):
        return BoundMethod(Native(name, _reordered), value)
    return _METHODS(value, name)


@METHODS.of(ViewValue)
def _of_view(value: ViewValue, name: str) -> Value | None:
    return _METHODS(value.source, name) if value.kind == "mapping" and name in _READING else None


def _reordered(run: Interpreter, arguments: Arguments) -> Value:
    """``move_to_end`` or ``popitem``: the order of the entries, and which are left, is unknown afterwards."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "the order of an OrderedDict", arguments.place)
    poison(run, arguments.positional[0], unknown)
    return unknown
