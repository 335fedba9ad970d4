"""Whether a value has exactly the type of an annotation, so that pydantic keeps it as it is."""

from __future__ import annotations

import libcst as cst

from pdmigrate.evaluate.core.operations import type_of
from pdmigrate.evaluate.core.values import Const, TupleValue, Value
from pdmigrate.tree.code.syntax import last_name

_EXACT = {
    **{name: name for name in ("str", "int", "float", "bool", "bytes", "dict", "list")},
    "None": "NoneType",
    "Dict": "dict",
    "List": "list",
}
"""Names in annotations, with the name of the type that their values have."""
_ANYTHING = frozenset({"Any", "object"})


def fits(node: cst.BaseExpression, value: Value) -> bool:
    """Whether ``value`` is certainly valid for the annotation ``node``, and is kept unchanged.

    Names are judged by their spelling: an annotation that spells a type in another way never fits.
    """
    match node:
        case cst.SimpleString():
            text = node.evaluated_value
            return isinstance(text, str) and fits(cst.parse_expression(text), value)
        case cst.BinaryOperation(operator=cst.BitOr()):
            return fits(node.left, value) or fits(node.right, value)
        case cst.Subscript():
            parts = [part.slice.value for part in node.slice if isinstance(part.slice, cst.Index)]
            return _fits_parts(last_name(node.value), parts, value)
    return _fits_name(last_name(node), value)


def _fits_name(name: str, value: Value) -> bool:
    if name in _ANYTHING:
        return True
    if name in _EXACT:
        kind = type_of(value)
        return kind is not None and kind.outer_name.rpartition(".")[2] == _EXACT[name]
    if name == "tuple":
        return isinstance(value, TupleValue) and not value.fields
    if name == "Callable":
        return value.as_function is not None
    return bool(name) and _is_instance(name, value)


def _is_instance(name: str, value: Value) -> bool:
    if (instance := value.as_instance) is not None:
        return any(base.name == name for base in instance.cls.lineage)
    made, kind = value.library_name, type_of(value)
    if not made.endswith("()"):
        made = kind.library_name if kind is not None else ""
    return made.removesuffix("()").rpartition(".")[2] == name


def _fits_parts(name: str, parts: list[cst.BaseExpression], value: Value) -> bool:
    if name in ("Optional", "Union"):
        return any(fits(part, value) for part in parts) or (name == "Optional" and value.is_just(None))
    if name == "Literal":
        return (scalar := value.scalar) is not None and any(_is_literal(part, scalar) for part in parts)
    if name in ("list", "List") and len(parts) == 1:
        return _fits_name("list", value) and all(fits(parts[0], item) for item in value.sequence or ())
    if name in ("dict", "Dict") and len(parts) == 2 and (mapping := value.mapping) is not None:
        entries = mapping.entries.values()
        return _fits_name("dict", value) and all(fits(parts[0], e.key) and fits(parts[1], e.value) for e in entries)
    if name == "Callable":
        return value.as_function is not None
    names_any = name in ("type", "Type") and all(last_name(part) in ("Any", "BaseModel") for part in parts)
    return names_any and (value.as_class is not None or value.outer_name != "")


_SINGLETONS = {"None": None, "True": True, "False": False}


def _is_literal(node: cst.BaseExpression, const: Const) -> bool:
    match node:
        case cst.SimpleString() | cst.Integer():
            expected = node.evaluated_value
            return type(expected) is type(const.value) and expected == const.value
        case cst.Name():
            return node.value in _SINGLETONS and const.is_just(_SINGLETONS[node.value])
    return False
