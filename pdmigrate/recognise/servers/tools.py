"""Tools that are functions: what a registered function becomes, and what the program reads and changes of it.

Programs read the schemas that the SDK made, change them, and list the tools again themselves; so a tool's fields are
computed when the program asks for them, and become values that it may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import CLASS_ATTRIBUTES
from pdmigrate.evaluate.core.provenance import as_unknown
from pdmigrate.evaluate.core.python_values import from_python, key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    DictValue,
    External,
    FunctionValue,
    Native,
    Origin,
    Partial,
    Place,
    SdkObject,
    SetValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.families import FASTMCP, DecoratedClass
from pdmigrate.knowledge.types.function_specs import ToolSpecs
from pdmigrate.model import Field, Known, Unknown
from pdmigrate.recognise.sdk.fields import NESTED
from pdmigrate.recognise.sdk.objects import OWN_ATTRIBUTES
from pdmigrate.recognise.sdk.wire import tool_fields as values_on_the_wire
from pdmigrate.recognise.servers.record import HELD_TAGS, TOOL, TOOL_CLASSES, ToolValue, as_tool, each, family_of
from pdmigrate.schemas import specs
from pdmigrate.schemas.signatures import tool_fields

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

MARK = "__fastmcp__"
"""The attribute of a function with the tool that the decorator ``@tool`` of fastmcp 3 makes of it."""
LISTING = ("dereference_schemas", "include_fastmcp_meta")
"""The arguments of a server that decide how it lists its tools."""
WIRE = {
    "parameters": "inputSchema",
    "output_schema": "outputSchema",
    "description": "description",
    "title": "title",
    "annotations": "annotations",
    "icons": "icons",
    "meta": "_meta",
    "tags": "_meta",
}
"""The attributes of the SDKs' own tool objects, and the wire fields that they become."""


def tool_of(
    run: Interpreter, server_class: DecoratedClass, value: Value, options: dict[str, Value], place: Place | None
) -> ToolValue:
    """``value``, a function, as a tool with these options."""
    convert = ToolSpecs(run)
    with run.collected_risks():
        function = convert.function(value)
        given = tuple((name, convert.value(item)) for name, item in options.items())
    origin, name = Origin("tool", place), family_of(run, server_class).id
    made = ToolValue({}, None, TOOL, place, True, options=given, value=value, family=name, origin=origin)
    made.given = {name: item for name, item in options.items() if name in WIRE}
    if isinstance(function, UnknownValue):
        made.opaque = function
    else:
        made.function = function
    return made


def from_function(run: Interpreter, server_class: DecoratedClass, arguments: Arguments) -> Value:
    """``Tool.from_function(fn, ...)``"""
    names: tuple[str, ...] = ("fn", "name", "title", "description")
    if server_class is not FASTMCP:
        names = (*names, "context_kwarg", "annotations", "icons", "meta", "structured_output")
    options = arguments.by_name(names)
    function = options.pop("fn", NONE)
    return each(run, function, lambda item: tool_of(run, server_class, item, options, arguments.place))


_GIVEN = ("name", "title", "description", "annotations", "tags", "meta", "output_schema", "enabled")
"""The fields that ``Tool.from_tool`` takes from its arguments, or else from the tool that it transforms."""


def from_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``Tool.from_tool(tool, ...)``: a copy of a tool with a new schema, made from the original one."""
    options = arguments.by_name(("tool",))
    place = arguments.place
    schema = reasons.unknown(reasons.UNSUPPORTED, "the schema of a tool that is transformed", place)

    def made(value: Value) -> Value:
        tool = as_tool(value)
        if tool is None:
            tool = tool_of(run, FASTMCP, value, {}, place)
            if value.as_unknown is not None:
                return tool
        given = {name: options[name] for name in _GIVEN if name in options and not options[name].is_just(None)}
        names = {**tool.names, "parameters": schema, **given}
        if "name" in given:
            title = reasons.unknown(reasons.UNSUPPORTED, "the title of a tool that is renamed", place)
            names.setdefault("title", title)
        if "transform_fn" in options and "output_schema" not in given:
            names["output_schema"] = schema
        return replace(tool, names=names, rest=tool.rest or arguments.unknown, place=place)

    return each(run, options.pop("tool", NONE), made)


def _inherited_maker(_run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """``from_function`` of a program's class that inherits it from the SDK's tool class; ``None`` otherwise."""
    base = _sdk_tool_class(cls) if name == "from_function" else ""
    return External(f"{base}.{name}") if base else None


CLASS_ATTRIBUTES.append(_inherited_maker)


def _sdk_tool_class(cls: ClassValue) -> str:
    """The name of the SDK's tool class, if ``cls`` derives from it and changes nothing that is listed; else empty.

    ``tools/list`` does not call methods that encode results or run the function, nor private methods of the program.
    """
    found = ""
    for base in cls.mro:
        own, name = base.as_class, base.library_name
        if own is not None:
            added = [(key, value) for key, value in own.names.items() if key not in _SAID]
            methods = all(value.as_function is not None and _unlisted(key) for key, value in added)
            if not methods or own.rest is not None or own.opaque is not None or own.fields.items or own.options:
                return ""
        elif name in TOOL_CLASSES:
            found = found or name
        elif name not in ("abc.ABC", "builtins.object"):
            return ""
    return found


_SAID = frozenset({"__doc__", "__module__", "__qualname__"})
_SDK_PRIVATE = frozenset({"_ensure_tool", "_mark_non_object_result", "_validate_tool_name"})
"""Private methods of the SDK that affect how a tool is listed."""


def _unlisted(name: str) -> bool:
    own = name.startswith("_") and not name.startswith("__") and name not in _SDK_PRIVATE
    return own or name in ("run", "convert_result")


def is_function(value: Value) -> bool:
    """Whether ``@server.tool`` may be called with ``value`` as the function, and not as the name, of a tool."""
    return isinstance(value, (FunctionValue, BoundMethod, Partial, UnknownValue, Native, Choice)) or (
        isinstance(value, External) and value.is_result
    )


def listing_options(run: Interpreter, server: SdkObject) -> specs.Arguments:
    """The arguments in ``LISTING`` that ``server`` was given."""
    return tuple((name, ToolSpecs(run).value(server.names[name])) for name in LISTING if name in server.names)


# --- fields -----------------------------------------------------------------------------------------------------------


def registered_fields(run: Interpreter, tool: ToolValue) -> dict[str, Field]:
    """The fields of a tool as it was registered, with the changes that the program has made since."""
    if tool.fields is None:
        tool.fields = _as_registered(run, tool)
    fields = dict(tool.fields)
    for name in _changed_since(run, tool):
        fields[WIRE[name]] = _set_by_program(f"{name} of the tool is, after it was registered,")
        if name == "annotations" and "title" in fields:
            fields["title"] = fields[WIRE[name]]
    for name, value in tool.names.items():
        if name == "name":
            renamed = value.text
            fields["name"] = Known(renamed) if renamed is not None else _set_by_program("the name of the tool is")
        elif name == "tags":
            fields.pop("_meta", None)
            fields["_meta"] = _set_by_program("the tags of the tool are")
        elif name == "fn_metadata":
            if not _keeps_output(tool, value):
                fields["outputSchema"] = _set_by_program("how results are made is")
        elif (wire := WIRE.get(name)) is not None:
            fields.pop(wire, None)
            made = SdkObject({"name": const("x"), "inputSchema": DictValue(), wire: value}, None, "mcp.types.Tool")
            changed = values_on_the_wire(made, {"pydantic": run.versions.get("pydantic", "")}).get(wire)
            if changed is not None:
                fields[wire] = changed
    if tool.rest is not None:
        whole = as_unknown(tool.rest)
        fields = {name: field if name == "name" else whole for name, field in fields.items()}
    return fields


def _changed_since(run: Interpreter, tool: ToolValue) -> Iterator[str]:
    """The options that are objects which the program has changed since the tool was registered."""
    convert = ToolSpecs(run)
    for name, value in tool.given.items():
        if name not in tool.names and convert.value(value) != tool.option(name):
            yield name
    if HELD_TAGS in tool.names and tool.tags != tool.registered_tags:
        yield "tags"


def _set_by_program(what: str) -> Unknown:
    return Unknown(f"{what} set by the program", reasons.MUTATED)


@dataclass(slots=True, eq=False)
class Metadata(SdkObject):
    """The ``fn_metadata`` of a tool: what the SDK read from ``function``, and how it converts the results."""

    function: Value | None = None


def _keeps_output(tool: ToolValue, metadata: Value) -> bool:
    """Whether ``metadata`` is what the SDK made of the tool's own function, with no change that concerns results."""
    if not isinstance(metadata, Metadata) or metadata.function is not tool.value or metadata.rest is not None:
        return False
    return not any(name.startswith(("output", "wrap")) for name in metadata.names)


def _as_registered(run: Interpreter, tool: ToolValue) -> dict[str, Field]:
    """The fields of a tool as its function and its options settle them."""
    function = tool.function
    options = tuple((name, _unordered(name, value)) for name, value in tool.options if name not in _UNLISTED)
    if tool.opaque is not None:
        whole = as_unknown(tool.opaque)
        spec = specs.UnknownSpec(whole.reason, whole.code, whole.site)
        function = specs.FunctionSpec("?", "", (specs.ParameterSpec("p", annotation=spec),), spec, "?")
    fields = dict(tool_fields(function, options, tool.family, run.versions, server=tool.server))
    if tool.opaque is not None:
        for name in ("name", "title", "description"):
            known = fields.get(name)
            if known is not None and "?" in (known.text or ""):
                fields[name] = whole
        fields.update(inputSchema=whole, outputSchema=whole)
    return fields


_UNLISTED = ("enabled", "context_kwarg")


def _unordered(name: str, value: specs.ValueSpec) -> specs.ValueSpec:
    """A set of tags as a list: the SDK sorts tags, so their order in the source does not matter."""
    match name, value:
        case "tags", specs.ItemsValue(kind="set" | "frozenset", items=items):
            return specs.ItemsValue("list", items)
    return value


# --- attributes -------------------------------------------------------------------------------------------------------


def tool_attribute(run: Interpreter, tool: ToolValue, name: str, place: Place | None) -> Value:
    """``tool.name`` of the SDK's tool object."""
    if name in tool.names:
        return tool.names[name]
    if tool.rest is not None:
        return tool.rest
    if name in ("fn", "__wrapped__"):
        return tool.value
    if name in ("name", "key"):
        known = tool.tool_name
        return const(known) if known is not None else reasons.unknown(reasons.UNSUPPORTED, "the name of a tool", place)
    if name in _METHODS:
        return BoundMethod(Native(name, _METHODS[name]), tool)
    if name == "tags":
        if (tags := tool.tags) is None:
            return reasons.unknown(reasons.UNSUPPORTED, "the tags of a tool", place)
        if HELD_TAGS not in tool.names:
            run.trail.touch(tool)
            tool.names[HELD_TAGS] = SetValue({key_of(const(item)): const(item) for item in tags})
        return tool.names[HELD_TAGS]
    if name == "fn_metadata":
        tool.names[name] = Metadata({}, None, "the metadata of a function", function=tool.value)
    elif name in WIRE:
        tool.names[name] = _value(registered_fields(run, tool).get(WIRE[name]), WIRE[name])
    else:
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a tool", place)
    return tool.names[name]


OWN_ATTRIBUTES[TOOL] = tool_attribute


def _value(field: Field | None, name: str) -> Value:
    """A field as a value that the program can read and change."""
    if field is None:
        return NONE
    if isinstance(field, Unknown):
        return UnknownValue(field.reason, field.code)
    made = from_python(field.value)
    model, held = NESTED.get(("mcp.types.Tool", name)), made.by_key
    return SdkObject(held, None, model) if model is not None and held is not None else made


def _receiver(arguments: Arguments) -> ToolValue:
    tool = arguments.positional[0]
    assert isinstance(tool, ToolValue)
    return tool


def _switch(enabled: bool, run: Interpreter, arguments: Arguments) -> Value:
    tool = _receiver(arguments)
    run.trail.touch(tool)
    tool.names["enabled"] = const(enabled)
    return NONE


def _copied(_run: Interpreter, arguments: Arguments) -> Value:
    """``tool.model_copy(update={...})``: a new tool, independent of the original."""
    tool = _receiver(arguments)
    update = arguments.keywords.get("update", NONE)
    copied = replace(tool, names={**tool.names, **(update.by_key or {})})
    if update.by_key is None and not update.is_just(None):
        copied.rest = reasons.unknown(reasons.MUTATED, "a tool is copied with changes that are not known")
    if arguments.keywords.keys() - {"update", "deep"}:
        copied.rest = reasons.unknown(reasons.UNSUPPORTED, "a tool is copied in this way")
    return copied


def _to_mcp_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``tool.to_mcp_tool(name=...)`` of fastmcp."""
    made = wire_tool(run, _receiver(arguments))
    for name, value in arguments.keywords.items():
        if name != "include_fastmcp_meta":
            made.names[_SNAKE.get(name, name)] = value
    return made


_SNAKE = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_METHODS = {
    "enable": lambda run, arguments: _switch(True, run, arguments),
    "disable": lambda run, arguments: _switch(False, run, arguments),
    "model_copy": _copied,
    "copy": _copied,
    "to_mcp_tool": _to_mcp_tool,
}


# --- tools on the wire ------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class WireTool(SdkObject):
    """An ``mcp.types.Tool`` that the SDK made of a registered tool."""

    made_from: ToolValue | None = None


def wire_tool(run: Interpreter, tool: ToolValue) -> WireTool:
    """The ``mcp.types.Tool`` of a registered tool."""
    names = {key: _value(field, key) for key, field in registered_fields(run, tool).items()}
    return WireTool(names, None, "mcp.types.Tool", place_of(tool), True, made_from=tool)


def place_of(tool: ToolValue) -> Place | None:
    """Where the function of a tool is defined."""
    return tool.value.made_at if tool.value.origin is not None else tool.place
