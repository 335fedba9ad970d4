"""Walking syntax trees: children without white space, parents, and where each name stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

import libcst as cst

from pdmigrate.evaluate.tree.bodies import Body, Deferred, Parameters

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.usage import Change

_FIELDS: dict[type, tuple[str, ...]] = {}
_NOT_SYNTAX = frozenset(
    {"lpar", "rpar", "leading_lines", "lines_after_decorators", "header", "footer", "comma", "semicolon", "equal",
     "colon", "trailing_whitespace", "lbracket", "rbracket", "lbrace", "rbrace", "indent", "encoding", "dot"}
)  # fmt: skip


def syntax_children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Children that may hold statements or expressions; white space is left out, which is most of a tree."""
    for name in _fields_of(type(node)):
        child = getattr(node, name)
        kind = type(child)
        if kind in _SEQUENCES:
            for item in child:
                if _is_node(type(item)):
                    yield item
        elif _is_node(kind):
            yield child


_SEQUENCES = frozenset({list, tuple, Body, Parameters})
_NODES: dict[type, bool] = {}


def _is_node(kind: type) -> bool:
    """Remembered: nodes have an abstract base class, for which ``isinstance`` is slow."""
    known = _NODES.get(kind)
    if known is None:
        known = _NODES[kind] = issubclass(kind, cst.CSTNode)
    return known


def _fields_of(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        names = [name for name in kind.__dataclass_fields__ if name not in _NOT_SYNTAX and "whitespace" not in name]
        _FIELDS[kind] = tuple(names)
    return _FIELDS[kind]


Key = tuple[int, ...]
"""The place of a node in the order of the source; what stands in a body comes after the body's own place."""
Kept = TypeVar("Kept", bound=cst.CSTNode)


class Outline:
    """The parent of every node, and every place where a name or attribute is written.

    What is parsed later, and nobody looked into, is parsed for a question when it holds a word of it.
    """

    def __init__(self, root: cst.Module) -> None:
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        """Of the nodes that were parsed: who has a node has its parents."""
        self.names = Names(self)
        self.stores: dict[str, list[tuple[cst.Name, cst.Attribute]]] = {}
        """Where ``something.name`` is assigned, for the names that somebody asked for (``usage.py``)."""
        self._bound: dict[str, list[cst.Name]] = {}
        self._changed: dict[str, list[cst.Name]] = {}
        self.changes: dict[str, list[Change]] = {}
        """Where a name of the module is changed in place, likewise."""
        self.bindings: dict[str, int] = {}
        """How often a name is bound, for those that annotations mention (``signatures.py``)."""
        self._imported: dict[str, bool] = {}
        self._waiting: dict[Deferred[Any], Key] = {}
        self._names: dict[str, list[tuple[Key, cst.Name]]] = {}
        self._others: dict[type, list[tuple[Key, cst.CSTNode]]] = {}
        self._walk(root, ())

    @cached_property
    def calls(self) -> list[cst.Call]:
        self.look_into(lambda _: True)
        return self._in_order(cst.Call)

    @cached_property
    def imports(self) -> list[cst.ImportFrom | cst.Import]:
        self.look_into(lambda body: "import" in body.words)
        return self._in_order(cst.ImportFrom, cst.Import)

    @cached_property
    def classes(self) -> list[cst.ClassDef]:
        self.look_into(lambda body: "class" in body.words)
        return self._in_order(cst.ClassDef)

    @cached_property
    def globals(self) -> dict[str, list[cst.Global]]:
        """Names in ``global`` statements, with the statement."""
        self.look_into(lambda body: "global" in body.words)
        found: dict[str, list[cst.Global]] = {}
        for statement in self._in_order(cst.Global):
            for item in statement.names:
                found.setdefault(item.name.value, []).append(statement)
        return found

    def imports_name(self, name: str) -> bool:
        """Whether a ``from module import name`` statement names it."""
        known = self._imported.get(name)
        if known is None:
            nodes = self.named(name, lambda body: "import" in body.words)
            above = (self.parents.get(node) for node in nodes)
            known = self._imported[name] = any(
                isinstance(alias, cst.ImportAlias) and self._is_from(alias, name) for alias in above
            )
        return known

    def _is_from(self, alias: cst.ImportAlias, name: str) -> bool:
        named = isinstance(alias.name, cst.Name) and alias.name.value == name
        return named and isinstance(self.parents.get(alias), cst.ImportFrom)

    def calls_of(self, names: Collection[str]) -> Iterator[cst.Call]:
        """The calls of something whose last name is one of ``names``, subscripts apart, in source order."""
        self.look_into(lambda body: not body.words.isdisjoint(names))
        for call in self._in_order(cst.Call):
            function = call.func.value if isinstance(call.func, cst.Subscript) else call.func
            if last_name(function) in names:
                yield call

    def named(self, name: str, wanted: Callable[[Deferred[Any]], bool] = lambda _: True) -> list[cst.Name]:
        """Where a name is written, in source order; in a body that is not ``wanted`` it may be left out."""
        self.look_into(lambda body: name in body.words and wanted(body))
        found = self._names.get(name)
        if found is None:
            return []
        found.sort(key=itemgetter(0))
        return [node for _, node in found]

    def bound(self, name: str) -> list[cst.Name]:
        """Where a name is written, at least all places where it is bound."""
        known = self._bound.get(name)
        if known is None:
            known = self._bound[name] = self.named(name, lambda body: body.may_bind(name))
        return known

    def changed(self, name: str) -> list[cst.Name]:
        """Where a name is written, at least all places where it or its value is changed."""
        known = self._changed.get(name)
        if known is None:
            known = self._changed[name] = self.named(name, lambda body: body.may_change(name))
        return known

    def look_into(self, wanted: Callable[[Deferred[Any]], bool]) -> None:
        """Parse that of which something is wanted, and what is in it."""
        chosen = [later for later in self._waiting if wanted(later)]
        while chosen:
            for later in chosen:
                _ = later.items
            chosen = [later for later in self._waiting if wanted(later)]

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around ``node``, the innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def functions_above(self, node: cst.CSTNode) -> Iterator[cst.FunctionDef | cst.Lambda]:
        # By their types: ``isinstance`` is slow with an abstract base class, and most nodes are something else.
        functions = (item for item in self.above(node) if type(item) in _FUNCTIONS)
        return cast("Iterator[cst.FunctionDef | cst.Lambda]", functions)

    def _in_order(self, *kinds: type[Kept]) -> list[Kept]:
        found = [pair for kind in kinds for pair in self._others.get(kind, ())]
        found.sort(key=itemgetter(0))
        return [cast("Kept", node) for _, node in found]

    def _adopt(self, later: Deferred[Any]) -> None:
        """Note what was parsed just now."""
        self._walk(later.holder, self._waiting.pop(later))

    def _walk(self, root: cst.CSTNode, prefix: Key) -> None:
        """Walk over what is below ``root``, in source order."""
        parents, names, others = self.parents, self._names, self._others
        stack: list[cst.CSTNode] = [root]
        number = 0
        while stack:
            node = stack.pop()
            kind = type(node)
            number += 1
            if type(node) is cst.Name:
                names.setdefault(node.value, []).append(((*prefix, number), node))
            elif kind in _KEPT:
                others.setdefault(kind, []).append(((*prefix, number), node))
            children = self._children(node, (*prefix, number))
            for child in children:
                parents[child] = node
            children.reverse()
            stack += children

    def _children(self, node: cst.CSTNode, key: Key) -> list[cst.CSTNode]:
        held = node.body if type(node) is cst.IndentedBlock else node.params if type(node) is cst.Parameters else None
        # By their types: ``isinstance`` is slow with an abstract base class, and most is no such sequence.
        if (type(held) is Body or type(held) is Parameters) and held.parsed is None:
            # It is all that its holder holds, so that its places are after everything before.
            self._waiting[held] = key
            held.seen = self._adopt
            return []
        return list(syntax_children(node))


_FUNCTIONS = frozenset({cst.FunctionDef, cst.Lambda})
_KEPT = frozenset({cst.Call, cst.ImportFrom, cst.Import, cst.ClassDef, cst.Global})


class Names:
    """Where every name is written, looked up by the name."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._known: dict[str, list[cst.Name]] = {}

    def __getitem__(self, name: str) -> list[cst.Name]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._outline.named(name)
        return known

    def get(self, name: str, default: Sequence[cst.Name] = ()) -> Sequence[cst.Name]:
        return self[name] or default

    def __contains__(self, name: str) -> bool:
        return bool(self[name])


def says_postponed(root: cst.Module) -> bool:
    """Whether a module says ``from __future__ import annotations``, which stands on its outermost level."""
    lines = [line.body for line in root.body if type(line) is cst.SimpleStatementLine]
    return any(
        isinstance(statement, cst.ImportFrom)
        and statement.module is not None
        and last_name(statement.module) == "__future__"
        and not isinstance(statement.names, cst.ImportStar)
        and any(last_name(alias.name) == "annotations" for alias in statement.names)
        for line in lines
        for statement in line
    )


def outline(root: cst.Module) -> Outline:
    return Outline(root)


def last_name(node: cst.CSTNode) -> str:
    """The last identifier of a dotted expression; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def dotted(node: cst.BaseExpression) -> str:
    if type(node) is cst.Attribute:
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if type(node) is cst.Name else ""
