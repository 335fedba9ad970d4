"""What a program may do besides what was seen of it: register more tools, execute code that no source shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from pdmigrate import disk
from pdmigrate.source.glances import REGISTERS
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.doubt.tampering import runs_at_call
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.units import Uses
from pdmigrate.understand.starting import roles
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import FunctionValue
from pdmigrate.understand.values.outside import Called

_REGISTERING = frozenset({"tool", "add_tool", "import_server", "mount"})


def unseen_registrations(run: Run, names: Names, path: str) -> str | None:
    """Why the server that the module at ``path`` makes may have more tools; ``None`` if nothing suggests it."""
    for loaded in run.program.loaded.values():
        module = loaded.module
        for function in _registering(module):
            if function not in run.executed and _is_mentioned(names, module, function.name):
                return f"{function.name}() in {module.path} registers tools, and was not seen to run"
    for other in names.importers(path, tests=False):
        apart = "examples" in other.split("/")
        if other not in run.program.loaded and not apart and REGISTERS.search(disk.read(names.tree.root, other)):
            return f"{other} registers tools, and was not seen to be imported"
    return None


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def commands(run: Run) -> Iterator[list[Value]]:
    """What is called for each command of the program's command line that was not seen to run: what comes first, it."""
    found: list[Value] = []
    before: list[Value] = []
    for loaded in list(run.program.loaded.values()):
        for unit in loaded.module.units:
            if isinstance(unit.node, _FUNCTIONS) and roles(unit.node) and unit.node not in run.executed:
                value = run.program.read(loaded.module.path, unit.node.name)
                if isinstance(value, Called):
                    (found if roles(unit.node) & {"command", "default"} else before).append(value)
    yield from ([*before, *command] for command in ([], *([item] for item in found)) if before or command)


def uncalled(run: Run, names: Names) -> Iterator[FunctionValue]:
    """The functions that change what servers list and that nothing calls."""
    for loaded in list(run.program.loaded.values()):
        for unit in loaded.module.units:
            node = unit.node
            if not isinstance(node, _FUNCTIONS) or node.decorator_list or node in run.executed:
                continue
            changes = any(getattr(part, "attr", "") in _CHANGING for part in ast.walk(node))
            if changes and not _is_mentioned(names, loaded.module, node.name):
                value = run.program.read(loaded.module.path, node.name)
                if isinstance(value, FunctionValue):
                    yield value


_CHANGING = _REGISTERING | {"remove_tool", "add_middleware", "add_transform", "disable"}


def _is_mentioned(names: Names, module: Module, name: str) -> bool:
    """Whether anything but its own definition names a function."""
    own = any(name in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in ast.walk(module.tree))
    return own or any(other != module.path for other in names.tree.saying(name))


@lru_cache(maxsize=2_000)
def _registering(module: Module) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    """The functions whose bodies register tools."""
    functions = (node for node in ast.walk(module.tree) if isinstance(node, _FUNCTIONS))
    return tuple(node for node in functions if any(_registers(part) for part in _own_parts(node)))


def _own_parts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """What stands in a function, functions inside it aside; a decorator stands outside the function it decorates."""
    stack: list[ast.AST] = [*function.body, function.args]
    while stack:
        node = stack.pop()
        yield node
        stack += node.decorator_list if isinstance(node, _FUNCTIONS) else ast.iter_child_nodes(node)


def _registers(node: ast.AST) -> bool:
    if isinstance(node, _FUNCTIONS):
        return any(_names_registration(decorator) for decorator in node.decorator_list)
    return isinstance(node, ast.Call) and _names_registration(node.func) and not _mounts_a_path(node)


def _names_registration(node: ast.expr) -> bool:
    inner = node.func if isinstance(node, ast.Call) else node
    return isinstance(inner, ast.Attribute) and inner.attr in _REGISTERING


def _mounts_a_path(call: ast.Call) -> bool:
    """Whether ``mount`` takes a path or an address, as in web frameworks; a server's ``mount`` takes a prefix."""
    first = call.args[0] if call.args else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "mount":
        return False
    if isinstance(first, ast.JoinedStr) and first.values:
        first = first.values[0]
    text = first.value if isinstance(first, ast.Constant) else None
    return isinstance(text, str) and (text.startswith("/") or "://" in text)


# --- tools that come and go where nothing was seen to run -------------------------------------------------------------

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Place = tuple[_Function | None, ast.AST]
"""A node of a module, and the innermost function in whose body it stands."""


def unseen_uses(run: Run, names: Names, word: str) -> Iterator[tuple[str, str | None]]:
    """Why the method ``word`` of a server may be called unseen, and its first argument, if that is a text.

    Operators, hooks, threads and libraries call functions of the program, and that is not followed.
    """
    for path in names.tree.saying(word):
        loaded = run.program.loaded.get(path)
        for function, call in _uses(loaded.module, word) if loaded is not None else ():
            followed = call is not None if function is None or function in run.executed else not _may_run(run, function)
            if not followed:
                place = getattr(function, "name", "the module" if function is None else "a lambda")
                given = [*call.args, *(item.value for item in call.keywords)] if call is not None else []
                first = given[0].value if given and isinstance(given[0], ast.Constant) else None
                reason = f"{place} in {path} names {word}, and was not seen to run"
                yield reason, first if isinstance(first, str) else None


@lru_cache(maxsize=2_000)
def _uses(module: Module, word: str) -> tuple[tuple[_Function | None, ast.Call | None], ...]:
    """The places that name an attribute, each with the function around it, and the call if it is called."""
    calls = {id(node.func): node for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
    found = ((function, node) for function, node in _placed(module) if getattr(node, "attr", "") == word)
    return tuple((function, calls.get(id(node))) for function, node in found)


@lru_cache(maxsize=2_000)
def _placed(module: Module) -> tuple[_Place, ...]:
    found: list[_Place] = []
    stack: list[_Place] = [(None, module.tree)]
    while stack:
        function, node = stack.pop()
        found.append((function, node))
        for name, value in ast.iter_fields(node):
            around = node if isinstance(node, _Function) and name == "body" else function
            parts = value if isinstance(value, list) else [value]
            stack += [(around, part) for part in parts if isinstance(part, ast.AST)]
    return tuple(found)


def _may_run(run: Run, function: _Function, seen: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether a function that was not seen to run may run before a client asks for anything."""
    if function in run.executed:
        return True
    if function in seen:
        return False
    around = [loaded.module for loaded in run.program.loaded.values()]
    placed = {module: _placed(module) for module in around}
    own = next((outer for places in placed.values() for outer, node in places if node is function), None)
    if own is not None and not _may_run(run, own, seen | {function}):
        return False
    if isinstance(function, ast.Lambda):
        return True
    if function.decorator_list:
        return not roles(function) and not runs_at_call(function)
    if function.name.startswith("__") and function.name != "__init__":
        return True
    for places in placed.values():
        for outer, node in places:
            if isinstance(node, ast.ClassDef) and node.bases and function in node.body:
                return True  # its base may call it
            is_named = function.name in (getattr(node, "id", ""), getattr(node, "attr", ""))
            if is_named and (outer is None or _may_run(run, outer, seen | {function})):
                return True
    return False


# --- code that no source shows ----------------------------------------------------------------------------------------

_EXECUTES = frozenset(
    {
        *("exec", "eval", "run_path", "run_module", "resolve_name", "entry_points", "iter_entry_points"),
        *("zipimporter", "SourceFileLoader", "spec_from_file_location", "exec_module", "load_module"),
    }
)
"""The functions that execute code which is not the program's source, or of which source does not say which it is."""


def unseen_code(run: Run, names: Names) -> str | None:
    """Why a server may list anything: its program executes code that no source shows; ``None`` if it does not."""
    for loaded in run.program.loaded.values():
        module = loaded.module
        for unit in module.units:
            if unit.is_main and module.path != run.program.main:
                continue
            for place, uses in _called_in(names, module, unit.uses):
                if (found := _executed(names, place, uses)) is not None:
                    return f"{found} in {place.path} executes code that source does not show"
    return None


def _executed(names: Names, module: Module, uses: Uses) -> str | None:
    """The function that executes any code, as the code names it."""
    if "__import__" in uses.touched:
        return "__import__"
    mentioned = uses.called | uses.touched
    dicts = {name.partition(".__dict__")[0] for name in mentioned if ".__dict__" in name}
    for asked in sorted(uses.asked | dicts):
        target = names.origin(module.path, asked)
        if target is not None and target[1] == "":
            return f"what is looked up in {asked}"
    return next((name for name in sorted(mentioned) if _executes(name)), None)


def _executes(name: str) -> bool:
    """Whether a dotted name, as written, is that of a function of Python that executes any code."""
    head, _, last = name.rpartition(".")
    if name in ("builtins", "__builtins__") or (head == "__builtins__" or (last == "__import__" and head)):
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
