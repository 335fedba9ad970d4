"""What a program may do besides what was seen of it: register more tools, execute code that no source shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pdmigrate import disk
from pdmigrate.source.glances import REGISTERS
from pdmigrate.understand.demand.positions import Loaded
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.doubt.tampering import runs_at_call
from pdmigrate.understand.index.habits import OF_FUNCTIONS
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.syntax import FUNCTIONS, Function, callee, children, walk
from pdmigrate.understand.index.units import Unit, Uses
from pdmigrate.understand.starting import roles
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import FunctionValue
from pdmigrate.understand.values.outside import Called

_REGISTERING = frozenset({"tool", "add_tool", "import_server", "mount"})


def registrations(run: Run, path: str) -> str | None:
    """Why the server that the module at ``path`` makes may have more tools; ``None`` if nothing suggests it."""
    for module in (loaded.module for loaded in run.program.loaded.values()):
        for function in _registering(module):
            if function not in run.executed and _may_run(run.program.names, module, function):
                return f"{_named(function)} in {module.path} registers tools, and was not seen to run"
    for other in run.program.names.importers(path, tests=False):
        there = other in run.program.loaded or "examples" in other.split("/")
        if not there and REGISTERS.search(disk.read(run.program.tree.root, other)):
            return f"{other} registers tools, and was not seen to be imported"
    return None


def passed_over(run: Run) -> Iterator[tuple[Loaded, ast.expr]]:
    """The methods by which statements register tools that no question has led to, each with its module.

    In ``if __name__ == "__main__": mcp.tool()(find)`` of a module that is only imported there is none.
    """
    for loaded, unit in executable(run):
        if unit.index not in loaded.done:
            yield from ((loaded, inner.value) for inner in _registering_in(unit.node))


def executable(run: Run) -> Iterator[tuple[Loaded, Unit]]:
    """The statements of the loaded modules; those below the guard of a script only of what is run as one."""
    for loaded in list(run.program.loaded.values()):
        units = loaded.module.units
        yield from ((loaded, unit) for unit in units if not unit.is_main or loaded.module.path == run.program.main)


@lru_cache(maxsize=20_000)
def _registering_in(statement: ast.stmt) -> tuple[ast.Attribute, ...]:
    """The methods by which a statement registers tools, the bodies of functions in it aside."""
    return tuple(method for caller, part in _placed(statement) if caller is None for method in _registering_by(part))


def changes(run: Run) -> str | None:
    """Why texts and signatures of functions may be others than they seem; ``None`` if nothing suggests it."""
    for loaded in run.program.loaded.values():
        for function in _with_special_methods(loaded.module):
            if function not in run.executed:
                return f"{function.name}() in {loaded.module.path} changes a function, and was not seen to run"
    return None


@lru_cache(maxsize=2_000)
def _with_special_methods(module: Module) -> tuple[Function, ...]:
    """The special methods that set what is listed of functions."""
    setting = (caller for caller, node in _placed(module.tree) if isinstance(caller, Function) and _sets(node))
    return tuple(caller for caller in setting if caller.name.startswith("__"))


def _sets(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and node.attr in OF_FUNCTIONS


def commands(run: Run) -> Iterator[list[Value]]:
    """The functions that run for each command of a command line: its callbacks, and then the command's own.

    Only functions not seen to run are given: ``@app.callback() def main()`` and ``@app.command() def serve()``
    are one list.
    """
    found: list[Value] = []
    before: list[Value] = []
    for module, function in _not_run(run):
        if (given := roles(function)) and isinstance(value := run.program.read(module.path, function.name), Called):
            (found if given & {"command", "default"} else before).append(value)
    yield from ([*before, *command] for command in ([], *([item] for item in found)) if before or command)


def uncalled(run: Run) -> Iterator[FunctionValue]:
    """The functions that change what servers list and that nothing calls."""
    for module, function in _not_run(run):
        may_change = any(getattr(part, "attr", "") in _LIST_CHANGING for part in walk(function))
        if may_change and not function.decorator_list and not _is_mentioned(run.program.names, module, function.name):
            value = run.program.read(module.path, function.name)
            if isinstance(value, FunctionValue):
                yield value


def _not_run(run: Run) -> Iterator[tuple[Module, Function]]:
    """The functions of the loaded modules that were not seen to run."""
    for loaded in list(run.program.loaded.values()):
        for node in (unit.node for unit in loaded.module.units):
            if isinstance(node, Function) and node not in run.executed:
                yield loaded.module, node


_LIST_CHANGING = _REGISTERING | {"remove_tool", "add_middleware", "add_transform", "disable"}


def _is_mentioned(names: Names, module: Module, name: str) -> bool:
    """Whether anything but its own definition names a function."""
    own = any(name in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in module.nodes)
    return own or any(other != module.path for other in names.tree.saying(name))


@lru_cache(maxsize=2_000)
def _registering(module: Module) -> tuple[Function | ast.Lambda, ...]:
    """The functions whose bodies register tools."""
    return tuple(caller for caller, node in _placed(module.tree) if caller is not None and _registering_by(node))


def _registering_by(node: ast.AST) -> list[ast.Attribute]:
    """The methods by which a function's decorators, or a call, register tools."""
    called = [node.func] if isinstance(node, ast.Call) and not _mounts_a_path(node) else []
    named = map(callee, node.decorator_list) if isinstance(node, Function) else called
    return [each for each in named if isinstance(each, ast.Attribute) and each.attr in _REGISTERING]


def _mounts_a_path(call: ast.Call) -> bool:
    """Whether ``mount`` takes a path or an address, as in web frameworks; a server's ``mount`` takes a prefix."""
    match call:
        case ast.Call(ast.Attribute(attr="mount"), [ast.JoinedStr([first, *_]) | first, *_]):
            text = first.value if isinstance(first, ast.Constant) else None
            return isinstance(text, str) and (text.startswith("/") or "://" in text)
    return False


# --- methods of a server that nothing was seen to call ----------------------------------------------------------------

_Caller = Function | ast.Lambda | None
"""A function in whose body code stands; ``None`` for the code of a module."""


def uses_of(run: Run, word: str) -> Iterator[tuple[str, str | None]]:
    """Why the method ``word`` of a server may be called unseen, and its first argument, if that is a text."""
    for path in run.program.tree.saying(word):
        if (loaded := run.program.loaded.get(path)) is None:
            continue
        for function, call in _uses(loaded.module, word):
            if function is not None and function not in run.executed:
                if _may_run(run.program.names, loaded.module, function):
                    yield f"{_named(function)} in {path} may call {word}, and was not seen to run", _first_text(call)
            elif call is None:
                yield f"{word} is handed on in {path}, and whether it is called was not seen", None


def _named(function: Function | ast.Lambda) -> str:
    return "a lambda" if isinstance(function, ast.Lambda) else f"{function.name}()"


def _first_text(call: ast.Call | None) -> str | None:
    given = [*call.args, *(item.value for item in call.keywords)] if call is not None else []
    first = given[0].value if given and isinstance(given[0], ast.Constant) else None
    return first if isinstance(first, str) else None


@lru_cache(maxsize=2_000)
def _uses(module: Module, word: str) -> tuple[tuple[_Caller, ast.Call | None], ...]:
    """The places that name an attribute: the code that each stands in, and the call, if the attribute is called."""
    calls = {id(node.func): node for node in module.nodes if isinstance(node, ast.Call)}
    found = ((caller, node) for caller, node in _placed(module.tree) if getattr(node, "attr", "") == word)
    return tuple((caller, calls.get(id(node))) for caller, node in found)


def _placed(whole: ast.AST) -> Iterator[tuple[_Caller, ast.AST]]:
    """The parts of code, each with the function that it stands in; defaults and decorators run with what is around."""
    stack: list[tuple[_Caller, ast.AST]] = [(None, whole)]
    while stack:
        caller, node = stack.pop()
        yield caller, node
        parts = children(node)
        if isinstance(node, FUNCTIONS):
            inner = {node.body} if isinstance(node, ast.Lambda) else {*node.body}
            stack += [(node if part in inner else caller, part) for part in parts]
        else:
            stack += [(caller, part) for part in parts]


def _may_run(names: Names, module: Module, function: Function | ast.Lambda) -> bool:
    """Whether anything names a function, or it is called by other means than its name."""
    if isinstance(function, ast.Lambda) or _is_hook(function) or function in _derived(module):
        return True
    return _is_mentioned(names, module, function.name)


@lru_cache(maxsize=2_000)
def _derived(module: Module) -> frozenset[ast.AST]:
    """The statements in the bodies of classes with bases: a library may call their methods."""
    classes = (node for node in module.nodes if isinstance(node, ast.ClassDef) and node.bases)
    return frozenset(item for node in classes for item in node.body)


def _is_hook(function: Function) -> bool:
    """Whether a function is called by other means than its name, and not only for a request or a command."""
    if function.decorator_list:
        return not roles(function) and not runs_at_call(function)
    return function.name.startswith("__") and function.name != "__init__"


# --- code that no source shows ----------------------------------------------------------------------------------------

_EXECUTES = {
    *("exec", "eval", "run_path", "run_module", "resolve_name", "entry_points", "iter_entry_points"),
    *("zipimporter", "SourceFileLoader", "spec_from_file_location", "exec_module", "load_module"),
}
"""The functions that execute code which is not the program's source, or of which source does not say which it is."""


class Executed(NamedTuple):
    """Why a server may list anything; a ``text`` may take tools away, too, where what is loaded adds its own."""

    reason: str
    text: bool


def code(run: Run) -> Executed | None:
    """What a program executes that no source shows; ``None`` if there is no such code."""
    names = run.program.names
    for loaded, unit in executable(run):
        for place, uses in _called_in(names, loaded.module, unit.uses):
            if (found := _executed(names, place, uses)) is not None:
                reason = f"{found} in {place.path} executes code that source does not show"
                return Executed(reason, found.rpartition(".")[2] in ("exec", "eval"))
    return None


def _executed(names: Names, module: Module, uses: Uses) -> str | None:
    """The function that executes any code, as the code names it, or any function of a module."""
    if "__import__" in uses.touched:
        return "__import__"
    mentioned = uses.called | uses.touched
    dicts = {name.partition(".__dict__")[0] for name in mentioned if ".__dict__" in name}
    for asked in sorted(uses.asked | dicts):
        if (target := names.origin(module.path, asked)) is not None and target[1] == "":
            return f"what is looked up in {asked}"
    return next(filter(_executes, sorted(mentioned)), None)


def _executes(name: str) -> bool:
    """Whether a dotted name, as written, is that of a function of Python that executes any code."""
    head, _, last = name.rpartition(".")
    if name == "builtins" or "__builtins__" in (name, head) or (last == "__import__" and head):
        return True
    return head in ("", "builtins") if last in ("exec", "eval") else last in _EXECUTES


def _called_in(names: Names, module: Module, uses: Uses) -> Iterator[tuple[Module, Uses]]:
    """What a statement of a module executes: itself, and the functions that it calls, or hands to what calls them."""
    yield module, uses
    seen: set[Node] = set()
    stack = list(names.resolved(module, uses, uses.called | uses.touched))
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        for inner, used in names.body(node):
            yield inner, used
            stack += names.resolved(inner, used, used.called)
