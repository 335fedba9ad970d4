"""What becomes of tools when a program starts: as a script that is imported again, by a host, and in its lifespan."""

from __future__ import annotations

import ast
import json
import posixpath
import re
from collections.abc import Iterable, Iterator

from pdmigrate.model import Site
from pdmigrate.understand.doubt.model import ALL, CONDITION, Doubt
from pdmigrate.understand.doubt.naming import MODULE, PART, SERVER, File, Names, lifespans, place_in, texts
from pdmigrate.understand.index.syntax import Function, callee, walk

NOTHING: frozenset[str] = frozenset()
_REGISTERING = frozenset({"tool", "add_tool", "remove_tool", "mount", "import_server", "disable", "enable"})
_DEEPEST = 3
"""How many calls of the program's functions are followed."""


def imported_again(names: Names, path: str, scripts: Iterable[str]) -> Iterator[Doubt]:
    """The doubt about tools of other modules where the script at ``path`` is imported by one that it imports.

    The script is ``__main__`` then, and the second copy of it gets the tools.  ``scripts`` are the modules that the
    project's own commands import: such a command runs no file as a script.
    """
    file = names.files.get(path)
    if file is None or not _is_script(file) or _is_of_command(path, scripts):
        return
    imports = {other: tuple(_imports(names, other)) for other in names.files}
    users = [other for other, found in imports.items() if any(place == path for place, _ in found)]
    # A name that is computed may be that of any of these but those that start the program: they import it once.
    computed = {each for each in users if not (_is_script(names.files[each]) or _is_of_command(each, scripts))}
    reached = [path]
    for importer in reached:
        others = {found for found, _ in imports[importer]} | (computed if _computes(names.files[importer]) else set())
        reached += others.difference(reached)
    for other in sorted(reached):
        for node in (node for found, node in imports[other] if found == path and other != path):
            reason = f"{path} is run as a script, and imported here a second time, as another module"
            site, here = Site(other, node.lineno), frozenset({Site(path, 0)})
            scope = names.files[other].above[node][0]
            only = None
            if isinstance(scope, Function):  # what is imported when it is called concerns what it registers itself
                only = frozenset(Site(other, line) for line in range(scope.lineno, (scope.end_lineno or 0) + 1))
            yield Doubt(reason, site, NOTHING, more=False, code=CONDITION, only=only, but=here)


def _imports(names: Names, path: str) -> Iterator[tuple[str, ast.Import | ast.ImportFrom | ast.Call]]:
    """The program's files that a file imports, each with the statement or the call."""
    for node in names.files[path].nodes:
        match node:
            case ast.Import(names=aliases):
                wanted = [(alias.name, 0) for alias in aliases]
            case ast.ImportFrom(module=module, names=aliases, level=level):
                inner = [f"{module}.{alias.name}" if module else alias.name for alias in aliases]
                wanted = [(name, level) for name in (module, *inner) if name]
            case ast.Call() if _is_import(node):
                wanted = [(name, 0) for name in texts(names.files[path], node.args[0]) or ()]
            case _:
                continue
        for name, level in wanted:
            if (found := place_in(names.files, path, name, level)) is not None:
                yield found, node


def _is_import(call: ast.Call) -> bool:
    """Whether a call imports the module that its first argument names."""
    return bool(call.args) and ast.unparse(call.func).rpartition(".")[2] in ("import_module", "__import__")


def _computes(file: File) -> bool:
    """Whether a file imports something by a name that is computed."""
    calls = (node for node in file.nodes if isinstance(node, ast.Call) and _is_import(node))
    return any(texts(file, call.args[0]) is None for call in calls)


def _is_of_command(path: str, scripts: Iterable[str]) -> bool:
    return any(place_in([path], path, module) for module in scripts)


def through_main(names: Names) -> Iterator[Doubt]:
    """The doubts where a module takes the server from ``__main__``, and registers or removes tools."""
    for path, file in names.files.items():
        calls = (node.func for node in file.nodes if isinstance(node, ast.Call))
        changing = _REGISTERING.intersection(each.attr for each in calls if isinstance(each, ast.Attribute))
        taken = next(filter(_is_main, file.nodes), None) if changing else None
        if taken is not None:
            site, absent = Site(path, getattr(taken, "lineno", 1)), bool(changing - {"tool", "add_tool"})
            yield Doubt(f"{path} takes from __main__ what it registers tools on", site, NOTHING, absent, code=CONDITION)


def _is_main(node: ast.AST) -> bool:
    """Whether a node names the module that is run as a script, as a module."""
    match node:
        case ast.ImportFrom(module="__main__", level=0):
            return True
        case ast.Import(names=aliases):
            return any(alias.name == "__main__" for alias in aliases)
        case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Constant(value="__main__"), ctx=ast.Load()):
            return True
        case ast.Call(args=[ast.Constant(value="__main__"), *_]):
            return _is_import(node) or ast.unparse(node.func).endswith("modules.get")
    return False


def _guard(tree: ast.Module) -> ast.If | None:
    """The statement ``if __name__ == "__main__":`` of a file."""
    tests = ((node, ast.unparse(node.test)) for node in tree.body if isinstance(node, ast.If))
    return next((node for node, text in tests if "__name__" in text and "__main__" in text), None)


def _is_script(file: File) -> bool:
    """Whether a file is made to be run itself: it has such a guard, is a ``__main__``, or runs something at its top."""
    tree = file.tree
    calls = [each.value.func for each in tree.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    called = {each.id for each in calls if isinstance(each, ast.Name)}
    own = [each for each in tree.body if isinstance(each, Function) and each.name in called]
    runs = any(map(_is_run, calls)) or any(_is_run(node) for each in own for node in walk(each))
    return runs or _guard(tree) is not None or posixpath.basename(file.path) == "__main__.py"


def _is_run(node: ast.AST) -> bool:
    """Whether a node is the method that runs a server, or an event loop: ``run``, ``run_stdio_async``."""
    return isinstance(node, ast.Attribute) and node.attr.startswith("run")


def imported_by_a_host(names: Names, config: str, content: str) -> Iterator[Doubt]:
    """The doubts where ``config`` has a file imported: what that file does as a script is not done then.

    ``config`` is a ``fastmcp.json``, or holds a command such as ``fastmcp run server.py``.
    """
    for path in sorted(_hosted(config, content) & names.files.keys()):
        if (guard := _guard(names.files[path].tree)) is not None:
            yield from _under(names, path, guard, config)


def _under(names: Names, path: str, guard: ast.If, config: str) -> Iterator[Doubt]:
    """The doubts about what is registered, or removed, below the guard of a script."""
    nodes = {node: place for place, node in _reached(names, path, guard, _DEEPEST, set())}
    called = [each.func.attr for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    changing = _REGISTERING.intersection(called)
    imported = {Site(other, 0) for other, node in _imports(names, path) if node in nodes}
    if not changing and not imported:
        return
    words = {each.id for each in nodes if isinstance(each, ast.Name)}.union(called)
    inner = [(place, each) for each, place in nodes.items() if isinstance(each, Function)]
    named = (found for word in words for found in names.functions(word))
    only = imported | {
        Site(place, line)
        for place, each in (*inner, *named)
        for line in range(min(part.lineno for part in (each, *each.decorator_list)), (each.end_lineno or 0) + 1)
    }
    reason = f"it is registered where {path} is run as a script, and {config} has it imported"
    site = Site(path, guard.lineno)
    yield Doubt(reason, site, NOTHING, more=False, code=CONDITION, only=frozenset(only))
    if changing - {"tool", "add_tool"}:
        reason = f"tools are removed where {path} is run as a script, and {config} has it imported"
        yield Doubt(reason, site, NOTHING, absent=False, code=CONDITION)


_GAP = r"[^-\w./]{1,9}-{0,2}"
_COMMAND = re.compile(
    rf"\b(?:fastmcp|mcp){_GAP}(?:args{_GAP})?(?:run|dev){_GAP}(?:[-\w]{{1,40}}{_GAP}){{0,3}}?([\w./-]{{1,200}}\.py)\b"
)


def _hosted(config: str, content: str) -> set[str]:
    """The files that ``config`` has a host import."""
    named = set(_COMMAND.findall(content))
    if posixpath.basename(config) == "fastmcp.json":
        try:
            named.add(str(json.loads(content)["source"]["path"]))
        except (ValueError, TypeError, KeyError):
            return set()  # fastmcp cannot read it either
    return {posixpath.normpath(posixpath.join(posixpath.dirname(config), each)) for each in named}


def _reached(names: Names, path: str, node: ast.AST, depth: int, seen: set[str]) -> Iterator[tuple[str, ast.AST]]:
    """The nodes below ``node``, and in the functions that they call, each with its file."""
    for inner in walk(node):
        yield path, inner
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and depth and inner.func.id not in seen:
            seen.add(inner.func.id)
            for place, function in names.functions(inner.func.id):
                yield from _reached(names, place, function, depth - 1, seen)


# --- lifespans --------------------------------------------------------------------------------------------------------
# They run after all is registered, and before the first request.

_ANYWHERE = frozenset({"remove_tool", "add_tool", "add_tool_transformation", "import_server"})
_OF_A_SERVER = frozenset({"tool", "mount", "disable", "enable", "add_provider", "add_transform", "add_middleware"})
_ADDING = frozenset({"add_tool", "tool"})
_HIDING = frozenset({"remove_tool", "disable", "enable"})
_OF_ONE = _HIDING | {"add_tool_transformation"}


def by_lifespans(names: Names) -> Iterator[Doubt]:
    """The places where code that a lifespan reaches registers, removes or hides tools."""
    for file in names.files.values():
        for node in (inner for value in lifespans(file) for inner in walk(value)):
            yield from _in(names, getattr(node, "id", getattr(node, "attr", "")), set(), _DEEPEST)


def _in(names: Names, name: str, seen: set[str], depth: int) -> Iterator[Doubt]:
    if not name or name in seen or not depth:
        return
    seen.add(name)
    for file in names.files.values():
        for body in filter(None, (*file.functions.get(name, ()), file.classes.get(name))):
            parts = [inner for statement in body.body for inner in walk(statement)]
            yield from _of_listed(names, file, parts)
            for node in parts:
                if isinstance(node, ast.Call):
                    yield from _call(names, file, node)
                    yield from _in(names, _called(names, file, node.func), seen, depth - 1)


def _of_listed(names: Names, file: File, parts: list[ast.AST]) -> Iterator[Doubt]:
    """The places where code that asks for the tools sets attributes of them, or makes another handler of the list."""
    for function in (callee(each) for part in parts for each in getattr(part, "decorator_list", ())):
        if isinstance(function, ast.Attribute) and function.attr == "list_tools" and _of_server(names, file, function):
            yield Doubt("the lifespan of the server calls list_tools()", Site(file.path, function.lineno))
    asked = {getattr(part.func, "attr", "") for part in parts if isinstance(part, ast.Call)}
    for part in parts if asked & _ASKING else ():
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and part.attr in _LISTED:
            yield Doubt(f"the lifespan of the server sets {part.attr}", Site(file.path, part.lineno), absent=False)


_LISTED = frozenset({"name", "title", "description", "parameters", "output_schema", "annotations", "meta", "tags"})
_ASKING = frozenset({"list_tools", "get_tools", "get_tool", "_list_tools"})


def _of_server(names: Names, file: File, method: ast.Attribute) -> bool:
    base = names.kind(file, method.value)
    return base is not None and base.what in (SERVER, PART)


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
    word = function.attr
    if word in _ANYWHERE or (word in _OF_A_SERVER and _of_server(names, file, function)):
        reason, site = f"the lifespan of the server calls {word}()", Site(file.path, call.lineno)
        named = next((each.value for each in call.keywords if each.arg in ("name", "names", "tool_name")), None)
        meant = texts(file, named or next(iter(call.args), None)) if word in _OF_ONE else None
        fields = NOTHING if word in _ADDING | _HIDING else ALL
        yield Doubt(reason, site, fields, absent=word not in _ADDING, names=meant)
