"""Take out the parts that the published guide adds to a server: two handlers, a check of calls, what only they use.

The guide's form is: three handlers at the top level of the server's file; one that lists nothing but the resource; one
that reads nothing else; and in the one that calls tools, one ``if`` that refuses.  The classes behind them may be in
the same file or in modules beside it.  Everything else stands in the way, and is named.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from pdmigrate.model import ByHand
from pdmigrate.project.adopting.code import (
    DEFINITIONS,
    IMPORTS,
    Code,
    Judge,
    StandsInTheWayError,
    bound_by,
    bound_in,
    contains_text,
    is_docstring,
    read_in,
)
from pdmigrate.source.source import SourceFile

Function = ast.FunctionDef | ast.AsyncFunctionDef
LISTS, READS, CALLS = "list_resources", "read_resource", "call_tool"
_NAME, _REFUSAL = "tool_descriptions", "TOOL_DESCRIPTION_REQUIRED"
_OFFER, _FETCH = "the code that offers the resource", "the code that reads the resource"
_CHECK = "the code that checks calls"
_EXAMINING = ("startswith", "endswith", "removeprefix", "match", "fullmatch")
_CHANGING = (ast.Call, ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)


def taken_out(by_hand: ByHand, sources: Mapping[str, SourceFile]) -> tuple[Code, ast.Call, tuple[str, ...]]:
    """The server's file without its disclosure, the decorator of calls, and the modules that are no longer used.

    Raises:
        StandsInTheWayError: a part is not in the guide's form, or code that stays needs it.
    """
    files = {path: Code.read(sources[path]) for path in by_hand.sources if path in sources}
    judge = Judge(files, frozenset())
    lists, reads, calls = (_handler(files, by_hand, name) for name in (LISTS, READS, CALLS))
    code = files[by_hand.handlers[CALLS].file]
    registered = [_registered_on(code, function) for function in (lists, reads, calls)]
    judge.servers = frozenset(name for name, _ in registered)
    _require_only_resource(code, lists)
    _require_only_ours(code, reads)
    for handler, what in ((lists, _OFFER), (reads, _FETCH)):
        annotations = (handler.args, *([handler.returns] if handler.returns else []))
        judge.require(code, [*annotations, *handler.body], bound_in([handler]), what)
    code.gone += [lists, reads]
    _take_check_out(code, judge, calls, {*read_in([reads])})
    unused = tuple(_take_unused_out(code, judge, sources))
    return code, registered[-1][1], unused


def _handler(files: Mapping[str, Code], by_hand: ByHand, name: str) -> Function:
    """A handler at the top level of the file that handles calls."""
    site = by_hand.handlers[name]
    if site.file != by_hand.handlers[CALLS].file:
        raise StandsInTheWayError(f"its {name} handler is not in {by_hand.handlers[CALLS].file}", site)
    body = files[site.file].tree.body if site.file in files else []
    functions = [item for item in body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = next((item for item in functions if item.lineno == site.line), None)
    if found is None:
        raise StandsInTheWayError(f"its {name} handler is no function at the top level of its file", site)
    return found


def _registered_on(code: Code, handler: Function) -> tuple[str, ast.Call]:
    """The name of the server in ``@server.call_tool()``, and the call in that decorator."""
    for decorator in handler.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute):
            server = decorator.func.value
            if isinstance(server, ast.Name) and len(handler.decorator_list) == 1:
                return server.id, decorator
    raise _refused(code, handler, "the handler is not registered by a decorator of the server alone")


def _refused(code: Code, handler: Function, what: str, node: ast.AST | None = None) -> StandsInTheWayError:
    return StandsInTheWayError(f"in {handler.name}(), {what}", code.site(node or handler))


def _require_only_resource(code: Code, handler: Function) -> None:
    body = [item for item in handler.body if not is_docstring(item)]
    listed = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if not isinstance(listed, ast.List) or len(listed.elts) != 1:
        raise _refused(code, handler, "more is done than to return a list of the one resource")


def _require_only_ours(code: Code, handler: Function) -> None:
    """Require that a handler distinguishes between addresses in no other way than by testing for ours."""
    parameters = [argument.arg for argument in (*handler.args.posonlyargs, *handler.args.args)]
    for node in (item for top in handler.body for item in ast.walk(top)):
        asks = isinstance(node, (ast.Compare, ast.Match)) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _EXAMINING
        )
        address = any(
            (isinstance(part, ast.Attribute) and part.attr in ("path", "scheme", "netloc", "host", "fragment"))
            or (isinstance(part, ast.Name) and part.id in parameters)
            for part in ast.walk(node)
        )
        told = [node, *(code.bindings[name] for name in read_in([node]) if name in code.bindings)]
        if asks and address and not any(contains_text(text, _NAME) for text in told):
            raise _refused(code, handler, "other addresses are examined, too", node)


# --- the check of calls -----------------------------------------------------------------------------------------------


def _take_check_out(code: Code, judge: Judge, handler: Function, remembered: set[str]) -> None:
    """Take out the check, and the statements before it that only it needs; ``remembered``: what reading sets."""
    checks = [item for item in handler.body if isinstance(item, ast.If) and _refuses(code, item)]
    if len(checks) != 1:
        raise _refused(code, handler, f"no single statement refuses calls with {_REFUSAL}")
    [check] = checks
    if check.orelse or not isinstance(check.body[-1], (ast.Return, ast.Raise)):
        raise _refused(code, handler, "the check of calls goes on to other code", check)
    asked = check.test.operand if isinstance(check.test, ast.UnaryOp) else check.test
    one = isinstance(asked, ast.Call) or (isinstance(asked, ast.Compare) and len(asked.ops) == 1)
    if not one or any(isinstance(node, ast.Constant) for node in ast.walk(asked)):
        shown = ast.get_source_segment(code.source.text, check.test) or ast.unparse(check.test)
        raise _refused(code, handler, f"the check of calls asks for more: {shown}", check)
    own = {*bound_in([handler]), *judge.servers, "id", "str", "set", "getattr"}
    strange = next((name for name in read_in([asked]) if name not in own and name not in remembered), None)
    if strange is not None:
        raise _refused(code, handler, f"the check of calls asks {strange}, which reading does not set", check)
    before = handler.body[: handler.body.index(check)]
    taken: list[ast.stmt] = [check]
    for statement in reversed(before):
        left = [item for item in handler.body if item not in taken and item is not statement]
        names = {*bound_by(statement)}
        if _only_binds(statement) and names & {*read_in(taken)} and not names & {*read_in(left)}:
            taken.append(statement)
    judge.require(code, taken, bound_in([handler]), _CHECK)
    if all(item in taken or is_docstring(item) for item in handler.body):
        raise _refused(code, handler, "nothing is left")
    code.gone += taken


def _refuses(code: Code, check: ast.If) -> bool:
    helpers = (code.bindings[name] for name in read_in(check.body) if name in code.bindings)
    return any(contains_text(node, _REFUSAL) for node in (*check.body, *helpers))


def _only_binds(statement: ast.stmt) -> bool:
    """Whether a statement is ``x = ...``, or a ``try`` of nothing but such statements, ``return`` and ``raise``."""
    if not isinstance(statement, ast.Try) or statement.finalbody or statement.orelse:
        return isinstance(statement, (ast.Assign, ast.AnnAssign))
    blocks = [statement.body, *(clause.body for clause in statement.handlers)]
    return all(_only_binds(item) or isinstance(item, (ast.Return, ast.Raise)) for block in blocks for item in block)


# --- what only the removed parts used ---------------------------------------------------------------------------------


def _take_unused_out(code: Code, judge: Judge, sources: Mapping[str, SourceFile]) -> Iterator[str]:
    """Take out the top-level names that nothing uses any more; the paths of modules that are then not imported.

    Raises:
        StandsInTheWayError: code that stays may read what the removed parts have kept.
    """
    names = code.reached(code.gone)
    while unused := [name for name in names if name not in code.unused and _is_unused(code, judge, sources, name)]:
        code.unused.update(unused)
        statements = dict.fromkeys(code.bindings[name] for name in unused)
        code.gone += [item for item in statements if {*bound_by(item)} <= code.unused]
    for name in names:
        statement = code.bindings[name]
        if isinstance(statement, IMPORTS) or name in judge.servers or not _keeps_state(statement):
            continue
        for node in code.users(name):
            raise _used(code, name, node)
        for path in _mentioning(code, sources, name):
            raise _used(code, name, statement, path)
    for module in sorted(judge.judged):
        if any(map(_keeps_state, judge.files[module].tree.body)):
            _require_alone(code, judge, sources, module)
    for statement in code.gone:
        if isinstance(statement, ast.ImportFrom) and (target := judge.imported(code, statement)) is not None:
            yield target.source.path


def _is_unused(code: Code, judge: Judge, sources: Mapping[str, SourceFile], name: str) -> bool:
    statement = code.bindings[name]
    alone = isinstance(statement, IMPORTS) or len([*bound_by(statement)]) == 1
    used = name in judge.servers or bool(code.users(name)) or any(_mentioning(code, sources, name))
    return alone and not used


def _keeps_state(statement: ast.stmt) -> bool:
    """Whether a statement binds an object that can keep state, or a class that keeps state in its attributes."""
    if isinstance(statement, ast.ClassDef):
        own = {"cls", statement.name}
        return any(_keeps_state(item) for item in statement.body if not isinstance(item, DEFINITIONS)) or any(
            isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) in own
            for node in ast.walk(statement)
        )
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    is_logger = isinstance(statement.value, ast.Call) and ast.unparse(statement.value.func).endswith("getLogger")
    return not is_logger and any(isinstance(node, _CHANGING) for node in ast.walk(statement.value))


def _require_alone(code: Code, judge: Judge, sources: Mapping[str, SourceFile], module: str) -> None:
    """Require that no code but the removed parts uses a module that keeps state."""
    stem = _stem(module)
    for statement in (node for node in ast.walk(code.tree) if isinstance(node, IMPORTS) and not code.is_gone(node)):
        if isinstance(statement, ast.ImportFrom) and judge.imported(code, statement) is judge.files[module]:
            for name in {*bound_by(statement)} - code.unused:
                raise _used(code, module, next(iter(code.users(name)), statement))
        elif any(stem in alias.name.split(".") for alias in statement.names):
            raise _used(code, module, statement)
    for path, source in sources.items():
        if path not in (code.source.path, *judge.judged) and re.search(rf"\b{re.escape(stem)}\b", source.text):
            raise _used(code, module, code.tree, path)


def _mentioning(code: Code, sources: Mapping[str, SourceFile], name: str) -> Iterator[str]:
    """The other Python files that may use a name of the server's file: their text holds it and the file's name."""
    words = (_stem(code.source.path), name)
    for path, source in sources.items():
        if path != code.source.path and all(re.search(rf"\b{re.escape(word)}\b", source.text) for word in words):
            yield path


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")


def _used(code: Code, name: str, node: ast.AST, path: str = "") -> StandsInTheWayError:
    around = [item.name for item in (node, *code.above(node)) if isinstance(item, DEFINITIONS)]
    where = f"in {path} " if path else f"in {around[-1]}() " if around else ""
    return StandsInTheWayError(f"{name}, which discloses tools by hand, is used {where}too", code.site(node))
