"""Where the fields of a tool come from: the expression that gives each of them, and what stands behind its names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pdmigrate.errors import SourceError
from pdmigrate.model import Field, Known, Site, Step
from pdmigrate.source.outline import Outline
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.index.syntax import FUNCTIONS, chain, children, parameters_of
from pdmigrate.understand.places.outline import Outlines, assigned, plain
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import Const
from pdmigrate.understand.values.objects import SdkObject

LONGEST = 8
"""The most steps of a value."""

_Written = tuple[Outline, ast.expr]


class Provenance:
    def __init__(self, outlines: Outlines, names: Names) -> None:
        self._outlines, self._names = outlines, names

    def of(self, tool: SdkObject, fields: Mapping[str, Field], wire: Mapping[str, str]) -> dict[str, Field]:
        """``fields`` with the steps that led to them; ``wire`` maps the keywords of the call to fields."""
        if not isinstance(tool.node, ast.Call) or tool.site is None:
            return dict(fields)
        try:
            outline = self._outlines.at(tool.site.file)
        except SourceError:
            return dict(fields)  # the declaration says so
        given = {wire.get(item.arg, item.arg): item.value for item in tool.node.keywords if item.arg is not None}
        made = Step("Tool(...)", tool.site)
        found: dict[str, Field] = {}
        for name, field in fields.items():
            steps = self._steps(outline, given[name], field, tool.site) if name in given else (made,)
            value = tool.data.get(name)
            last = value.made if isinstance(value, (Const, DictValue)) else None
            more = [last] if last is not None and last.site not in [step.site for step in steps] else []
            found[name] = replace(field, steps=(*steps, *more))
        return found

    def _steps(self, outline: Outline, node: ast.expr, field: Field, site: Site) -> tuple[Step, ...]:
        literal = self._literal(outline, node)
        if isinstance(field, Known) and literal is not None and literal[0] != field.value:
            return (Step("changed after it is made", site),)
        return tuple(dict.fromkeys(self._chain(outline, node)))[:LONGEST]

    def _literal(self, outline: Outline, node: ast.expr) -> tuple[object] | None:
        """The value of an expression that is a literal, or the name of one."""
        found = [*self._behind(outline, node)] if isinstance(node, ast.Name) else [(outline, node)]
        try:
            return (plain(found[0][1]),) if len(found) == 1 else None
        except ValueError:
            return None

    # --- the steps of an expression -----------------------------------------------------------------------------------

    def _chain(self, outline: Outline, start: ast.expr) -> Iterator[Step]:
        """The steps of a value as a whole, from the place nearest to the wire back to the literals."""
        queue: list[_Written] = [(outline, start)]
        seen: set[ast.AST] = set()
        while queue and len(seen) < LONGEST * 4:
            where, node = queue.pop(0)
            if node in seen:
                continue
            seen.add(node)
            if name := chain(node):
                found = [*self._behind(where, node)]
                yield from (Step(f"constant {name.rpartition('.')[2]}", other.site(value)) for other, value in found)
                if not found:
                    yield self._definition(where, node) or Step(f"name {name}", where.site(node))
                queue += found
            else:
                yield Step(_text(node), where.site(node))
                if isinstance(node, ast.Call) and (called := self._definition(where, node.func)) is not None:
                    yield called
                queue += [(where, part) for part in _sources(node)]

    def _definition(self, outline: Outline, node: ast.expr) -> Step | None:
        """The function or class that a name means, if it is one of the program's."""
        path, name = self._names.origin(outline.path, chain(node)) or ("", "")
        if (module := self._names.tree.module(path)) is None:
            return None
        found = (unit.node for unit in module.bound.get(name, ()) if isinstance(unit.node, _OTHERS))
        kinds = ((each, "class" if isinstance(each, ast.ClassDef) else "function") for each in found)
        return next((Step(f"{kind} {each.name}", module.site(each)) for each, kind in kinds), None)

    # --- what stands behind a name ------------------------------------------------------------------------------------

    def _behind(self, outline: Outline, node: ast.expr) -> Iterator[_Written]:
        """The expressions that a name, or an attribute of a class or module, is bound to."""
        name = chain(node)
        for scope in outline.scopes(node):
            if isinstance(scope, FUNCTIONS):
                bound = list(_bindings(scope, name))
                if bound or any(parameter.arg == name for parameter in parameters_of(scope)):
                    yield from ((outline, value) for value in bound)
                    return
        origin = self._names.origin(outline.path, name)
        if origin is None or not origin[1]:
            return
        try:
            there = self._outlines.at(origin[0])
        except SourceError:
            return  # reported where the file is read for its own servers
        last, module = name.rpartition(".")[2], self._names.tree.module(origin[0])
        for unit in module.bound.get(origin[1], ()) if module is not None else ():
            inside = isinstance(unit.node, ast.ClassDef) and last != origin[1]
            yield from ((there, value) for value in _bindings(unit.node, last if inside else origin[1]))


def _bindings(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """The values that statements in ``scope``, functions and classes inside it aside, assign to ``name``."""
    stack: list[ast.AST] = [scope]
    while stack:
        node = stack.pop(0)
        targets, value = assigned(node)
        if value is not None and any(isinstance(target, ast.Name) and target.id == name for target in targets):
            yield value
        for child in children(node):
            if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(child, _OTHERS):
                stack.append(child)


_OTHERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WRITTEN_OUT = (ast.Constant, ast.Dict, ast.List, ast.Set, ast.Tuple)
_TEXTS = {
    **dict.fromkeys(_WRITTEN_OUT, "literal"),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "comprehension"),
    ast.JoinedStr: "f-string",
    ast.Subscript: "subscript",
}


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        name = chain(node.func)
        last = name.rpartition(".")[2]
        if last[:1].isupper():
            return f"{last}(...)"
        return f"{name}()" if name else f".{node.func.attr}()" if isinstance(node.func, ast.Attribute) else "call"
    return _TEXTS.get(type(node), "computed")


def _sources(node: ast.expr) -> list[ast.expr]:
    """The operands from which the value of an expression is made."""
    if isinstance(node, _WRITTEN_OUT):
        return []
    if isinstance(node, ast.Call):
        inner = [node.func.value] if isinstance(node.func, ast.Attribute) and not chain(node.func) else []
        return [*inner, *node.args[:4]]
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    return [child for child in children(node) if isinstance(child, ast.expr)]
