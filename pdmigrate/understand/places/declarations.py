"""Whether a tool's definition can move from code to a file.

It can if its description and input schema are literals that stand where the tool is made, and if the tool is made once,
sent as it is written, and reached by nothing but the list handler.  Any doubt keeps the definition in code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from pdmigrate.errors import SourceError
from pdmigrate.model import DISCLOSED_FIELDS, Field, Fixed, Known, Movable, Site, Span
from pdmigrate.source.outline import Outline
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.index.syntax import FUNCTIONS, chain
from pdmigrate.understand.places.outline import Outlines, assigned, plain
from pdmigrate.understand.values.objects import FunctionValue, SdkObject

COMPUTED = "PD320"
SHARED = "PD321"
REPEATED = "PD322"
CHANGED = "PD323"
MADE = "PD324"


class KeptInCodeError(Exception):
    """The tool stays in code; ``fixed`` says why."""

    def __init__(self, reason: str, code: str, site: Site | None) -> None:
        super().__init__(reason)
        self.fixed = Fixed(reason, code, site)


class Declarations:
    """Decides which definitions of one server can move; ``wire`` maps keywords of ``Tool`` to fields."""

    def __init__(self, outlines: Outlines, names: Names, wire: Mapping[str, str]) -> None:
        self._outlines, self._names, self._wire = outlines, names, wire

    def of(
        self,
        tool: SdkObject | None,
        site: Site,
        fields: Mapping[str, Field],
        handler: FunctionValue | None,
        listed: Iterable[SdkObject],
    ) -> Movable | Fixed:
        """Where the literals of a tool stand, or why they stay in code; ``listed`` are all tools of the answer."""
        try:
            if tool is None or not isinstance(tool.node, ast.Call) or tool.site is None:
                raise KeptInCodeError("it is not made by a call of Tool", COMPUTED, site)
            outline = self._outlines.at(tool.site.file)
            if _in_loop(outline, tool.node) or any(other.node is tool.node and other is not tool for other in listed):
                raise KeptInCodeError("it is made more than once, or in a loop", REPEATED, site)
            literals = self._literals(outline, tool.node, fields)
            self._require_only_listed(outline, tool.node, handler)
            return Movable(literals)
        except KeptInCodeError as kept:
            return kept.fixed
        except SourceError as error:
            return Fixed(str(error), error.code or COMPUTED, site)

    # --- the literals -------------------------------------------------------------------------------------------------

    def _literals(self, outline: Outline, call: ast.Call, fields: Mapping[str, Field]) -> dict[str, Span]:
        site = outline.site(call)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise KeptInCodeError("its arguments are spread or positional", COMPUTED, site)
        literals: dict[str, Span] = {}
        for name, keyword in ((self._wire.get(item.arg or "", item.arg or ""), item) for item in call.keywords):
            if name in DISCLOSED_FIELDS:
                if name in literals:
                    raise KeptInCodeError(f"its {name} is given twice", COMPUTED, site)
                literals[name] = self._literal(outline, name, keyword, fields.get(name), site)
        for name in DISCLOSED_FIELDS:
            if name in fields and name not in literals:
                raise KeptInCodeError(f"its {name} is set after it is made", CHANGED, site)
        if literals.keys() != {*DISCLOSED_FIELDS}:
            raise KeptInCodeError("it has no description to move", COMPUTED, site)
        return literals

    def _literal(self, outline: Outline, name: str, keyword: ast.keyword, field: Field | None, site: Site) -> Span:
        try:
            written = plain(keyword.value)
        except ValueError:
            raise KeptInCodeError(f"its {name} is not a literal", COMPUTED, outline.site(keyword.value)) from None
        if not isinstance(field, Known) or field.value != written:
            raise KeptInCodeError(f"its {name} is changed after it is written", CHANGED, site)
        return outline.span(keyword.value)

    def _require_unused_elsewhere(self, outline: Outline, name: str, what: str, site: Site) -> None:
        for other in _elsewhere(self._names, outline.path, name):
            raise KeptInCodeError(f"{what} is used in {other} too", SHARED, site)

    # --- other readers of a definition --------------------------------------------------------------------------------

    def _require_only_listed(self, outline: Outline, call: ast.Call, handler: FunctionValue | None) -> None:
        """Check that nothing but the list handler reaches the tool."""
        site = outline.site(call)
        if handler is None:
            raise KeptInCodeError("the handler that lists it is not a plain function", SHARED, site)
        self._require_uncalled(handler, site)
        around = outline.scopes(call)
        if around and around[0] is handler.node:
            return
        holder = _holder(outline, call)
        if not holder:
            raise KeptInCodeError("it is made in code that others may call", SHARED, site)

        def is_inside(there: Outline, node: ast.AST) -> bool:
            return handler.node in there.around(node)

        otherwise = f"{holder} is read outside the list handler"
        _require(outline, _mentions(outline, holder), is_inside, otherwise)
        for path in _elsewhere(self._names, outline.path, holder):
            if path != handler.module.path:
                raise KeptInCodeError(f"{holder} is used in {path} too", SHARED, site)
            there = self._outlines.at(path)
            _require(there, _all_mentions(there, holder), is_inside, otherwise)

    def _require_uncalled(self, handler: FunctionValue, site: Site) -> None:
        outline, name = self._outlines.at(handler.module.path), handler.name
        uses = _all_mentions(outline, name) if handler.owner is not None else _mentions(outline, name)
        _require(outline, uses, _is_registration, f"the list handler {name} is used elsewhere too")
        self._require_unused_elsewhere(outline, name, f"the list handler {name}", site)
        for asking in ("ListToolsRequest", "get_request_handler"):
            asked = _mentions(outline, asking, attributes=True)
            _require(outline, asked, _is_registration, "the list handler is looked up elsewhere too")


_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _in_loop(outline: Outline, node: ast.AST) -> bool:
    found = (inner for inner in outline.around(node) if isinstance(inner, (*_LOOPS, *FUNCTIONS)))
    return isinstance(next(found, None), _LOOPS)


def _holder(outline: Outline, call: ast.Call) -> str:
    """The module-level name bound to the value that the tool is part of, or the module-level function that makes it."""
    top, scopes = [call, *outline.around(call)][-2], outline.scopes(call)
    if isinstance(top, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return top.name if scopes == [top] else ""
    targets, _ = assigned(top)
    (target,) = targets if len(targets) == 1 else (None,)
    return target.id if isinstance(target, ast.Name) and not scopes else ""


_Mentions = list[ast.expr | ast.stmt]


def _require(outline: Outline, found: _Mentions, holds: Callable[[Outline, ast.AST], bool], otherwise: str) -> None:
    for mention in found:
        if not holds(outline, mention):
            raise KeptInCodeError(otherwise, SHARED, outline.site(mention))


def _elsewhere(names: Names, path: str, name: str) -> Iterator[str]:
    """The other files that may use a name of a module."""
    importers = {*names.importers(path)} - {path}
    for other in names.tree.may_import(path):
        module = names.tree.module(other) if other in importers else None
        # A file that cannot be parsed may use the name if its text has it.
        in_text = other in names.tree.unread and other in names.tree.saying(name)
        if in_text or (module is not None and _uses(module, name)):
            yield other


def _uses(module: Module, name: str) -> bool:
    """Whether a module imports a name from anywhere, or reads it of something that it imports."""
    imports = [node for node in module.nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    aliases = [alias for node in imports for alias in node.names]
    bound = {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    reads = (node for node in module.nodes if isinstance(node, ast.Attribute) and node.attr == name)
    is_read = any(chain(node).partition(".")[0] in bound for node in reads)
    return is_read or any(alias.name in (name, "*") for alias in aliases)


def _mentions(outline: Outline, name: str, *, attributes: bool = False) -> _Mentions:
    """The reads of the variable ``name`` in a module, in order; with ``attributes``, of attributes of that name."""
    kind = ast.Attribute if attributes else (ast.Name, ast.Global, ast.Nonlocal)
    found = (node for node in outline.parents if isinstance(node, kind) and _is_read(outline, node, name))
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _is_read(outline: Outline, node: ast.AST, name: str) -> bool:
    """Whether a node is ``name``, and more than a plain target that only binds it."""
    if isinstance(node, ast.Attribute):
        return node.attr == name
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    if not isinstance(node, ast.Name) or node.id != name:
        return False
    plain = isinstance(outline.parents[node], (ast.Assign, ast.AnnAssign, ast.withitem))
    return not (plain and isinstance(node.ctx, ast.Store))


def _all_mentions(outline: Outline, name: str) -> _Mentions:
    return [*_mentions(outline, name), *_mentions(outline, name, attributes=True)]


def _is_registration(outline: Outline, node: ast.AST) -> bool:
    """Whether a mention of a handler registers it, like ``server.list_tools()(handler)``."""
    around = list(outline.around(node))
    if any(isinstance(each, ast.keyword) and each.arg == "on_list_tools" and each.value is node for each in around):
        return True
    called = next((each.func for each in around if isinstance(each, ast.Call)), None)
    if isinstance(called, ast.Call):
        return _ends(called.func, "list_tools")
    return called is not None and _ends(called, "add_request_handler")


def _ends(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
