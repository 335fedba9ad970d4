"""Where ``enable`` goes: the statement that binds a server, or the expression that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.language.imports import GENERATED
from pdmigrate.evaluate.language.scopes import local_names
from pdmigrate.model import Anchor, Span
from pdmigrate.tree.code.syntax import assigned, dotted, imported_aliases, last_name, syntax_children

if TYPE_CHECKING:
    from pdmigrate.recognise.source.sites import CallSite
    from pdmigrate.tree.code.modules import SourceModule


def anchor_of(site: CallSite) -> Anchor:
    """Where the server of ``site`` can be enabled."""
    module, node = site.module, site.node
    names = _enable_names(module)
    wrapped = next((call for call in module.outline.around(node, cst.Call) if dotted(call.func) in names), None)
    statement = next((n for n in module.outline.above(node) if isinstance(n, cst.BaseSmallStatement)), None)
    target = _bound_target(module, statement, wrapped or node)
    enabled = module.span(wrapped) if wrapped is not None else None
    if statement is None or not target:
        return Anchor(module.span(node), "", enabled)
    return Anchor(module.span(statement), target, enabled or _later_call(site, target, names))


def _bound_target(module: SourceModule, statement: cst.CSTNode | None, expression: cst.CSTNode) -> str:
    """The name or attribute to which ``statement`` assigns ``expression``; empty if there is no such plain target."""
    targets, value = assigned(statement)
    plain = (module.code(target) for target in targets if dotted(target).partition(".")[0])
    return next(plain, "") if value is expression else ""


def _enable_names(module: SourceModule) -> frozenset[str]:
    """The local names of ``enable`` from a generated module."""
    return frozenset(
        local
        for node, alias, local in imported_aliases(module.outline)
        if node.module is not None
        and last_name(node.module).startswith(GENERATED)
        and last_name(alias.name) == "enable"
    )


def _later_call(site: CallSite, target: str, names: frozenset[str]) -> Span | None:
    """The span of ``enable(target)`` in the block that binds ``target``, even under a condition that someone added."""
    if not names:
        return None
    module, own = site.module, target.partition(".")[0]
    block = next(module.outline.around(site.node, cst.IndentedBlock, cst.Module))
    for call in module.outline.calls_of(names):
        if block not in module.outline.above(call) or not call.args or module.code(call.args[0].value) != target:
            continue
        functions = [f for f in module.outline.functions_above(call) if block in module.outline.above(f)]
        if dotted(call.func) in names and not any(_has_own(function, own) for function in functions):
            return module.span(call)
    return None


def _has_own(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether ``function`` binds ``name`` itself, which shadows the name around the function."""
    parameters = (child for child in syntax_children(function.params) if isinstance(child, cst.Param))
    return name in local_names(function) or any(parameter.name.value == name for parameter in parameters)
