"""Types of ``typing`` that are equal although their parts are in another order: the first one written is kept.

``typing`` caches its subscripted forms by their arguments, and unions and literals are equal in any order.  So
``Optional[list[str] | str]`` is ``Optional[str | list[str]]`` where the program wrote the latter before, and a schema
lists ``str`` first.  The cache has 128 entries, which libraries fill, too, so the order of such types is not known.
Source: ``typing._tp_cache`` of CPython 3.10 to 3.14.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.units import chain
from pdmigrate.understand.values.containers import ListValue
from pdmigrate.understand.values.core import Const, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue
from pdmigrate.understand.values.outside import Subscripted, UnionType, external_name


def in_another_order(run: Run, value: Subscripted) -> Unknown | None:
    """Why the order in a type of ``typing`` is not known: the program writes the same words in another order."""
    if not any(map(_has_alternatives, value.args)):
        return None
    words = _words(_text(value))
    for loaded in list(run.program.loaded.values()):
        for others, text in _written(loaded.module).get(tuple(sorted(words)), {}).items():
            if others != words:
                return run.unsettled(f"typing keeps one order for types that are equal, and {text} is written, too")
    return None


def _has_alternatives(value: Value) -> bool:
    return isinstance(value, UnionType) or (
        isinstance(value, Subscripted)
        and (_text(value.base) in ("Union", "Optional", "Literal") or any(map(_has_alternatives, value.args)))
    )


def _text(value: Value) -> str:
    """A type as source writes it, with the last part of each name."""
    if isinstance(value, Subscripted):
        return f"{_text(value.base)}[{', '.join(map(_text, value.args))}]"
    if isinstance(value, (UnionType, ListValue)):
        return " | ".join(map(_text, value.options if isinstance(value, UnionType) else value.data))
    if isinstance(value, Const):
        return repr(value.value)
    return value.name if isinstance(value, ClassValue) else external_name(value).rpartition(".")[2]


Words = tuple[str, ...]


def _words(text: str) -> Words:
    return tuple(word for word in re.findall(r"\w+\b(?!\.)", text) if word != "Union")


@lru_cache(maxsize=1_000)
def _written(module: Module) -> dict[Words, dict[Words, str]]:
    """The types that a module writes with names of ``typing``, by their words: sorted, and as written."""
    found: dict[Words, dict[Words, str]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Name):
            name = chain(node.value).rpartition(".")[2]
            if name[:1].isupper() and name != "Literal":
                words = _words(text := ast.unparse(node))
                found.setdefault(tuple(sorted(words)), {})[words] = text
    return found
