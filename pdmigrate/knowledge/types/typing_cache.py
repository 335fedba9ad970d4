"""Types of ``typing`` that are equal although their parts are in another order: the first one written is kept.

``typing`` caches its subscripted forms by their arguments, and unions and literals are equal in any order.  So
``Optional[list[str] | str]`` is ``Optional[str | list[str]]`` where the program wrote the latter before, and a schema
lists ``str`` first.  The cache has 128 entries, which libraries fill, too, so the order of such types is not known.
Source: ``typing._tp_cache`` of CPython 3.10 to 3.14.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Subscripted, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import UnknownValue

Shape = tuple["Shape", ...] | str
"""A type as nested tuples, each with its head first: ``("Optional", ("|", "str", ("list", "str")))``."""
Spellings = dict[str, frozenset[str]]
"""Types without the order of their unions, each with the orders in which it is written."""

UNION, LITERAL = "|", "Literal"
_UNORDERED = (UNION, LITERAL)
LARGEST = 4_000
"""The most parts of a type that are compared: a type that shares parts may have far more than its source spells."""
_CACHED = re.compile(
    r"\b(?:Annotated|Callable|ClassVar|Deque|Dict|Final|FrozenSet|Generator|Iterable|Iterator|List|Mapping|Optional"
    r"|Sequence|Set|Tuple|Type|Union)\["
)
_ALTERNATIVES = re.compile(r"\||\b(?:Union|Optional|Literal)\[")


def in_another_order(run: Interpreter, value: Subscripted) -> UnknownValue | None:
    """Why the order in a type is not known: the program writes an equal type in another order; else ``None``."""
    if not value.generic.startswith("typing."):
        return None
    name = value.generic.removeprefix("typing.")
    if value.written_as_operator or name == LITERAL:
        return None
    if _size(value, LARGEST) > LARGEST:
        return reasons.unknown(reasons.BUDGET, f"a type of more than {LARGEST:,} parts")
    shape = (name, *map(_of_value, value.args))
    if not any(map(_has_alternatives, shape[1:])):
        return None
    written = _text(shape, ordered=True)
    unordered = _text(shape, ordered=False)
    others = {text for known in _of_program(run) for text in known.get(unordered, ())} - {written}
    if not others:
        return None
    reason = f"typing keeps one order for types that are equal, and {min(others)} is written, too"
    return reasons.unknown(reasons.UNSUPPORTED, reason)


def _of_program(run: Interpreter) -> Iterator[Spellings]:
    """The spellings in each module that the program has imported."""
    return (_spellings(executed.module.source.text) for executed in run.modules.values())


@lru_cache(maxsize=512)
def _spellings(text: str) -> Spellings:
    if not _CACHED.search(text) or not _ALTERNATIVES.search(text):
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {}  # libcst also reads files for a newer Python: their spellings are not known
    found = defaultdict[str, set[str]](set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            shape = (_name(node.value), *map(_of_syntax, _elements(node.slice)))
            if shape[0] != LITERAL and any(map(_has_alternatives, shape[1:])):
                found[_text(shape, ordered=False)].add(_text(shape, ordered=True))
    return {key: frozenset(texts) for key, texts in found.items()}


# --- shapes -----------------------------------------------------------------------------------------------------------


def _size(value: Value, most: int) -> int:
    """The number of parts of a type, counted until there are more than ``most``."""
    count, stack = 0, [value]
    while stack and count <= most:
        count += 1
        item = stack.pop()
        stack += item.args if isinstance(item, Subscripted) else ()
    return count


def _of_value(value: Value) -> Shape:
    if isinstance(value, Subscripted):
        return _joined(_of_value(value.base), tuple(map(_of_value, value.args)))
    name = value.as_class.name if value.as_class is not None else value.outer_name
    if name:
        return name.rpartition(".")[2]
    if value.sequence is not None:
        return ("[]", *map(_of_value, value.sequence))
    return repr(value.scalar.value) if value.scalar is not None else "..."


def _of_syntax(node: ast.expr) -> Shape:
    match node:
        case ast.BinOp(op=ast.BitOr()):
            return _joined("Union", (_of_syntax(node.left), _of_syntax(node.right)))
        case ast.Subscript():
            return _joined(_name(node.value), tuple(map(_of_syntax, _elements(node.slice))))
        case ast.List() | ast.Tuple():
            return ("[]", *map(_of_syntax, node.elts))
        case ast.Constant() if node.value is not ...:
            return repr(node.value)
    return _name(node)


def _joined(name: Shape, parts: tuple[Shape, ...]) -> Shape:
    """``name[parts]``; unions are flat, and ``Optional`` is one of them."""
    if name not in ("Union", "Optional"):
        return (name if isinstance(name, str) else "?", *parts)
    flat = (inner for part in parts for inner in (part[1:] if part[0] == UNION else (part,)))
    return (UNION, *flat, *(("None",) if name == "Optional" else ()))


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _name(node: ast.expr) -> str:
    return getattr(node, "id", None) or getattr(node, "attr", None) or "..."


def _has_alternatives(shape: Shape) -> bool:
    return not isinstance(shape, str) and (
        (shape[0] in _UNORDERED and len(shape) > 2) or any(map(_has_alternatives, shape[1:]))
    )


def _text(shape: Shape, *, ordered: bool) -> str:
    if isinstance(shape, str):
        return shape
    head, *parts = shape
    texts = [_text(part, ordered=ordered) for part in parts]
    if head in _UNORDERED and not ordered:
        texts.sort()
    return " | ".join(texts) if head == UNION else f"{head}[{', '.join(texts)}]"
