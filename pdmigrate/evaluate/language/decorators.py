"""Decorators of functions and classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.operations import call, evaluate
from pdmigrate.evaluate.core.values import ClassValue, External, FunctionValue, UnknownValue, Value, const
from pdmigrate.evaluate.language.descriptors import ABSTRACT

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


def decorate(run: Interpreter, value: Value, decorators: Sequence[cst.Decorator], frame: Frame) -> Value:
    """Apply decorators, the last one first."""
    if len(decorators) == 1:
        setter = _property_setter(decorators[0].decorator, value, frame)
        if setter is not None:
            return setter
    applied = [evaluate(run, decorator.decorator, frame) for decorator in decorators]
    for node, decorator in zip(reversed(decorators), reversed(applied), strict=True):
        value = apply_decorator(run, decorator, value, frame, node)
    return value


def _property_setter(node: cst.BaseExpression, value: Value, frame: Frame) -> Value | None:
    """``@name.setter`` (``deleter``, ``getter``): the property, with its setter noted; ``None`` for others."""
    if type(node) is not cst.Attribute or node.attr.value not in ("setter", "deleter", "getter"):
        return None
    if not isinstance(node.value, cst.Name) or not isinstance(value, FunctionValue):
        return None
    current = frame.scope.names.get(node.value.value)
    if not isinstance(current, FunctionValue) or current.kind != "property":
        return None
    if node.attr.value == "setter":
        current.names["fset"] = value
    return current


_KINDS = {"staticmethod": "static", "classmethod": "class", "property": "property"}
TRANSPARENT = frozenset(
    {
        "abc.abstractmethod",
        "typing.override",
        "typing.final",
        "typing.overload",
        "typing.no_type_check",
        "typing.runtime_checkable",
        "typing_extensions.override",
        "typing_extensions.final",
        "typing_extensions.runtime_checkable",
        "pydantic.validate_call",
        "pydantic.validate_call()",
        "functools.total_ordering",
        "enum.unique",
        "atexit.register",
    }
)
"""Decorators that are taken to return the decorated object as it is."""


NOTED = frozenset({"typing_extensions.deprecated()", "warnings.deprecated()", "pydantic.with_config()"})
"""Decorators that change only the schema of a class; making the schema reads them from source."""


def apply_decorator(run: Interpreter, decorator: Value, value: Value, frame: Frame, node: cst.Decorator) -> Value:
    """``decorator(value)``"""
    name = decorator.outer_name
    if isinstance(value, FunctionValue):
        if name in _KINDS:
            value.kind = _KINDS[name]
            return value
        if name in ("functools.cached_property", "abc.abstractproperty"):
            value.kind = "property"
            value.names["cached"] = const(True)
            return value
        if "validator" in name or (name.startswith("pydantic.") and "serializer" in name):
            value.names["validator"] = const(name)
            return value
    if name == "abc.abstractmethod" and isinstance(value, FunctionValue):
        value.names[ABSTRACT] = const(True)
    if name in TRANSPARENT:
        return value
    if isinstance(value, ClassValue):
        return _of_class(run, decorator, value, frame, node)
    if isinstance(decorator, UnknownValue):
        return UnknownValue(
            f"it is decorated by something not known: {decorator.reason}", decorator.code, decorator.place
        )
    return call(run, decorator, (value,), place=frame.place(node))


def _of_class(run: Interpreter, decorator: Value, value: ClassValue, frame: Frame, node: cst.Decorator) -> Value:
    if isinstance(decorator, UnknownValue):
        value.opaque = decorator
        return value
    if decorator.library_name in NOTED:
        return value
    if isinstance(decorator, External):
        reason = f"{value.name} is decorated by {decorator.name}, outside the package"
        value.opaque = reasons.unknown(reasons.OUTSIDE, reason, frame.place(node))
        return value
    return call(run, decorator, (value,), place=frame.place(node))
