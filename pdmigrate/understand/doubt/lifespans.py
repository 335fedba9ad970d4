"""What a server's lifespan does to its tools: it runs after all is registered, and before the first request."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pdmigrate.model import Site
from pdmigrate.understand.doubt.model import Doubt
from pdmigrate.understand.doubt.naming import MODULE, PART, SERVER, File, Names, lifespans, texts

_ANYWHERE = frozenset({"remove_tool", "add_tool", "add_tool_transformation", "import_server"})
_OF_A_SERVER = frozenset({"tool", "mount", "disable", "enable", "add_provider", "add_transform", "add_middleware"})
_ADDING = frozenset({"add_tool", "tool"})
_HIDING = frozenset({"remove_tool", "disable", "enable"})
_DEEPEST = 3
"""How many calls of the program's functions are followed from a lifespan."""


def by_lifespans(names: Names) -> Iterator[Doubt]:
    """The places where code that a lifespan reaches registers, removes or hides tools."""
    for file in names.files.values():
        for value in lifespans(file):
            for words in _named(value):
                yield from _in(names, words, set(), _DEEPEST)


def _named(value: ast.expr) -> Iterator[str]:
    """The names of functions and classes that may be the lifespan."""
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _in(names: Names, name: str, seen: set[str], depth: int) -> Iterator[Doubt]:
    if not name or name in seen or not depth:
        return
    seen.add(name)
    for file in names.files.values():
        bodies: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = [*file.functions.get(name, ())]
        if name in file.classes:
            bodies.append(file.classes[name])
        for body in bodies:
            for node in (inner for statement in body.body for inner in ast.walk(statement)):
                if isinstance(node, ast.Call):
                    yield from _call(names, file, node)
                    yield from _in(names, _called(names, file, node.func), seen, depth - 1)


def _called(names: Names, file: File, function: ast.expr) -> str:
    """The name of the program's function that is called; empty if it may be anyone's."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        kind = names.kind(file, function.value)
        of_program = function.value.id in ("self", "cls") or (kind is not None and kind.what == MODULE)
        return function.attr if of_program else ""
    return ""


def _call(names: Names, file: File, call: ast.Call) -> Iterator[Doubt]:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return
    base = names.kind(file, function.value)
    on_server = base is not None and base.what in (SERVER, PART)
    if function.attr in _ANYWHERE or (function.attr in _OF_A_SERVER and on_server):
        reason, site = f"the lifespan of the server calls {function.attr}()", Site(file.path, call.lineno)
        named = next((each.value for each in call.keywords if each.arg in ("name", "names", "tool_name")), None)
        meant = texts(file, named or next(iter(call.args), None))
        if function.attr in _ADDING:
            yield Doubt(reason, site, frozenset(), absent=False)
        elif function.attr in _HIDING:
            yield Doubt(reason, site, frozenset(), names=meant)
        else:
            yield Doubt(reason, site, names=meant if function.attr == "add_tool_transformation" else None)
