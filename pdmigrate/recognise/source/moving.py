"""Whether a tool's definition can move from code to a file.

It can if description and schemas are literals that stand where the tool is made (or in a constant that nothing else
reads), and if the tool is made once, sent as it is written, and reached by nothing but the list handler.  Any doubt
keeps the definition in code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.values import BoundMethod, FunctionValue, Place, SdkObject, Value
from pdmigrate.model import DEFINING_FIELDS, Argument, Field, Fixed, Known, Movable
from pdmigrate.recognise.sdk.fields import wire_names
from pdmigrate.recognise.source.references import Mention, mentions
from pdmigrate.tree.code.syntax import assigned

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule

COMPUTED = "PD320"
SHARED = "PD321"
REPEATED = "PD322"
CHANGED = "PD323"


class KeptInCodeError(Exception):
    """The tool stays in code; ``fixed`` says why."""

    def __init__(self, reason: str, code: str, place: Place | None) -> None:
        super().__init__(reason)
        self.fixed = Fixed(reason, code, site_of(place))


@dataclass(frozen=True)
class Handler:
    """The program's function behind a registered handler, such as the one that lists the tools."""

    node: cst.CSTNode
    module: SourceModule
    name: str
    method: bool


def handler_of(value: Value) -> Handler | None:
    """The program's function behind a registered handler; ``None`` if the evaluator does not know it."""
    if isinstance(value, SdkObject):
        value = value.names.get("function", value)
    method = isinstance(value, BoundMethod)
    function = value.unbound
    if not isinstance(function, FunctionValue) or function.node is None or function.module is None:
        return None
    return Handler(function.node, function.module, function.name, method or function.owner is not None)


def declaration_of(
    run: Interpreter, tool: SdkObject, fields: Mapping[str, Field], handler: Handler | None
) -> Movable | Fixed:
    """Where the tool's literals stand, or why they stay in code."""
    try:
        return Movable(_arguments(run, tool, fields, handler))
    except KeptInCodeError as kept:
        return kept.fixed


def _arguments(
    run: Interpreter, tool: SdkObject, fields: Mapping[str, Field], handler: Handler | None
) -> dict[str, Argument]:
    place = tool.place
    if place is None or not isinstance(place.node, cst.Call):
        raise KeptInCodeError("it is not made by a call of Tool", COMPUTED, place)
    if tool.repeated:
        raise KeptInCodeError("it is made more than once, or in a loop", REPEATED, place)
    if any(argument.star or argument.keyword is None for argument in place.node.args):
        raise KeptInCodeError("its arguments are spread or positional", COMPUTED, place)
    arguments: dict[str, Argument] = {}
    for argument in place.node.args:
        assert argument.keyword is not None
        name = wire_name(run, argument.keyword.value)
        if name in DEFINING_FIELDS:
            if name in arguments:
                raise KeptInCodeError(f"its {name} is given twice", COMPUTED, place)
            arguments[name] = _argument(run, place, argument, fields.get(name))
    for name in DEFINING_FIELDS:
        if name in fields and name not in arguments:
            raise KeptInCodeError(f"its {name} is set after it is made", CHANGED, place)
    if not {"description", "inputSchema"} <= arguments.keys():
        raise KeptInCodeError("it has no description to move", COMPUTED, place)
    require_only_listed(run, place, handler)
    return arguments


def wire_name(run: Interpreter, keyword: str) -> str:
    """The field that a keyword of ``Tool`` sets: ``input_schema`` sets ``inputSchema`` in mcp 2.x."""
    return (wire_names("mcp.types.Tool", run.versions) or {}).get(keyword, keyword)


def _argument(run: Interpreter, place: Place, argument: cst.Arg, field: Field | None) -> Argument:
    assert argument.keyword is not None
    name = wire_name(run, argument.keyword.value)
    value, module = argument.value, place.module
    if isinstance(value, cst.Name) and value.value not in _NAMED:
        value = _constant(run, place, value)
    try:
        written = plain(value)
    except ValueError:
        raise KeptInCodeError(f"its {name} is computed", COMPUTED, Place(module, argument.value)) from None
    if not isinstance(field, Known) or field.value != written:
        raise KeptInCodeError(f"its {name} is changed after it is written", CHANGED, place)
    return Argument(module.span(value), module.span(argument))


_NAMED = {"None": None, "True": True, "False": False}
_LITERALS = (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)


def plain(node: cst.BaseExpression) -> object:
    """The JSON value of a literal.

    Raises:
        ValueError: ``node`` is not made of constants only.
    """
    if isinstance(node, cst.Dict):
        pairs = [element for element in node.elements if isinstance(element, cst.DictElement)]
        if len(pairs) == len(node.elements):
            return {plain(element.key): plain(element.value) for element in pairs}
    elif isinstance(node, (cst.List, cst.Tuple)):
        if not any(isinstance(element, cst.StarredElement) for element in node.elements):
            return [plain(element.value) for element in node.elements]
    elif isinstance(node, cst.UnaryOperation):
        inner = plain(node.expression)
        if isinstance(node.operator, cst.Minus) and isinstance(inner, (int, float)):
            return -inner
        return inner if isinstance(node.operator, cst.Plus) else object()
    elif isinstance(node, cst.Name) and node.value in _NAMED:
        return _NAMED[node.value]
    elif isinstance(node, _LITERALS) and node.evaluated_value is not None:
        return node.evaluated_value
    raise ValueError(type(node).__name__)


# --- other readers of a definition ------------------------------------------------------------------------------------


def _constant(run: Interpreter, place: Place, name: cst.Name) -> cst.BaseExpression:
    """The value of a constant of the tool's module that nothing else reads.

    Raises:
        KeptInCodeError: ``name`` is no such constant, or read elsewhere.
    """
    module = place.module
    values = [value for target, value in _module_constants(module) if target == name.value]
    if len(values) != 1:
        raise KeptInCodeError(f"{name.value} is no constant of this module", COMPUTED, Place(module, name))
    reads = list(mentions(module, name.value))
    if len(reads) != 1:
        raise KeptInCodeError(f"{name.value} is read in {len(reads)} places", SHARED, Place(module, name))
    other = next(iter(run.index.whole.using(module.path, name.value)), None)
    if other is not None:
        raise KeptInCodeError(f"{name.value} is used in {other} too", SHARED, Place(module, name))
    return values[0]


def _module_constants(module: SourceModule) -> list[tuple[str, cst.BaseExpression]]:
    lines = (line for line in module.tree.body if isinstance(line, cst.SimpleStatementLine))
    return [bound for line in lines for statement in line.body if (bound := _bound(statement)) is not None]


def _bound(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """The one name that a statement assigns to, and its value."""
    targets, value = assigned(statement)
    names = [target.value for target in targets if isinstance(target, cst.Name)]
    return (names[0], value) if value is not None and len(names) == len(targets) == 1 else None


def require_only_listed(run: Interpreter, place: Place, handler: Handler | None) -> None:
    """Check that nothing but the list handler reaches the tool.

    Raises:
        KeptInCodeError: other code reaches it, or may.
    """
    if handler is None:
        raise KeptInCodeError("the handler that lists it is no plain function", SHARED, place)
    _require_uncalled(run, handler, place)
    outline = place.module.outline
    if next(outline.functions_above(place.node), None) is handler.node:
        return
    holder = _holder([*reversed(list(outline.above(place.node))), place.node])
    if holder is None:
        raise KeptInCodeError("it is made in code that others may call", SHARED, place)
    _require_read_by(run, place, holder, handler)


def _holder(above: list[cst.CSTNode]) -> str | None:
    """The module-level name bound to the value that the tool is part of, or the module-level function that makes it."""
    if len(above) < 2:
        return None
    top = above[1]
    if isinstance(top, cst.FunctionDef):
        inner = [node for node in above[2:] if isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef))]
        return top.name.value if not inner else None
    if not isinstance(top, cst.SimpleStatementLine) or any(isinstance(node, cst.Lambda) for node in above):
        return None
    bound = _bound(above[2])
    return bound[0] if bound is not None else None


def _require_read_by(run: Interpreter, place: Place, name: str, handler: Handler) -> None:
    """Check that ``name`` is read only in the body of the handler."""
    module = place.module
    for mention in mentions(module, name):
        if handler.node not in mention.inside:
            raise KeptInCodeError(f"{name} is read outside the list handler", SHARED, Place(module, mention.node))
    for path in run.index.whole.using(module.path, name):
        if path != handler.module.path:
            raise KeptInCodeError(f"{name} is used in {path} too", SHARED, place)
        for mention in (*mentions(handler.module, name), *mentions(handler.module, name, attributes=True)):
            if handler.node not in mention.inside:
                raise KeptInCodeError(
                    f"{name} is read outside the list handler", SHARED, Place(handler.module, mention.node)
                )


def _require_uncalled(run: Interpreter, handler: Handler, place: Place) -> None:
    """Check that nothing but the SDK calls the handler."""
    uses = [m for m in mentions(handler.module, handler.name) if not _is_registration(m)]
    if handler.method:
        uses += [m for m in mentions(handler.module, handler.name, attributes=True) if not _is_registration(m)]
    if uses:
        here = Place(handler.module, uses[0].node)
        raise KeptInCodeError(f"the list handler {handler.name} is used elsewhere too", SHARED, here)
    other = next(iter(run.index.whole.using(handler.module.path, handler.name)), None)
    if other is not None:
        raise KeptInCodeError(f"the list handler {handler.name} is used in {other} too", SHARED, place)
    asked = next(
        (
            m
            for name in ("ListToolsRequest", "get_request_handler")
            for m in mentions(handler.module, name, attributes=True)
            if not _is_registration(m)
        ),
        None,
    )
    if asked is not None:
        here = Place(handler.module, asked.node)
        raise KeptInCodeError("the list handler is looked up elsewhere too", SHARED, here)


def _is_registration(mention: Mention) -> bool:
    """Whether a mention of a handler registers it.

    So do ``server.list_tools()(self.handler)``, ``server.request_handlers[...] = handler``, ``@server.list_tools()``.
    """
    above = list(mention.inside)
    call = next((node for node in above if isinstance(node, cst.Call)), None)
    if isinstance(mention.parent, cst.Attribute) and any(isinstance(node, cst.Decorator) for node in above):
        return True
    if any(isinstance(node, cst.Arg) and _registers(node, mention.node) for node in above):
        return True
    if call is not None:
        function = call.func
        if isinstance(function, cst.Call) and _ends(function.func, "list_tools"):
            return True
        if _ends(function, "list_tools") and function is mention.parent:
            return _called_again(above, call)
        if _ends(function, "add_request_handler"):
            return True
    assign = next((node for node in above if isinstance(node, cst.Assign)), None)
    return assign is not None and any(
        isinstance(t.target, cst.Subscript) and _ends(t.target.value, "request_handlers") for t in assign.targets
    )


def _registers(node: cst.Arg, value: cst.CSTNode) -> bool:
    """Whether an argument registers ``value``: ``Server(on_list_tools=handler)``, also with ``self.handler``."""
    if node.keyword is None or node.keyword.value != "on_list_tools":
        return False
    return node.value is value or (isinstance(node.value, cst.Attribute) and node.value.attr is value)


def _called_again(above: list[cst.CSTNode], call: cst.Call) -> bool:
    return any(isinstance(node, cst.Call) and node.func is call for node in above)


def _ends(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == name
