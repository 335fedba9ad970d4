"""Whether a tool's definition can move from code to a file.

It can if description and schemas are literals that stand where the tool is made (or in a constant that nothing else
reads), and if the tool is made once, sent as it is written, and reached by nothing but the list handler.  Any doubt
keeps the definition in code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.values import Place, SdkObject, Value, is_sdk
from pdmigrate.model import DEFINING_FIELDS, Argument, Field, Fixed, Known, Movable
from pdmigrate.recognise.sdk.fields import wire_names
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
    if is_sdk(value, "decorated handler"):
        value = value.names["function"]
    function = value.underlying.as_function
    if function is None or function.node is None or function.module is None:
        return None
    method = function is not value or function.owner is not None
    return Handler(function.node, function.module, function.name, method)


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
    wire = wire_names("mcp.types.Tool", run.versions) or {}
    named = [(each.keyword.value, each) for each in place.node.args if not each.star and each.keyword is not None]
    if len(named) < len(place.node.args):
        raise KeptInCodeError("its arguments are spread or positional", COMPUTED, place)
    arguments: dict[str, Argument] = {}
    for name, argument in ((wire.get(keyword, keyword), argument) for keyword, argument in named):
        if name in DEFINING_FIELDS:
            if name in arguments:
                raise KeptInCodeError(f"its {name} is given twice", COMPUTED, place)
            arguments[name] = _argument(run, place, name, argument, fields.get(name))
    for name in DEFINING_FIELDS:
        if name in fields and name not in arguments:
            raise KeptInCodeError(f"its {name} is set after it is made", CHANGED, place)
    if not {"description", "inputSchema"} <= arguments.keys():
        raise KeptInCodeError("it has no description to move", COMPUTED, place)
    _require_only_listed(run, place, handler)
    return arguments


def _argument(run: Interpreter, place: Place, name: str, argument: cst.Arg, field: Field | None) -> Argument:
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


def plain(node: cst.CSTNode) -> object:
    """The JSON value of a literal.

    Raises:
        ValueError: ``node`` is not made of constants only.
    """
    match node:
        case cst.Dict():
            return dict(map(_entry, node.elements))
        case cst.List() | cst.Tuple():
            return [plain(element) for element in node.elements]
        case cst.Element():
            return plain(node.value)
        case cst.UnaryOperation():
            match node.operator, plain(node.expression):
                case cst.Minus(), int() | float() as number:
                    return -number
                case cst.Plus(), inner:
                    return inner
            return object()
        case cst.Name(value=("None" | "True" | "False") as name):
            return _NAMED[name]
        case cst.SimpleString() | cst.ConcatenatedString() | cst.Integer() | cst.Float():
            if node.evaluated_value is not None:
                return node.evaluated_value
    raise ValueError(type(node).__name__)


def _entry(element: cst.BaseDictElement) -> tuple[object, object]:
    if not isinstance(element, cst.DictElement):
        raise ValueError("an unpacked dict")
    return plain(element.key), plain(element.value)


# --- other readers of a definition ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mention:
    """A use of a name in its own module, with every node above it, the innermost first."""

    node: cst.CSTNode
    inside: tuple[cst.CSTNode, ...]


def mentions(module: SourceModule, name: str, *, attributes: bool = False) -> Iterator[Mention]:
    """Reads of the variable ``name`` in ``module``; with ``attributes``, of attributes of that name instead."""
    for node in module.outline.names.get(name, ()):
        parent = module.outline.parents[node]
        is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
        if is_attribute == attributes and not _is_binding(node, parent):
            yield Mention(node, tuple(module.outline.above(node)))


def _is_binding(node: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether the name is only bound or named here: a target, a parameter, a keyword, the name of a definition."""
    field = _BINDING.get(type(parent))
    return field is not None and (not field or getattr(parent, field) is node)


_BINDING = {
    cst.FunctionDef: "name",
    cst.ClassDef: "name",
    cst.Arg: "keyword",
    cst.AssignTarget: "target",
    cst.AnnAssign: "target",
    cst.Param: "",
    cst.ImportAlias: "",
    cst.AsName: "",
}
"""The field of a node in which a name is bound or named; empty where it is so in each."""


def _constant(run: Interpreter, place: Place, name: cst.Name) -> cst.BaseExpression:
    """The value of a constant of the tool's module that nothing else reads.

    Raises:
        KeptInCodeError: ``name`` is no such constant, or read elsewhere.
    """
    module, here = place.module, Place(place.module, name)
    lines = (line for line in module.tree.body if isinstance(line, cst.SimpleStatementLine))
    bound = [_bound(statement) for line in lines for statement in line.body]
    values = [value for target, value in bound if target == name.value and value is not None]
    if len(values) != 1:
        raise KeptInCodeError(f"{name.value} is no constant of this module", COMPUTED, here)
    reads = len(list(mentions(module, name.value)))
    if reads != 1:
        raise KeptInCodeError(f"{name.value} is read in {reads} places", SHARED, here)
    _require_unused_elsewhere(run, module, name.value, name.value, here)
    return values[0]


def _bound(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression | None]:
    """The one name that a statement assigns to, and its value; an empty name for all other statements."""
    targets, value = assigned(statement)
    match targets:
        case [cst.Name(value=name)] if value is not None:
            return name, value
    return "", None


def _require_unused_elsewhere(run: Interpreter, module: SourceModule, name: str, what: str, place: Place) -> None:
    for other in run.index.whole.using(module.path, name):
        raise KeptInCodeError(f"{what} is used in {other} too", SHARED, place)


def _require_only_listed(run: Interpreter, place: Place, handler: Handler | None) -> None:
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
    if not holder:
        raise KeptInCodeError("it is made in code that others may call", SHARED, place)
    _require_read_by(run, place, holder, handler)


def _holder(above: list[cst.CSTNode]) -> str:
    """The module-level name bound to the value that the tool is part of, or the module-level function that makes it."""
    inner = (cst.Lambda, cst.FunctionDef, cst.ClassDef)
    match above:
        case [_, cst.FunctionDef(name=cst.Name(value=name)), *below]:
            return name if not any(isinstance(node, inner) for node in below) else ""
        case [_, cst.SimpleStatementLine(), statement, *below]:
            return _bound(statement)[0] if not any(isinstance(node, cst.Lambda) for node in below) else ""
    return ""


def _require_read_by(run: Interpreter, place: Place, name: str, handler: Handler) -> None:
    """Check that ``name`` is read only in the body of the handler."""
    module = place.module
    _require_in_handler(module, mentions(module, name), name, handler)
    for path in run.index.whole.using(module.path, name):
        if path != handler.module.path:
            raise KeptInCodeError(f"{name} is used in {path} too", SHARED, place)
        _require_in_handler(handler.module, _all_mentions(handler.module, name), name, handler)


def _require_in_handler(module: SourceModule, found: Iterator[Mention], name: str, handler: Handler) -> None:
    for mention in found:
        if handler.node not in mention.inside:
            raise KeptInCodeError(f"{name} is read outside the list handler", SHARED, Place(module, mention.node))


def _all_mentions(module: SourceModule, name: str) -> Iterator[Mention]:
    return chain(mentions(module, name), mentions(module, name, attributes=True))


def _require_uncalled(run: Interpreter, handler: Handler, place: Place) -> None:
    """Check that nothing but the SDK calls the handler."""
    module, name = handler.module, handler.name
    uses = _all_mentions(module, name) if handler.method else mentions(module, name)
    _require_registering(module, uses, f"the list handler {name} is used elsewhere too")
    _require_unused_elsewhere(run, module, name, f"the list handler {name}", place)
    for asking in ("ListToolsRequest", "get_request_handler"):
        asked = mentions(module, asking, attributes=True)
        _require_registering(module, asked, "the list handler is looked up elsewhere too")


def _require_registering(module: SourceModule, found: Iterator[Mention], otherwise: str) -> None:
    for mention in found:
        if not _is_registration(module, mention):
            raise KeptInCodeError(otherwise, SHARED, Place(module, mention.node))


def _is_registration(module: SourceModule, mention: Mention) -> bool:
    """Whether a mention of a handler registers it.

    So do ``server.list_tools()(self.handler)``, ``server.request_handlers[...] = handler``, ``@server.list_tools()``.
    """
    outline, node, parent = module.outline, mention.node, mention.inside[0]
    if isinstance(parent, cst.Attribute) and any(outline.around(node, cst.Decorator)):
        return True
    if any(_registers(argument, node) for argument in outline.around(node, cst.Arg)):
        return True
    call = next(outline.around(node, cst.Call), None)
    match call:
        case cst.Call(func=cst.Call(func=function)) if _ends(function, "list_tools"):
            return True
        case cst.Call(func=function) if function is parent and _ends(function, "list_tools"):
            return any(outer.func is call for outer in outline.around(call, cst.Call))
        case cst.Call(func=function) if _ends(function, "add_request_handler"):
            return True
    assign = next(outline.around(node, cst.Assign), None)
    targets = (item.target for item in assign.targets) if assign is not None else ()
    return any(isinstance(each, cst.Subscript) and _ends(each.value, "request_handlers") for each in targets)


def _registers(argument: cst.Arg, value: cst.CSTNode) -> bool:
    """Whether an argument registers ``value``: ``Server(on_list_tools=handler)``, also with ``self.handler``."""
    match argument:
        case cst.Arg(keyword=cst.Name(value="on_list_tools"), value=given):
            return given is value or getattr(given, "attr", None) is value
    return False


def _ends(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == name
