"""How blocks of code are left, as syntax tells: whether they end the program, or catch what is raised in them."""

from __future__ import annotations

from collections.abc import Callable

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


def catches_at_yield(generator: cst.FunctionDef, swallows: Callable[[cst.BaseExpression], bool]) -> bool:
    """Whether something may catch what is raised at a ``yield``.

    That is a handler around it that does not end with ``raise``, a ``finally`` that leaves, a manager that
    ``swallows``, or the generator to which ``yield from`` hands on.
    """

    def may_catch(node: cst.CSTNode) -> bool:
        match node:
            case cst.With(items=items):
                return any(swallows(item.item) for item in items)
            case cst.Try(handlers=handlers, finalbody=final) | cst.TryStar(handlers=handlers, finalbody=final):
                return not all(_raises(handler.body) for handler in handlers) or (final is not None and _leaves(final))
        return False

    nodes = list(own_nodes(generator.body))
    if any(isinstance(node, cst.Yield) and isinstance(node.value, cst.From) for node in nodes):
        return True
    return any(isinstance(node, cst.Yield) for part in filter(may_catch, nodes) for node in own_nodes(part))


def _raises(block: cst.BaseSuite) -> bool:
    """Whether a block always ends with ``raise``."""
    match block.body:
        case [*_, cst.SimpleStatementLine(body=[*_, cst.Raise()])] | [*_, cst.Raise()]:
            return not _leaves(block)
        case [*_, cst.If(body=first, orelse=cst.Else(body=second))]:
            return _raises(first) and _raises(second) and not _leaves(block)
    return False


def _leaves(node: cst.CSTNode) -> bool:
    return any(isinstance(each, (cst.Return, cst.Break, cst.Continue)) for each in own_nodes(node))
