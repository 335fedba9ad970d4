"""Whether a tool's definition can move from code to a file.

It can if description and schemas are literals that stand where the tool is made (or in a constant that nothing else
reads), and if the tool is made once, sent as it is written, and reached by nothing but the list handler.  Any doubt
keeps the definition in code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pdmigrate.errors import SourceError
from pdmigrate.model import DEFINING_FIELDS, Argument, Field, Fixed, Known, Movable, Site
from pdmigrate.understand.index.units import FUNCTIONS, local_names
from pdmigrate.understand.places.anchors import assigned
from pdmigrate.understand.places.outline import Outline, Outlines, plain
from pdmigrate.understand.places.readers import Mention, Readers, mentions
from pdmigrate.understand.values.calls import BoundMethod, Partial
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import FunctionValue, SdkObject
from pdmigrate.understand.values.outside import Called

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


@dataclass(frozen=True, slots=True)
class Handler:
    """The program's function behind the registered handler that lists the tools."""

    node: ast.AST
    path: str
    name: str
    method: bool


def handler_of(value: Value | None) -> Handler | None:
    """The program's function behind a registered handler; ``None`` if it is not known."""
    if isinstance(value, Called) and value.callee == "decorated handler":
        value = value.args[0]
    inner = value
    while isinstance(inner, (BoundMethod, Partial)):
        inner = inner.function
    if not isinstance(inner, FunctionValue):
        return None
    return Handler(inner.node, inner.module.path, inner.name, inner is not value or inner.owner is not None)


class Declarations:
    """Decides which definitions of one server can move; ``wire`` maps keywords of ``Tool`` to fields."""

    def __init__(self, outlines: Outlines, readers: Readers, wire: Mapping[str, str]) -> None:
        self._outlines, self._readers, self._wire = outlines, readers, wire

    def of(
        self,
        tool: SdkObject | None,
        site: Site,
        fields: Mapping[str, Field],
        handler: Handler | None,
        listed: Iterable[SdkObject],
    ) -> Movable | Fixed:
        """Where the literals of a tool at ``site`` stand, or why they stay in code.

        ``listed`` are all tools of the answer.
        """
        try:
            if tool is None or not isinstance(tool.node, ast.Call) or tool.site is None:
                raise KeptInCodeError("it is not made by a call of Tool", COMPUTED, site)
            outline = self._outlines.at(tool.site.file)
            if _in_loop(outline, tool.node) or any(other.node is tool.node and other is not tool for other in listed):
                raise KeptInCodeError("it is made more than once, or in a loop", REPEATED, site)
            arguments = self._arguments(outline, tool.node, fields)
            self._require_only_listed(outline, tool.node, handler)
            return Movable(arguments)
        except KeptInCodeError as kept:
            return kept.fixed
        except SourceError as error:
            return Fixed(str(error), error.code or COMPUTED, site)

    # --- the literals -------------------------------------------------------------------------------------------------

    def _arguments(self, outline: Outline, call: ast.Call, fields: Mapping[str, Field]) -> dict[str, Argument]:
        site = outline.site(call)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise KeptInCodeError("its arguments are spread or positional", COMPUTED, site)
        arguments: dict[str, Argument] = {}
        for name, keyword in ((self._wire.get(item.arg or "", item.arg or ""), item) for item in call.keywords):
            if name in DEFINING_FIELDS:
                if name in arguments:
                    raise KeptInCodeError(f"its {name} is given twice", COMPUTED, site)
                arguments[name] = self._argument(outline, name, keyword, fields.get(name), site)
        for name in DEFINING_FIELDS:
            if name in fields and name not in arguments:
                raise KeptInCodeError(f"its {name} is set after it is made", CHANGED, site)
        if not {"description", "inputSchema"} <= arguments.keys():
            raise KeptInCodeError("it has no description to move", COMPUTED, site)
        return arguments

    def _argument(self, outline: Outline, name: str, keyword: ast.keyword, field: Field | None, site: Site) -> Argument:
        value = keyword.value
        if isinstance(value, ast.Name):
            value = self._constant(outline, value)
        try:
            written = plain(value)
        except ValueError:
            raise KeptInCodeError(f"its {name} is computed", COMPUTED, outline.site(keyword.value)) from None
        if not isinstance(field, Known) or field.value != written:
            raise KeptInCodeError(f"its {name} is changed after it is written", CHANGED, site)
        return Argument(outline.span(value), outline.span(keyword))

    def _constant(self, outline: Outline, name: ast.Name) -> ast.expr:
        """The value of a constant of the tool's module that nothing else reads."""
        site = outline.site(name)
        values = [value for node in outline.module.tree.body for bound, value in [_bound(node)] if bound == name.id]
        own = any(isinstance(f, FUNCTIONS) and name.id in local_names(f) for f in outline.functions(name))
        if len(values) != 1 or values[0] is None or own:
            raise KeptInCodeError(f"{name.id} is no constant of this module", COMPUTED, site)
        reads = len(mentions(outline, name.id))
        if reads != 1:
            raise KeptInCodeError(f"{name.id} is read in {reads} places", SHARED, site)
        self._require_unused_elsewhere(outline, name.id, name.id, site)
        return values[0]

    def _require_unused_elsewhere(self, outline: Outline, name: str, what: str, site: Site) -> None:
        for other in self._readers.elsewhere(outline.module, name):
            raise KeptInCodeError(f"{what} is used in {other} too", SHARED, site)

    # --- other readers of a definition --------------------------------------------------------------------------------

    def _require_only_listed(self, outline: Outline, call: ast.Call, handler: Handler | None) -> None:
        """Check that nothing but the list handler reaches the tool."""
        site = outline.site(call)
        if handler is None:
            raise KeptInCodeError("the handler that lists it is no plain function", SHARED, site)
        self._require_uncalled(handler, site)
        around = outline.functions(call)
        if around and around[0] is handler.node:
            return
        holder = _holder(outline, call)
        if not holder:
            raise KeptInCodeError("it is made in code that others may call", SHARED, site)
        self._require_read_by(outline, holder, handler, site)

    def _require_read_by(self, outline: Outline, name: str, handler: Handler, site: Site) -> None:
        """Check that ``name`` is read only in the body of the handler."""
        _require_in_handler(outline, mentions(outline, name), name, handler)
        for path in self._readers.elsewhere(outline.module, name):
            if path != handler.path:
                raise KeptInCodeError(f"{name} is used in {path} too", SHARED, site)
            there = self._outlines.at(path)
            _require_in_handler(there, _all_mentions(there, name), name, handler)

    def _require_uncalled(self, handler: Handler, site: Site) -> None:
        """Check that nothing but the SDK calls the handler."""
        outline, name = self._outlines.at(handler.path), handler.name
        uses = _all_mentions(outline, name) if handler.method else mentions(outline, name)
        _require_registering(outline, uses, f"the list handler {name} is used elsewhere too")
        self._require_unused_elsewhere(outline, name, f"the list handler {name}", site)
        for asking in ("ListToolsRequest", "get_request_handler"):
            asked = mentions(outline, asking, attributes=True)
            _require_registering(outline, asked, "the list handler is looked up elsewhere too")


_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _in_loop(outline: Outline, node: ast.AST) -> bool:
    """Whether a node stands in a loop of the function around it."""
    for inner in outline.around(node):
        if isinstance(inner, _LOOPS):
            return True
        if isinstance(inner, FUNCTIONS):
            return False
    return False


def _bound(statement: ast.AST) -> tuple[str, ast.expr | None]:
    """The one name that a statement assigns to, and its value; an empty name for all other statements."""
    targets, value = assigned(statement)
    if len(targets) == 1 and isinstance(targets[0], ast.Name) and value is not None:
        return targets[0].id, value
    return "", None


def _holder(outline: Outline, call: ast.Call) -> str:
    """The module-level name bound to the value that the tool is part of, or the module-level function that makes it."""
    inner = outline.functions(call)
    top = [call, *outline.around(call)][-2]
    if isinstance(top, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return top.name if inner == [top] else ""
    return _bound(top)[0] if not inner else ""


def _require_in_handler(outline: Outline, found: list[Mention], name: str, handler: Handler) -> None:
    for mention in found:
        if handler.node not in outline.around(mention.node):
            raise KeptInCodeError(f"{name} is read outside the list handler", SHARED, outline.site(mention.node))


def _all_mentions(outline: Outline, name: str) -> list[Mention]:
    return [*mentions(outline, name), *mentions(outline, name, attributes=True)]


def _require_registering(outline: Outline, found: list[Mention], otherwise: str) -> None:
    for mention in found:
        if not _is_registration(outline, mention.node):
            raise KeptInCodeError(otherwise, SHARED, outline.site(mention.node))


def _is_registration(outline: Outline, node: ast.AST) -> bool:
    """Whether a mention of a handler registers it.

    So do ``server.list_tools()(self.handler)``, ``server.request_handlers[...] = handler``, ``@server.list_tools()``.
    """
    around = list(outline.around(node))
    if isinstance(node, ast.Attribute) and _decorates(node, around):
        return True
    if any(isinstance(each, ast.keyword) and each.arg == "on_list_tools" and each.value is node for each in around):
        return True
    call = next((each for each in around if isinstance(each, ast.Call)), None)
    if call is not None:
        if isinstance(call.func, ast.Call) and _ends(call.func.func, "list_tools"):
            return True
        if call.func is node and _ends(node, "list_tools"):
            return any(isinstance(outer, ast.Call) and outer.func is call for outer in around)
        if _ends(call.func, "add_request_handler"):
            return True
    assign = next((each for each in around if isinstance(each, ast.Assign)), None)
    targets = assign.targets if assign is not None else []
    return any(isinstance(each, ast.Subscript) and _ends(each.value, "request_handlers") for each in targets)


def _decorates(node: ast.AST, around: list[ast.AST]) -> bool:
    path = [node, *around]
    return any(part in getattr(above, "decorator_list", ()) for part, above in zip(path, around, strict=False))


def _ends(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
