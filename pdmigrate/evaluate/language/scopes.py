"""Reading and binding names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import bound_choice
from pdmigrate.evaluate.core.natives import BUILTINS
from pdmigrate.evaluate.core.usage import changed_elsewhere
from pdmigrate.evaluate.core.values import (
    Choice,
    Const,
    External,
    Namespace,
    Origin,
    Place,
    Scope,
    Unbound,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.local_names import local_names

if TYPE_CHECKING:
    import libcst as cst

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
    return None if isinstance(value, (Unbound, Choice)) else value


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
                return _one_of(value, name, frame.place(node)) if isinstance(value, (Unbound, Choice)) else value
            if scope.rest is not None:
                return scope.rest
            if scope.node is not None and name in _locals(run, scope.node):
                return _not_yet(run, name, frame.place(node))
        scope, first = scope.parent, False
    if run.patched.names and f"builtins.{name}" in run.patched.names:
        return patched(run, f"builtins.{name}")
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin
    if name in _EXCEPTIONS:
        return exception_class(name)
    unknown = reasons.unknown(
        reasons.UNSUPPORTED, f"the name {name} is not bound by anything the evaluator follows", frame.place(node)
    )
    run.risk(unknown)
    if name == "__builtins__":
        run.doubt = run.doubt or unknown  # code can reach exec() through it by any name
    return unknown


def executing_builtin(name: str) -> Value | None:
    """``exec``, ``eval`` or ``__import__`` under its full name (``builtins.exec``); ``None`` for other names."""
    module, _, last = name.rpartition(".")
    return BUILTINS[last] if module == "builtins" and last in ("exec", "eval", "__import__") else None


def _locals(run: Interpreter, node: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    known = run.locals.get(node)
    if known is None:
        known = run.locals[node] = local_names(node)
    return known


def _not_yet(run: Interpreter, name: str, place: Place) -> UnknownValue:
    unknown = reasons.unknown(reasons.FAILS, f"{name} is a name of the function that nothing has bound so far", place)
    run.risk(unknown)
    return unknown


def _one_of(value: Unbound | Choice, name: str, place: Place) -> Value:
    """The value of a name that is bound only under a condition, or to one of two values."""
    if isinstance(value, Choice):
        return bound_choice(value, name, place)
    return reasons.unknown(reasons.CONDITION, f"{name} is bound only under a condition that is not known", place)


def patched(run: Interpreter, name: str) -> Value:
    """The value to which the program has bound a name of a library."""
    value = run.patched.names[name]
    if isinstance(value, Unbound):
        return reasons.unknown(reasons.CONDITION, f"{name} is replaced under a condition that is not known")
    return bound_choice(value, name, None) if isinstance(value, Choice) else value


def bind(run: Interpreter, frame: Frame, name: str, value: Value, place: Place) -> None:
    """``name = value`` in ``frame``; the origin of a module's or class's constant records its name."""
    name = mangled(frame, name)
    scope = frame.scope.redirected.get(name, frame.scope)
    if isinstance(value, Const) and scope.kind != "function":
        value = Const(value.value, origin=Origin(f"constant {name}", place, (value.origin,) if value.origin else ()))
    run.trail.touch(scope)
    run.trail.note(name)
    scope.names[name] = value


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


_EXCEPTIONS = frozenset(
    name
    for name, kind in vars(__import__("builtins")).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)


def exception_class(name: str) -> Value:
    return External(f"builtins.{name}")
