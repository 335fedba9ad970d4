"""``typing``: casts, and the parts of a type with arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import BUILTINS, NAMES, declare, first_argument, native, settled
from pdmigrate.evaluate.core.python_values import NotPlain, describe
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
    Value,
    const,
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


@native("typing.get_origin", "typing_extensions.get_origin")
def _get_origin(run: Interpreter, arguments: Arguments) -> Value:
    kind = settled(first_argument(run, arguments))
    if isinstance(kind, Subscripted):
        return _origin(kind, arguments)
    if isinstance(kind, (ClassValue, Const, Instance)) or kind.outer_name in _NO_ORIGIN:
        return NONE
    return reasons.unknown(reasons.UNSUPPORTED, f"get_origin of {describe(kind)}", arguments.place)


def _origin(kind: Subscripted, arguments: Arguments) -> Value:
    base, name = kind.base, kind.generic
    if base.outer_name in _PLAIN:
        return base
    if name in (UNION, OPTIONAL):
        _alternatives(kind, arguments)
        # From Python 3.14 on, the two are one object.
        return External("types.UnionType" if kind.written_as_operator else UNION)
    if name in ("typing.Literal", "typing.Annotated"):
        return External(name)
    module, _, last = name.rpartition(".")
    if module == "typing" and last in _BUILTIN:
        return BUILTINS[_BUILTIN[last]]
    if module in ("typing", "collections.abc") and last in _ABSTRACT:
        return External(f"collections.abc.{last}")
    raise _not_followed(kind, arguments)


@native("typing.get_args", "typing_extensions.get_args")
def _get_args(run: Interpreter, arguments: Arguments) -> Value:
    _get_origin(run, arguments)
    kind = first_argument(run, arguments)
    if not isinstance(kind, Subscripted):
        return TupleValue(())
    name = kind.base.outer_name
    if name in (UNION, OPTIONAL):
        args = _alternatives(kind, arguments)
    elif name == "typing.Literal":
        args = kind.args
    else:
        args = tuple(map(_as_argument, kind.args))
    nested = name == "typing.Annotated" and any(arg.generic == name for arg in args[:1])
    if nested or name.endswith(".Callable") or (name == "typing.Literal" and not _distinct(args)):
        raise _not_followed(kind, arguments)
    return TupleValue(args, origin=Origin("get_args()", arguments.place))


declare({"typing.cast": lambda run, arguments: first_argument(run, arguments, 1)})
NAMES.update(dict.fromkeys(("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"), const(False)))


def _not_followed(kind: Subscripted, arguments: Arguments) -> NotPlain:
    return NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"the parts of the type {describe(kind)}", arguments.place))


def _as_argument(value: Value) -> Value:
    """``value`` as a type argument: ``None`` stands for its class."""
    return External("builtins.NoneType") if value.is_just(None) else value


def _alternatives(kind: Subscripted, arguments: Arguments) -> tuple[Value, ...]:
    """The members of a union.

    Raises:
        NotPlain: Python may first flatten a union inside it, or drop duplicates.
    """
    args = tuple(map(_as_argument, kind.args))
    if kind.generic == OPTIONAL:
        args = (*args, External("builtins.NoneType"))
    nested = any(arg.generic in (UNION, OPTIONAL) for arg in args)
    known = [arg.outer_name for arg in args if arg.outer_name]
    twice = len(set(known)) != len(known) or len({id(arg) for arg in args}) != len(args)
    several = sum(isinstance(arg, Subscripted) for arg in args) > 1
    text = any(arg.scalar is not None for arg in args)
    if nested or twice or several or text or len(args) < 2:
        raise _not_followed(kind, arguments)
    return args


def _distinct(args: tuple[Value, ...]) -> bool:
    values = [(type(arg.scalar.value), arg.scalar.value) for arg in args if arg.scalar is not None]
    return len(values) == len(args) and len(set(values)) == len(values)
