"""Ways to start a program under which it is another one: a script that is imported again, a server that is imported."""

from __future__ import annotations

import ast
import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from pdmigrate.doubt.kinds import FUNCTIONS, place_in
from pdmigrate.doubt.model import CONDITION, Doubt
from pdmigrate.doubt.naming import Names
from pdmigrate.model import Site

NOTHING: frozenset[str] = frozenset()
_REGISTERING = frozenset({"tool", "add_tool", "remove_tool", "mount", "import_server", "disable", "enable"})
_DEEPEST = 3


def imported_again(names: Names, path: str, scripts: Iterable[str]) -> Iterator[Doubt]:
    """The doubt about tools of other modules where the script at ``path`` is imported by one that it imports.

    The script is ``__main__`` then, and the second copy of it gets the tools.  ``scripts`` are the modules that the
    project's own commands import: such a command runs no file as a script.
    """
    file = names.files.get(path)
    if file is None or not _is_script(file.tree, path) or any(place_in([path], path, module) for module in scripts):
        return
    imports = {other: tuple(_imports(names, other)) for other in names.files}
    reached, waiting = {path}, [path]
    while waiting:
        for other, _ in imports[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    for other in sorted(reached - {path}):
        for node in (node for found, node in imports[other] if found == path):
            reason = f"{path} is run as a script, and imported here a second time, as another module"
            site, here = Site(other, node.lineno), frozenset({Site(path, 0)})
            scope = names.files[other].above[node][0]
            only = None
            if isinstance(scope, FUNCTIONS):  # what is imported when it is called concerns what it registers itself
                only = frozenset(Site(other, line) for line in range(scope.lineno, (scope.end_lineno or 0) + 1))
            yield Doubt(reason, site, NOTHING, more=False, code=CONDITION, only=only, but=here)


def _imports(names: Names, path: str) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    """The program's files that a file imports, each with the statement."""
    for node in names.files[path].nodes:
        wanted: list[tuple[str, int]] = []
        if isinstance(node, ast.Import):
            wanted = [(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            inner = [(f"{module}.{alias.name}" if module else alias.name, node.level) for alias in node.names]
            wanted = [*([(module, node.level)] if module else []), *inner]
        for module, level in wanted:
            found = place_in(names.files, path, module, level)
            if found is not None and isinstance(node, (ast.Import, ast.ImportFrom)):
                yield found, node


def _guard(tree: ast.Module) -> ast.If | None:
    """The statement ``if __name__ == "__main__":`` of a file."""
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in (text := ast.unparse(node.test)) and "__main__" in text:
            return node
    return None


def _is_script(tree: ast.Module, path: str) -> bool:
    """Whether a file is made to be run itself: it has such a guard, is a ``__main__``, or runs something at its top."""
    calls = [each.value for each in tree.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    runs = any(isinstance(each.func, ast.Attribute) and each.func.attr == "run" for each in calls)
    return runs or _guard(tree) is not None or path.rpartition("/")[2] == "__main__.py"


def imported_by_a_host(names: Names, path: str, config: str, content: bytes) -> Iterator[Doubt]:
    """The doubts where ``config``, a ``fastmcp.json``, has ``path`` imported: what it does as a script is not done."""
    try:
        source = json.loads(content)["source"]
        named = posixpath.normpath(posixpath.join(posixpath.dirname(config), source["path"]))
    except (ValueError, TypeError, KeyError):
        return
    file = names.files.get(path)
    guard = _guard(file.tree) if file is not None and named == path else None
    if file is None or guard is None:
        return
    nodes = list(_reached(file.functions, guard, _DEEPEST, set()))
    calls = [each for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    changing = [each for each in calls if isinstance(each.func, ast.Attribute) and each.func.attr in _REGISTERING]
    if not changing:
        return
    words = {each.id for each in nodes if isinstance(each, ast.Name)}
    inner = {each for each in nodes if isinstance(each, FUNCTIONS)}
    functions = {*inner, *(each for word in words for each in file.functions.get(word, ()))}
    only = frozenset(
        Site(path, line)
        for each in functions
        for line in range(min([each.lineno, *(d.lineno for d in each.decorator_list)]), each.lineno + 1)
    )
    reason = f"it is registered where {path} is run as a script, and {config} has it imported"
    site = Site(path, changing[0].lineno)
    yield Doubt(reason, site, NOTHING, more=False, code=CONDITION, only=only)
    if any(each.func.attr not in ("tool", "add_tool") for each in changing if isinstance(each.func, ast.Attribute)):
        reason = f"tools are removed where {path} is run as a script, and {config} has it imported"
        yield Doubt(reason, site, NOTHING, absent=False, code=CONDITION)


def _reached(
    functions: Mapping[str, Iterable[ast.AST]], node: ast.AST, depth: int, seen: set[str]
) -> Iterator[ast.AST]:
    """The nodes below ``node``, and in the file's functions that they call."""
    for inner in ast.walk(node):
        yield inner
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and depth and inner.func.id not in seen:
            seen.add(inner.func.id)
            for function in functions.get(inner.func.id, ()):
                yield from _reached(functions, function, depth - 1, seen)
