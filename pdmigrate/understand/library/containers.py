"""The methods of lists, dicts, sets, tuples, texts and numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from pdmigrate.understand.demand.attributes import of_builtin
from pdmigrate.understand.demand.containers import elements, entry_of, hashed, make_set, overlay, put_entry
from pdmigrate.understand.demand.operators import LONGEST, add_keywords, merge_dicts
from pdmigrate.understand.demand.run import LIBRARY, RaisedError, Run
from pdmigrate.understand.demand.statements import in_place
from pdmigrate.understand.library.builtins import on_plain
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, Mutable, SetValue, View
from pdmigrate.understand.values.core import NONE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import certain, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import text_of

Method = Callable[[Run, Any, Arguments], Value]


def _finder(table: dict[str, Method]) -> Any:
    methods = {name: Native(name, partial(_carried_out, method)) for name, method in table.items()}
    return lambda _run, value, name: BoundMethod(methods[name], value) if name in methods else None


def _carried_out(method: Method, run: Run, arguments: Arguments) -> Value:
    receiver, *rest = arguments.positional
    return method(run, receiver, replace(arguments, positional=rest))


def _asked(run: Run, value: Any, arguments: Arguments) -> Value:
    """What a method answers that changes nothing, and is not followed."""
    why = run.risky("the result of a method of a container", getattr(value, "rest", None), *arguments.all)
    run.disturb([item for item in arguments.all if isinstance(item, IteratorValue)], why)
    return unsettled(why, value, *arguments.all)


def _lost(run: Run, value: Mutable, reason: str) -> Unknown:
    """What a container holds is changed in a way that is not known."""
    why = run.risky(reason, value.rest)
    run.journal.blur(value, why)
    return why


def _append(run: Run, value: ListValue, arguments: Arguments) -> Value:
    run.journal.touch(value)
    value.data.append(arguments.at(0))
    return NONE


def _extend(run: Run, value: ListValue, arguments: Arguments) -> Value:
    in_place(run, ast.Add(), value, arguments.at(0))
    return NONE


def _clear(run: Run, value: Any, _arguments: Arguments) -> Value:
    run.journal.touch(value)
    value.data, value.rest = type(value.data)(), None
    return NONE


def _copy(_run: Run, value: Any, _arguments: Arguments) -> Value:
    if isinstance(value, SetValue) and value.frozen:
        return value
    made: Mutable = type(value)(value.data.copy(), value.rest)
    if isinstance(made, DictValue):
        made.ordered = value.ordered
    return made


_LIST: dict[str, Method] = {
    "copy": _copy,
    "clear": _clear,
    "append": _append,
    "extend": _extend,
    **dict.fromkeys(("index", "count"), _asked),
}


def _get(run: Run, value: DictValue, arguments: Arguments) -> Value:
    default = arguments.get(1, "default") or NONE
    key = hashed(run, arguments.at(0))
    if key is None:
        why = run.because("an entry under a key that is not known", arguments.at(0))
        return entry_of(value, why, default)
    found = value.lookup(key)
    if isinstance(found, Maybe):
        return unsettled(found.why, found, default)
    if found is not None:
        return found
    return unsettled(value.rest, default) if value.rest is not None else default


def _setdefault(run: Run, value: DictValue, arguments: Arguments) -> Value:
    key = hashed(run, arguments.at(0))
    default = arguments.get(1, "default") or NONE
    found = value.lookup(key) if key is not None else None
    if key is None or value.rest is not None:
        why = unsettled(value.rest or run.unsettled("an entry that may be there"), default, *reachable([value]))
        run.journal.touch(value)
        overlay(value, why)
        return why
    if isinstance(found, Maybe):
        default = unsettled(found.why, found, default)
    elif found is not None:
        return found
    run.journal.touch(value)
    put_entry(value, key, arguments.at(0), default)
    return default


def _update(run: Run, value: DictValue, arguments: Arguments) -> Value:
    run.risk |= len(arguments.positional) > 1
    for source in arguments.positional:
        entries = source if isinstance(source, DictValue) else LIBRARY["builtins.dict"](run, Arguments([source]))
        run.journal.touch(value)
        if isinstance(entries, DictValue):
            merge_dicts(value, entries)
    run.journal.touch(value)
    add_keywords(value, arguments)
    return NONE


def _pop_entry(run: Run, value: DictValue, arguments: Arguments) -> Value:
    key = hashed(run, arguments.at(0))
    found = value.lookup(key) if key is not None else None
    if key is None or isinstance(found, Maybe) or (found is None and value.rest is not None):
        why = _lost(run, value, "an entry is removed that is not known")
        return unsettled(why, *reachable([value]), *arguments.positional[1:])
    if found is None:
        if len(arguments.positional) > 1:
            return arguments.at(1)
        raise RaisedError("builtins.KeyError", "there is no such key", run.site())
    run.journal.touch(value)
    del value.data[key]
    return found


def _view(part: str, _run: Run, value: DictValue, _arguments: Arguments) -> Value:
    return View(value, part)


_DICT: dict[str, Method] = {
    "clear": _clear,
    "get": _get,
    "setdefault": _setdefault,
    "update": _update,
    "pop": _pop_entry,
    "copy": _copy,
    **{part: partial(_view, part) for part in ("items", "keys", "values")},
}


def _add(run: Run, value: SetValue, arguments: Arguments) -> Value:
    key = hashed(run, arguments.at(0))
    run.journal.touch(value)
    if key is None:
        value.rest = value.rest or run.unsettled("an element that is not known")
    elif key not in value.data or isinstance(value.data[key], Maybe):
        value.data[key] = arguments.at(0)
    return NONE


def _discard(run: Run, value: SetValue, arguments: Arguments) -> Value:
    key = hashed(run, arguments.at(0))
    run.journal.touch(value)
    if key is None:
        run.journal.blur(value, run.unsettled("an element is removed that is not known"))
    else:
        value.data.pop(key, None)
    return NONE


def _pop_element(run: Run, value: SetValue, _arguments: Arguments) -> Value:
    """The only element of a set; which of several is taken differs from run to run."""
    if not value.exact or len(value.data) != 1:
        return unsettled(_lost(run, value, "the order of a set differs from run to run"), *value.held)
    run.journal.touch(value)
    return value.data.popitem()[1]


def _update_set(run: Run, value: SetValue, arguments: Arguments) -> Value:
    for source in arguments.positional:
        items, more = elements(run, source, ordered=False)
        in_place(run, ast.BitOr(), value, make_set(run, items, more))
    return NONE


_SET: dict[str, Method] = {
    "discard": _discard,
    "pop": _pop_element,
    "clear": _clear,
    "add": _add,
    "update": _update_set,
    **dict.fromkeys(("issubset", "issuperset", "isdisjoint", "union", "intersection", "difference"), _asked),
}

# --- texts and numbers ------------------------------------------------------------------------------------------------


def _of_const(_run: Run, value: Const, name: str) -> Value | None:
    if name.startswith("_") or not hasattr(value.value, name):
        return None
    if name == "join" and isinstance(value.value, str):
        return BoundMethod(Native(name, _join), value)
    found = getattr(value.value, name)
    if found is None or isinstance(found, (str, int, float)):  # an attribute, like the ends of a range
        return Const(found)
    return Native(name, lambda run, arguments: on_plain(run, found, arguments))


def _join(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.at(1))
    texts = [text_of(item) for item in items]
    if more is not None or None in texts:
        return run.because("a text that is joined is not known", more, *map(certain, items))
    between, known = text_of(arguments.at(0)) or "", [text for text in texts if text is not None]
    size = sum(map(len, known)) + len(between) * len(known)
    run.step(size // 1_000)
    return Const(between.join(known)) if size <= LONGEST else run.exhausted()


def _of_tuple(_run: Run, value: TupleValue, name: str) -> Value | None:
    """An element of a named tuple."""
    return dict(zip(value.fields, value.items, strict=False)).get(name)


of_builtin(ListValue, _finder(_LIST))
of_builtin(DictValue, _finder(_DICT))
of_builtin(SetValue, _finder(_SET))
of_builtin(IteratorValue, _finder({}))
of_builtin(Const, _of_const)
of_builtin(TupleValue, _of_tuple)
