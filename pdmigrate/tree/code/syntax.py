"""Walking syntax trees: children without white space, parents, and where each name stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, cast

import libcst as cst

from pdmigrate.tree.code.bodies import Body, Deferred, Parameters

_FIELDS: dict[type, tuple[str, ...]] = {}
_NOT_SYNTAX = frozenset(
    {"lpar", "rpar", "leading_lines", "lines_after_decorators", "header", "footer", "comma", "semicolon", "equal",
     "colon", "trailing_whitespace", "lbracket", "rbracket", "lbrace", "rbrace", "indent", "encoding", "dot"}
)  # fmt: skip


def syntax_children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The children that may hold statements or expressions; white space, which is most of a tree, is left out."""
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
    """Whether a type is a kind of node; cached, since nodes have an abstract base class, which makes checks slow."""
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
"""The place of a node in source order; the keys of nodes inside a deferred body begin with the body's own key."""
Kept = TypeVar("Kept", bound=cst.CSTNode)


class Change(NamedTuple):
    """A node in a function that changes a value: ``adds`` if old content stays, ``item`` if an item is set by key."""

    node: cst.CSTNode
    function: cst.CSTNode
    adds: bool
    item: bool


class Outline:
    """The parent of every node, and every occurrence of a name or attribute.

    A deferred part that is not parsed yet is parsed for a question only if it contains a word of the question.
    """

    def __init__(self, root: cst.Module) -> None:
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        """The parent of every node that was parsed so far."""
        self.names = Names(self)
        self.stores: dict[str, list[tuple[cst.Name, cst.Attribute]]] = {}
        """Where an attribute ``name`` of any object is assigned, for the names asked about so far (``usage.py``)."""
        self._bound: dict[str, list[cst.Name]] = {}
        self._changed: dict[str, list[cst.Name]] = {}
        self.changes: dict[str, list[Change]] = {}
        """Where a module-level name is changed in place, for the names asked about so far (``usage.py``)."""
        self.bindings: dict[str, int] = {}
        """How often a name is bound, for names that annotations mention (``signatures.py``)."""
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
        """The names in ``global`` statements, each with its statements."""
        self.look_into(lambda body: "global" in body.words)
        found: dict[str, list[cst.Global]] = {}
        for statement in self._in_order(cst.Global):
            for item in statement.names:
                found.setdefault(item.name.value, []).append(statement)
        return found

    def imports_name(self, name: str) -> bool:
        """Whether a ``from module import name`` statement imports ``name``."""
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
        """The calls of functions whose last name is one of ``names``, subscripts ignored, in source order."""
        self.look_into(lambda body: not body.words.isdisjoint(names))
        for call in self._in_order(cst.Call):
            function = call.func.value if isinstance(call.func, cst.Subscript) else call.func
            if last_name(function) in names:
                yield call

    def named(self, name: str, wanted: Callable[[Deferred[Any]], bool] = lambda _: True) -> list[cst.Name]:
        """The occurrences of a name, in source order; those in a body that is not ``wanted`` may be missing."""
        self.look_into(lambda body: name in body.words and wanted(body))
        found = self._names.get(name)
        if found is None:
            return []
        found.sort(key=itemgetter(0))
        return [node for _, node in found]

    def bound(self, name: str) -> list[cst.Name]:
        """Occurrences of a name, among them all that bind it."""
        known = self._bound.get(name)
        if known is None:
            known = self._bound[name] = self.named(name, lambda body: body.may_bind(name))
        return known

    def changed(self, name: str) -> list[cst.Name]:
        """Occurrences of a name, among them all that change it or its value."""
        known = self._changed.get(name)
        if known is None:
            known = self._changed[name] = self.named(name, lambda body: body.may_change(name))
        return known

    def look_into(self, wanted: Callable[[Deferred[Any]], bool]) -> None:
        """Parse the deferred parts that are ``wanted``, and those inside them."""
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

    def around(self, node: cst.CSTNode, *kinds: type[Kept]) -> Iterator[Kept]:
        """The nodes of these kinds around ``node``, the innermost first."""
        return (item for item in self.above(node) if isinstance(item, kinds))

    def functions_above(self, node: cst.CSTNode) -> Iterator[cst.FunctionDef | cst.Lambda]:
        # Compared by type: ``isinstance`` is slow with an abstract base class, and most nodes are no functions.
        functions = (item for item in self.above(node) if type(item) in _FUNCTIONS)
        return cast("Iterator[cst.FunctionDef | cst.Lambda]", functions)

    def _in_order(self, *kinds: type[Kept]) -> list[Kept]:
        found = [pair for kind in kinds for pair in self._others.get(kind, ())]
        found.sort(key=itemgetter(0))
        return [cast("Kept", node) for _, node in found]

    def _adopt(self, later: Deferred[Any]) -> None:
        """Record the nodes of a deferred part that was just parsed."""
        self._walk(later.holder, self._waiting.pop(later))

    def _walk(self, root: cst.CSTNode, prefix: Key) -> None:
        """Record the nodes below ``root``, in source order."""
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
        # Compared by type: ``isinstance`` is slow with an abstract base class, and most nodes hold no such sequence.
        if (type(held) is Body or type(held) is Parameters) and held.parsed is None:
            # The keys of its nodes will begin with the holder's, which keeps the order: the holder holds nothing else.
            self._waiting[held] = key
            held.seen = self._adopt
            return []
        return list(syntax_children(node))


_FUNCTIONS = frozenset({cst.FunctionDef, cst.Lambda})
_KEPT = frozenset({cst.Call, cst.ImportFrom, cst.Import, cst.ClassDef, cst.Global})


class Names:
    """The occurrences of every name, looked up on demand."""

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
    """Whether a module has ``from __future__ import annotations``, which must stand at its top level."""
    lines = [line.body for line in root.body if type(line) is cst.SimpleStatementLine]
    return any(map(_postpones, chain.from_iterable(lines)))


def _postpones(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.ImportFrom(module=cst.Name(value="__future__"), names=[*names]):
            return any(last_name(alias.name) == "annotations" for alias in names)
    return False


def outline(root: cst.Module) -> Outline:
    return Outline(root)


def own_nodes(block: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A block and all nodes inside it, except those inside the definitions that it holds."""
    stack = [block]
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in _DEFINITIONS:
            stack += syntax_children(node)


_DEFINITIONS = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})


def last_name(node: cst.CSTNode) -> str:
    """The last identifier of a dotted expression; empty for anything else."""
    match node:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
    return ""


def imported_aliases(outline: Outline) -> Iterator[tuple[cst.ImportFrom, cst.ImportAlias, str]]:
    """The names in ``from module import name`` statements, each with its statement and the name that it binds."""
    for node in outline.imports:
        match node:
            case cst.ImportFrom(names=[*names]):
                for alias in names:
                    yield node, alias, last_name(alias.asname.name if alias.asname is not None else alias.name)


def assigned(statement: cst.CSTNode | None) -> tuple[list[cst.BaseExpression], cst.BaseExpression | None]:
    """The targets of an assignment, and its value; no targets for any other statement."""
    match statement:
        case cst.Assign(targets=targets, value=value):
            return [item.target for item in targets], value
        case cst.AnnAssign(target=target, value=value):
            return [target], value
    return [], None


def dotted(node: cst.BaseExpression) -> str:
    if type(node) is cst.Attribute:
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if type(node) is cst.Name else ""
