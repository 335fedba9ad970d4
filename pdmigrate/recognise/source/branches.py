"""Servers of which only one is ever made: the calls stand in different branches of one statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.model import Anchor, Server
from pdmigrate.recognise.starting.joining import as_one

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import SourceModule

_Made = tuple[cst.CSTNode, Server]
_ONLY = "only when "


def once_each(module: SourceModule, made: Iterable[_Made]) -> Iterator[Server]:
    """The servers that calls in a file make; calls of which one makes the server make one, with an anchor for each."""
    groups: list[list[_Made]] = []
    for node, server in made:
        same = (group for group in groups if all(_either(module, node, server, other) for other in group))
        group = next(same, None)
        if group is None:
            groups.append([(node, server)])
        else:
            group.append((node, server))
    return (_joined([server for _, server in group]) for group in groups)


def _joined(servers: list[Server]) -> Server:
    first, *others = servers
    if len(servers) == 2:
        servers = [_unless_opposed(first, others[0]), _unless_opposed(others[0], first)]
    anchors = tuple(server.anchor for server in others if isinstance(server.anchor, Anchor))
    return replace(as_one(servers), twins=anchors) if others else first


def _unless_opposed(server: Server, other: Server) -> Server:
    there = {tool.name: tool.conditional for tool in other.tools if tool.name is not None}
    tools = (
        replace(tool, conditional=None) if _opposed(tool.conditional, there.get(tool.name or "")) else tool
        for tool in server.tools
    )
    return replace(server, tools=tuple(tools))


def _opposed(one: str | None, other: str | None) -> bool:
    """Whether a tool is listed in one branch under the condition that leads to it, and so in the other."""
    if one is None or other is None or not one.startswith(_ONLY) or not other.startswith(_ONLY):
        return False
    first, second = one.removeprefix(_ONLY), other.removeprefix(_ONLY)
    return second == f"not {first}" or first == f"not {second}"


def _either(module: SourceModule, node: cst.CSTNode, server: Server, other: _Made) -> bool:
    """Whether only one of two servers is made, in one call of the function around both; they have the same name."""
    if server.name != other[1].name or server.dialect != other[1].dialect:
        return False
    one, two = _path(module, node), _path(module, other[0])
    common = next((step for step in one if step in two), None)
    if common is None or _functions(one) != _functions(two):
        return False
    first, second = one[one.index(common) - 1], two[two.index(common) - 1]
    match common:
        case cst.If() | cst.IfExp():
            return common.test not in (first, second)
        case cst.Try():
            return all(part is common.body or part in common.handlers for part in (first, second))
        case cst.Match():
            return isinstance(first, cst.MatchCase) and isinstance(second, cst.MatchCase)
        case cst.BaseSuite() | cst.Module():
            return _leaves(one[: one.index(common)]) or _leaves(two[: two.index(common)])
    return False


def _path(module: SourceModule, node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *module.outline.above(node)]


def _functions(path: list[cst.CSTNode]) -> list[cst.CSTNode]:
    return [step for step in path if isinstance(step, (cst.FunctionDef, cst.Lambda, cst.ClassDef))]


def _leaves(path: list[cst.CSTNode]) -> bool:
    """Whether what is below a block is a branch that ends in a ``return``, with the call in it."""
    block = next((step for step in path if isinstance(step, cst.BaseSuite)), None)
    if block is None or not isinstance(path[-1], (cst.If, cst.Try, cst.Match)):
        return False
    last: cst.CSTNode = block.body[-1]
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, cst.Return)
