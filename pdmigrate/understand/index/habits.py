"""What code does to what it did not make: what functions change, what runs unseen, and what may raise."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pdmigrate.understand.index.syntax import FUNCTIONS, bound_names, chain, inside, local_names, walk

OF_FUNCTIONS = {
    *("__doc__", "__name__", "__qualname__", "__module__", "__signature__", "__annotations__", "__wrapped__"),
    *("__defaults__", "__kwdefaults__", "__code__", "__dict__", "?"),
}
"""Attributes of functions whose change shows in a listing; ``?``: any, it is set under a name that is a value."""
OF_TOOLS = {
    *("name", "title", "description", "parameters", "output_schema", "annotations", "icons", "meta", "tags"),
    *("enable", "disable", "enabled", "?"),
}
"""Attributes of the tools that the decorators of some SDKs return, whose change or use shows in a listing."""
_ANNOUNCED = frozenset({"__init__", "__new__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__post_init__"})
"""Methods that run only where their class is named, or where a ``with`` statement stands."""
_PURE = {
    *("len", "str", "repr", "int", "float", "bool", "isinstance", "super", "hash", "tuple", "type", "getattr"),
    *("format", "sorted", "list", "join", "issubclass", "id", "min", "max", "sum", "any", "all"),
}


def is_special(name: str) -> bool:
    """Whether Python may call what has this name where an object is only read, compared or printed."""
    return name.startswith("__") and name.endswith("__") and name not in _ANNOUNCED and name not in OF_FUNCTIONS


def speaks(nodes: Iterable[ast.AST]) -> bool:
    """Whether code of a class may run, and change something, where an object is only read, compared or printed."""
    known = [
        node for node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ImportFrom, ast.Name, ast.Attribute))
    ]
    methods = [node for node in known if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    pure = _PURE - {*bound_names(node for node in known if isinstance(node, (*FUNCTIONS, ast.ImportFrom)))}
    given = (part for node in known if isinstance(node, ast.ClassDef) for part in node.body)
    decorators = {id(each) for node in methods for each in node.decorator_list}
    made = (chain(node) for node in known if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in decorators)
    unseen = any(_runs_unseen(node) and not _is_pure(node, pure) for node in methods)
    return unseen or any(map(_gives_method, given)) or any(name.endswith("property") for name in made)


def _gives_method(part: ast.stmt) -> bool:
    """Whether a class body gets a special method without ``def``, and not another name of one."""
    value = getattr(part, "value", part)
    return (
        not isinstance(value, _NO_METHODS)
        and not is_special(chain(value).rpartition(".")[2])
        and any(map(is_special, bound_names([part])))
    )


_NO_METHODS = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _runs_unseen(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    decorators = map(ast.unparse, node.decorator_list)
    wrapped = any("property" in text or text.endswith((".setter", ".getter", ".deleter")) for text in decorators)
    return wrapped or is_special(node.name)


def _is_pure(function: ast.AST, harmless: set[str]) -> bool:
    parts = walk(function)
    stored = any(
        isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load) for part in parts
    )
    called = (part.func for part in parts if isinstance(part, ast.Call))
    pure = all(getattr(part, "id", getattr(part, "attr", "")) in harmless for part in called)
    impure = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AugAssign, ast.Import, ast.ImportFrom)
    return pure and not stored and not any(isinstance(part, impure) for part in parts)


# --- what functions change: while a server runs, a handler may change what its list is made of ------------------------

_CHANGING = {
    *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "sort", "reverse"),
    *("add", "discard", "difference_update", "intersection_update", "symmetric_difference_update", "appendleft"),
}
"""Methods of containers that change them."""


@dataclass(eq=False)
class Changes:
    """``names`` holds the names of a module, as dotted chains, that code binds anew, or whose values it changes in
    place; ``attributes`` the names of attributes of other objects that it sets, or changes in place.
    """

    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


def changes_of(nodes: Iterable[ast.AST]) -> dict[ast.AST, Changes]:
    """The changes that each function among ``nodes`` makes when it runs."""
    return {node: _changes(node) for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Changes:
    made = Changes()
    own = local_names(function)
    for node in inside(function.body):
        for target in changed_by(node):
            name = chain(target)
            if name and name.partition(".")[0] not in own:
                made.names.add(name)
            if isinstance(target, ast.Attribute) and name.partition(".")[0] in own | {""}:
                made.attributes.add(target.attr)
    return made


def changed_by(node: ast.AST) -> Iterator[ast.expr]:
    """What one piece of code changes: a name, an attribute, or a container."""
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)  # a list changes in place
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield _container(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        yield _container(node.func)


def _container(node: ast.Subscript | ast.Attribute) -> ast.expr:
    """The name or attribute that holds the container of which a part is changed."""
    inner = node.value
    while isinstance(inner, ast.Subscript):
        inner = inner.value
    return inner


_LOADING = frozenset({"import_module", "__import__", "exec", "eval"})
_ALWAYS = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.Delete, ast.For, ast.AsyncFor, ast.AsyncWith)


@lru_cache(maxsize=50_000)
def may_raise(tree: ast.Module, statement: ast.stmt, *, missing: bool) -> bool:
    """Whether a statement at the level of a module may raise, as any may; with ``missing``, an ``ImportError``.

    What a library raises where it is called is taken for no ``ImportError``.
    """
    if not missing:
        return True
    parts = [*_run_by(statement)]
    decorators = (node for part in parts for node in getattr(part, "decorator_list", ()))
    called = {chain(part.func) for part in parts if isinstance(part, ast.Call)} | {*map(chain, decorators)}
    runs_own = any(name in _defined(tree) or name.rpartition(".")[2] in _LOADING for name in called)
    return runs_own or any(isinstance(part, _ALWAYS) for part in parts)


@lru_cache(maxsize=5_000)
def _defined(tree: ast.Module) -> frozenset[str]:
    """The names of functions and classes that may be the program's."""
    own = (node for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ImportFrom)))
    return frozenset(name for node in own for name in bound_names([node]))


def _run_by(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of code that run with it: neither annotations nor the bodies of functions."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or (name == "body" and isinstance(node, FUNCTIONS)):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _run_by(part)
