"""Take out what only the removed parts needed: objects, helpers, background tasks, imports.

Code that stays may not read what those parts kept in an object: a tool that reports the number of sessions would still
run, but report another number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pdmigrate.project.adopting.files import (
    DEFINITIONS,
    Function,
    PythonFile,
    StandsInTheWayError,
    alias_name,
    bound_by,
    is_docstring,
    read_in,
)
from pdmigrate.project.adopting.plain import Judge
from pdmigrate.source.source import SourceFile

_TASK = "the task that runs beside the server"


@dataclass(frozen=True)
class _Program:
    """The files that may be edited, the Python files that may use them (by path), and the judge of plain code."""

    files: Mapping[str, PythonFile]
    judge: Judge
    others: Mapping[str, SourceFile]


def take_leftovers_out(files: Mapping[str, PythonFile], judge: Judge, others: Mapping[str, SourceFile]) -> None:
    """Take out of ``files`` what nothing needs any more; ``others`` are Python files that may use their names.

    Raises:
        StandsInTheWayError: code that stays reads what the removed parts have kept.
    """
    program = _Program(files, judge, others)
    for file in files.values():
        for function in _emptied(file):
            _take_calls_out(files, file, function)
    _take_all_dead_out(program)
    for file, name in _objects(program):
        while (reader := _reader(program, file, name, set())) is not None:
            _take_task_out(program, file, name, reader)
    _take_all_dead_out(program)


def _take_all_dead_out(program: _Program) -> None:
    while any(_take_dead_out(program, file) for file in program.files.values() if file.touched):
        pass  # what is taken out may have been the last user of another name


def _emptied(file: PythonFile) -> Iterator[Function]:
    """The functions whose whole bodies are taken out, such as those that registered the removed handlers."""
    for node in ast.walk(file.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not file.is_gone(node):
            own = [item for item in node.body if not is_docstring(item)]
            if own and all(item in file.gone for item in own):
                yield node


def _take_calls_out(files: Mapping[str, PythonFile], home: PythonFile, function: Function) -> None:
    """Take out a function that has nothing left to do, and the statements that call it."""
    if function not in home.tree.body:
        raise StandsInTheWayError(f"nothing is left of {function.name}()", home.site(function))
    home.gone = [item for item in home.gone if item not in function.body]
    home.gone.append(function)
    for file in files.values():
        for mention in file.mentions(function.name):
            statement = file.statement(mention)
            if not _is_call_of(statement, function.name):
                reason = f"nothing is left of {function.name}(), which is used in another way than to call it"
                raise StandsInTheWayError(reason, file.site(mention))
            _take_line_out(file, statement)


def _is_call_of(statement: ast.stmt, name: str) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name


def _take_line_out(file: PythonFile, statement: ast.stmt) -> None:
    parent = file.parents[statement]
    block = next(
        (value for _, value in ast.iter_fields(parent) if isinstance(value, list) and statement in value), [statement]
    )
    if not [item for item in block if item is not statement and item not in file.gone]:
        raise StandsInTheWayError("nothing is left of its block", file.site(statement))
    file.gone.append(statement)


# --- objects ----------------------------------------------------------------------------------------------------------


def _objects(program: _Program) -> list[tuple[PythonFile, str]]:
    """The stateful top-level objects that the removed parts used, directly or through plain helpers."""
    wanted = [(file, name) for file in program.files.values() for name in read_in(file.lost)]
    found: dict[tuple[str, str], tuple[PythonFile, str]] = {}
    seen: set[tuple[str, str]] = set()
    while wanted:
        file, name = _home(program.judge, *wanted.pop())
        statement = file.bindings.get(name)
        if statement is None or (file.path, name) in seen or name in program.judge.servers:
            continue
        seen.add((file.path, name))
        if _can_change(statement):
            found[file.path, name] = file, name
        elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
            wanted += [(file, inner) for inner in read_in([statement])]
    return [found[key] for key in sorted(found)]


def _home(judge: Judge, file: PythonFile, name: str) -> tuple[PythonFile, str]:
    """The file that binds a name, and the name there; imports are followed within the server's files."""
    for _ in range(len(judge.files)):
        statement = file.bindings.get(name)
        target = judge.imported(file, statement) if isinstance(statement, ast.ImportFrom) else None
        if target is None or not isinstance(statement, ast.ImportFrom):
            break
        file, name = target, next(alias.name for alias in statement.names if alias_name(alias) == name)
    return file, name


_CHANGING = (ast.Call, ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)


def _can_change(statement: ast.stmt) -> bool:
    """Whether a statement binds an object that can keep state, or a class that keeps state in its attributes."""
    if isinstance(statement, ast.ClassDef):
        return any(_can_change(item) for item in statement.body if not isinstance(item, DEFINITIONS)) or any(
            isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_class(node.value, statement)
            for node in ast.walk(statement)
        )
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    is_logger = isinstance(statement.value, ast.Call) and ast.unparse(statement.value.func).endswith("getLogger")
    return not is_logger and any(isinstance(node, _CHANGING) for node in ast.walk(statement.value))


def _is_class(node: ast.expr, statement: ast.ClassDef) -> bool:
    return isinstance(node, ast.Name) and node.id in ("cls", statement.name)


@dataclass(frozen=True)
class _Reader:
    """What still reads an object: a node in a file of the server, or another file (its path) as a whole."""

    where: PythonFile | str
    node: ast.AST | None = None


def _reader(program: _Program, home: PythonFile, name: str, seen: set[tuple[str, str]]) -> _Reader | None:
    """The first code that stays and reads a name, or ``None``; helpers used only by removed parts do not count."""
    seen.add((home.path, name))
    for file, node in _mentions(program, home, name):
        if file.is_gone(node):
            continue
        top = next(item for item in (node, *file.above(node)) if item in file.tree.body)
        assert isinstance(top, ast.stmt)
        if not _is_left_alone(program, file, top, seen):
            return _Reader(file, node)
    return next(map(_Reader, _users(program, home, name)), None)


def _is_left_alone(program: _Program, file: PythonFile, top: ast.stmt, seen: set[tuple[str, str]]) -> bool:
    """Whether a statement binds names that were used, but only by code that is taken out.

    Names that were never mentioned do not count: they may be called from outside, as a console script's function is.
    Neither do decorated definitions, which may be registered somewhere.
    """
    if isinstance(top, (*DEFINITIONS, ast.Assign, ast.AnnAssign)) and not getattr(top, "decorator_list", ()):
        names = [*bound_by(top)]
        used = all(any(node is not None for node in _mentions(program, file, name)) for name in names)
        return used and all((file.path, name) in seen or _reader(program, file, name, seen) is None for name in names)
    return False


def _mentions(program: _Program, home: PythonFile, name: str) -> Iterator[tuple[PythonFile, ast.AST]]:
    """All nodes in the server's files that read or may read a name of ``home``, including nodes that are taken out."""
    for node in home.mentions(name, gone=True):
        yield home, node
    for file in program.files.values():
        if file is home:
            continue
        stem = _stem(home)
        imports = [node for node in ast.walk(file.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        if any(stem in (alias.name.rpartition(".")[2], alias.asname) for item in imports for alias in item.names):
            for node in ast.walk(file.tree):
                if isinstance(node, ast.Attribute) and node.attr == name:
                    yield file, node
        for item in imports:
            if not isinstance(item, ast.ImportFrom) or program.judge.imported(file, item) is not home:
                continue
            for alias in item.names:
                if alias.name == "*" or (alias.name == name and item not in file.tree.body):
                    yield file, item
                elif alias.name == name:
                    yield from ((file, node) for node in file.mentions(alias_name(alias), gone=True))


def _stem(file: PythonFile) -> str:
    return file.path.rpartition("/")[2].removesuffix(".py")


def _users(program: _Program, home: PythonFile, name: str) -> Iterator[str]:
    """The other Python files that may use ``name`` of ``home``: those whose text contains it and the module's name."""
    for path, source in program.others.items():
        words = (_stem(home), name)
        if path not in program.files and all(re.search(rf"\b{re.escape(word)}\b", source.text) for word in words):
            yield path


def _take_task_out(program: _Program, home: PythonFile, name: str, reader: _Reader) -> None:
    """Take out the top-level function around ``reader``, and the statements that start it.

    Raises:
        StandsInTheWayError: the function does more than tidy up ``name``, or is used for more than starting it.
    """
    if not isinstance(reader.where, PythonFile) or reader.node is None:
        raise _used(name, f"in {reader.where} ", home, home.bindings[name])
    file = reader.where
    around = file.functions_around(reader.node)
    if not around or around[-1] not in file.tree.body:
        raise _used(name, "", file, reader.node)
    function = around[-1]
    in_the_way = _used(name, f"in {function.name}() ", file, reader.node)
    try:
        program.judge.require(file, [function], (), _TASK)
    except StandsInTheWayError:
        raise in_the_way from None
    starts = [(place, node) for place, node in _mentions(program, file, function.name) if not place.is_gone(node)]
    if (
        function.decorator_list
        or not starts
        or any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))
        or not all(_only_starts(program.judge, place, node) for place, node in starts)
        or next(_users(program, file, function.name), None) is not None
    ):
        raise in_the_way
    file.gone.append(function)
    for place, node in starts:
        _take_line_out(place, place.statement(node))


def _only_starts(judge: Judge, file: PythonFile, mention: ast.AST) -> bool:
    """Whether the statement around the mention of a function only starts it, as ``asyncio.create_task(sweep())`` does.

    It binds nothing that may be read, an attribute or an item included, and runs nothing else, as
    ``asyncio.gather(serve(), sweep())`` does.
    """
    statement = file.statement(mention)
    if not isinstance(statement, (ast.Expr, ast.Assign)) or any(map(file.mentions, bound_by(statement))):
        return False
    calls = [node for node in file.above(mention) if isinstance(node, ast.Call)]
    expected = {*ast.walk(mention), *calls}
    for call in calls:
        within = {*ast.walk(call.func)}
        if mention not in within and _may_start_tasks(judge, file, call.func):
            expected |= within
    return all(
        node in expected
        or not isinstance(node, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Name) and _is_constant(judge, file, node))
        for node in ast.walk(statement)
    )


def _may_start_tasks(judge: Judge, file: PythonFile, called: ast.expr) -> bool:
    """Whether a call is one of plain code, or of a method of any object but the server."""
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.value.id not in judge.servers
    return all(judge.is_plain(file, name) for name in read_in([called]))


def _is_constant(judge: Judge, file: PythonFile, node: ast.Name) -> bool:
    return isinstance(file.bindings.get(node.id), (ast.Assign, ast.AnnAssign)) and judge.is_plain(file, node.id)


def _used(name: str, where: str, file: PythonFile, node: ast.AST) -> StandsInTheWayError:
    return StandsInTheWayError(f"{name}, which discloses tools by hand, is used {where}too", file.site(node))


# --- dead names -------------------------------------------------------------------------------------------------------


def _take_dead_out(program: _Program, file: PythonFile) -> bool:
    """Take out the names that only the removed parts read; return whether there were any."""
    found = False
    for name in read_in(file.lost):
        statement = file.bindings.get(name)
        if statement is None or file.is_gone(statement) or name in program.judge.servers:
            continue
        if any(not place.is_gone(node) for place, node in _mentions(program, file, name)):
            continue
        if not _may_go(file, program.judge, statement, name) or next(_users(program, file, name), None) is not None:
            continue
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            gone = [alias for alias in statement.names if alias_name(alias) == name]
            if all(alias in file.parts for alias in gone):
                continue
            file.parts += gone
            file.imports_gone.setdefault(statement, []).extend(gone)
            if len(file.imports_gone[statement]) == len(statement.names):
                file.gone.append(statement)
        else:
            file.gone.append(statement)
        found = True
    return found


def _may_go(file: PythonFile, judge: Judge, statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.ImportFrom) and (target := judge.imported(file, statement)) is not None:
        return _is_quiet(target, judge)
    return (
        len([*bound_by(statement)]) == 1 or isinstance(statement, (ast.Import, ast.ImportFrom))
        if judge.is_plain(file, name)
        else False
    )


def _is_quiet(file: PythonFile, judge: Judge) -> bool:
    """Whether importing a file does nothing but define its names."""
    return all(
        is_docstring(item)
        or (
            isinstance(item, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, *DEFINITIONS))
            and all(judge.is_plain(file, name) for name in bound_by(item))
        )
        for item in file.tree.body
    )


def unused(files: Iterable[PythonFile], judge: Judge) -> Iterator[str]:
    """The paths of the server's modules that a whole import statement, now taken out, imported from."""
    for file in files:
        for statement in file.imports_gone:
            if isinstance(statement, ast.ImportFrom) and statement in file.gone:
                target = judge.imported(file, statement)
                if target is not None:
                    yield target.path
