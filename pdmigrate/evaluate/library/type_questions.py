"""``typing.get_origin`` and ``typing.get_args``: the parts of a type with arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.natives import BUILTINS, first_argument
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    Const,
    External,
    Instance,
    Origin,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

UNION, OPTIONAL = "typing.Union", "typing.Optional"
_PLAIN = frozenset({"list", "dict", "set", "frozenset", "tuple", "type"})
_BUILTIN = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type"}
_ABSTRACT = frozenset(
    {"Sequence", "MutableSequence", "Mapping", "MutableMapping", "Iterable", "Iterator", "Collection", "Callable"}
)
_NO_ORIGIN = _PLAIN | {
    *("typing.Any", UNION, OPTIONAL, "typing.Literal", "typing.Annotated", "builtins.NoneType"),
    *("str", "int", "float", "bool", "bytes", "object", "complex"),
}


def get_origin(run: Interpreter, arguments: Arguments) -> Value:
    """``typing.get_origin(type)``"""
    kind = first_argument(run, arguments)
    unknown = first_unknown(kind)
    if unknown is not None:
        return unknown
    if isinstance(kind, Subscripted):
        return _origin(kind, arguments)
    if isinstance(kind, (ClassValue, Const, Instance)) or kind.outer_name in _NO_ORIGIN:
        return NONE
    return reasons.unknown(reasons.UNSUPPORTED, f"get_origin of {describe(kind)}", arguments.place)


def _origin(kind: Subscripted, arguments: Arguments) -> Value:
    base = kind.base
    if base.outer_name in _PLAIN:
        return base
    name = base.library_name
    if name in (UNION, OPTIONAL) and _alternatives(kind) is None:
        return _not_followed(kind, arguments)
    if name in (UNION, OPTIONAL):
        # Both are one object from Python 3.14 on.
        return External("types.UnionType" if kind.written_as_operator else UNION)
    if name in ("typing.Literal", "typing.Annotated"):
        return External(name)
    module, _, last = name.rpartition(".")
    if module == "typing" and last in _BUILTIN:
        return BUILTINS[_BUILTIN[last]]
    if module in ("typing", "collections.abc") and last in _ABSTRACT:
        return External(f"collections.abc.{last}")
    return _not_followed(kind, arguments)


def get_args(run: Interpreter, arguments: Arguments) -> Value:
    """``typing.get_args(type)``"""
    kind = first_argument(run, arguments)
    origin = get_origin(run, arguments)
    if isinstance(origin, UnknownValue):
        return origin
    if not isinstance(kind, Subscripted):
        return TupleValue(())
    name = kind.base.outer_name
    args: tuple[Value, ...] | None = kind.args
    if name in (UNION, OPTIONAL):
        args = _alternatives(kind)
    elif name.endswith(".Callable") or (name == "typing.Annotated" and _is_annotated(kind.args[:1])):
        args = None
    elif name == "typing.Literal":
        args = kind.args if _distinct(kind.args) else None
    else:
        args = tuple(_as_argument(arg) for arg in kind.args)
    if args is None:
        return _not_followed(kind, arguments)
    return TupleValue(args, origin=Origin("get_args()", arguments.place))


def _not_followed(kind: Subscripted, arguments: Arguments) -> UnknownValue:
    return reasons.unknown(reasons.UNSUPPORTED, f"the parts of the type {describe(kind)}", arguments.place)


def _as_argument(value: Value) -> Value:
    """``value`` as a type argument: ``None`` stands for its class."""
    return External("builtins.NoneType") if value.is_just(None) else value


def _alternatives(kind: Subscripted) -> tuple[Value, ...] | None:
    """The members of a union; ``None`` if Python may first flatten a union inside it or drop duplicates."""
    args = tuple(_as_argument(arg) for arg in kind.args)
    if kind.generic == OPTIONAL:
        args = (*args, External("builtins.NoneType"))
    nested = any(arg.generic in (UNION, OPTIONAL) for arg in args)
    known = [arg.outer_name for arg in args if arg.outer_name]
    twice = len(set(known)) != len(known) or len({id(arg) for arg in args}) != len(args)
    several = sum(isinstance(arg, Subscripted) for arg in args) > 1
    text = any(isinstance(arg, Const) for arg in args)
    return None if nested or twice or several or text or len(args) < 2 else args


def _is_annotated(args: tuple[Value, ...]) -> bool:
    return any(arg.generic == "typing.Annotated" for arg in args)


def _distinct(args: tuple[Value, ...]) -> bool:
    values = [(type(arg.value), arg.value) for arg in args if isinstance(arg, Const)]
    return len(values) == len(args) and len(set(values)) == len(values)


FUNCTIONS = {
    f"{module}.{name}": function
    for module in ("typing", "typing_extensions")
    for name, function in (("get_origin", get_origin), ("get_args", get_args))
}
