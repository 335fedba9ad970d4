"""How blocks of code are left, as syntax tells: whether they end the program, or catch what is raised in them."""

from __future__ import annotations

import libcst as cst

from pdmigrate.tree.code.syntax import dotted, own_nodes

_EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit"})


def ends_program(block: cst.BaseSuite) -> bool:
    """Whether the last statement of a block ends the program, and no other statement leaves the block."""
    match block.body:
        case [*_, cst.SimpleStatementLine(body=[*_, last])] | [*_, last]:
            return _exits(last) and not any(type(node) in _LEAVING for node in own_nodes(block))
    return False


_LEAVING = frozenset({cst.Return, cst.Break, cst.Continue, cst.Yield})


def _exits(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.Raise(exc=cst.Call(func=raised)) | cst.Raise(exc=cst.BaseExpression() as raised):
            return dotted(raised) == "SystemExit"
        case cst.Expr(value=cst.Call(func=function)):
            return dotted(function) in _EXITS
    return False


def catches_at_yield(generator: cst.FunctionDef) -> bool:
    """Whether something around a ``yield`` may catch: a handler that does not end with ``raise``, or a manager."""
    parts = filter(_may_catch, own_nodes(generator.body))
    return any(isinstance(node, cst.Yield) for part in parts for node in own_nodes(part))


def _may_catch(node: cst.CSTNode) -> bool:
    match node:
        case cst.With():
            return True
        case cst.Try(handlers=handlers, finalbody=final) | cst.TryStar(handlers=handlers, finalbody=final):
            return not all(_raises(handler) for handler in handlers) or (final is not None and _leaves(final))
    return False


def _raises(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Whether a handler always ends with ``raise``."""
    last = handler.body.body[-1]
    ends = isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Raise)
    return ends and not _leaves(handler)


def _leaves(node: cst.CSTNode) -> bool:
    return any(isinstance(each, (cst.Return, cst.Break, cst.Continue)) for each in own_nodes(node))
