"""Where ``enable`` goes: the statement that binds a server, or the expression that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.language.imports import GENERATED
from pdmigrate.evaluate.language.scopes import local_names
from pdmigrate.model import Anchor, Span
from pdmigrate.recognise.starting.driving import CallSite
from pdmigrate.tree.code.syntax import assigned, dotted, imported_aliases, last_name, syntax_children

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import SourceModule


def anchor_of(module: SourceModule, site: CallSite) -> Anchor:
    """Where the server of ``site`` can be enabled."""
    path = [*reversed(list(module.outline.above(site.node))), site.node]
    names = enable_names(module)
    wrapped = next((n for n in reversed(path[:-1]) if isinstance(n, cst.Call) and _is_enable(n, names)), None)
    expression: cst.CSTNode = wrapped or site.node
    statement = next((n for n in reversed(path) if isinstance(n, cst.BaseSmallStatement)), None)
    target = bound_target(module, statement, expression)
    if statement is not None and target:
        enabled = module.span(wrapped) if wrapped is not None else _later_call(module, path, target, names)
        return Anchor(module.span(statement), target, enabled)
    return Anchor(module.span(site.node), "", module.span(wrapped) if wrapped is not None else None)


def bound_target(module: SourceModule, statement: cst.CSTNode | None, expression: cst.CSTNode) -> str:
    """The name or attribute to which ``statement`` assigns ``expression``; empty if there is no such plain target."""
    targets, value = assigned(statement)
    return next((module.code(target) for target in targets if value is expression and _is_simple(target)), "")


def _is_simple(node: cst.CSTNode) -> bool:
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def enable_names(module: SourceModule) -> frozenset[str]:
    """The local names of ``enable`` from a generated module."""
    return frozenset(
        local
        for node, alias, local in imported_aliases(module.outline)
        if node.module is not None
        and last_name(node.module).startswith(GENERATED)
        and last_name(alias.name) == "enable"
    )


def _is_enable(node: cst.Call, names: frozenset[str]) -> bool:
    return dotted(node.func) in names


def _later_call(module: SourceModule, path: list[cst.CSTNode], target: str, names: frozenset[str]) -> Span | None:
    """The span of ``enable(target)`` in the block that binds ``target``, even under a condition that someone added."""
    if not names:
        return None
    block = next((node for node in reversed(path) if isinstance(node, (cst.IndentedBlock, cst.Module))), None)
    own = target.partition(".")[0]
    for call in module.outline.calls_of(names):
        around = list(module.outline.above(call))
        if block not in around or not call.args or module.code(call.args[0].value) != target:
            continue
        functions = [f for f in around[: around.index(block)] if isinstance(f, (cst.FunctionDef, cst.Lambda))]
        if _is_enable(call, names) and not any(_has_own(function, own) for function in functions):
            return module.span(call)
    return None


def _has_own(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether ``function`` binds ``name`` itself, which shadows the name around the function."""
    parameters = (child for child in syntax_children(function.params) if isinstance(child, cst.Param))
    return name in local_names(function) or any(parameter.name.value == name for parameter in parameters)
