"""``typing.get_origin`` and ``typing.get_args``: the parts of a type with arguments."""

from __future__ import annotations

from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.core import NONE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, describe, key_of
from pdmigrate.understand.values.outside import External, Subscripted, UnionType, external_name

NONE_TYPE = External("builtins.NoneType")
_UNION, _OPTIONAL, _LITERAL, _ANNOTATED = "Union", "Optional", "Literal", "Annotated"
_PLAIN = frozenset({"list", "dict", "set", "frozenset", "tuple", "type"})
_BUILTIN = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type"}
_ABSTRACT = ("Sequence", "MutableSequence", "Mapping", "MutableMapping", "Iterable", "Iterator", "Collection")
_SCALARS = ("str", "int", "float", "bool", "bytes", "object", "complex", "NoneType", "Any")
_WITHOUT = frozenset({*_PLAIN, *_SCALARS, _UNION, _OPTIONAL, _LITERAL, _ANNOTATED})
"""Types that have no origin as they stand."""


def _generic(value: Value) -> str:
    """The name of what a type is made of, without ``typing`` or ``builtins``; empty if it is none of theirs."""
    module, _, name = external_name(value).rpartition(".")
    return name if module in ("typing", "typing_extensions", "builtins", "collections.abc") else ""


def _origin(kind: Value) -> Value | None:
    if isinstance(kind, UnionType):
        return External("types.UnionType")  # one object with typing.Union from Python 3.14 on
    if not isinstance(kind, Subscripted):
        return NONE if isinstance(kind, (ClassValue, Const)) or _generic(kind) in _WITHOUT else None
    name = _generic(kind)
    if name in _PLAIN:
        return kind.base
    if name in (_UNION, _OPTIONAL):
        return External("typing.Union")
    if name in (_LITERAL, _ANNOTATED):
        return External(f"typing.{name}")
    if name in _BUILTIN:
        return External(f"builtins.{_BUILTIN[name]}")
    return External(f"collections.abc.{name}") if name in _ABSTRACT else None


def _unsettled(run: Run, kind: Value) -> Unknown:
    return run.risky(f"the parts of the type {describe(kind)}", kind)


@library("typing.get_origin", "typing_extensions.get_origin")
def _get_origin(run: Run, arguments: Arguments) -> Value:
    kind = arguments.first
    return _origin(kind) or _unsettled(run, kind)


@library("typing.get_args", "typing_extensions.get_args")
def _get_args(run: Run, arguments: Arguments) -> Value:
    kind = arguments.first
    if _origin(kind) is None:
        return _unsettled(run, kind)
    if isinstance(kind, UnionType):
        found: tuple[Value, ...] | None = _alternatives(kind.options)
    elif not isinstance(kind, Subscripted):
        found = ()
    elif _generic(kind) in (_UNION, _OPTIONAL):
        found = _alternatives((*kind.args, *((NONE_TYPE,) if _generic(kind) == _OPTIONAL else ())))
    elif _generic(kind) == _LITERAL:
        keys = [key_of(item) for item in kind.args]
        found = kind.args if None not in keys and len(set(keys)) == len(keys) else None
    else:
        nested = _generic(kind) == _ANNOTATED and _generic(kind.args[0]) == _ANNOTATED
        found = tuple(map(_as_argument, kind.args)) if not nested else None
    return TupleValue(found) if found is not None else _unsettled(run, kind)


def _as_argument(value: Value) -> Value:
    """``value`` as a type argument: ``None`` stands for its class."""
    return NONE_TYPE if value == NONE else value


def _alternatives(options: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The members of a union; ``None`` if Python may flatten a union inside it, or drop one of two that are equal."""
    found = tuple(map(_as_argument, options))
    nested = any(isinstance(item, UnionType) or _generic(item) in (_UNION, _OPTIONAL) for item in found)
    text = any(isinstance(item, (Const, Unknown)) for item in found)
    several = sum(isinstance(item, Subscripted) for item in found) > 1
    plain = [item for item in found if not isinstance(item, Subscripted)]
    return found if len(set(plain)) == len(plain) > 0 and not nested | text | several else None
