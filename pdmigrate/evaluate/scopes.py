"""Reading and binding names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.values import Choice, Const, Namespace, Origin, Place, Scope, Unbound, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter


def look_up(run: Interpreter, frame: Frame, name: str, place: Place) -> Value:
    """The value of ``name`` as code in ``frame`` sees it."""
    from pdmigrate.evaluate.builtin_functions import BUILTINS

    scope: Scope | None = frame.scope.redirected.get(name, frame.scope)
    first = True
    while scope is not None:
        if first or scope.kind != "class":
            scope = scope.redirected.get(name, scope)
            value = scope.names.get(name)
            if value is not None:
                return _read(run, scope, name, value, place)
            if scope.rest is not None:
                return scope.rest
        scope, first = scope.parent, False
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin
    if name in _EXCEPTIONS:
        return exception_class(name)
    return reasons.unknown(
        reasons.UNSUPPORTED, f"the name {name} is not bound by anything the evaluator follows", place
    )


def _read(run: Interpreter, scope: Scope, name: str, value: Value, place: Place) -> Value:
    if scope.kind == "module":
        from pdmigrate.evaluate.usage import changed_elsewhere

        elsewhere = changed_elsewhere(run, scope, name)
        if elsewhere is not None:
            return elsewhere
    if isinstance(value, Unbound):
        return reasons.unknown(reasons.CONDITION, f"{name} is bound only under a condition that is not known", place)
    if isinstance(value, Choice):
        return bound_choice(value, name, place)
    return value


def bound_choice(value: Choice, name: str, place: Place | None) -> Value:
    if isinstance(value.first, Unbound) or isinstance(value.second, Unbound):
        guard = value.guard.inverse() if isinstance(value.first, Unbound) else value.guard
        return reasons.unknown(value.guard.unknown.code, f"{name} is bound {guard}", place)
    return value


def bind(run: Interpreter, frame: Frame, name: str, value: Value, place: Place) -> None:
    """``name = value`` in ``frame``; a constant of a module or class remembers that it was one."""
    scope = frame.scope.redirected.get(name, frame.scope)
    if isinstance(value, Const) and scope.kind != "function":
        value = Const(value.value, origin=Origin(f"constant {name}", place, (value.origin,) if value.origin else ()))
    run.trail.touch(scope)
    run.trail.note(name)
    scope.names[name] = value


def set_in(run: Interpreter, namespace: Namespace, name: str, value: Value) -> None:
    run.trail.touch(namespace)
    namespace.names[name] = value


_EXCEPTIONS = frozenset(
    name
    for name, kind in vars(__import__("builtins")).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)


def exception_class(name: str) -> Value:
    from pdmigrate.evaluate.values import External

    return External(f"builtins.{name}")


def first_unknown(*values: Value) -> UnknownValue | None:
    """The first of ``values`` that is not known."""
    for value in values:
        if isinstance(value, UnknownValue):
            return value
        if isinstance(value, Choice):
            return choice_unknown(value)
    return None


def choice_unknown(value: Choice) -> UnknownValue:
    """What stands for one of two values where neither alone will do."""
    from pdmigrate.evaluate.aliasing import leading_to

    unknown = value.guard.unknown
    depends = UnknownValue(
        f"it depends on {value.guard.question}: {unknown.root}", unknown.code, unknown.place, cause=unknown.root
    )
    return leading_to(depends, value.first, value.second)
