"""What was there only for the parts that are gone: objects, helpers, background tasks, imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from pdmigrate.adopting.files import (
    DEFINITIONS,
    Function,
    PythonFile,
    StandsInTheWayError,
    alias_name,
    bound_by,
    is_docstring,
    read_in,
)
from pdmigrate.adopting.plain import Judge
from pdmigrate.source import SourceFile

_TASK = "what runs beside the server"


def take_leftovers_out(files: Mapping[str, PythonFile], judge: Judge, others: Mapping[str, SourceFile]) -> None:
    """Take out of ``files`` what nothing needs any more; ``others`` are Python files that may use theirs.

    Raises:
        StandsInTheWayError: something that stays reads what the parts that are gone have kept.
    """
    for file in files.values():
        for function in _emptied(file):
            _take_calls_out(files, file, function)
    for file, name in _objects(files.values(), judge):
        _require_unread(files, judge, others, file, name)
    while any(_take_dead_out(files, file, judge, others) for file in files.values() if file.touched):
        pass  # what is taken out may have been the last to need something else


def _emptied(file: PythonFile) -> Iterator[Function]:
    """The functions of which nothing is left, as those that registered the handlers that are gone."""
    for node in ast.walk(file.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not file.is_gone(node):
            own = [item for item in node.body if not is_docstring(item)]
            if own and all(item in file.gone for item in own):
                yield node


def _take_calls_out(files: Mapping[str, PythonFile], home: PythonFile, function: Function) -> None:
    """A function that does nothing any more, and the statements that call it."""
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


def _objects(files: Iterable[PythonFile], judge: Judge) -> list[tuple[PythonFile, str]]:
    """The names that the parts which are gone have read, of what can change: what they kept must go with them."""
    homes = (_home(judge, file, name) for file in files for name in read_in(file.lost))
    found = {(file.path, name): (file, name) for file, name in homes if _is_object(file, name)}
    return [*found.values()]


def _home(judge: Judge, file: PythonFile, name: str) -> tuple[PythonFile, str]:
    """Where a name is bound that a file may have imported."""
    for _ in range(len(judge.files)):
        statement = file.bindings.get(name)
        target = judge.imported(file, statement) if isinstance(statement, ast.ImportFrom) else None
        if target is None or not isinstance(statement, ast.ImportFrom):
            break
        file, name = target, next(alias.name for alias in statement.names if alias_name(alias) == name)
    return file, name


def _is_object(file: PythonFile, name: str) -> bool:
    statement = file.bindings.get(name)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    if _is_logger(statement.value):
        return False
    mutable = (ast.Call, ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
    return any(isinstance(node, mutable) for node in ast.walk(statement.value))


def _is_logger(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith("getLogger")


def _require_unread(
    files: Mapping[str, PythonFile], judge: Judge, others: Mapping[str, SourceFile], file: PythonFile, name: str
) -> None:
    """Nothing that is left may read ``name``, a task that only tidies it up apart."""
    if name in judge.servers:
        return
    for mention in file.mentions(name):
        if not file.is_gone(mention):
            _take_task_out(file, judge, mention, name)
    if (user := next(_users(files, judge, others, file, name), None)) is not None:
        raise _used(name, f"in {user} ", file, file.bindings[name])


def _used(name: str, where: str, file: PythonFile, node: ast.AST) -> StandsInTheWayError:
    return StandsInTheWayError(f"{name}, which discloses tools by hand, is used {where}too", file.site(node))


def _take_task_out(file: PythonFile, judge: Judge, mention: ast.AST, name: str) -> None:
    """The function around a mention, which only tidies up ``name``, and the statements that start it."""
    around = file.functions_around(mention)
    if not around or around[-1] not in file.tree.body:
        raise _used(name, "", file, mention)
    function = around[-1]
    in_the_way = _used(name, f"in {function.name}() ", file, mention)
    try:
        judge.require(file, [function], (), _TASK)
    except StandsInTheWayError:
        raise in_the_way from None
    if any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function)):
        raise in_the_way
    starts = [file.statement(start) for start in file.mentions(function.name)]
    if not all(isinstance(item, (ast.Expr, ast.Assign)) for item in starts) or any(
        file.mentions(bound) for item in starts for bound in bound_by(item)
    ):
        raise in_the_way
    file.gone.append(function)
    for statement in starts:
        _take_line_out(file, statement)


def _users(
    files: Mapping[str, PythonFile], judge: Judge, others: Mapping[str, SourceFile], home: PythonFile, name: str
) -> Iterator[str]:
    """The other Python files that may use a name of a file: those which hold it, and the name of that module."""
    stem = home.path.rpartition("/")[2].removesuffix(".py")
    for path, source in others.items():
        if path == home.path or not all(re.search(rf"\b{re.escape(word)}\b", source.text) for word in (stem, name)):
            continue
        if path not in files or _uses(files[path], judge, home, name):
            yield path


def _uses(file: PythonFile, judge: Judge, home: PythonFile, name: str) -> bool:
    """Whether a file that we may change still uses a name of another after what is gone."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Attribute) and node.attr == name and not file.is_gone(node):
            return True
        if isinstance(node, ast.ImportFrom) and judge.imported(file, node) is home:
            local = [alias_name(alias) for alias in node.names if alias.name in (name, "*")]
            if node not in file.tree.body or "*" in local or any(file.mentions(item) for item in local):
                return True
    return False


# --- dead names -------------------------------------------------------------------------------------------------------


def _take_dead_out(
    files: Mapping[str, PythonFile], file: PythonFile, judge: Judge, others: Mapping[str, SourceFile]
) -> bool:
    """Take out what the parts that are gone were the last to read; whether there was something."""
    found = False
    for name in read_in(file.lost):
        statement = file.bindings.get(name)
        if statement is None or file.is_gone(statement) or file.mentions(name):
            continue
        users = _users(files, judge, others, file, name)
        if name in judge.servers or not _may_go(file, judge, statement, name) or next(users, None) is not None:
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
    """Whether importing a file does nothing but define what is in it."""
    return all(
        is_docstring(item)
        or (
            isinstance(item, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, *DEFINITIONS))
            and all(judge.is_plain(file, name) for name in bound_by(item))
        )
        for item in file.tree.body
    )


def unused(files: Iterable[PythonFile], judge: Judge) -> Iterator[str]:
    """The modules from which something was imported that is imported no more."""
    for file in files:
        for statement in file.imports_gone:
            if isinstance(statement, ast.ImportFrom) and statement in file.gone:
                target = judge.imported(file, statement)
                if target is not None:
                    yield target.path
