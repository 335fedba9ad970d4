"""Reading and binding names, and which names a function binds itself."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import bound
from pdmigrate.evaluate.core.natives import BUILTINS
from pdmigrate.evaluate.core.usage import changed_elsewhere
from pdmigrate.evaluate.core.values import Const, External, Namespace, Origin, Place, Scope, Value
from pdmigrate.tree.code.syntax import dotted, syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


def mangled(frame: Frame, name: str) -> str:
    """``name`` as Python stores it: ``__name`` in a class becomes ``_Class__name``."""
    if name.startswith("__") and not name.endswith("__") and frame.scope.private:
        return f"_{frame.scope.private.lstrip('_')}{name}"
    return name


def own_value(frame: Frame, name: str) -> Value | None:
    """The result of ``look_up`` in the usual case, a local name bound to one value; ``None`` in any other case."""
    scope = frame.scope
    if scope.kind != "function" or scope.redirected or name.startswith("__"):
        return None
    value = scope.names.get(name)
    return value if value is not None and value.is_bound else None


def look_up(run: Interpreter, frame: Frame, name: str, node: cst.CSTNode) -> Value:
    """The value of ``name`` at ``node``, which is code in ``frame``."""
    name = mangled(frame, name)
    scope: Scope | None = frame.scope.redirected.get(name, frame.scope)
    first = True
    while scope is not None:
        if first or scope.kind != "class":
            if scope.redirected:
                scope = scope.redirected.get(name, scope)
            value = scope.names.get(name)
            if value is not None:
                if scope.kind == "module":
                    value = changed_elsewhere(run, scope, name) or value
                return value if value.is_bound else _bound_in(run, scope, name, value, frame.place(node))
            if scope.rest is not None:
                return scope.rest
            if scope.node is not None and name in _locals(run, scope.node):
                reason = f"{name} is a name of the function that nothing has bound so far"
                unknown = reasons.unknown(reasons.FAILS, reason, frame.place(node))
                run.risk(unknown)
                return unknown
        scope, first = scope.parent, False
    if run.patched.names and f"builtins.{name}" in run.patched.names:
        return patched(run, f"builtins.{name}")
    if name in BUILTINS:
        return BUILTINS[name]
    if name in EXCEPTIONS:
        return External(f"builtins.{name}")
    reason = f"the name {name} is not bound by anything the evaluator follows"
    unknown = reasons.unknown(reasons.UNSUPPORTED, reason, frame.place(node))
    run.risk(unknown)
    if name == "__builtins__":
        run.doubt = run.doubt or unknown  # code can reach exec() through it by any name
    return unknown


def _bound_in(run: Interpreter, scope: Scope, name: str, value: Value, place: Place) -> Value:
    """The value of a name that ``scope`` may not bind: Python looks further for it, but not from a function."""
    elsewhere = scope.kind == "class" or (scope.kind == "module" and hasattr(builtins, name))
    return bound(run, value, name, place, fails=not elsewhere)


def executing_builtin(name: str) -> Value | None:
    """``exec``, ``eval`` or ``__import__`` under its full name (``builtins.exec``); ``None`` for other names."""
    module, _, last = name.rpartition(".")
    return BUILTINS[last] if module == "builtins" and last in ("exec", "eval", "__import__") else None


def _locals(run: Interpreter, node: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    known = run.remembered.locals.get(node)
    if known is None:
        known = run.remembered.locals[node] = local_names(node)
    return known


def patched(run: Interpreter, name: str) -> Value:
    """The value to which the program has bound a name of a library."""
    return bound(run, run.patched.names[name], name, None, fails=False)


def named(value: Value, text: str, place: Place) -> Value:
    """A constant under another name, which its origin records as ``text``; any other value as it is."""
    known = value.scalar
    return Const(known.value, origin=Origin(text, place, value.sources)) if known is not None else value


def bind(run: Interpreter, frame: Frame, name: str, value: Value, place: Place) -> None:
    """``name = value`` in ``frame``; the origin of a module's or class's constant records its name."""
    name = mangled(frame, name)
    scope = frame.scope.redirected.get(name, frame.scope)
    if scope.kind != "function":
        value = named(value, f"constant {name}", place)
    run.trail.note(name)
    set_in(run, scope, name, value)


def unbind(run: Interpreter, frame: Frame, name: str) -> None:
    """``del name``"""
    name = mangled(frame, name)
    scope = frame.scope.redirected.get(name, frame.scope)
    run.trail.touch(scope)
    run.trail.note(name)
    scope.names.pop(name, None)


def set_in(run: Interpreter, namespace: Namespace, name: str, value: Value) -> None:
    run.trail.touch(namespace)
    namespace.names[name] = value


EXCEPTIONS = frozenset(
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
)
"""The names of the built-in exceptions."""


# --- the names that a function binds: until it has bound one, Python looks for that name nowhere else -----------------


def local_names(node: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    """The names that the body of a function binds, without those that functions and classes inside it bind."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    stack: list[cst.CSTNode] = [node.body] if isinstance(node, cst.FunctionDef) else []
    while stack:
        item = stack.pop()
        kind = type(item)  # this runs for every node below a function, and ``isinstance`` is slow for nodes
        if kind in _BINDING:
            (elsewhere if kind in _DECLARING else found).update(_BINDING[kind](item))
        if kind not in _CLOSED:
            stack += _inside(item)
    return frozenset(found - elsewhere)


def _inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The children of ``node``, without a comprehension's target, which is bound in a scope of its own."""
    children = syntax_children(node)
    return (child for child in children if child is not node.target) if type(node) is cst.CompFor else children


def _targets(node: cst.BaseExpression | None) -> Iterator[str]:
    match node:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _targets(element.value)


_CLOSED = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})
"""Nodes that bind the names inside them in a scope of their own."""
_DECLARING = frozenset({cst.Global, cst.Nonlocal})
_BINDING: dict[type, Callable[[Any], Iterable[str]]] = {
    **dict.fromkeys(
        (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.Del),
        lambda node: _targets(node.target),
    ),
    **dict.fromkeys((cst.AsName, cst.MatchAs, cst.MatchStar), lambda node: _targets(node.name)),
    **dict.fromkeys((cst.FunctionDef, cst.ClassDef), lambda node: (node.name.value,)),
    **dict.fromkeys(_DECLARING, lambda node: [item.name.value for item in node.names]),
    cst.ImportAlias: lambda node: () if node.asname is not None else (dotted(node.name).partition(".")[0],),
}
"""The names that a node binds, or declares to be bound elsewhere; nodes inside it are looked at on their own."""
