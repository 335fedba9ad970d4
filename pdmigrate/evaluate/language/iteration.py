"""The elements of iterable values, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import choice_unknown, scope_in, taken_from, with_aliases
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.joining import join_lists
from pdmigrate.evaluate.core.members import call_own, method_of
from pdmigrate.evaluate.core.operations import ELEMENTS, LENGTHS, Spread, length, spread
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.python_values import NotPlain, describe, key_of
from pdmigrate.evaluate.core.values import (
    Choice,
    ClassValue,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    Native,
    Origin,
    Place,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.iterators import start

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@ELEMENTS.of(ListValue)
def _of_list(_run: Interpreter, value: ListValue, _place: Place | None) -> Spread:
    return Spread(list(value.items), value.rest)


@ELEMENTS.of(IteratorValue)
def _of_iterator(run: Interpreter, value: IteratorValue, _place: Place | None) -> Spread:
    start(run, value)
    run.trail.touch(value)
    items, value.items = value.items, []
    return Spread(items, value.rest)


ELEMENTS.of(TupleValue)(lambda _run, value, _place: Spread(list(value.items)))


@ELEMENTS.of(DictValue)
def _of_dict(_run: Interpreter, value: DictValue, _place: Place | None) -> Spread:
    return Spread([_key(entry) for entry in value.entries.values()], value.rest or _mixed(value))


@ELEMENTS.of(ViewValue)
def _of_view(_run: Interpreter, value: ViewValue, _place: Place | None) -> Spread:
    return Spread(view_elements(value.source, value.kind), value.source.rest or _mixed(value.source))


@ELEMENTS.of(Const)
def _of_scalar(run: Interpreter, value: Const, place: Place | None) -> Spread:
    if (string := value.string) is None:
        return _refused(run, value, place)
    run.budget.make(len(string))
    return Spread([const(part, value.origin) for part in string])


@ELEMENTS.of(FunctionValue)
def _refused(run: Interpreter, value: Value, _place: Place | None) -> Spread:
    raise run.failure("TypeError", f"{describe(value)} is not iterable")


@ELEMENTS.of(Native)
def _of_native(run: Interpreter, value: Native, place: Place | None) -> Spread:
    return _by_protocol(run, value, place) if "." in value.name else _refused(run, value, place)


@ELEMENTS.of(ClassValue)
def _of_class(run: Interpreter, value: ClassValue, place: Place | None) -> Spread:
    if value.kind != "enum":
        return _by_protocol(run, value, place)
    charge(len(value.members))
    return Spread(list(_distinct_members(value)), value.opaque)


@ELEMENTS.of(UnknownValue)
def _of_unknown(_run: Interpreter, value: UnknownValue, _place: Place | None) -> Spread:
    return Spread([], taken_from(value, value) if scope_in(value) is not None else value)


ELEMENTS.of(External)(lambda _run, value, _place: Spread([], made_outside(value)))


def elements_of(run: Interpreter, value: Value, place: Place | None = None) -> Spread:
    """The elements of ``value`` for a use that ignores order: a set's elements and any dict's keys are known then.

    The order of a dict's values still counts: of two that are equal but different, such as ``1`` and ``True``, a set
    keeps the first.
    """
    if value.as_set is not None:
        return Spread(list(value.as_set.items.values()), value.rest)
    elements = spread(run, value, place)
    source = value.source if isinstance(value, ViewValue) and value.kind == "keys" else value.as_dict
    return Spread(elements.items, source.rest) if source is not None else elements


def _mixed(value: DictValue) -> UnknownValue | None:
    return value.order if len(value.entries) > 1 else None


@ELEMENTS.of(SetValue)
def _set_elements(_run: Interpreter, value: SetValue, place: Place | None) -> Spread:
    """The elements in the order of iteration, which is unknown for two or more: it differs from run to run."""
    items = list(value.items.values())
    if len(items) > 1:
        unknown = reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run", place)
        return Spread([], taken_from(value, unknown))
    return Spread(items, value.rest)


def _distinct_members(value: ClassValue) -> dict[Value, None]:
    return dict.fromkeys(value.members.values())


def view_elements(source: DictValue, kind: str) -> list[Value]:
    """The elements that ``keys()``, ``values()`` or ``items()`` of a dict have now."""
    if kind in ("keys", "mapping"):
        return [_key(entry) for entry in source.entries.values()]
    entries = list(source.entries.values())
    if source.rest is not None:
        # Where the dict may have other entries, any of these may have been replaced.
        guard = Guard("nothing replaces it", source.rest, otherwise="something replaces it")
        entries = [Entry(entry.key, Maybe(entry.value, guard)) for entry in entries]
    return [entry.value for entry in entries] if kind == "values" else [_pair(entry) for entry in entries]


def _pair(entry: Entry) -> Value:
    return entry.value.conditional(TupleValue((entry.key, entry.value.element)))


def _key(entry: Entry) -> Value:
    return entry.value.conditional(entry.key)


@ELEMENTS.of(Choice)
def _choice(run: Interpreter, value: Choice, place: Place | None) -> Spread:
    """The elements of one of two iterables; those that both have are certain."""
    if value.first.scalar is not None or value.second.scalar is not None:
        return Spread([], choice_unknown(value))
    found: list[Spread] = []
    if any(method_of(side, "__iter__") is not None for side in value.sides):
        run.on_each(value, lambda side: found.append(spread(run, side, place)))  # only one of the methods runs
    else:
        found += (spread(run, side, place) for side in value.sides)
    if len(found) < 2:
        return Spread([], choice_unknown(value))
    first, second = found
    return Spread(join_lists(value.guard, first.items, second.items), first.rest or second.rest)


@ELEMENTS.of(Value)
def _by_protocol(run: Interpreter, value: Value, place: Place | None) -> Spread:
    result = call_own(run, value, "__iter__", place=place)
    if result is not None and result is not value:
        return spread(run, result, place)
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"iterating over {describe(value)}", place)
    return Spread([], with_aliases(unknown, value))


def make_set(run: Interpreter, elements: Spread, origin: Origin | None = None) -> SetValue:
    result = SetValue(rest=elements.rest, origin=origin)
    run.budget.make(len(elements.items))
    for item in elements.items:
        inner = item.element
        try:
            key = key_of(inner)
            old = result.items.get(key)
        except NotPlain as reason:
            result.rest = with_aliases(result.rest or reason.unknown, inner)
            continue
        except (TypeError, AbstractRaise) as error:
            if item.doubt is not None:
                run.risk(item.doubt)
                continue
            raise error if isinstance(error, AbstractRaise) else run.failure("TypeError", str(error)) from None
        if old is None or old.doubt is not None:
            result.items[key] = item
    return result


# --- len() ------------------------------------------------------------------------------------------------------------


def _doubt(place: Place | None) -> UnknownValue:
    return reasons.unknown(reasons.CONDITION, "how many elements there are", place)


@LENGTHS.of(Const, IteratorValue)
def _length_of_text(run: Interpreter, value: Value, _place: Place | None) -> int:
    if (text := value.string) is not None:
        return len(text)
    raise run.failure("TypeError", f"{describe(value)} has no len()")


@LENGTHS.of(Value)
def _by_len(run: Interpreter, value: Value, place: Place | None) -> Value:
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"__len__ of {describe(value)}", place)
    return call_own(run, value, "__len__", place=place) or unknown


LENGTHS.of(ListValue)(lambda run, it, at: len(it.items) if it.exact else spread(run, it).uncertain or _doubt(at))
LENGTHS.of(DictValue)(lambda run, it, at: len(it.entries) if it.exact else spread(run, it).uncertain or _doubt(at))
LENGTHS.of(SetValue)(lambda _run, it, at: len(it.items) if it.exact else it.rest or _doubt(at))
LENGTHS.of(TupleValue)(lambda _run, it, _at: len(it.items))
LENGTHS.of(ViewValue)(lambda run, it, at: length(run, it.source, at))
LENGTHS.of(ClassValue)(lambda run, it, at: len(_distinct_members(it)) if it.kind == "enum" else _by_len(run, it, at))
