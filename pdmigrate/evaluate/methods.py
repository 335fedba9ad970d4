"""Methods of the built-in types."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.budget import LARGEST_TEXT
from pdmigrate.evaluate.iteration import Spread, elements_of, make_set, spread
from pdmigrate.evaluate.literals import put, update
from pdmigrate.evaluate.python_values import NotPlain, describe, from_python, key_of, to_python
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.state import doubtful
from pdmigrate.evaluate.values import (
    NONE,
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    Entry,
    External,
    Guard,
    Instance,
    ListValue,
    Maybe,
    Native,
    Origin,
    Place,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter

TEXT_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "count",
        "endswith",
        "expandtabs",
        "find",
        "index",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isprintable",
        "isspace",
        "istitle",
        "isupper",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rjust",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "translate",
        "upper",
        "zfill",
        "encode",
        "format",
    ]
)
"""Methods of ``str`` that have no side effect and do the same in every Python that matters."""
BYTES_METHODS = frozenset({"decode", "hex", "startswith", "endswith", "strip", "split"})
NUMBER_METHODS = frozenset({"bit_length", "is_integer", "conjugate", "total_seconds"})
_SCALAR_METHODS: dict[type, frozenset[str]] = {str: TEXT_METHODS, bytes: BYTES_METHODS}


def method(value: Value, name: str) -> Value | None:
    """The bound method of a built-in value; ``None`` when its type has none of that name."""
    if isinstance(value, Const):
        if isinstance(value.value, timedelta) and name in ("days", "seconds", "microseconds"):
            return const(getattr(value.value, name), value.origin)
        if name in _SCALAR_METHODS.get(type(value.value), NUMBER_METHODS) and hasattr(value.value, name):
            return BoundMethod(Native(name, lambda run, arguments: _pure(run, name, arguments)), value)
        return None
    table = _TABLES.get(type(value))
    function = table.get(name) if table else None
    return BoundMethod(Native(name, function), value) if function else None


def _pure(run: Interpreter, name: str, arguments: Arguments) -> Value:
    """Call a method of a scalar on plain values."""
    receiver, *rest = arguments.positional
    unknown = first_unknown(*arguments.positional, *arguments.keywords.values())
    if unknown is not None:
        return unknown
    if name == "join":
        return _join(run, receiver, rest, arguments)
    if name == "format":
        return _format(run, receiver, rest, arguments)
    try:
        plain = [to_python(value) for value in rest]
        keywords = {key: to_python(value) for key, value in arguments.keywords.items()}
    except NotPlain as reason:
        return reason.unknown
    assert isinstance(receiver, Const)
    if _too_long(name, receiver.value, plain):
        return reasons.unknown(reasons.BUDGET, f"{name}() makes a very long text", arguments.place)
    try:
        result = getattr(receiver.value, name)(*plain, **keywords)
    except (TypeError, ValueError, IndexError, LookupError, UnicodeError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    return _made(run, result, name, arguments)


def _made(run: Interpreter, result: Any, name: str, arguments: Arguments) -> Value:
    if isinstance(result, (list, tuple)):
        run.budget.make(len(result))
    elif isinstance(result, (str, bytes)):
        run.budget.text(len(result))
    receiver = arguments.positional[0]
    return from_python(result, Origin(f".{name}()", arguments.place, (receiver.origin,) if receiver.origin else ()))


def _too_long(name: str, text: Any, plain: list[Any]) -> bool:
    if name in ("center", "ljust", "rjust", "zfill", "expandtabs"):
        factor = len(text) if name == "expandtabs" else 1
        return any(isinstance(width, int) and width * factor > LARGEST_TEXT for width in plain)
    if name == "replace" and len(plain) >= 2 and isinstance(plain[0], str) and isinstance(plain[1], str):
        times = text.count(plain[0]) if plain[0] else len(text) + 1
        return bool(times * len(plain[1]) > LARGEST_TEXT)
    if name == "translate" and plain and isinstance(plain[0], dict):
        return any(isinstance(v, str) and len(v) * len(text) > LARGEST_TEXT for v in plain[0].values())
    return False


def _join(run: Interpreter, receiver: Value, rest: list[Value], arguments: Arguments) -> Value:
    if len(rest) != 1:
        raise run.failure("TypeError", "join() takes one argument")
    elements = spread(run, rest[0], arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    try:
        parts = [to_python(item) for item in elements.items]
    except NotPlain as reason:
        return reason.unknown
    separator = to_python(receiver)
    if not all(isinstance(part, type(separator)) for part in parts):
        raise run.failure("TypeError", "join() of something that is no text")
    run.budget.text(sum(map(len, parts)) + len(separator) * len(parts))
    return _made(run, separator.join(parts), "join", arguments)


def _format(run: Interpreter, receiver: Value, rest: list[Value], arguments: Arguments) -> Value:
    import string

    from pdmigrate.evaluate.text import format_value

    pattern = to_python(receiver)
    pieces: list[str] = []
    automatic = 0
    try:
        parsed = list(string.Formatter().parse(pattern))
    except ValueError as error:
        raise run.failure("ValueError", str(error)) from None
    for literal, name, specification, conversion in parsed:
        pieces.append(literal)
        if name is None:
            continue
        if name == "":
            name, automatic = str(automatic), automatic + 1
        value = _replacement(run, name, rest, arguments)
        if "{" in (specification or "") or conversion:
            return reasons.unknown(reasons.UNSUPPORTED, "this format", arguments.place)
        text = format_value(run, value, const(specification or ""))
        if isinstance(text, UnknownValue):
            return text
        pieces.append(text)
    run.budget.text(sum(map(len, pieces)))
    return _made(run, "".join(pieces), "format", arguments)


def _replacement(run: Interpreter, name: str, rest: list[Value], arguments: Arguments) -> Value:
    if name.isdigit():
        if int(name) >= len(rest):
            raise run.failure("IndexError", "replacement index out of range")
        return rest[int(name)]
    if name in arguments.keywords:
        return arguments.keywords[name]
    if name.isidentifier():
        raise run.failure("KeyError", name)
    return reasons.unknown(reasons.UNSUPPORTED, "this format", arguments.place)


# --- lists ------------------------------------------------------------------------------------------------------------


def _list(arguments: Arguments) -> ListValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, ListValue)
    return receiver


def _append(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    run.budget.make(1)
    target.items.append(_argument(run, arguments, 1))
    return NONE


def _argument(run: Interpreter, arguments: Arguments, index: int) -> Value:
    if len(arguments.positional) <= index:
        raise run.failure("TypeError", "an argument is missing")
    return arguments.positional[index]


def _extend(run: Interpreter, arguments: Arguments) -> Value:
    extend_list(run, _list(arguments), _argument(run, arguments, 1), arguments.place)
    return NONE


def extend_list(run: Interpreter, target: ListValue, value: Value, place: Place | None) -> None:
    """``target += value``"""
    more = spread(run, value, place)
    run.trail.touch(target)
    run.budget.make(len(more.items))
    target.items += more.items
    target.rest = target.rest or more.rest


def _insert(run: Interpreter, arguments: Arguments) -> Value:
    target, index = _list(arguments), _argument(run, arguments, 1)
    run.trail.touch(target)
    if isinstance(index, Const) and isinstance(index.value, int) and (target.exact or index.value == 0):
        target.items.insert(index.value, _argument(run, arguments, 2))
    else:
        unknown = first_unknown(index) or reasons.unknown(
            reasons.MUTATED, "an insertion at a place not known", arguments.place
        )
        target.items = doubtful([*target.items, _argument(run, arguments, 2)], unknown)
    return NONE


def _pop(run: Interpreter, arguments: Arguments) -> Value:
    target = _list(arguments)
    run.trail.touch(target)
    index = arguments.positional[1] if len(arguments.positional) > 1 else const(-1)
    if not target.exact or not isinstance(index, Const) or not isinstance(index.value, int):
        return _lose(run, target, arguments)
    if not -len(target.items) <= index.value < len(target.items):
        raise run.failure("IndexError", "pop from empty list")
    return target.items.pop(index.value)


def _lose(run: Interpreter, target: ListValue, arguments: Arguments) -> UnknownValue:
    from pdmigrate.evaluate.calls import poison

    unknown = first_unknown(*arguments.positional[1:]) or reasons.unknown(
        reasons.MUTATED, "a list of unknown content is changed", arguments.place
    )
    poison(run, target, target.rest or unknown)
    return unknown


def _remove(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import equal

    target, wanted = _list(arguments), _argument(run, arguments, 1)
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
    target.items = target.items[::-1]
    return NONE


def _sort(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.builtin_functions import sorted_items

    target = _list(arguments)
    run.trail.touch(target)
    result = sorted_items(run, target.items, arguments)
    if not isinstance(result, UnknownValue) and target.exact:
        target.items = result
    elif not all_objects(target.items):
        unknown = result if isinstance(result, UnknownValue) else spread(run, target).uncertain
        target.rest = target.rest or unknown
    return NONE


def all_objects(items: list[Value]) -> bool:
    """Whether elements are objects, of which a list is the same list of tools in any order."""
    inner = [item.value if isinstance(item, Maybe) else item for item in items]
    return all(isinstance(item, (SdkObject, Instance)) for item in inner)


def _copy_list(_run: Interpreter, arguments: Arguments) -> Value:
    source = _list(arguments)
    return ListValue(list(source.items), source.rest, origin=source.origin)


def _index(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import equal

    elements = spread(run, arguments.positional[0])
    for position, item in enumerate(elements.items):
        answer = elements.uncertain or equal(run, item, _argument(run, arguments, 1))
        if answer is True:
            return const(position)
        if isinstance(answer, UnknownValue):
            return answer
    raise run.failure("ValueError", "not in list")


def _count(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import equal

    elements = spread(run, arguments.positional[0])
    answers = [elements.uncertain or equal(run, item, _argument(run, arguments, 1)) for item in elements.items]
    unknown = next((answer for answer in answers if isinstance(answer, UnknownValue)), None)
    return unknown or const(sum(1 for answer in answers if answer is True))


# --- dicts ------------------------------------------------------------------------------------------------------------


def _dict(arguments: Arguments) -> DictValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, DictValue)
    return receiver


def _get(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import maybe_unknown

    source, key = _dict(arguments), _argument(run, arguments, 1)
    try:
        entry = source.entries.get(key_of(key))
    except NotPlain as reason:
        return reason.unknown
    if source.rest is not None:
        return source.rest
    if entry is not None:
        return maybe_unknown(entry.value)
    return arguments.positional[2] if len(arguments.positional) > 2 else arguments.keywords.get("default", NONE)


def _items(_run: Interpreter, arguments: Arguments) -> Value:
    source = _dict(arguments)
    pairs = [_pair(entry) for entry in _entries(source)]
    return ListValue(pairs, source.rest, origin=source.origin)


def _entries(source: DictValue) -> list[Entry]:
    """The entries; where the dict may have others, any of these may have been replaced."""
    if source.rest is None:
        return list(source.entries.values())
    guard = Guard("it is not replaced", source.rest)
    return [Entry(entry.key, Maybe(entry.value, guard)) for entry in source.entries.values()]


def _pair(entry: Entry) -> Value:
    if isinstance(entry.value, Maybe):
        return Maybe(TupleValue((entry.key, entry.value.value)), entry.value.guard)
    return TupleValue((entry.key, entry.value))


def _keys(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, _dict(arguments))
    return ListValue(elements.items, elements.rest, origin=_dict(arguments).origin)


def _values(_run: Interpreter, arguments: Arguments) -> Value:
    source = _dict(arguments)
    return ListValue([entry.value for entry in _entries(source)], source.rest, origin=source.origin)


def _update(run: Interpreter, arguments: Arguments) -> Value:
    target = _dict(arguments)
    for source in arguments.positional[1:]:
        update(run, target, source if isinstance(source, DictValue) else make_dict(run, source, arguments.place))
    for name, value in arguments.keywords.items():
        put(run, target, const(name), value)
    return NONE


def make_dict(run: Interpreter, source: Value, place: Place | None) -> Value:
    """``dict(source)``"""
    if isinstance(source, DictValue):
        return DictValue(dict(source.entries), source.rest, origin=source.origin)
    result = DictValue(origin=Origin("dict()", place))
    elements = spread(run, source, place)
    result.rest = elements.rest
    for item in elements.items:
        pair = item.value if isinstance(item, Maybe) else item
        both = spread(run, pair, place)
        if isinstance(item, Maybe) or len(both.items) != 2 or both.uncertain is not None:
            result.rest = both.uncertain or reasons.unknown(reasons.UNSUPPORTED, "a dict of such pairs", place)
            continue
        put(run, result, both.items[0], both.items[1])
    return result


def _setdefault(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import contains, get_item

    target, key = _dict(arguments), _argument(run, arguments, 1)
    present = contains(run, target, key)
    if isinstance(present, UnknownValue):
        run.trail.touch(target)
        target.rest = target.rest or present
        return present
    if not present:
        put(run, target, key, arguments.positional[2] if len(arguments.positional) > 2 else NONE)
    assert arguments.place is not None
    return get_item(run, target, key, arguments.place)


def _pop_key(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.operators import maybe_unknown

    target, key = _dict(arguments), _argument(run, arguments, 1)
    run.trail.touch(target)
    try:
        found = key_of(key)
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
        return reason.unknown
    if target.rest is not None:
        target.entries.pop(found, None)
        return target.rest
    if found in target.entries:
        return maybe_unknown(target.entries.pop(found).value)
    if len(arguments.positional) > 2:
        return arguments.positional[2]
    raise run.failure("KeyError", repr(found))


def delete_item(run: Interpreter, container: Value, key: Value, place: Place) -> None:
    """``del container[key]``"""
    from pdmigrate.evaluate.calls import poison

    if isinstance(container, DictValue):
        _pop_key(run, Arguments((container, key), {}, None, place))
    elif isinstance(container, ListValue):
        _pop(run, Arguments((container, key), {}, None, place))
    else:
        poison(run, container, reasons.unknown(reasons.UNSUPPORTED, f"deleting from {describe(container)}", place))


def _clear_dict(run: Interpreter, arguments: Arguments) -> Value:
    target = _dict(arguments)
    run.trail.touch(target)
    target.entries, target.rest = {}, None
    return NONE


def _copy_dict(_run: Interpreter, arguments: Arguments) -> Value:
    source = _dict(arguments)
    return DictValue(dict(source.entries), source.rest, source.factory, origin=source.origin)


def _popitem(run: Interpreter, arguments: Arguments) -> Value:
    target = _dict(arguments)
    run.trail.touch(target)
    if not target.exact:
        unknown = target.rest or reasons.unknown(reasons.CONDITION, "which element is the last one", arguments.place)
        target.rest = unknown
        return unknown
    if not target.entries:
        raise run.failure("KeyError", "popitem(): dictionary is empty")
    _, entry = target.entries.popitem()
    return TupleValue((entry.key, entry.value))


# --- sets -------------------------------------------------------------------------------------------------------------


def _set(arguments: Arguments) -> SetValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, SetValue)
    return receiver


def update_set(run: Interpreter, target: SetValue, value: Value) -> None:
    """``target |= value``"""
    run.trail.touch(target)
    more = elements_of(run, value)
    merged = make_set(run, Spread([*target.items.values(), *more.items], target.rest or more.rest), None)
    assert isinstance(merged, SetValue)
    target.items, target.rest = merged.items, merged.rest


def _add(run: Interpreter, arguments: Arguments) -> Value:
    update_set(run, _set(arguments), TupleValue((_argument(run, arguments, 1),)))
    return NONE


def _update_set(run: Interpreter, arguments: Arguments) -> Value:
    for value in arguments.positional[1:]:
        update_set(run, _set(arguments), value)
    return NONE


def _discard(run: Interpreter, arguments: Arguments) -> Value:
    target = _set(arguments)
    run.trail.touch(target)
    try:
        target.items.pop(key_of(_argument(run, arguments, 1)), None)
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
    return NONE


def _copy_set(_run: Interpreter, arguments: Arguments) -> Value:
    source = _set(arguments)
    return SetValue(dict(source.items), source.rest)


def _combined(kind: str) -> Callable[[Interpreter, Arguments], Value]:
    def combine(run: Interpreter, arguments: Arguments) -> Value:
        import libcst as cst

        from pdmigrate.evaluate.operators import _sets

        operators = {"union": cst.BitOr, "intersection": cst.BitAnd, "difference": cst.Subtract}
        result: Value = arguments.positional[0]
        for value in arguments.positional[1:]:
            other = make_set(run, elements_of(run, value, arguments.place), None)
            if not isinstance(result, SetValue) or not isinstance(other, SetValue):
                return first_unknown(result, other) or NONE
            result = _sets(run, operators[kind], result, other, Origin(kind, arguments.place))
        return result

    return combine


def _related(kind: str) -> Callable[[Interpreter, Arguments], Value]:
    def relate(run: Interpreter, arguments: Arguments) -> Value:
        first = _set(arguments)
        second = make_set(run, elements_of(run, _argument(run, arguments, 1), arguments.place), None)
        assert isinstance(second, SetValue)
        if not first.exact or not second.exact:
            return first.rest or second.rest or reasons.unknown(reasons.CONDITION, "a set", arguments.place)
        a, b = first.items.keys(), second.items.keys()
        return const({"issubset": a <= b, "issuperset": a >= b, "isdisjoint": not (a & b)}[kind])

    return relate


_TABLES: dict[type, dict[str, Callable[[Interpreter, Arguments], Value]]] = {
    ListValue: {
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
    },
    TupleValue: {"index": _index, "count": _count},
    DictValue: {
        "get": _get,
        "items": _items,
        "keys": _keys,
        "values": _values,
        "update": _update,
        "setdefault": _setdefault,
        "pop": _pop_key,
        "popitem": _popitem,
        "clear": _clear_dict,
        "copy": _copy_dict,
    },
    SetValue: {
        "add": _add,
        "update": _update_set,
        "discard": _discard,
        "remove": _discard,
        "copy": _copy_set,
        **{kind: _combined(kind) for kind in ("union", "intersection", "difference")},
        **{kind: _related(kind) for kind in ("issubset", "issuperset", "isdisjoint")},
    },
}


def type_attribute(value: Native, name: str) -> Value | None:
    """``str.lower``, ``dict.fromkeys``, ``__name__`` of a built-in type or function."""
    if name in ("__name__", "__qualname__"):
        return const(value.name.rpartition(".")[2])
    if value.name == "object" and name == "__new__":
        from pdmigrate.evaluate.attributes import plain_new

        return Native("object.__new__", plain_new)
    if value.name == "dict" and name == "fromkeys":
        return Native("dict.fromkeys", _fromkeys)
    if value.name == "str" and name in TEXT_METHODS:
        return Native(f"str.{name}", lambda run, arguments: _pure(run, name, arguments))
    if value.name == "str" and name == "maketrans":
        return Native("str.maketrans", _maketrans)
    table = {"list": ListValue, "dict": DictValue, "set": SetValue}.get(value.name)
    function = _TABLES[table].get(name) if table else None
    return Native(f"{value.name}.{name}", function) if function else None


def _fromkeys(run: Interpreter, arguments: Arguments) -> Value:
    result = DictValue(origin=Origin("dict.fromkeys()", arguments.place))
    elements = spread(run, _argument(run, arguments, 0), arguments.place)
    result.rest = elements.uncertain
    for item in elements.items:
        if not isinstance(item, Maybe):
            put(run, result, item, arguments.positional[1] if len(arguments.positional) > 1 else NONE)
    return result


def _maketrans(run: Interpreter, arguments: Arguments) -> Value:
    try:
        return from_python(str.maketrans(*(to_python(value) for value in arguments.positional)))
    except NotPlain as reason:
        return reason.unknown
    except (TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None


def type_of(value: Value) -> Value | None:
    """``type(value)`` of a built-in value."""
    from pdmigrate.evaluate.builtin_functions import BUILTINS

    if isinstance(value, Const):
        name = type(value.value).__name__
        return BUILTINS.get(name) or External(f"builtins.{name}")
    kinds = {ListValue: "list", DictValue: "dict", SetValue: "set", TupleValue: "tuple"}
    name = kinds.get(type(value), "")
    return BUILTINS.get(name) if name else None
