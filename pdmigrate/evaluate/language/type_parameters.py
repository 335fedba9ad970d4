"""Type parameters in brackets after a name, and ``type`` statements.

The types that they define are represented like results of the calls that make such types: ``typing.TypeVar("T")``.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from pdmigrate.evaluate.core.frames import Frame
from pdmigrate.evaluate.core.values import Arguments, External, Origin, Scope, TupleValue, Value, const

ALIASES = frozenset({"typing.TypeAliasType()", "typing_extensions.TypeAliasType()"})


@dataclass(slots=True, eq=False)
class LazyType(Value):
    """The type in a ``type`` statement, or the bound or default of a type parameter: evaluated only when needed."""

    node: cst.BaseExpression
    scope: Scope


def makes_type(value: Value) -> bool:
    """Whether a value is the result of a call that makes an alias, which takes type arguments of its own."""
    return value.library_name in ALIASES


def parameter_scope(parameters: cst.TypeParameters | None, frame: Frame) -> tuple[Scope, tuple[External, ...]]:
    """The scope of ``[T, ...]`` after a name, and its type variables; the scope of ``frame`` if there are none."""
    outer = frame.scope
    if parameters is None:
        return outer, ()
    scope = Scope(kind="function", parent=outer.parent if outer.kind == "class" else outer, module=frame.module)
    if outer.kind == "class":
        # Bounds and values in ``[T, ...]`` see the names of a class body, unlike the functions in the body.
        scope.names.update(outer.names)
    made = {item.param.name.value: _variable(item, scope, frame) for item in parameters.params}
    scope.names.update(made)
    return scope, tuple(made.values())


def _variable(item: cst.TypeParam, scope: Scope, frame: Frame) -> External:
    node = item.param
    keywords: dict[str, Value] = {}
    bounds: tuple[Value, ...] = ()
    if isinstance(node, cst.TypeVar) and isinstance(node.bound, cst.Tuple):
        bounds = tuple(LazyType(element.value, scope) for element in node.bound.elements)
    elif isinstance(node, cst.TypeVar) and node.bound is not None:
        keywords["bound"] = LazyType(node.bound, scope)
    if item.default is not None:
        keywords["default"] = LazyType(item.default, scope)
    kind = type(node).__name__
    place = frame.place(item)
    arguments = Arguments((const(node.name.value), *bounds), keywords, None, place)
    return External(f"typing.{kind}()", arguments, origin=Origin(f"type parameter {node.name.value}", place))


def alias_of(node: cst.TypeAlias, frame: Frame) -> External:
    """The value to which ``type Name[T] = ...`` binds its name."""
    scope, parameters = parameter_scope(node.type_parameters, frame)
    place = frame.place(node)
    arguments = Arguments(
        (const(node.name.value), LazyType(node.value, scope)), {"type_params": TupleValue(parameters)}, None, place
    )
    return External("typing.TypeAliasType()", arguments, origin=Origin(f"type {node.name.value}", place))
