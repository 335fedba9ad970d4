"""Types that are equal although their alternatives are in another order: the first one written is kept.

``typing`` caches its subscripted forms, and ``|`` with one of them, by their arguments, and unions and literals are
equal in any order.  So ``Optional[list[str] | str]`` is ``Optional[str | list[str]]`` where the program wrote that
before, and a schema lists ``str`` first.  fastmcp keeps what it makes of a result by its type in the same way.  The
cache of ``typing`` has 128 entries, which libraries fill, too, so the order of such types is not known.
Source: ``typing._tp_cache`` of CPython 3.10 to 3.13, ``get_cached_typeadapter`` of fastmcp 2.10 to 4.2.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pdmigrate.sdk.schemas import specs
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.syntax import chain, children, walk
from pdmigrate.understand.values.core import Unknown
from pdmigrate.understand.values.objects import ClassValue
from pdmigrate.understand.values.outside import Called, Subscripted, UnionType, external_name


def in_another_order(run: Run, types: Iterable[specs.ValueSpec]) -> Unknown | None:
    """Why the order in types that something keeps is not known: the program writes it otherwise, too."""
    for words in map(tuple, map(_words, _alternatives(types))):
        for loaded in list(run.program.loaded.values()):
            for others, text in _written(loaded.module).get(tuple(sorted(words)), {}).items():
                if others != words:
                    return run.unsettled(f"one order is kept for types that are equal, and {text} is written, too")
    return None


def kept(value: Subscripted | UnionType, made: specs.TypeSpec) -> Iterable[specs.ValueSpec]:
    """The parts of a type by which ``typing``, or pydantic for a generic model, takes it for another one."""
    if isinstance(made, specs.UnionSpec) and isinstance(value, UnionType):
        if not any(isinstance(option, Called) or _is_of_typing(option) for option in value.options):
            return ()
        return (made,) if len(made.options) > 2 else made.options  # all but the last are one type
    if isinstance(value, UnionType) or not (_is_of_typing(value) or isinstance(value.base, ClassValue)):
        return ()
    metadata = made.metadata if isinstance(made, specs.AnnotatedSpec) else ()
    if any(isinstance(item, specs.CallValue) and item.callee == "pydantic.Field" for item in metadata):
        return ()  # each Field is another, so no type annotated with one equals another type
    return _inside(made)


def _is_of_typing(value: object) -> bool:
    return isinstance(value, Subscripted) and external_name(value.base).startswith(("typing.", "typing_extensions."))


def _inside(made: specs.ValueSpec) -> Iterable[specs.ValueSpec]:
    if isinstance(made, specs.AnnotatedSpec):
        return (made.base,)
    if isinstance(made, specs.UnionSpec):
        return made.options
    return made.args if isinstance(made, specs.SubscriptSpec) else ()


def _alternatives(types: Iterable[specs.ValueSpec]) -> Iterator[specs.ValueSpec]:
    for item in types:
        if isinstance(item, (specs.UnionSpec, specs.LiteralSpec)):
            yield item
        yield from _alternatives(_inside(item))


Words = tuple[str, ...]


def _words(made: specs.ValueSpec) -> list[str]:
    """The names and literals of a type in their order."""
    if isinstance(made, specs.LiteralSpec):
        return ["Literal", *(word for item in made.values for word in _words(item))]
    if isinstance(made, specs.SubscriptSpec):
        return [*_words(made.base), *(word for item in made.args for word in _words(item))]
    if parts := _inside(made):
        return _none_last(word for item in parts for word in _words(item))
    if isinstance(made, specs.PlainValue):
        return [repr(made.value)]
    return [getattr(made, "name", "").rpartition(".")[2]]


def _none_last(words: Iterable[str]) -> list[str]:
    """Wherever ``None`` stands in a union, pydantic lists ``null`` last."""
    return sorted(words, key="None".__eq__)


@lru_cache(maxsize=1_000)
def _written(module: Module) -> dict[Words, dict[Words, str]]:
    """The alternatives that a module writes, by their words: sorted, and as written.

    Those of an annotation count where a form of ``typing`` is around them: nothing keeps a plain one.
    """
    found: dict[Words, dict[Words, str]] = {}
    stack: list[tuple[ast.AST, bool]] = [(module.tree, True)]
    while stack:
        node, counts = stack.pop()
        form, union = _form(node), isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
        counts |= union and any(_form(part) not in _PLAIN for part in walk(node))
        if counts and (union or form in _ALTERNATIVES):
            words = tuple(_spelled(node))
            found.setdefault(tuple(sorted(words)), {})[words] = ast.unparse(node)
        parsed = _parsed(node) if isinstance(node, ast.Constant) else None
        inner = counts or form not in ("Literal", *_PLAIN)
        plain = node.annotation if isinstance(node, (ast.arg, ast.AnnAssign)) else None
        stack += [(parsed, True)] if parsed is not None else []
        stack += [(child, inner and child is not plain) for child in children(node)]
    return found


_PLAIN = ("", "list", "dict", "set", "frozenset", "tuple", "type")
"""What is subscripted and keeps nothing; no name: no subscript."""
_ALTERNATIVES = ("Union", "Optional", "Literal")
_TRANSPARENT = ("Union", "Optional", "Annotated")


def _form(node: ast.AST) -> str:
    return chain(node.value).rpartition(".")[2] if isinstance(node, ast.Subscript) else ""


def _parsed(node: ast.Constant) -> ast.expr | None:
    """The alternatives that a text means as an annotation."""
    text = node.value
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z][\w\s.,|\[\]'\"-]{0,300}[\w\]]", text):
        return None
    try:
        return ast.parse(text, mode="eval").body if "|" in text or "[" in text else None
    except SyntaxError:
        return None


def _spelled(node: ast.AST) -> list[str]:
    """The same as ``_words`` of an annotation as it is written."""
    if isinstance(node, ast.BinOp):
        return _none_last([*_spelled(node.left), *_spelled(node.right)])
    if isinstance(node, (ast.Tuple, ast.List)):
        return [word for item in node.elts for word in _spelled(item)]
    if isinstance(node, ast.Subscript):
        form, inner = _form(node), node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if form == "Literal":
            return [form, *map(_literal, inner)]
        if form == "Annotated":
            inner = inner[:1]
        words = [word for item in inner for word in _spelled(item)]
        if form not in _TRANSPARENT:
            return [form, *words]
        return _none_last([*words, *(["None"] if form == "Optional" else [])])
    parsed = _parsed(node) if isinstance(node, ast.Constant) else None
    return [_literal(node)] if parsed is None else _spelled(parsed)


def _literal(node: ast.AST) -> str:
    return repr(node.value) if isinstance(node, ast.Constant) else chain(node).rpartition(".")[2] or ast.unparse(node)
