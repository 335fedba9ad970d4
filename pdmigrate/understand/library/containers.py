"""The methods of lists, dicts, sets, tuples, texts and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand.attributes import METHODS, of_builtin
from pdmigrate.understand.demand.containers import elements, make_set, overlay, put_entry
from pdmigrate.understand.demand.functions import plain_form
from pdmigrate.understand.demand.operators import add_in_place, equal, merge_dicts, plain_of, set_operation
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.library.builtins import plainly, sort
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.codes import VOLATILE
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue
from pdmigrate.understand.values.core import NONE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import key_of, text_of

Method = Callable[[Run, Any, Arguments], Value]


def _finder(table: dict[str, Method]) -> Any:
    def find(_run: Run, value: Value, name: str) -> Value | None:
        known = table.get(name)
        if known is None:
            return None

        def act(run: Run, arguments: Arguments, method: Method = known) -> Value:
            receiver, *rest = arguments.positional
            return method(run, receiver, Arguments(rest, arguments.keywords, arguments.unknown, arguments.site))

        return BoundMethod(Native(name, act), value)

    return find


# --- lists ------------------------------------------------------------------------------------------------------------


def _append(run: Run, value: ListValue, arguments: Arguments) -> Value:
    run.journal.touch(value)
    value.data.append(arguments.positional[0])
    return NONE


def _extend(run: Run, value: ListValue, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.positional[0])
    run.journal.touch(value)
    value.data.extend(items)
    value.rest = value.rest or more
    return NONE


def _insert(run: Run, value: ListValue, arguments: Arguments) -> Value:
    place = arguments.positional[0]
    run.journal.touch(value)
    if isinstance(place, Const) and isinstance(place.value, int) and value.exact:
        value.data.insert(place.value, arguments.positional[1])
    else:
        value.data.append(arguments.positional[1])
        value.rest = value.rest or run.unsettled("an element is inserted at a place that is not known")
    return NONE


def _pop(run: Run, value: ListValue, arguments: Arguments) -> Value:
    place = arguments.get(0, "index") or Const(-1)
    if value.exact and isinstance(place, Const) and isinstance(place.value, int):
        if not -len(value.data) <= place.value < len(value.data):
            raise RaisedError("builtins.IndexError", "there is no such element", run.site())
        run.journal.touch(value)
        found: Value = value.data.pop(place.value)
        return found
    why = value.rest or run.unsettled("an element is removed that is not known")
    run.risk = True
    run.journal.blur(value, why)
    return unsettled(why, *value.data)


def _remove(run: Run, value: ListValue, arguments: Arguments) -> Value:
    for number, item in enumerate(value.data):
        known = None if isinstance(item, Maybe) or value.rest else equal(item, arguments.positional[0])
        if known:
            run.journal.touch(value)
            del value.data[number]
            return NONE
        if known is None:
            break
    else:
        if value.rest is None:
            raise RaisedError("builtins.ValueError", "there is no such element", run.site())
    run.risk = True
    run.journal.blur(value, run.unsettled("an element is removed that is not known"))
    return NONE


def _clear(run: Run, value: Any, _arguments: Arguments) -> Value:
    run.journal.touch(value)
    value.data, value.rest = type(value.data)(), None
    return NONE


def _copy(_run: Run, value: Any, _arguments: Arguments) -> Value:
    made: Value = type(value)(value.data.copy(), value.rest)
    if isinstance(made, DictValue):
        made.factory = value.factory
    return made


def _sort(run: Run, value: ListValue, arguments: Arguments) -> Value:
    ordered = sort(run, value.data, arguments.keywords)
    if ordered is None:
        run.journal.blur(value, run.unsettled("an order that is not known"))
    else:
        run.journal.touch(value)
        value.data = ordered
    return NONE


def _reverse(run: Run, value: ListValue, _arguments: Arguments) -> Value:
    run.journal.touch(value)
    value.data = value.data[::-1]
    return NONE


def _index(run: Run, value: Any, arguments: Arguments) -> Value:
    items, more = elements(run, value)
    for number, item in enumerate(items if more is None else ()):
        known = None if isinstance(item, Maybe) else equal(item, arguments.positional[0])
        if known:
            return Const(number)
        if known is None:
            break
    run.risk = True
    return more or run.unsettled("the place of an element")


_LIST: dict[str, Method] = {
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "remove": _remove,
    "clear": _clear,
    "copy": _copy,
    "sort": _sort,
    "reverse": _reverse,
    "index": _index,
    "appendleft": lambda run, value, arguments: _insert(run, value, Arguments([Const(0), *arguments.positional])),
}

# --- dicts ------------------------------------------------------------------------------------------------------------


def _get(run: Run, value: DictValue, arguments: Arguments) -> Value:
    default = arguments.get(1, "default") or NONE
    key = key_of(arguments.positional[0])
    if key is None:
        unknown = arguments.positional[0]
        why = unknown if isinstance(unknown, Unknown) else run.unsettled("an entry under a key that is not known")
        return unsettled(why, value, default)
    found = value.lookup(key)
    if isinstance(found, Maybe):
        return unsettled(found.why, found, default)
    if found is not None:
        return found
    return unsettled(value.rest, default) if value.rest is not None else default


def _setdefault(run: Run, value: DictValue, arguments: Arguments) -> Value:
    key = key_of(arguments.positional[0])
    default = arguments.get(1, "default") or NONE
    if key is None or value.rest is not None or isinstance(value.lookup(key), Maybe):
        why = unsettled(value.rest or run.unsettled("an entry that may be there"), default, *reachable([value]))
        run.journal.touch(value)
        overlay(value, why)
        return why
    found = value.lookup(key)
    if found is not None:
        return found
    run.journal.touch(value)
    put_entry(value, key, arguments.positional[0], default)
    return default


def _update(run: Run, value: DictValue, arguments: Arguments) -> Value:
    run.journal.touch(value)
    for source in arguments.positional:
        if isinstance(source, DictValue):
            merge_dicts(value, source)
        else:
            run.risk = True
            why = source if isinstance(source, Unknown) else run.unsettled("entries that are not known")
            overlay(value, unsettled(why, source))
    for name, item in arguments.keywords.items():
        put_entry(value, (True, name), Const(name), item)
    if arguments.unknown is not None:
        overlay(value, arguments.unknown)
    return NONE


def _pop_last(run: Run, value: DictValue, _arguments: Arguments) -> Value:
    if value.exact and value.data:
        run.journal.touch(value)
        key, (written, item) = next(reversed(value.data.items()))
        del value.data[key]
        return TupleValue((written, item))
    if value.exact:
        raise RaisedError("builtins.KeyError", "the dict is empty", run.site())
    run.risk = True
    why = unsettled(value.rest or run.unsettled("an entry is removed that is not known"), value)
    run.journal.blur(value, why)
    return why


def _pop_entry(run: Run, value: DictValue, arguments: Arguments) -> Value:
    key = key_of(arguments.positional[0])
    found = value.lookup(key) if key is not None else None
    if key is None or isinstance(found, Maybe) or (found is None and value.rest is not None):
        why = value.rest or run.unsettled("an entry is removed that is not known")
        run.risk = True
        run.journal.blur(value, why)
        return unsettled(why, *reachable([value]), *arguments.positional[1:])
    if found is None:
        if len(arguments.positional) > 1:
            return arguments.positional[1]
        raise RaisedError("builtins.KeyError", "there is no such key", run.site())
    run.journal.touch(value)
    del value.data[key]
    return found


def _items(_run: Run, value: DictValue, _arguments: Arguments) -> Value:
    made: list[Value] = []
    for key, item in value.entries():
        pair = TupleValue((key, item.value if isinstance(item, Maybe) else item))
        made.append(Maybe(pair, item.why) if isinstance(item, Maybe) else pair)
    return ListValue(made, value.rest)


def _keys(_run: Run, value: DictValue, _arguments: Arguments) -> Value:
    found = {
        key: Maybe(written, item.why) if isinstance(item, Maybe) else written
        for key, (written, item) in value.data.items()
    }
    made = SetValue(dict(found), value.rest)
    made.ordered = True
    return made


def _dict_values(_run: Run, value: DictValue, _arguments: Arguments) -> Value:
    return ListValue([item for _, item in value.entries()], value.rest)


_DICT: dict[str, Method] = {
    "get": _get,
    "setdefault": _setdefault,
    "update": _update,
    "pop": _pop_entry,
    "popitem": _pop_last,
    "items": _items,
    "keys": _keys,
    "values": _dict_values,
    "clear": _clear,
    "copy": _copy,
}

# --- sets -------------------------------------------------------------------------------------------------------------


def _add(run: Run, value: SetValue, arguments: Arguments) -> Value:
    key = key_of(arguments.positional[0])
    run.journal.touch(value)
    if key is None:
        value.rest = value.rest or run.unsettled("an element that is not known")
    elif key not in value.data or isinstance(value.data[key], Maybe):
        value.data[key] = arguments.positional[0]
    return NONE


def _discard(run: Run, value: SetValue, arguments: Arguments) -> Value:
    key = key_of(arguments.positional[0])
    run.journal.touch(value)
    if key is None:
        run.journal.blur(value, run.unsettled("an element is removed that is not known"))
    else:
        value.data.pop(key, None)
    return NONE


def _take_out(run: Run, value: SetValue, arguments: Arguments) -> Value:
    key = key_of(arguments.positional[0])
    if key is not None and key not in value.data and value.rest is None:
        raise RaisedError("builtins.KeyError", "there is no such element", run.site())
    run.risk = run.risk or key is None or isinstance(value.data.get(key), Maybe) or value.rest is not None
    return _discard(run, value, arguments)


def _update_set(run: Run, value: SetValue, arguments: Arguments) -> Value:
    for source in arguments.positional:
        items, more = elements(run, source, ordered=False)
        add_in_place(run, value, make_set(run, items, more))
    return NONE


def _pop_element(run: Run, value: SetValue, _arguments: Arguments) -> Value:
    """The only element of a set; which of several is taken differs from run to run."""
    run.journal.touch(value)
    if value.rest is None and not value.data:
        raise RaisedError("builtins.KeyError", "pop from an empty set", run.site())
    if value.rest is None and len(value.data) == 1:
        only: Value = next(iter(value.data.values()))
        if not isinstance(only, Maybe):
            value.data.clear()
            return only
    value.rest = value.rest or run.unsettled("the order of a set differs from run to run", VOLATILE)
    return value.rest


def _set_operation(name: str) -> Method:
    def act(run: Run, value: SetValue, arguments: Arguments) -> Value:
        items, more = elements(run, arguments.positional[0], ordered=False) if arguments.positional else ([], None)
        other = make_set(run, items, more)
        if name != "issubset":
            return set_operation(run, name, value, other)
        known = [*value.data.values(), *other.data.values()]
        if value.rest or other.rest or any(isinstance(item, Maybe) for item in known):
            return value.rest or other.rest or run.unsettled("whether a set has all elements of another")
        return Const(value.data.keys() <= other.data.keys())

    return act


_SET: dict[str, Method] = {
    "add": _add,
    "discard": _discard,
    "remove": _take_out,
    "pop": _pop_element,
    "update": _update_set,
    "clear": _clear,
    "copy": _copy,
    **{name: _set_operation(name) for name in ("union", "intersection", "difference", "issubset")},
}

# --- texts and numbers ------------------------------------------------------------------------------------------------

_TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_")) - {"join", "format", "format_map"}


def _of_const(_run: Run, value: Const, name: str) -> Value | None:
    if name in ("join", "format") and isinstance(value.value, str):
        return BoundMethod(Native(name, _join if name == "join" else _format), value)
    if name.startswith("_") or not hasattr(value.value, name):
        return None
    if isinstance(value.value, str) and name not in _TEXT_METHODS:
        return None

    def act(run: Run, arguments: Arguments) -> Value:
        plain = [plain_form(item) for item in arguments.all[1:]]
        if any(item is None for item in plain) or arguments.unknown is not None:
            run.risk = True
            return next((v for v in arguments.all if isinstance(v, Unknown)), run.unsettled(f"{name}() of this"))
        given = [item[0] for item in plain if item is not None]
        count = len(arguments.positional) - 1
        keywords = dict(zip(arguments.keywords, given[count:], strict=True))
        return plainly(run, getattr(value.value, name), given[:count], keywords)

    return BoundMethod(Native(name, act), value)


def _join(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.positional[1])
    texts = [text_of(item) for item in items]
    if more is not None or any(text is None for text in texts):
        found = next((i for i in items if isinstance(i, Unknown)), None)
        found = found or next((i.why for i in items if isinstance(i, Maybe)), None)
        return more or found or run.unsettled("a text that is joined is not known")
    return Const((text_of(arguments.positional[0]) or "").join(text for text in texts if text is not None))


def _format(run: Run, arguments: Arguments) -> Value:
    plain = [plain_of(item) for item in arguments.all]
    if any(item is None for item in plain) or arguments.unknown is not None:
        return next((v for v in arguments.all if isinstance(v, Unknown)), run.unsettled("a text that is formatted"))
    given = [item.value for item in plain if item is not None]
    count = len(arguments.positional)
    keywords = dict(zip(arguments.keywords, given[count:], strict=True))
    return plainly(run, given[0].format, given[1:count], keywords)


_TUPLE = _finder({"index": _index, "count": lambda run, _value, _arguments: run.unsettled("count()")})


def _of_tuple(run: Run, value: TupleValue, name: str) -> Value | None:
    if name in value.fields:
        return value.items[value.fields.index(name)]
    found: Value | None = _TUPLE(run, value, name)
    return found


METHODS[ListValue] = _finder(_LIST)
METHODS[DictValue] = _finder(_DICT)
METHODS[SetValue] = _finder(_SET)
METHODS[IteratorValue] = _finder({})
METHODS[Const] = _of_const
METHODS[TupleValue] = _of_tuple
for _kind in (ListValue, DictValue, SetValue, IteratorValue, Const, TupleValue):
    of_builtin(_kind)
