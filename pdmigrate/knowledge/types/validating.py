"""Whether a value has exactly the type of an annotation, so that pydantic keeps it as it is."""

from __future__ import annotations

import libcst as cst

from pdmigrate.evaluate.core.operations import type_of
from pdmigrate.evaluate.core.values import Value
from pdmigrate.tree.code.syntax import last_name

_EXACT = {
    **{name: name for name in ("str", "int", "float", "bool", "bytes", "dict", "list")},
    "None": "NoneType",
    "Dict": "dict",
    "List": "list",
}
"""Names in annotations, with the name of the type that a value of them has."""
_ANYTHING = frozenset({"Any", "object"})


def fits(node: cst.BaseExpression, value: Value) -> bool:
    """Whether ``value`` is certainly valid for the annotation ``node``, and is kept unchanged.

    Names are judged by their spelling: an annotation that spells a type in another way never fits.
    """
    match node:
        case cst.BinaryOperation(operator=cst.BitOr()):
            return fits(node.left, value) or fits(node.right, value)
        case cst.Subscript():
            parts = [part.slice.value for part in node.slice if isinstance(part.slice, cst.Index)]
            return _fits_parts(last_name(node.value), parts, value)
    name = last_name(node)
    return name in _ANYTHING or (_fits_exactly if name in _EXACT else _is_instance)(name, value)


def _fits_exactly(name: str, value: Value) -> bool:
    kind = type_of(value)
    return kind is not None and kind.outer_name.rpartition(".")[2] == _EXACT[name]


def _is_instance(name: str, value: Value) -> bool:
    if (instance := value.as_instance) is not None:
        return any(base.name == name for base in instance.cls.lineage)
    made, _, called = value.library_name.rpartition("()")
    return bool(made) and not called and made.rpartition(".")[2] == name


def _fits_parts(name: str, parts: list[cst.BaseExpression], value: Value) -> bool:
    if name in ("Optional", "Union"):
        return any(fits(part, value) for part in parts) or (name == "Optional" and value.is_just(None))
    if name in ("list", "List") and len(parts) == 1:
        return _fits_exactly("list", value) and all(fits(parts[0], item) for item in value.sequence or ())
    if name in ("dict", "Dict") and len(parts) == 2 and (mapping := value.mapping) is not None:
        entries = mapping.entries.values()
        return _fits_exactly("dict", value) and all(fits(parts[0], e.key) and fits(parts[1], e.value) for e in entries)
    return name == "Callable" and value.as_function is not None
