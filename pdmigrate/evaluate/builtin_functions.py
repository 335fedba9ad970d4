"""Built-in functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.iteration import Spread, elements_of, make_set, spread
from pdmigrate.evaluate.literals import put
from pdmigrate.evaluate.methods import all_objects, make_dict, type_of
from pdmigrate.evaluate.operators import contains, equal, truth
from pdmigrate.evaluate.python_values import NotPlain, describe, enum_payload, from_python, mixes_in, to_python
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.values import (
    FALSE,
    NONE,
    TRUE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Maybe,
    Native,
    Origin,
    Partial,
    SdkObject,
    SetValue,
    Subscripted,
    Super,
    TupleValue,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter

Function = Callable[["Interpreter", Arguments], Value]


def _first(run: Interpreter, arguments: Arguments, index: int = 0) -> Value:
    if len(arguments.positional) <= index:
        raise run.failure("TypeError", "an argument is missing")
    return arguments.positional[index]


def _origin(name: str, arguments: Arguments) -> Origin:
    sources = tuple(value.origin for value in arguments.positional[:2] if value.origin)
    return Origin(f"{name}()", arguments.place, sources)


def _pure(name: str, function: Callable[..., Any]) -> Function:
    """A function of plain values."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        try:
            plain = [to_python(value) for value in arguments.positional]
            keywords = {key: to_python(value) for key, value in arguments.keywords.items()}
        except NotPlain as reason:
            return reason.unknown
        try:
            return from_python(function(*plain, **keywords), _origin(name, arguments))
        except (TypeError, ValueError, OverflowError, ZeroDivisionError, IndexError, KeyError) as error:
            raise run.failure(type(error).__name__, str(error)) from None

    return call


def _len(run: Interpreter, arguments: Arguments) -> Value:
    value = _first(run, arguments)
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return const(len(value.value), _origin("len", arguments))
    if isinstance(value, (ListValue, DictValue, SetValue)):
        if not value.exact:
            items = spread(run, value).uncertain if not isinstance(value, SetValue) else value.rest
            return items or reasons.unknown(reasons.CONDITION, "how many elements there are", arguments.place)
        size = len(value.entries) if isinstance(value, DictValue) else len(value.items)
        return const(size, _origin("len", arguments))
    if isinstance(value, TupleValue):
        return const(len(value.items), _origin("len", arguments))
    if isinstance(value, ClassValue) and value.kind == "enum":
        return const(len(dict.fromkeys(value.members.values())), _origin("len", arguments))
    return _special(run, value, "__len__", arguments)


def _special(run: Interpreter, value: Value, name: str, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    method = find_method(run, value, name)
    if isinstance(method, BoundMethod):
        return call(run, method, (), place=arguments.place)
    if isinstance(value, Const):
        raise run.failure("TypeError", f"object of type {type(value.value).__name__} has no {name}")
    return first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}", arguments.place)


def _str(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.text import text_of

    if len(arguments.positional) > 1 or arguments.keywords:
        return _pure("str", str)(run, arguments)
    return text_of(run, arguments.positional[0]) if arguments.positional else const("")


def _repr(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.text import representation

    return representation(run, _first(run, arguments))


def _bool(run: Interpreter, arguments: Arguments) -> Value:
    known = truth(run, arguments.positional[0]) if arguments.positional else False
    return known if isinstance(known, UnknownValue) else const(known, _origin("bool", arguments))


def _int(run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else const(0)
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", arguments.place)
    return _pure("int", int)(run, arguments)


def _list(run: Interpreter, arguments: Arguments) -> Value:
    if not arguments.positional:
        return ListValue(origin=_origin("list", arguments))
    elements = spread(run, arguments.positional[0], arguments.place)
    run.budget.make(len(elements.items))
    return ListValue(list(elements.items), elements.rest, origin=_origin("list", arguments))


def _tuple(run: Interpreter, arguments: Arguments) -> Value:
    if not arguments.positional:
        return TupleValue(())
    elements = spread(run, arguments.positional[0], arguments.place)
    if elements.uncertain is not None:
        # A list stands for a tuple whose length is not known; nothing can change it.
        return ListValue(list(elements.items), elements.rest, origin=_origin("tuple", arguments))
    return TupleValue(tuple(elements.items), origin=_origin("tuple", arguments))


def _set(run: Interpreter, arguments: Arguments) -> Value:
    elements = elements_of(run, arguments.positional[0], arguments.place) if arguments.positional else Spread([])
    return make_set(run, elements, _origin("set", arguments))


def _dict(run: Interpreter, arguments: Arguments) -> Value:
    result: Value = DictValue(origin=_origin("dict", arguments))
    if arguments.positional:
        unknown = first_unknown(arguments.positional[0])
        if unknown is not None:
            return unknown
        result = make_dict(run, arguments.positional[0], arguments.place)
    assert isinstance(result, DictValue)
    for name, value in arguments.keywords.items():
        put(run, result, const(name), value)
    return result


def _iterator(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, _first(run, arguments), arguments.place)
    return ListValue(list(elements.items), elements.rest, "iterator", origin=_origin("iter", arguments))


def _next(run: Interpreter, arguments: Arguments) -> Value:
    source = _first(run, arguments)
    unknown = first_unknown(source)
    if unknown is not None:
        return unknown
    if not isinstance(source, ListValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"next() of {describe(source)}", arguments.place)
    run.trail.touch(source)
    if source.items and not isinstance(source.items[0], Maybe):
        return source.items.pop(0)
    if source.items or source.rest is not None:
        doubt = source.items[0].guard.unknown if source.items and isinstance(source.items[0], Maybe) else source.rest
        source.items, source.rest = [], doubt
        return doubt or NONE
    if len(arguments.positional) > 1:
        return arguments.positional[1]
    raise run.failure("StopIteration")


def _range(run: Interpreter, arguments: Arguments) -> Value:
    try:
        plain = [to_python(value) for value in arguments.positional]
    except NotPlain as reason:
        return reason.unknown
    try:
        numbers = range(*plain)
        run.budget.make(len(numbers))
    except (TypeError, ValueError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    return TupleValue(tuple(const(number) for number in numbers), origin=_origin("range", arguments))


def _enumerate(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, _first(run, arguments), arguments.place)
    start = arguments.keywords.get("start", arguments.positional[1] if len(arguments.positional) > 1 else const(0))
    if not isinstance(start, Const) or not isinstance(start.value, int):
        return first_unknown(start) or reasons.unknown(reasons.UNSUPPORTED, "enumerate()", arguments.place)
    doubt: UnknownValue | None = None
    items: list[Value] = []
    for index, item in enumerate(elements.items, start.value):
        if isinstance(item, Maybe):
            doubt = doubt or item.guard.unknown
            items.append(Maybe(TupleValue((doubt, item.value)), item.guard))
        else:
            items.append(TupleValue((doubt or const(index), item)))
    return ListValue(items, elements.rest, "iterator", origin=_origin("enumerate", arguments))


def _zip(run: Interpreter, arguments: Arguments) -> Value:
    columns = [spread(run, value, arguments.place) for value in arguments.positional]
    unknown = next((column.uncertain for column in columns if column.uncertain is not None), None)
    if unknown is not None:
        return unknown
    rows: list[Value] = [TupleValue(row) for row in zip(*(column.items for column in columns), strict=False)]
    return ListValue(rows, None, "iterator", origin=_origin("zip", arguments))


def _map(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.calls import call

    function, *sources = arguments.positional
    if len(sources) == 1:
        elements = spread(run, sources[0], arguments.place)
        items = [_mapped(run, function, item, arguments) for item in elements.items]
        return ListValue(items, elements.rest, "iterator", origin=_origin("map", arguments))
    rows = _zip(run, arguments._replace(positional=tuple(sources)))
    if not isinstance(rows, ListValue):
        return rows
    results: list[Value] = [
        call(run, function, row.items, place=arguments.place) for row in rows.items if isinstance(row, TupleValue)
    ]
    return ListValue(results, None, "iterator", origin=_origin("map", arguments))


def _mapped(run: Interpreter, function: Value, item: Value, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.calls import call

    if isinstance(item, Maybe):
        return Maybe(_mapped(run, function, item.value, arguments), item.guard)
    return call(run, function, (item,), place=arguments.place)


def _filter(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.calls import call
    from pdmigrate.evaluate.values import Guard

    function = _first(run, arguments)
    elements = spread(run, _first(run, arguments, 1), arguments.place)
    items: list[Value] = []
    for item in elements.items:
        inner = item.value if isinstance(item, Maybe) else item
        plain = isinstance(function, Const) and function.value is None
        known = truth(run, inner if plain else call(run, function, (inner,), place=arguments.place))
        if isinstance(known, UnknownValue):
            items.append(Maybe(item, Guard("the filter keeps it", known)))
        elif known:
            items.append(item)
    return ListValue(items, elements.rest, "iterator", origin=_origin("filter", arguments))


def _reversed(run: Interpreter, arguments: Arguments) -> Value:
    elements = spread(run, _first(run, arguments), arguments.place)
    return ListValue(elements.items[::-1], elements.rest, "iterator", origin=_origin("reversed", arguments))


def _sorted(run: Interpreter, arguments: Arguments) -> Value:
    source = _first(run, arguments)
    items = list(source.items.values()) if isinstance(source, SetValue) else spread(run, source, arguments.place).items
    rest = source.rest if isinstance(source, (SetValue, ListValue, DictValue)) else first_unknown(source)
    result = sorted_items(run, items, arguments)
    if isinstance(result, UnknownValue) and not all_objects(items):
        return result
    return ListValue(items if isinstance(result, UnknownValue) else result, rest, origin=_origin("sorted", arguments))


def sorted_items(run: Interpreter, items: list[Value], arguments: Arguments) -> list[Value] | UnknownValue:
    """The elements in order, or why the order is not known."""
    from pdmigrate.evaluate.calls import call

    key = arguments.keywords.get("key", NONE)
    backwards = truth(run, arguments.keywords.get("reverse", FALSE))
    if isinstance(backwards, UnknownValue):
        return backwards
    keyed: list[tuple[Any, Value]] = []
    for item in items:
        inner = item.value if isinstance(item, Maybe) else item
        by = inner if isinstance(key, Const) and key.value is None else call(run, key, (inner,), place=arguments.place)
        try:
            keyed.append((to_python(by), item))
        except NotPlain as reason:
            return reason.unknown
    run.budget.make(len(keyed))
    try:
        keyed.sort(key=lambda pair: pair[0], reverse=backwards)
    except TypeError as error:
        raise run.failure("TypeError", str(error)) from None
    return [item for _, item in keyed]


def _any(run: Interpreter, arguments: Arguments) -> Value:
    return _search(run, arguments, wanted=True)


def _all(run: Interpreter, arguments: Arguments) -> Value:
    return _search(run, arguments, wanted=False)


def _search(run: Interpreter, arguments: Arguments, *, wanted: bool) -> Value:
    elements = elements_of(run, _first(run, arguments), arguments.place)
    unknown = elements.uncertain
    for item in elements.items:
        known = truth(run, item.value if isinstance(item, Maybe) else item)
        if known is wanted and not isinstance(item, Maybe):
            return const(wanted)
        if isinstance(known, UnknownValue):
            unknown = unknown or known
    return unknown or const(not wanted)


def _sum(run: Interpreter, arguments: Arguments) -> Value:
    import libcst as cst

    from pdmigrate.evaluate.operators import binary

    elements = spread(run, _first(run, arguments), arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    total = arguments.keywords.get("start", arguments.positional[1] if len(arguments.positional) > 1 else const(0))
    assert arguments.place is not None
    for item in elements.items:
        total = binary(run, cst.Add, total, item, arguments.place)
    return total


def _extreme(name: str, function: Callable[..., Any]) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        if not arguments.keywords and len(arguments.positional) > 1:
            return _pure(name, function)(run, arguments)
        return _extreme_of(run, arguments, function)

    return call


def _extreme_of(run: Interpreter, arguments: Arguments, function: Callable[..., Any]) -> Value:
    """``max(iterable, key=..., default=...)``"""
    many = len(arguments.positional) > 1
    elements = Spread(list(arguments.positional)) if many else elements_of(run, _first(run, arguments), arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    if not elements.items and "default" in arguments.keywords:
        return arguments.keywords["default"]
    if not elements.items:
        raise run.failure("ValueError", "the iterable is empty")
    ordered = sorted_items(run, elements.items, arguments)
    if isinstance(ordered, UnknownValue):
        return ordered
    if function is min:
        return ordered[0]
    # ``max`` gives the first of equal elements, which a stable sort backwards puts first too.
    backwards = sorted_items(run, elements.items, arguments._replace(keywords={**arguments.keywords, "reverse": TRUE}))
    return backwards if isinstance(backwards, UnknownValue) else backwards[0]


# --- types and attributes ---------------------------------------------------------------------------------------------


def _isinstance(run: Interpreter, arguments: Arguments) -> Value:
    value, kind = _first(run, arguments), _first(run, arguments, 1)
    kinds = kind.items if isinstance(kind, TupleValue) else (kind,)
    kinds = tuple(option for item in kinds for option in _plain_kinds(item))
    answers = [is_instance(value, item) for item in kinds]
    if True in answers:
        return TRUE
    return next((answer for answer in answers if isinstance(answer, UnknownValue)), FALSE)


def _plain_kinds(kind: Value) -> tuple[Value, ...]:
    """``int | str`` as its options, ``list[int]`` as ``list``."""
    if isinstance(kind, Subscripted):
        union = isinstance(kind.base, External) and kind.base.name == "typing.Union"
        return kind.args if union else (kind.base,)
    return (kind,)


def is_instance(value: Value, kind: Value) -> bool | UnknownValue:
    """``isinstance(value, kind)``"""
    unknown = first_unknown(value, kind)
    if unknown is not None:
        return unknown
    name = kind.name.removeprefix("builtins.") if isinstance(kind, (Native, External)) else ""
    if name == "object":
        return True
    if isinstance(value, Instance):
        if any(
            base is kind
            or (getattr(base, "name", None) == getattr(kind, "name", "") and not isinstance(base, ClassValue))
            for base in value.cls.mro
        ):
            return True
        if name and mixes_in(value.cls) == name:
            return True
        return value.cls.opaque or (False if isinstance(kind, ClassValue) or name in _NAMES else _outside(kind))
    if name in _NAMES:
        return _builtin_instance(value, name)
    if isinstance(value, SdkObject):
        return value.type == name or (False if isinstance(kind, ClassValue) else _outside(kind))
    if isinstance(value, (Const, ListValue, DictValue, SetValue, TupleValue)):
        return False if isinstance(kind, ClassValue) else _abstract(value, name)
    if isinstance(value, ClassValue):
        return name == "type" or (False if isinstance(kind, ClassValue) else _outside(kind))
    return _outside(kind)


_NAMES = frozenset(
    {"str", "bytes", "int", "float", "bool", "list", "dict", "set", "tuple", "frozenset", "NoneType", "type"}
)


def _builtin_instance(value: Value, name: str) -> bool | UnknownValue:
    if isinstance(value, Const):
        return name in {kind.__name__ for kind in type(value.value).__mro__}
    kinds = {ListValue: "list", DictValue: "dict", SetValue: "set", TupleValue: "tuple", ClassValue: "type"}
    if isinstance(value, External):
        return _outside(value)
    return kinds.get(type(value)) == name


def _abstract(value: Value, name: str) -> bool | UnknownValue:
    last = name.rpartition(".")[2]
    if last == "Mapping" or last == "MutableMapping":
        return isinstance(value, DictValue)
    if last == "Sequence":
        return isinstance(value, (ListValue, TupleValue)) or (
            isinstance(value, Const) and isinstance(value.value, (str, bytes))
        )
    if last == "Iterable":
        return not isinstance(value, Const) or isinstance(value.value, (str, bytes))
    if last in ("Callable", "Enum", "BaseModel", "Path", "Tool"):
        return False
    return reasons.unknown(reasons.OUTSIDE, f"whether a value is an instance of {name}")


def _outside(kind: Value) -> UnknownValue:
    return reasons.unknown(reasons.OUTSIDE, f"whether a value is an instance of {describe(kind)}")


def _issubclass(run: Interpreter, arguments: Arguments) -> Value:
    value, kind = _first(run, arguments), _first(run, arguments, 1)
    unknown = first_unknown(value, kind)
    if unknown is not None:
        return unknown
    if not isinstance(value, ClassValue):
        return _outside(kind)
    kinds = kind.items if isinstance(kind, TupleValue) else (kind,)
    for item in kinds:
        if any(
            base is item or (isinstance(base, External) and isinstance(item, External) and base.name == item.name)
            for base in value.mro
        ):
            return TRUE
    return FALSE if all(isinstance(item, ClassValue) for item in kinds) else _outside(kind)


def _type(run: Interpreter, arguments: Arguments) -> Value:
    value = _first(run, arguments)
    if len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "type() makes a class", arguments.place)
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, SdkObject):
        return External(value.type)
    return type_of(value) or first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, "type()", arguments.place)


def _getattr(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.attributes import get_attribute
    from pdmigrate.evaluate.interpreter import AbstractRaise

    value, name = _first(run, arguments), _first(run, arguments, 1)
    unknown = first_unknown(value, name)
    if unknown is not None:
        return unknown
    if not isinstance(name, Const):
        raise run.failure("TypeError", "attribute name must be string")
    try:
        return get_attribute(run, value, str(name.value), arguments.place)
    except AbstractRaise as raised:
        if raised.type == "AttributeError" and len(arguments.positional) > 2:
            return arguments.positional[2]
        raise


def _hasattr(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.interpreter import AbstractRaise

    try:
        value = _getattr(run, arguments)
    except AbstractRaise as raised:
        if raised.type == "AttributeError":
            return FALSE
        raise
    owner = arguments.positional[0]
    if isinstance(value, UnknownValue) and not _declares(owner, arguments.positional[1]):
        return value
    return value if isinstance(owner, External) and isinstance(value, UnknownValue) else _present(owner, value)


def _present(owner: Value, value: Value) -> Value:
    if isinstance(owner, External) and isinstance(value, External):
        return reasons.unknown(reasons.OUTSIDE, f"whether {owner.name} has an attribute")
    return TRUE


def _declares(owner: Value, name: Value) -> bool:
    return isinstance(owner, Instance) and isinstance(name, Const) and name.value in owner.names


def _setattr(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.attributes import set_attribute
    from pdmigrate.evaluate.calls import poison_arguments
    from pdmigrate.evaluate.values import Namespace

    target, name, value = (_first(run, arguments, index) for index in range(3))
    if isinstance(name, Const) and isinstance(name.value, str) and arguments.place is not None:
        set_attribute(run, target, name.value, value, arguments.place)
        return NONE
    unknown = first_unknown(name) or reasons.unknown(reasons.UNSUPPORTED, "setattr()", arguments.place)
    poison_arguments(run, arguments, unknown)
    if isinstance(target, Namespace):
        run.trail.touch(target)
        target.names = dict.fromkeys(target.names, unknown)
        target.rest = unknown
    return NONE


def _callable(run: Interpreter, arguments: Arguments) -> Value:
    value = _first(run, arguments)
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    if isinstance(value, (FunctionValue, BoundMethod, Native, ClassValue, Partial)):
        return TRUE
    if isinstance(value, External):
        return reasons.unknown(reasons.OUTSIDE, f"whether {value.name} can be called", arguments.place)
    return const(isinstance(value, Instance) and _has_call(value))


def _has_call(value: Instance) -> bool:
    return any(isinstance(base, ClassValue) and "__call__" in base.names for base in value.cls.mro)


def _vars(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.attributes import get_attribute

    return get_attribute(run, _first(run, arguments), "__dict__", arguments.place)


def _open(run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.files import open_file

    return open_file(run, arguments)


def _print(_run: Interpreter, _arguments: Arguments) -> Value:
    return NONE


def _super(run: Interpreter, arguments: Arguments) -> Value:
    cls, receiver = _first(run, arguments), _first(run, arguments, 1)
    if isinstance(cls, ClassValue):
        return Super(cls, receiver)
    return reasons.unknown(reasons.UNSUPPORTED, "super() with these arguments", arguments.place)


def _object(_run: Interpreter, arguments: Arguments) -> Value:
    return Instance(cls=_OBJECT, origin=_origin("object", arguments))


_OBJECT = ClassValue(name="object")
_OBJECT.mro = (_OBJECT,)


def _dir(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.UNSUPPORTED, "dir() lists names", arguments.place)


def _volatile(name: str) -> Function:
    def call(_run: Interpreter, arguments: Arguments) -> Value:
        return reasons.unknown(reasons.VOLATILE, f"{name}() differs from run to run", arguments.place)

    return call


def _input(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "input() reads from the terminal", arguments.place)


def _import(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.UNSUPPORTED, "__import__()", arguments.place)


_FUNCTIONS: dict[str, Function] = {
    "len": _len,
    "str": _str,
    "repr": _repr,
    "bool": _bool,
    "int": _int,
    "float": _pure("float", float),
    "bytes": _pure("bytes", lambda *a: bytes(*a) if not a or not isinstance(a[0], int) else b""),
    "list": _list,
    "tuple": _tuple,
    "set": _set,
    "frozenset": _set,
    "dict": _dict,
    "iter": _iterator,
    "next": _next,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "reversed": _reversed,
    "sorted": _sorted,
    "any": _any,
    "all": _all,
    "sum": _sum,
    "min": _extreme("min", min),
    "max": _extreme("max", max),
    "abs": _pure("abs", abs),
    "round": _pure("round", round),
    "divmod": _pure("divmod", divmod),
    "ord": _pure("ord", ord),
    "chr": _pure("chr", chr),
    "hex": _pure("hex", hex),
    "oct": _pure("oct", oct),
    "bin": _pure("bin", bin),
    "ascii": _pure("ascii", ascii),
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "type": _type,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "callable": _callable,
    "vars": _vars,
    "open": _open,
    "print": _print,
    "super": _super,
    "object": _object,
    "dir": _dir,
    "id": _volatile("id"),
    "hash": _volatile("hash"),
    "input": _input,
    "__import__": _import,
}
BUILTINS: dict[str, Value] = {name: Native(name, function) for name, function in _FUNCTIONS.items()}
BUILTINS["property"] = Native("property", lambda run, arguments: _as_property(run, arguments))
BUILTINS["staticmethod"] = Native("staticmethod", lambda run, arguments: _as_kind(run, arguments, "static"))
BUILTINS["classmethod"] = Native("classmethod", lambda run, arguments: _as_kind(run, arguments, "class"))
BUILTINS["NotImplemented"] = External("builtins.NotImplemented")


def _as_property(run: Interpreter, arguments: Arguments) -> Value:
    return _as_kind(run, arguments, "property")


def _as_kind(run: Interpreter, arguments: Arguments, kind: str) -> Value:
    from dataclasses import replace

    function = _first(run, arguments)
    if isinstance(function, FunctionValue):
        return replace(function, kind=kind)
    return reasons.unknown(reasons.UNSUPPORTED, f"a {kind} of {describe(function)}", arguments.place)


__all__ = ["BUILTINS", "contains", "enum_payload", "equal", "functools", "is_instance", "sorted_items"]
