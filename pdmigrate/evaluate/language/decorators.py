"""Decorators of functions and classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.operations import call, evaluate
from pdmigrate.evaluate.core.values import ABSTRACT, UnknownValue, Value, const

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


def decorate(run: Interpreter, value: Value, decorators: Sequence[cst.Decorator], frame: Frame) -> Value:
    """Apply decorators, the last one first."""
    applied = [evaluate(run, decorator.decorator, frame) for decorator in decorators]
    for node, decorator in zip(reversed(decorators), reversed(applied), strict=True):
        value = apply_decorator(run, decorator, value, frame, node)
    return value


_KINDS = {"staticmethod": "static", "classmethod": "class", "property": "property"}
_TYPING = ("final", "no_type_check", "overload", "override", "runtime_checkable")
TRANSPARENT = frozenset(
    {"abc.abstractmethod", "atexit.register", "enum.unique", "functools.total_ordering"}
    | {"pydantic.validate_call", "pydantic.validate_call()"}
    | {f"{module}.{name}" for module in ("typing", "typing_extensions") for name in _TYPING}
)
"""Decorators that are taken to return the decorated object as it is."""


NOTED = frozenset({"typing_extensions.deprecated()", "warnings.deprecated()", "pydantic.with_config()"})
"""Decorators that change only the schema of a class; they are read from source when the schema is made."""


def apply_decorator(run: Interpreter, decorator: Value, value: Value, frame: Frame, node: cst.Decorator) -> Value:
    """``decorator(value)``"""
    name, function, cls = decorator.outer_name, value.as_function, value.as_class
    if function is not None:
        if name in _KINDS:
            function.kind = _KINDS[name]
            return value
        if name in ("functools.cached_property", "abc.abstractproperty"):
            function.kind = "property"
            function.names["cached"] = const(True)
            return value
        if "validator" in name or (name.startswith("pydantic.") and "serializer" in name):
            function.names["validator"] = const(name)
            return value
        if name == "abc.abstractmethod":
            function.names[ABSTRACT] = const(True)
    if name in TRANSPARENT:
        return value
    unknown = decorator.as_unknown
    if cls is None:
        if unknown is None:
            return call(run, decorator, (value,), place=frame.place(node))
        return UnknownValue(f"an unknown decorator is applied to it: {unknown.reason}", unknown.code, unknown.place)
    if unknown is None and decorator.library_name == "":
        return call(run, decorator, (value,), place=frame.place(node))
    if decorator.library_name not in NOTED:
        reason = f"{cls.name} is decorated by {decorator.library_name}, outside the package"
        cls.opaque = unknown or reasons.unknown(reasons.OUTSIDE, reason, frame.place(node))
    return value
