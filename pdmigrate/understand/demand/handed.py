"""Functions that a library gets which is not followed: it may call them, and what they change is not known then."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pdmigrate.understand.demand.later import own_names
from pdmigrate.understand.demand.run import HANDED, SETTERS, Run
from pdmigrate.understand.demand.scopes import put, set_global
from pdmigrate.understand.demand.unfollowed import behind, is_fixed, lose, met
from pdmigrate.understand.index.habits import changed_by
from pdmigrate.understand.index.syntax import FUNCTIONS, chain, children, parameters_of, walk
from pdmigrate.understand.values.core import MUTATED, OUTSIDE, Const, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import BoundMethod, ClassValue, FunctionValue, Instance, Named, Partial, Scope
from pdmigrate.understand.values.outside import Called, External, ModuleValue


def handed(run: Run, values: list[Value], why: Unknown) -> None:
    """Forget what the functions among ``values``, and those of the program that they call, store.

    Where that takes too long to find, all that their code names is forgotten.
    """
    code = _Code(run, why)
    try:
        code.follow(values)
    except _TooMuchError:
        lose(run, [*code.functions, *values], why)


def _stored(run: Run, value: External | Called, _name: str, new: Value) -> None:
    said = value.name if isinstance(value, External) else value.callee
    why = run.unsettled(f"it is an attribute of {said}", OUTSIDE)
    run.disturb([new], why)
    handed(run, [new], why)
    # What a library makes of a function or a class may be that itself: ``copy.copy(function)``, ``inspect.unwrap``.
    for given in map(bare_value, (*value.args, *dict(value.kwargs).values()) if isinstance(value, Called) else ()):
        if isinstance(given, (FunctionValue, ClassValue)):
            run.journal.blur(given, run.unsettled(f"an attribute of what {said}() returns is set", MUTATED))


HANDED.append(handed)
SETTERS[External] = SETTERS[Called] = _stored


_MOST = 50_000
"""The values that are looked at for one call of a library: a tenth of a second."""


class _TooMuchError(Exception):
    """What functions store takes too long to find."""


@dataclass(frozen=True)
class _Body:
    """What the code of a function does, nested functions included.

    ``changed`` holds attributes that are set, and what gives containers that are changed in place; ``outer`` the names
    that are bound in scopes around it.
    """

    changed: tuple[ast.expr, ...]
    calls: tuple[ast.Call, ...]
    loaded: frozenset[str]
    outer: frozenset[str]
    parameters: frozenset[str]
    origins: dict[str, list[ast.expr]]
    """The expressions that names are bound to, or that they go through."""
    returned: tuple[ast.expr, ...]


_RETURNED = "return"


@lru_cache(maxsize=5_000)
def _body(node: ast.AST) -> _Body:
    parts = walk(node)
    outer = frozenset(name for item in parts if isinstance(item, (ast.Global, ast.Nonlocal)) for name in item.names)
    calls = [item for item in parts if isinstance(item, ast.Call)]
    setters = [item.args[0] for item in calls if chain(item.func) in ("setattr", "delattr") and item.args]
    stored = [target for item in parts for target in changed_by(item)]
    bound = (item for item in stored if not isinstance(item, ast.Name) or isinstance(item.ctx, ast.Load))
    origins: dict[str, list[ast.expr]] = {}
    for target, value in _bindings(parts):
        for name in walk(target):
            if isinstance(name, ast.Name):
                origins.setdefault(name.id, []).append(value)
    returned = [item.value for item in parts if isinstance(item, (ast.Return, ast.Yield, ast.YieldFrom)) and item.value]
    return _Body(
        (*bound, *setters),
        tuple(calls),
        frozenset(item.id for item in parts if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load)),
        outer,
        frozenset(given.arg for item in parts if isinstance(item, FUNCTIONS) for given in parameters_of(item)),
        origins,
        (*returned, *([node.body] if isinstance(node, ast.Lambda) else ())),
    )


_PARTS = (ast.expr, ast.keyword, ast.comprehension)
_NO_OBJECTS = (ast.Lambda, ast.Constant, ast.JoinedStr, ast.Compare)


@lru_cache(maxsize=50_000)
def _inner(node: ast.AST) -> tuple[ast.AST, ...]:
    """The parts of an expression that may give an object of the program."""
    parts = () if isinstance(node, _NO_OBJECTS) else children(node)
    return tuple(part for part in parts if isinstance(part, _PARTS) and not isinstance(part, _NO_OBJECTS))


def _bindings(parts: list[ast.AST]) -> Iterator[tuple[ast.AST, ast.expr]]:
    for item in parts:
        if isinstance(item, ast.Assign):
            yield from ((target, item.value) for target in item.targets)
        elif isinstance(item, (ast.AnnAssign, ast.NamedExpr)) and item.value is not None:
            yield item.target, item.value
        elif isinstance(item, (ast.For, ast.AsyncFor, ast.comprehension)):
            yield item.target, item.iter
        elif isinstance(item, ast.withitem) and item.optional_vars is not None:
            yield item.optional_vars, item.context_expr


def _methods(cls: ClassValue) -> list[Value]:
    return [item for base in cls.classes for item in base.data.values() if isinstance(item, FunctionValue)]


class _Code:
    """The functions that may run, what they are given (values, or expressions of their callers), and what they change.

    What a function stores is found without carrying it out, so that no condition and no order counts.
    """

    def __init__(self, run: Run, why: Unknown) -> None:
        self.run, self.why = run, why
        self.functions: dict[FunctionValue, None] = {}
        self.given: dict[ast.AST, dict[int, Value | tuple[ast.expr, FunctionValue]]] = {}
        self.known: dict[tuple[FunctionValue, str], dict[int, Value]] = {}
        """What names of functions may mean, and what they may return, as far as it has been found."""
        self.done: set[tuple[FunctionValue, str]] = set()
        self.looked = 0
        self.grown = True
        """Whether the last round has found anything; names may depend on each other in a circle."""

    def _look(self) -> None:
        self.looked += 1
        if self.looked > _MOST:
            raise _TooMuchError

    def _add(self, function: FunctionValue) -> None:
        self.grown |= function not in self.functions
        self.functions[function] = None

    def _functions(self, values: list[Value]) -> Iterator[FunctionValue]:
        """The functions that whoever has got these values may call."""
        seen: set[int] = set()
        stack = [*values]
        while stack:
            value = bare_value(stack.pop())
            if id(value) in seen:
                continue
            seen.add(id(value))
            self._look()
            if isinstance(value, FunctionValue):
                yield value
            elif isinstance(value, ClassValue) and (self.functions or value.outside):
                stack += _methods(value)
            elif isinstance(value, Instance):
                stack += _methods(value.cls)
            elif isinstance(value, BoundMethod) and isinstance(value.function, FunctionValue):
                self._give(value.function, value.receiver)
                stack.append(value.function)
            else:
                stack += behind(value)

    def _give(self, function: FunctionValue, *given: Value | tuple[ast.expr, FunctionValue]) -> None:
        known = self.given.setdefault(function.node, {})
        before = len(known)
        known.update({id(item[0]) if isinstance(item, tuple) else id(item): item for item in given})
        self.grown |= len(known) > before

    def follow(self, values: list[Value]) -> None:
        for function in [*self._functions(values)]:
            self._give(function, *values)
            self._add(function)
        while self.grown and self.functions:
            self.grown = False
            self.done.clear()
            for function in [*self.functions]:
                self._called(function)
        for function in self.functions:
            body = _body(function.node)
            inside = Scope("function", function.module, function.scope, function.node)
            for name in body.outer:
                found = met(self.run, name, function.scope)
                if found is not None:
                    put(self.run, name, unsettled(self.why, found), inside)
            for target in body.changed:
                self._change(target, function)

    def _called(self, function: FunctionValue) -> None:
        body = _body(function.node)
        self.run.step(len(body.calls) + len(body.loaded))
        own = own_names(function.node)
        found = [item for name in body.loaded - own for item in self._named(name, function)]
        for call in body.calls:
            arguments = [*call.args, *(item.value for item in call.keywords)]
            receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            given = [(item, function) for item in (*receiver, *arguments)]
            for value in [*self._functions(self._objects(call.func, function))]:
                self._give(value, *given)
                self._add(value)
            inner = isinstance(call.func, ast.Name) and call.func.id in own
            if inner or any(isinstance(item, ast.Lambda) for item in arguments):
                self._give(function, *given)  # a nested function may get it
            handed_on = (item for item in arguments if isinstance(item, ast.Attribute))
            found += [item for part in handed_on for item in self._objects(part, function)]
        kinds = (FunctionValue, ClassValue, BoundMethod, Partial, AnyOf)
        for named in [*self._functions([item for item in found if isinstance(item, kinds)])]:
            self._add(named)

    def _objects(self, node: ast.AST, function: FunctionValue) -> list[Value]:
        """The objects that an expression may give, or hand on a part of."""
        if isinstance(node, ast.Name):
            return self._named(node.id, function)
        if isinstance(node, ast.Attribute):
            return [self._attribute(value, node.attr) for value in self._objects(node.value, function)]
        found = [item for child in _inner(node) for item in self._objects(child, function)]
        if isinstance(node, ast.Call):
            called = (item for item in self._objects(node.func, function) if isinstance(item, FunctionValue))
            found += [item for inner in called for item in self._named(_RETURNED, inner)]
        return found

    def _named(self, name: str, function: FunctionValue) -> list[Value]:
        known = self.known.setdefault((function, name), {})
        if (function, name) not in self.done:
            self.done.add((function, name))
            self.run.step()
            before = len(known)
            for value in self._bound(name, function):
                self._look()
                if not isinstance(value, (Const, Unknown, External)):
                    known[id(value)] = value
            self.grown |= len(known) > before
        return [*known.values()]

    def _bound(self, name: str, function: FunctionValue) -> Iterator[Value]:
        """What a name of a function may mean, or what it may return."""
        body = _body(function.node)
        for origin in body.returned if name == _RETURNED else body.origins.get(name, ()):
            yield from self._objects(origin, function)
        for given in [*self.given.get(function.node, {}).values()] if name in body.parameters else ():
            if isinstance(given, Value):
                yield given
            else:
                yield from self._objects(given[0], given[1])
        found = met(self.run, name, function.scope) if name not in own_names(function.node) else None
        if found is not None:
            value = bare_value(found)
            yield from value.options if isinstance(value, AnyOf) else (value,)

    def _attribute(self, value: Value, name: str) -> Value:
        """An attribute of an object; the object itself if the attribute is not known."""
        found: Value | None = None
        if isinstance(value, ModuleValue):
            found = self.run.program.read(value.module.path, name)
        elif isinstance(value, ClassValue):
            found = value.find(name)
        elif isinstance(value, Instance):
            found = value.data.get(name) or value.cls.find(name)
        return bare_value(found) if found is not None else value

    def _change(self, target: ast.expr, function: FunctionValue) -> None:
        attribute = target if isinstance(target, ast.Attribute) and not isinstance(target.ctx, ast.Load) else None
        root = target if attribute is None else attribute.value
        for value in self._objects(root, function):
            if attribute is not None and isinstance(value, (Named, ModuleValue)):
                self._set(value, attribute.attr)
            if attribute is None or not isinstance(value, (Named, ModuleValue)) or self._is_part(root, function):
                for item in reachable([value]):
                    if not isinstance(item, (FunctionValue, ClassValue, Scope)) and not is_fixed(item):
                        self.run.journal.blur(item, self.why)

    def _is_part(self, node: ast.AST, function: FunctionValue) -> bool:
        """Whether an expression may give a part of an object only."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return True
        body = _body(function.node)
        return node.id in body.origins or (node.id in body.parameters and node.id != "self")

    def _set(self, value: Named | ModuleValue, name: str) -> None:
        if isinstance(value, ModuleValue):
            loaded = self.run.program.loaded.get(value.module.path)
            found = self.run.program.read(value.module.path, name)
            if loaded is not None and found is not None:
                set_global(self.run, loaded.scope, name, unsettled(self.why, found))
            return
        self.run.journal.touch(value)
        value.data[name] = unsettled(self.why, *([value.data[name]] if name in value.data else ()))
