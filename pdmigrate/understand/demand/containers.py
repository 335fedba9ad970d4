"""Elements of containers: reading them, setting them, and going through them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from pdmigrate.understand.demand.run import ITERATED, RaisedError, Run, raised
from pdmigrate.understand.demand.unfollowed import ITEMS, KEYS, operated
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue, View
from pdmigrate.understand.values.core import NONE, VOLATILE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value, certain, conditional_as, maybe, one_of, unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, describe, key_of, text_of
from pdmigrate.understand.values.outside import Called, External, Subscripted

LATE = "the values that an iterator goes through may have changed since"


def elements(run: Run, value: Value, *, ordered: bool = True) -> tuple[list[Value], Unknown | None]:
    """The elements of ``value`` in order, some of them perhaps ``Maybe``, and why there may be more.

    The order of a set differs from run to run: where it matters (``ordered``), its elements are conditional.
    """
    value = shown(value)
    if isinstance(value, (ListValue, IteratorValue, DictValue, SetValue)):
        run.step(len(value.data) // 8)
    if isinstance(value, IteratorValue):
        found = value.data
        run.journal.touch(value)
        value.data = []
        if value.is_late:
            value.rest = unsettled(value.rest or run.unsettled(LATE), *found)
            return [], value.rest
        return found, value.rest
    if isinstance(value, TupleValue):
        return list(value.items), None
    if isinstance(value, DictValue):
        return [conditional_as(item, key) for key, item in value.entries()], value.rest
    if isinstance(value, SetValue) and ordered and not value.ordered and len(value.data) > 1:
        why = run.unsettled("the order of a set differs from run to run", VOLATILE)
        return [maybe(item, why) for item in value.held], value.rest
    if isinstance(value, (ListValue, SetValue)):
        return value.held, value.rest
    plain = sequence_of(value)
    if plain is not None and isinstance(value, Const):
        run.step(len(plain))
        return [Const(part) for part in plain], None
    if isinstance(value, ClassValue) and value.kind == "enum" and value.refused is None:
        members = (item for item in value.data.values() if isinstance(item, Instance) and item.cls is value)
        return [*dict.fromkeys(members)], None
    return _iterated(run, value)


def taken(run: Run, value: Value, *, ordered: bool = True) -> tuple[list[Value], Unknown | None]:
    """The elements of ``value`` for what may not go through all of them: who else has an iterator finds it anywhere."""
    found = elements(run, value, ordered=ordered)
    if isinstance(value, IteratorValue):
        value.rest = value.rest or run.unsettled("how far an iterator has been read is not known")
    return found


def reached(run: Run, value: Value, items: list[Value]) -> Iterator[Value]:
    """``items``, the elements of ``value``; what an iterator has left may be taken from it meanwhile, and later."""
    if not isinstance(value, IteratorValue) or value.rest is not None:
        yield from items
        return
    value.data = list(items)
    while value.data:
        run.journal.touch(value)
        yield value.data.pop(0)


def is_astray(value: IteratorValue) -> bool:
    """Whether the container has changed through which ``value`` goes."""
    return value.through is not None and value.through.changes != value.changes_before


def searched(run: Run, value: Value) -> Value:
    """What ``in`` looks through."""
    return ListValue(*taken(run, value)) if isinstance(value, IteratorValue) else shown(value)


def shown(value: Value, only: str = "") -> Value:
    """What a view of a dict shows now, its keys as a set and all else as a list; every other value itself."""
    if not isinstance(value, View) or (only and value.part != only):
        return value
    entries, rest = value.source.data, value.source.rest
    if value.part == "keys":
        made = SetValue({key: conditional_as(item, written) for key, (written, item) in entries.items()}, rest)
        made.ordered = True
        return made
    pairs = [conditional_as(item, TupleValue((key, bare_value(item)))) for key, item in entries.values()]
    return ListValue(value.source.held if value.part == "values" else pairs, rest)


def sequence_of(value: Value) -> str | bytes | range | None:
    """The text, the bytes or the range that ``value`` is known to be; ``None`` for everything else."""
    return value.value if isinstance(value, Const) and isinstance(value.value, (bytes, range)) else text_of(value)


def certain_elements(run: Run, value: Value, *, ordered: bool = True, get: Any = elements) -> list[Value] | Unknown:
    """The elements of ``value``, or why they are not all known, or not all certain."""
    items, more = get(run, value, ordered=ordered)
    why = more or next((item.why for item in items if isinstance(item, Maybe)), None)
    return items if why is None else unsettled(why, *items)


def _iterated(run: Run, value: Value) -> tuple[list[Value], Unknown | None]:
    """The elements of what is no container of the language: an object of the program, or of an SDK."""
    if isinstance(value, Const):
        raise RaisedError("builtins.TypeError", "a value is not iterable", run.site())
    if type(value) in ITERATED:
        return elements(run, ITERATED[type(value)](run, value))
    run.risk = True
    if isinstance(value, Instance) and value.cls.find("__iter__") is not None:
        return elements(run, run.call(run.attribute(value, "__iter__"), Arguments(site=run.site())))
    why = run.because(f"the content of {describe(value)} is not known", value)
    return [], unsettled(why, value)


def unpack(run: Run, value: Value, count: int, starred: int | None) -> list[Value]:
    """The values of ``count`` targets, of which the one at ``starred`` takes what is left."""
    items = certain_elements(run, value)
    if isinstance(items, Unknown):
        return [items] * count
    if len(items) < count - 1 or (starred is None and len(items) != count):
        raise RaisedError("builtins.ValueError", "the number of values to unpack is wrong", run.site())
    if starred is None:
        return items
    end = len(items) - (count - starred - 1)
    return [*items[:starred], ListValue(items[starred:end]), *items[end:]]


def item_at(run: Run, value: Value, key: Value) -> Value:
    """``value[key]``"""
    operated(run, KEYS, key)
    if isinstance(value, (AnyOf, ClassValue, Instance)):
        operated(run, ITEMS | {"__class_getitem__"}, value)
    if isinstance(value, (External, ClassValue, Subscripted)):
        return _of_class(run, value, key)
    if isinstance(value, Unknown) or (isinstance(key, Unknown) and not isinstance(value, DictValue)):
        return unsettled(run.risky("an element that is not known", value), value)
    if isinstance(value, DictValue):
        return _of_dict(run, value, key)
    if isinstance(value, (ListValue, TupleValue)) or sequence_of(value) is not None:
        return _of_sequence(run, value, key)
    if isinstance(value, (FunctionValue, BoundMethod)):
        raise RaisedError("builtins.TypeError", f"{describe(value)} has no elements", run.site())
    return unsettled(run.risky(f"an element of {describe(value)}"), value)


def _of_class(run: Run, value: Value, key: Value) -> Value:
    if isinstance(value, ClassValue):
        if value.refused is not None:
            return unsettled(value.refused, value)
        if value.kind == "enum":
            return value.data.get(text_of(key) or "") or run.unsettled("a member of an enum")
        run.risk |= not value.outside  # most classes have no subscripts
    if isinstance(value, External) and value.name in SUBSCRIPTS:
        return SUBSCRIPTS[value.name].implementation(run, Arguments([key], site=run.site()))
    if isinstance(value, External) and value.name.startswith(("os.environ", "sys.modules", "sys.argv", "<")):
        return run.risky(f"an element of {value.name}")
    return Subscripted(value, key.items if isinstance(key, TupleValue) else (key,))


SUBSCRIPTS: dict[str, Native] = {}
"""What subscripts of library objects give: ``os.environ["HOME"]``."""


def _of_dict(run: Run, value: DictValue, key: Value) -> Value:
    if (known := key_of(key)) is None:
        return entry_of(value, run.risky("an element under a key that is not known", key))
    if (found := value.lookup(known)) is not None:
        run.risk |= isinstance(found, Maybe)
        return certain(found)
    if value.rest is not None:
        run.risk = True
        return value.rest
    raise RaisedError("builtins.KeyError", "there is no such key", run.site())


def entry_of(value: DictValue, why: Unknown, *others: Value) -> Unknown:
    """The value under a key that is not known, or one of ``others``."""
    return one_of(why, *value.held, *others) if value.exact else unsettled(why, value, *others)


def _of_sequence(run: Run, value: Value, key: Value) -> Value:
    plain: Any = key.value if isinstance(key, Const) else None
    if isinstance(value, ListValue) and not value.exact:
        return unsettled(run.risky("an element of a list that depends on a condition", value.rest), value)
    inside = value.items if isinstance(value, TupleValue) else sequence_of(value)
    items: Any = value.data if isinstance(value, ListValue) else inside
    if isinstance(key, Called) and key.callee == "builtins.slice":
        return _sliced(run, value, items, key)
    if not isinstance(plain, int):
        return unsettled(run.risky("an element at a place that is not known"), value)
    try:
        found = items[plain]
    except IndexError:
        raise RaisedError("builtins.IndexError", "there is no such element", run.site()) from None
    return Const(found) if isinstance(found, (str, int)) else found


def _sliced(run: Run, value: Value, items: Any, key: Called) -> Value:
    bounds = [item.value if isinstance(item, Const) else ... for item in key.args]
    if ... in bounds:
        return unsettled(run.unsettled("a slice whose ends are not known"), value)
    try:
        part = items[slice(*bounds)]
    except (TypeError, ValueError) as error:
        raise raised(error, run.site()) from error
    run.step(len(part) // 16)
    if isinstance(value, TupleValue):
        return TupleValue(tuple(part))
    return ListValue(list(part)) if isinstance(value, ListValue) else Const(part)


def set_item(run: Run, value: Value, key: Value, new: Value) -> None:
    """``value[key] = new``"""
    operated(run, KEYS, key)
    if isinstance(value, (AnyOf, Instance)):
        operated(run, ITEMS, value)
    if isinstance(value, DictValue):
        run.journal.touch(value)
        put_under(run, value, key, new)
    elif isinstance(value, ListValue):
        whole = isinstance(key, Called) and key.callee == "builtins.slice" and all(part == NONE for part in key.args)
        items, more = elements(run, new) if whole else ([], None)
        run.journal.touch(value)
        if whole:
            value.data, value.rest = list(items), more
        else:
            run.journal.blur(value, unsettled(run.unsettled("an element of a list is set"), new))
    else:
        run.hand_over([value, key, new], run.risky(f"an element of {describe(value)} is set"))


def put_under(run: Run, value: DictValue, key: Value, new: Value) -> None:
    """Set an entry of a dict under any key."""
    if (known := hashed(run, key)) is not None:
        put_entry(value, known, key, new)
    else:
        overlay(value, unsettled(run.because("an element is set under a key that is not known", key), new))


def hashed(run: Run, key: Value) -> Hashable | None:
    """What ``key_of`` says of what is used as a key: Python refuses a list, and more."""
    known = key_of(bare_value(key))
    run.risk |= known is None
    return known


def put_entry(value: DictValue, known: Hashable, key: Value, new: Value) -> None:
    """Set an entry.  A key that was there stays where it is; one that may have been there may stand at the end."""
    old = value.data.get(known)
    if old is not None and isinstance(old[1], Maybe) and next(reversed(value.data)) != known:
        value.rest = value.rest or old[1].why
    value.data[known] = (key if old is None else old[0], new)


def overlay(value: DictValue, why: Unknown) -> None:
    """Set an entry that is not known: it may be any of those that are there, or another one."""
    value.rest = value.rest or why
    for known, (key, old) in value.data.items():
        new = unsettled(why, old)
        value.data[known] = (key, replace(old, value=new) if isinstance(old, Maybe) else new)


def make_dict(pairs: list[tuple[Value, Value]], run: Run) -> DictValue:
    """A dict of these entries; later ones win."""
    made = DictValue()
    for key, item in pairs:
        put_under(run, made, key, item)
    return made


def make_set(run: Run, items: list[Value], more: Unknown | None, *, frozen: bool = False) -> SetValue:
    made = SetValue(None, more)
    made.frozen = frozen
    for item in items:
        if (known := hashed(run, item)) is None:
            made.rest = made.rest or run.unsettled("an element that is not known", VOLATILE)
        elif known not in made.data or (isinstance(made.data[known], Maybe) and not isinstance(item, Maybe)):
            made.data[known] = item
    return made
