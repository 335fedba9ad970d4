"""The three parts of disclosure by hand: the resource in the list, the code that reads it, the check of calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pdmigrate.model import Edit, Site, Span
from pdmigrate.project.adopting.files import (
    DEFINITIONS,
    REASON,
    Function,
    PythonFile,
    StandsInTheWayError,
    bound_by,
    bound_in,
    contains_text,
    ends_control_flow,
    is_docstring,
    read_in,
)
from pdmigrate.project.adopting.plain import Judge

NAME = "tool_descriptions"
REFUSAL = "TOOL_DESCRIPTION_REQUIRED"
MISSING = "MISSING_TOOL_SELECTION"

_OFFER, _FETCH = "the code that offers the resource", "the code that reads the resource"
_CHECK = "the code that checks calls"


@dataclass
class HandlerCode:
    """A function that the SDK calls, its file, and the judge of plain code."""

    file: PythonFile
    node: Function
    judge: Judge

    @property
    def parameters(self) -> list[str]:
        return [argument.arg for argument in (*self.node.args.posonlyargs, *self.node.args.args)]

    @property
    def body(self) -> list[ast.stmt]:
        """The function's remaining statements, without the docstring."""
        return [item for item in self.node.body if item not in self.file.gone and not is_docstring(item)]

    def take_out(self, statements: list[ast.stmt], known: set[str], what: str) -> None:
        self.judge.require(self.file, statements, known, what)
        self.file.gone += statements

    def take_all_out(self) -> None:
        self.file.gone.append(self.node)

    def refuse(self, what: str, node: ast.AST | None = None) -> StandsInTheWayError:
        return StandsInTheWayError(f"in {self.node.name}(), {what}", self.file.site(node or self.node))


# --- what offers the resource -----------------------------------------------------------------------------------------


def take_offer_out(handler: HandlerCode, offered: Site) -> None:
    """Take the resource out of the list of resources, or the whole handler if it lists nothing else.

    Raises:
        StandsInTheWayError: the list is made in another way than by naming the resource in it.
    """
    file, body = handler.file, handler.body
    if offered.file != file.path:
        raise handler.refuse(f"the resource comes from {offered}")
    found = [
        node
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and node.lineno == offered.line and any(map(_gives_address, node.keywords))
    ]
    if len(found) != 1:
        raise StandsInTheWayError("the resource is not made by one call with a uri", offered)
    made: ast.expr = found[0]
    statement = file.statement(made)
    if isinstance(statement, ast.Assign) and statement in file.tree.body and statement.value is made:
        [name] = bound_by(statement)
        mentions = [node for node in file.mentions(name) if isinstance(node, ast.Name)]
        if len(mentions) != 1:
            raise StandsInTheWayError(f"{name} is used in {len(mentions)} places", offered)
        made = mentions[0]
        statement = file.statement(made)
    if handler.node not in file.above(made):
        raise handler.refuse("the resource is made elsewhere", made)
    holder = file.parents[made]
    if isinstance(holder, ast.List) and holder.elts == [made] and body == [statement]:
        handler.judge.require(file, [statement], {*handler.parameters}, _OFFER)
        handler.take_all_out()
    elif isinstance(holder, ast.List):
        handler.judge.require(file, [made], {*handler.parameters}, _OFFER)
        file.replaced.append(_element(file, holder, made))
        file.parts.append(made)
    elif isinstance(holder, ast.Call) and isinstance(statement, ast.Expr) and statement.value is holder:
        if not isinstance(holder.func, ast.Attribute) or holder.func.attr != "append":
            raise handler.refuse("the resource is not appended to a list", holder)
        handler.take_out([statement], bound_in([handler.node]), _OFFER)
    else:
        raise handler.refuse("the resource is not one of the elements of a list", made)


def _gives_address(keyword: ast.keyword) -> bool:
    return keyword.arg == "uri"


def _element(file: PythonFile, holder: ast.List, made: ast.expr) -> Edit:
    """The edit that takes an element and its comma out of a list."""
    position = holder.elts.index(made)
    if position + 1 < len(holder.elts):
        span = Span(file.path, file.start(made), file.start(holder.elts[position + 1]))
    else:
        before = file.end(holder.elts[position - 1]) if position else file.start(holder) + 1
        span = Span(file.path, before, file.end(made))
    return Edit(span, "", REASON)


# --- what reads the resource ------------------------------------------------------------------------------------------


def take_fetch_out(handler: HandlerCode) -> None:
    """Take out the code that serves descriptions in the handler that reads resources, or the whole handler.

    Raises:
        StandsInTheWayError: the code that is left would not read the other resources as before.
    """
    branch = next((item for item in handler.body if isinstance(item, ast.If) and _is_about(handler, item.test)), None)
    if branch is None:
        _take_tail_out(handler)
    elif _is_denied(branch.test):
        _take_rest_out(handler, branch)
    else:
        if branch.orelse or not ends_control_flow(branch.body):
            raise handler.refuse("the branch for the resource goes on to other code", branch)
        _require_address_unread(handler, branch.body)
        _take_out_used(handler, [branch], _FETCH)


def _is_about(handler: HandlerCode, test: ast.expr) -> bool:
    """Whether a condition tests for our address, alone or together with other conditions that must hold too."""
    if isinstance(test, ast.BoolOp):
        return isinstance(test.op, ast.And) and any(_is_about(handler, value) for value in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_about(handler, test.operand) and not isinstance(test.operand, ast.BoolOp)
    texts = [test, *(handler.file.bindings[name] for name in read_in([test]) if name in handler.file.bindings)]
    asks = isinstance(test, ast.Compare) or (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Attribute)
        and test.func.attr in ("startswith", "endswith")
    )
    return asks and any(not isinstance(text, DEFINITIONS) and contains_text(text, NAME) for text in texts)


def _is_denied(test: ast.expr) -> bool:
    """Whether a condition is a negation: ``not x.startswith(ours)``, ``x != ours``, ``ours not in x``."""
    if isinstance(test, ast.UnaryOp):
        return True
    return isinstance(test, ast.Compare) and any(isinstance(op, (ast.NotEq, ast.NotIn)) for op in test.ops)


def _take_rest_out(handler: HandlerCode, branch: ast.If) -> None:
    """Take out the code for our address after ``if <another address>: raise``, and the condition of that ``if``."""
    rest = handler.body[handler.body.index(branch) + 1 :]
    if branch.orelse or not ends_control_flow(branch.body) or not rest:
        raise handler.refuse("the branch for other addresses goes on to other code", branch)
    _require_address_unread(handler, rest)
    file = handler.file
    file.parts.append(branch.test)
    _take_out_used(handler, rest, _FETCH)
    first, last = branch.body[0], branch.body[-1]
    if any(isinstance(node, ast.Constant) and "\n" in str(node.value) for node in ast.walk(branch)):
        raise handler.refuse("the branch for other addresses holds a text of several lines", branch)
    shift = first.col_offset - branch.col_offset
    starts = file.source.line_starts
    inner = file.source.text[starts[file.first_comment(first.lineno) - 1] : file.end(last)]
    lines = [line[shift:] if not line[:shift].strip() else line for line in inner.splitlines(keepends=True)]
    span = Span(file.path, starts[branch.lineno - 1], file.end(last))
    file.replaced.append(Edit(span, "".join(lines), REASON))


def _take_tail_out(handler: HandlerCode) -> None:
    """Take out the first statement about tools and all that follow; any other address is then refused as unknown."""
    body = handler.body
    start = next((position for position, item in enumerate(body) if contains_text(item, NAME, MISSING, "tools")), None)
    if start is None:
        raise handler.refuse("no statement is about the resource")
    tail = body[start:]
    _require_address_unread(handler, tail)
    _take_out_used(handler, tail, _FETCH)
    if not handler.body:
        handler.file.gone = [item for item in handler.file.gone if item not in handler.node.body]
        handler.take_all_out()
        return
    if not ends_control_flow(handler.body):
        file, uri = handler.file, handler.parameters[-1]
        start_of_line = file.source.line_start(file.start(tail[-1]))
        indent = file.indent(tail[-1].lineno)
        newline, quote = file.source.newline, file.source.quote
        text = f"{newline}{indent}raise ValueError(f{quote}Unknown resource: {{{uri}}}{quote}){newline}"
        file.replaced.append(Edit(Span(file.path, start_of_line, start_of_line), text, REASON))


def _require_address_unread(handler: HandlerCode, region: list[ast.stmt]) -> None:
    """Raise if ``region`` distinguishes between addresses in any way other than testing for ours."""
    for node in (item for top in region for item in ast.walk(top)):
        asks = isinstance(node, (ast.Compare, ast.Match)) or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("startswith", "endswith", "removeprefix", "match", "fullmatch")
        )
        if asks and not contains_text(node, NAME) and any(_is_address(handler, part) for part in ast.walk(node)):
            raise handler.refuse("the code that reads the resource also examines other addresses", node)


def _is_address(handler: HandlerCode, node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in ("path", "scheme", "netloc", "host", "hostname", "fragment")
    return isinstance(node, ast.Name) and node.id in handler.parameters


# --- what checks the calls --------------------------------------------------------------------------------------------


def take_check_out(handler: HandlerCode, remembered: set[str]) -> None:
    """Take out the check of calls; ``remembered`` holds the names that the handler of reads uses.

    Raises:
        StandsInTheWayError: no separate statement makes the check, or the check also depends on something else.
    """
    checks = [item for item in handler.body if isinstance(item, ast.If) and _refuses(handler, item)]
    if len(checks) != 1:
        raise handler.refuse(f"no single statement refuses calls with {REFUSAL}")
    [check] = checks
    if check.orelse or not ends_control_flow(check.body):
        raise handler.refuse("the check of calls goes on to other code", check)
    asked = check.test.operand if isinstance(check.test, ast.UnaryOp) else check.test
    if not isinstance(asked, (ast.Call, ast.Compare)) or (isinstance(asked, ast.Compare) and len(asked.ops) != 1):
        raise handler.refuse(f"the check of calls asks for more: {handler.file.code(check.test)}", check)
    own = {*handler.parameters[:1], *bound_in(handler.node.body), *handler.judge.servers, "id", "str", "set", "getattr"}
    strange = next((name for name in read_in([check.test]) if name not in own and name not in remembered), None)
    if strange is not None:
        raise handler.refuse(f"the check of calls asks {strange}, which reading the resource does not set", check)
    if any(isinstance(node, ast.Constant) for node in ast.walk(check.test)):
        raise handler.refuse(f"the check of calls asks for more: {handler.file.code(check.test)}", check)
    _take_out_used(handler, [check], _CHECK)
    if not handler.body:
        raise handler.refuse("nothing is left")


def _refuses(handler: HandlerCode, check: ast.If) -> bool:
    names = read_in(check.body)
    helpers = [handler.file.bindings[name] for name in names if name in handler.file.bindings]
    helpers += _imported_helpers(handler, names)
    return any(contains_text(node, REFUSAL) for node in (*check.body, *helpers))


def _imported_helpers(handler: HandlerCode, names: dict[str, ast.Name]) -> list[ast.stmt]:
    found = []
    for name in names:
        statement = handler.file.bindings.get(name)
        target = handler.judge.imported(handler.file, statement) if isinstance(statement, ast.ImportFrom) else None
        if target is not None and name in target.bindings:
            found.append(target.bindings[name])
    return found


# --- shared by reading and checking -----------------------------------------------------------------------------------


def _take_out_used(handler: HandlerCode, region: list[ast.stmt], what: str) -> None:
    """Take out ``region``, and the statements before it whose results only ``region`` reads.

    A statement before ``region`` whose result is also read elsewhere stays, but must be as plain as ``region``.
    """
    file, before = handler.file, handler.body[: handler.body.index(region[0])]
    known, needed = {*handler.parameters, *bound_in(handler.node.body)}, {*read_in(region)}
    handler.take_out([*region], known, what)
    while True:
        left = [item for item in before if item not in file.gone]
        made = [item for item in left if {*bound_by(item)} & needed and _only_binds(item)]
        needed |= {*read_in(made)}
        handler.judge.require(file, made, known, what)
        unread = next((item for item in reversed(made) if not _is_read(handler, item)), None)
        if unread is None:
            return
        file.gone.append(unread)


def _is_read(handler: HandlerCode, statement: ast.stmt) -> bool:
    """Whether another remaining statement of the handler reads a name that this statement binds."""
    others = (name for name in _names_left(handler, statement))
    return bool({*bound_by(statement)} & {*others})


def _names_left(handler: HandlerCode, without: ast.stmt) -> Iterator[str]:
    for item in handler.body:
        if item is not without:
            names = (
                node for node in ast.walk(item) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
            )
            yield from (node.id for node in names if not handler.file.is_gone(node))


def _only_binds(statement: ast.stmt) -> bool:
    """Whether a statement is ``x = ...``, or a ``try`` of nothing but such statements, ``return`` and ``raise``."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return True
    if not isinstance(statement, ast.Try) or statement.finalbody or statement.orelse:
        return False
    blocks = [statement.body, *(clause.body for clause in statement.handlers)]
    return all(
        all(_only_binds(item) or isinstance(item, (ast.Return, ast.Raise)) for item in block) for block in blocks
    )
