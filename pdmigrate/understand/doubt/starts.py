"""What becomes of tools when a program starts: as a script that is imported again, by a host, and in its lifespan."""

from __future__ import annotations

import ast
import json
import posixpath
import re
from collections.abc import Iterable, Iterator

from pdmigrate.model import Site
from pdmigrate.understand.doubt.model import ALL, CONDITION, Doubt
from pdmigrate.understand.doubt.naming import KEPT_IN, MODULE, PART, SERVER, File, Names, lifespans, name_of, texts
from pdmigrate.understand.doubt.tampering import MUTATORS
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
    of_commands = {names.tree.find(script, path) for script in scripts}
    if file is None or not _is_script(file) or path in of_commands:
        return
    imports = {other: tuple(_imports(names, other)) for other in names.files}
    users = [other for other, found in imports.items() if any(place == path for place, _ in found)]
    # A name that is computed may be that of any of these but those that start the program: they import it once.
    computed = {each for each in users if not _is_script(names.files[each]) and each not in of_commands}
    reached = [path]
    for importer in reached:
        others = {found for found, _ in imports[importer]} | (computed if _computes(names.files[importer]) else set())
        reached += others.difference(reached)
    for other in sorted(reached):
        for node in (node for found, node in imports[other] if found == path and other != path):
            reason = f"{path} is run as a script, and imported here a second time, as another module"
            site, here = Site(other, node.lineno), frozenset({Site(path, 0)})
            scope = names.files[other].above[node][0]
            changing = _changing(scope, {alias.asname or alias.name.partition(".")[0] for alias in node.names})
            if changing & (_REGISTERING | MUTATORS) or any(
                name_of(each) in _REGISTERING for word in changing for _, each in _code(names, word, set(), _DEEPEST)
            ):
                yield Doubt(reason, site, code=CONDITION)  # what is done to the copy is not done to the script
            only = None
            if isinstance(scope, Function):  # what is imported when it is called concerns what it registers itself
                only = frozenset(Site(other, line) for line in range(scope.lineno, (scope.end_lineno or 0) + 1))
            yield Doubt(reason, site, NOTHING, more=False, code=CONDITION, only=only, but=here)


def _changing(scope: ast.AST, imported: set[str]) -> set[str]:
    """What code uses of names that it imports, but for decorators; ``update`` also where it stores something there."""
    decorators = {callee(each) for node in walk(scope) for each in getattr(node, "decorator_list", ())}
    used = [node for node in walk(scope) if isinstance(node, (ast.Attribute, ast.Subscript, ast.Name))]
    used = [node for node in used if node not in decorators and re.split(r"\W", ast.unparse(node))[0] in imported]
    return {name_of(node) if isinstance(node.ctx, ast.Load) else "update" for node in used}


def _imports(names: Names, path: str) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    """The program's files that the statements of a file import, each with the statement."""
    for node in names.files[path].nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((found, node) for found in names.targets(path, node))


def _is_import(node: ast.AST) -> bool:
    """Whether a node is a call that imports the module that its first argument names."""
    return isinstance(node, ast.Call) and bool(node.args) and name_of(node.func) in ("import_module", "__import__")


def _computes(file: File) -> bool:
    """Whether a file imports something by a name that is a value."""
    return any(map(_is_import, file.nodes))


def through_main(names: Names) -> Iterator[Doubt]:
    """The doubts where a module takes the server from ``__main__``, and registers or removes tools."""
    for path, file in names.files.items():
        if (taken := next(filter(_is_main, file.nodes), None)) is None:
            continue
        used = {node.attr for node in walk(file.tree) if isinstance(node, ast.Attribute)}
        if changing := used & (_REGISTERING | KEPT_IN):
            reason, site = (
                f"{path} takes from __main__ what it registers tools on",
                Site(path, getattr(taken, "lineno", 1)),
            )
            fields = ALL if used & KEPT_IN else NOTHING
            yield Doubt(reason, site, fields, bool(changing - {"tool", "add_tool"}), code=CONDITION)


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
        file = names.files[path]
        if (guard := _guard(file.tree)) is not None:
            reached = [(file, node) for node in walk(guard)]
            reached += [each for _, node in reached for each in _called(names, file, node, set(), _DEEPEST)]
            called = {getattr(node.func, "attr", "") for _, node in reached if isinstance(node, ast.Call)}
            nodes = {node for _, node in reached}
            if called & _REGISTERING or any(node in nodes for _, node in _imports(names, path)):
                reason = f"{path} registers or removes tools where it is run as a script, and {config} has it imported"
                yield Doubt(reason, Site(path, guard.lineno), NOTHING, code=CONDITION)


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


def _called(names: Names, file: File, node: ast.AST, seen: set[str], depth: int) -> Iterator[tuple[File, ast.AST]]:
    """The nodes of the program's functions and classes that a node may call, and of those that these call in turn."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Name):
        yield from _code(names, function.id, seen, depth)
    elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        kind = names.kind(file, function.value)
        if function.value.id in ("self", "cls") or (kind is not None and kind.what == MODULE):
            yield from _code(names, function.attr, seen, depth)


def _code(names: Names, name: str, seen: set[str], depth: int) -> Iterator[tuple[File, ast.AST]]:
    """The nodes of the functions and classes called ``name``, and of those that these call, each with its file."""
    if not name or name in seen or not depth:
        return
    seen.add(name)
    for file in names.files.values():
        for body in filter(None, (*file.functions.get(name, ()), file.classes.get(name))):
            for node in (inner for statement in body.body for inner in walk(statement)):
                yield file, node
                yield from _called(names, file, node, seen, depth - 1)


# --- lifespans --------------------------------------------------------------------------------------------------------
# They run after all is registered, and before the first request.

_ANYWHERE = frozenset({"remove_tool", "add_tool", "add_tool_transformation", "import_server"})
_OF_A_SERVER = frozenset({"tool", "mount", "disable", "enable", "add_provider", "add_transform", "add_middleware"})
_ADDING = frozenset({"add_tool", "tool"})
_HIDING = frozenset({"remove_tool", "disable", "enable"})
_OF_ONE = _HIDING | {"add_tool_transformation"}
_LISTED = frozenset({"name", "title", "description", "parameters", "output_schema", "annotations", "meta", "tags"})
_ASKING = frozenset({"list_tools", "get_tools", "get_tool", "_list_tools"})


def by_lifespans(names: Names) -> Iterator[Doubt]:
    """The places where code that a lifespan reaches registers, removes, hides or changes tools."""
    for file in names.files.values():
        for name in sorted({name_of(inner) for value in lifespans(file) for inner in walk(value)}):
            reached = [*_code(names, name, set(), _DEEPEST)]
            asks = any(isinstance(node, ast.Call) and name_of(node.func) in _ASKING for _, node in reached)
            for place, node in reached:
                yield from _call(names, place, node)
                stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
                if asks and stored and (attribute := name_of(node)) in _LISTED:
                    site = Site(place.path, getattr(node, "lineno", 1))
                    yield Doubt(f"the lifespan of the server sets {attribute}", site, absent=False)


def _call(names: Names, file: File, node: ast.AST) -> Iterator[Doubt]:
    """The doubt about one call of a method of a server, or about another handler of its list."""
    for each in getattr(node, "decorator_list", ()):
        function = callee(each)
        if isinstance(function, ast.Attribute) and function.attr == "list_tools" and _of_server(names, file, function):
            yield Doubt("the lifespan of the server calls list_tools()", Site(file.path, function.lineno))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        word = node.func.attr
        if word in _ANYWHERE or (word in _OF_A_SERVER and _of_server(names, file, node.func)):
            reason, site = f"the lifespan of the server calls {word}()", Site(file.path, node.lineno)
            named = next((each.value for each in node.keywords if each.arg in ("name", "names", "tool_name")), None)
            meant = texts(file, named or next(iter(node.args), None)) if word in _OF_ONE else None
            fields = NOTHING if word in _ADDING | _HIDING else ALL
            yield Doubt(reason, site, fields, absent=word not in _ADDING, names=meant)


def _of_server(names: Names, file: File, method: ast.Attribute) -> bool:
    base = names.kind(file, method.value)
    return base is not None and base.what in (SERVER, PART)
