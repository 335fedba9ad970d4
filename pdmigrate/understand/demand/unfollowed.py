"""Code of the program that runs without being followed: operators of its objects, callbacks, calls given up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pdmigrate.understand.demand.run import ANY_NAME, HANDED, SETTERS, RaisedError, Run
from pdmigrate.understand.demand.scopes import find, put
from pdmigrate.understand.index.syntax import walk
from pdmigrate.understand.values.calls import BoundMethod, Partial
from pdmigrate.understand.values.containers import DictValue, Followed, ListValue, Mutable, SetValue, View
from pdmigrate.understand.values.core import MUTATED, OUTSIDE, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value, unsettled
from pdmigrate.understand.values.journal import parts_of, reachable
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope
from pdmigrate.understand.values.outside import Called, External, ModuleValue

KEYS = frozenset({"__hash__", "__eq__"})
TRUTH = frozenset({"__bool__", "__len__"})
TEXT = frozenset({"__str__", "__repr__", "__format__"})
ITEMS = frozenset({"__getitem__", "__setitem__", "__delitem__", "__missing__", "__iter__", "__contains__", "__len__"})
COMPARED = KEYS | ITEMS | {"__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
_SIGNS = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or")
ARITHMETIC = frozenset(
    f"__{prefix}{sign}__" for sign in (*_SIGNS, "xor", "neg", "pos", "invert", "abs") for prefix in ("", "r", "i")
)


def operated(run: Run, methods: frozenset[str], *values: Value) -> None:
    """An operator sees these values: methods of their classes may run that are not followed."""
    if not run.program.names.speaks or run.spoken.isdisjoint(methods | {ANY_NAME}):
        return
    inner = [item for value in values for item in _parts(value)]
    classes = [item.cls if isinstance(item, Instance) else item for item in inner]
    found = [
        cls
        for cls in classes
        if isinstance(cls, ClassValue)
        and (cls.refused is not None or any(methods & base.data.keys() for base in cls.classes))
    ]
    if found:
        lose(run, [*found, *values], run.risky(f"an operator of {found[0].name}"))


def _parts(value: Value) -> list[Value]:
    if isinstance(value, AnyOf):
        return [*value.options, *reachable([value])]
    return [value, *reachable([value])] if isinstance(value, (Mutable, View)) else []


def handed(run: Run, values: list[Value], why: Unknown) -> None:
    """A library that is not followed may call the functions that it gets.

    Where their code may tell a server something, that is seen by the names of its methods (``unseen.py``).
    """
    code: list[Value] = []
    seen: set[int] = set()
    stack = [*values]
    while stack:
        value = bare_value(stack.pop())
        if id(value) in seen or isinstance(value, Followed):
            continue
        seen.add(id(value))
        if isinstance(value, ModuleValue):
            run.program.reflecting.add(value.module.path)
        if isinstance(value, (*CODE, Instance)) or (isinstance(value, ClassValue) and value.outside):
            code.append(value)
        else:
            stack += behind(value)
    lose(run, code, why, spared=(Followed,), later=True)


def lose(run: Run, values: list[Value], why: Unknown, spared: tuple[type, ...] = (), *, later: bool = False) -> None:
    """Forget all that the code of these functions and classes, and all code that it names, may change, or ``later``."""
    seen: set[int] = set()
    held: list[Value] = []
    reached: dict[Mutable, None] = {}
    stack = [*values]
    while stack or held:
        if not stack:
            found, held = reachable(held), []
            stack = [item.cls for item in found if isinstance(item, Instance)]
            reached |= dict.fromkeys(found)
            continue
        value = bare_value(stack.pop())
        if id(value) in seen or isinstance(value, spared):
            continue
        seen.add(id(value))
        if isinstance(value, (FunctionValue, ClassValue)):
            stack += _of_code(run, value, why, later=later)
        elif isinstance(value, Mutable):
            held.append(value)
            stack += [item for item in map(bare_value, behind(value)) if isinstance(item, (*CODE, AnyOf))]
        else:
            stack += behind(value)
    for item in reached:
        if not isinstance(item, (FunctionValue, ClassValue, Scope, *spared)) and not is_fixed(item):
            run.journal.blur(item, why)


CODE = (FunctionValue, BoundMethod, Partial)
"""The classes of values that run code of the program when they are called."""


def behind(value: Value) -> Iterable[Value]:
    """The values that whoever gets this value may get or call with it."""
    function = (value.function,) if isinstance(value, (BoundMethod, Partial)) else ()
    return () if isinstance(value, Instance) else (*function, *parts_of(value))


def is_fixed(item: Mutable) -> bool:
    """Whether an object is a member of an enumeration, or one that derives from a value of Python."""
    return isinstance(item, Instance) and (item.inside is not None or item.cls.kind == "enum")


def _of_code(run: Run, value: FunctionValue | ClassValue, why: Unknown, *, later: bool) -> Iterator[Value]:
    """The values that code names; what it binds in scopes around it is forgotten."""
    if isinstance(value, FunctionValue):
        yield from (*value.data.values(), *value.defaults, *value.keyword_defaults.values())
    else:
        named = any(_names_settings(loaded.module.tree) for loaded in run.program.loaded.values())
        fixed = () if named else (_SETTINGS,)
        yield from (part for base in value.classes for name, part in base.data.items() if name not in fixed)
        yield from value.classes[1:]
        for name in value.data.keys() & run.program.names.changed:
            run.journal.touch(value)
            value.data[name] = unsettled(why, value.data[name])
    scope, node = value.scope, value.node
    names, outer = _named(node) if node is not None else ((), frozenset())
    known: dict[str, Value | None] = run.memory.setdefault(("met", value, run.program.position), {})
    run.step(len(names))
    if later:
        run.program.kept |= {(scope.module.path, name): (why, name in outer) for name in names}
    for name in names:
        if name not in known or name in outer:
            known[name] = met(run, name, scope)
        found = known[name]
        if found is not None and name in outer:
            put(run, name, unsettled(why, found), Scope("function", scope.module, scope, node))
        if found is not None:
            yield found


_SETTINGS = "model_config"
"""The settings of a pydantic model, which a program seldom reaches for once the class is made."""


@lru_cache(maxsize=5_000)
def _names_settings(tree: ast.Module) -> bool:
    """Whether any code of a module names the settings of a model outside the body of a class."""
    return any(_SETTINGS in (getattr(part, "attr", ""), getattr(part, "value", "")) for part in walk(tree))


def met(run: Run, name: str, scope: Scope) -> Value | None:
    """The value of a name that the program binds; ``None`` if it is not bound."""
    try:
        return find(run, name, scope)
    except RaisedError:
        return None


@lru_cache(maxsize=5_000)
def _named(node: ast.AST) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names that code uses, and those of them that it binds in scopes around it."""
    parts = walk(node)
    outer = [name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names]
    return tuple(dict.fromkeys([*outer, *(part.id for part in parts if isinstance(part, ast.Name))])), frozenset(outer)


def called(run: Run, value: Unknown) -> None:
    """A value is called, or changed, that may be a function or an object of the program."""
    options = value.options if isinstance(value, AnyOf) else ()
    held = reachable(item for item in options if isinstance(item, (ListValue, TupleValue, DictValue, SetValue, View)))
    code: list[Value] = [item for item in held if isinstance(item, FunctionValue)]
    code += [item for item in options if isinstance(item, CODE) or (isinstance(item, ClassValue) and item.refused)]
    if code:
        lose(run, code, value)


def _stored(run: Run, value: External | Called, _name: str, new: Value) -> None:
    """An attribute of what is a library's is set: the library may call what it gets."""
    said = value.name if isinstance(value, External) else value.callee
    run.risk |= said.startswith("builtins.")  # most of these take none
    why = run.unsettled(f"it is an attribute of {said}", OUTSIDE)
    run.disturb([new], why)
    handed(run, [new], why)
    # What a library makes of a function or a class may be that itself: ``copy.copy(function)``, ``inspect.unwrap``.
    for given in map(bare_value, (*value.args, *dict(value.kwargs).values()) if isinstance(value, Called) else ()):
        if isinstance(given, (FunctionValue, ClassValue)):
            run.journal.blur(given, run.unsettled(f"an attribute of what {said}() returns is set", MUTATED))


HANDED.append(handed)
SETTERS[External] = SETTERS[Called] = _stored
