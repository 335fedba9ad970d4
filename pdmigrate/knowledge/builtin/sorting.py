"""Sorting of elements whose order is known."""

from __future__ import annotations

import posixpath
from functools import cmp_to_key
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.natives import known
from pdmigrate.evaluate.core.operations import Spread, truth
from pdmigrate.evaluate.core.python_values import NotPlain, enum_payload, to_python
from pdmigrate.evaluate.core.values import FALSE, NONE, Arguments, PathValue, SetValue, Value
from pdmigrate.evaluate.language.comparison import less
from pdmigrate.knowledge.builtin.callbacks import called, called_any_number

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def sorted_items(run: Interpreter, elements: Spread, arguments: Arguments) -> list[Value]:
    """The known elements, sorted.

    Raises:
        NotPlain: their order is unknown.
    """
    backwards = known(truth(run, arguments.keywords.get("reverse", FALSE)))
    return in_order(run, keyed_items(run, elements, arguments), arguments, backwards=backwards)


def keyed_items(run: Interpreter, elements: Spread, arguments: Arguments) -> list[tuple[Value, Value]]:
    """Pairs of a sort key and its element; a conditional element for which ``key`` raises is left out."""
    key = arguments.keywords.get("key", NONE)
    plain = key.is_just(None)
    keyed: list[tuple[Value, Value]] = []
    for item in elements.items:
        by = item if plain else called(run, key, item, arguments.place)
        if by is not None:
            keyed.append((by.element, item))
    if elements.rest is not None and not plain:
        called_any_number(run, key, elements.rest, arguments.place)
    run.budget.make(len(keyed))
    return keyed


def in_order(
    run: Interpreter, keyed: list[tuple[Value, Value]], arguments: Arguments, *, backwards: bool
) -> list[Value]:
    """The elements in the order of their keys.

    Raises:
        NotPlain: the order is unknown.
    """
    place = arguments.place

    def first(one: tuple[Any, Value], other: tuple[Any, Value]) -> int:
        assert place is not None
        if known(less(run, one[0], other[0], place)):
            return -1
        return 1 if less(run, other[0], one[0], place) is True else 0

    ordered: list[tuple[Any, Value]]
    try:
        if place is not None and any(by.as_instance is not None and enum_payload(by) is None for by, _ in keyed):
            ordered = sorted(keyed, key=cmp_to_key(first), reverse=backwards)
        else:
            ordered = _siblings(keyed) or [(to_python(by), item) for by, item in keyed]
            ordered.sort(key=itemgetter(0), reverse=backwards)
    except (TypeError, AbstractRaise) as error:
        doubt = Spread([item for _, item in keyed]).uncertain
        if doubt is None:
            raise error if isinstance(error, AbstractRaise) else run.failure("TypeError", str(error)) from None
        run.risk(doubt)
        raise NotPlain(doubt) from None
    source = arguments.positional[0] if arguments.positional else NONE
    if isinstance(source, SetValue) and len({id(item) for _, item in keyed}) > 1 and _has_ties(ordered):
        raise NotPlain(reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run", place))
    return [item for _, item in ordered]


def _siblings(keyed: list[tuple[Value, Value]]) -> list[tuple[Any, Value]]:
    """The pairs with paths as text, if all keys are paths in one folder, which sort like their names; empty if not."""
    found = [(by.path, item) for by, item in keyed if isinstance(by, PathValue)]
    one_folder = len({posixpath.dirname(path) for path, _ in found}) == 1
    return [(path, item) for path, item in found] if one_folder and len(found) == len(keyed) else []


def _has_ties(ordered: list[tuple[Any, Value]]) -> bool:
    return any(one == other for (one, _), (other, _) in pairwise(ordered))
