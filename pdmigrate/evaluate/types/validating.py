"""Whether a value has exactly the type of an annotation, so that pydantic keeps it as it is."""

from __future__ import annotations

from datetime import timedelta

import libcst as cst

from pdmigrate.evaluate.core.values import (
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    SdkObject,
    TupleValue,
    Value,
)
from pdmigrate.tree.code.syntax import last_name

_SCALARS = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes, "None": type(None)}
_DICTS = frozenset({"dict", "Dict"})
_LISTS = frozenset({"list", "List"})
_ANYTHING = frozenset({"Any", "object"})
_FUNCTIONS = frozenset({"Callable"})


def fits(node: cst.BaseExpression, value: Value) -> bool:
    """Whether ``value`` is certainly valid for the annotation ``node``, and is kept unchanged.

    Names are judged by their spelling: an annotation that spells a type in another way never fits.
    """
    if isinstance(node, cst.SimpleString):
        text = node.evaluated_value
        return isinstance(text, str) and fits(cst.parse_expression(text), value)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        return fits(node.left, value) or fits(node.right, value)
    if isinstance(node, cst.Subscript):
        return _fits_parts(last_name(node.value), [element.slice for element in node.slice], value)
    name = last_name(node)
    if name in _ANYTHING:
        return True
    if name in _SCALARS:
        return isinstance(value, Const) and type(value.value) is _SCALARS[name]
    if name in _DICTS:
        return type(value) is DictValue and value.kind == "dict"
    if name in _LISTS:
        return isinstance(value, ListValue) and value.kind == "list"
    if name == "tuple":
        return isinstance(value, TupleValue) and not value.fields
    if name in _FUNCTIONS:
        return isinstance(value, FunctionValue)
    return _is_instance(name, value)


def _is_instance(name: str, value: Value) -> bool:
    if isinstance(value, Instance):
        return any(base.name == name for base in value.cls.lineage)
    if isinstance(value, External) and value.is_result:
        return value.name.removesuffix("()").rpartition(".")[2] == name
    if isinstance(value, Const):
        return name == "timedelta" and type(value.value) is timedelta
    return isinstance(value, SdkObject) and value.type.rpartition(".")[2] == name


def _fits_parts(name: str, slices: list[cst.BaseSlice], value: Value) -> bool:
    parts = [part.value for part in slices if isinstance(part, cst.Index)]
    if name in ("Optional", "Union"):
        return any(fits(part, value) for part in parts) or (name == "Optional" and fits(cst.Name("None"), value))
    if name == "Literal":
        return isinstance(value, Const) and any(_is_literal(part, value) for part in parts)
    if name in _LISTS and len(parts) == 1:
        return fits(cst.Name("list"), value) and all(fits(parts[0], item) for item in value.sequence or ())
    if name in _DICTS and len(parts) == 2 and isinstance(value, DictValue) and fits(cst.Name("dict"), value):
        return all(fits(parts[0], e.key) and fits(parts[1], e.value) for e in value.entries.values())
    if name in _FUNCTIONS:
        return isinstance(value, FunctionValue)
    return name in ("type", "Type") and isinstance(value, (ClassValue, Native, External)) and _names_any(parts)


def _names_any(parts: list[cst.BaseExpression]) -> bool:
    return all(last_name(part) in ("Any", "BaseModel") for part in parts)


def _is_literal(node: cst.BaseExpression, value: Const) -> bool:
    if isinstance(node, (cst.SimpleString, cst.Integer)):
        expected = node.evaluated_value
        return type(expected) is type(value.value) and expected == value.value
    return isinstance(node, cst.Name) and node.value == str(value.value) and isinstance(value.value, (bool, type(None)))
