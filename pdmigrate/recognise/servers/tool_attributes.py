"""Registered tools as values of the program: their attributes, and what ``list_tools()`` returns for them.

Programs read the schemas that the SDK made, change them, and list the tools again themselves; so a tool's fields are
computed when the program asks for them, and become values that it may change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.provenance import as_unknown
from pdmigrate.evaluate.core.python_values import from_python
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    DictValue,
    Guard,
    ListValue,
    Maybe,
    Native,
    Place,
    SdkObject,
    SetValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.model import Field, Known, Unknown
from pdmigrate.recognise.sdk.wire import tool_fields as values_on_the_wire
from pdmigrate.recognise.servers.registered import ToolValue
from pdmigrate.schemas import specs
from pdmigrate.schemas.signatures import tool_fields

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.recognise.listing.replaying import Registered

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


@dataclass(slots=True, eq=False)
class WireTool(SdkObject):
    """An ``mcp.types.Tool`` that the SDK made of a registered tool."""

    made_from: ToolValue | None = None


def registered_fields(run: Interpreter, tool: ToolValue) -> dict[str, Field]:
    """The fields of a tool as it was registered, with the changes that the program has made since."""
    fields = dict(_as_registered(run, tool))
    for name, value in tool.names.items():
        wire = WIRE.get(name)
        if name == "name":
            fields["name"] = _text(value)
        elif name == "fn_metadata" and isinstance(value, SdkObject) and _changes_output(value):
            fields["outputSchema"] = Unknown("how results are made is set by the program", reasons.MUTATED)
        elif wire is not None:
            changed = _changed(run, wire, name, value)
            fields.pop(wire, None)
            if changed is not None:
                fields[wire] = changed
    if tool.rest is not None:
        whole = as_unknown(tool.rest)
        fields = {name: field if name == "name" else whole for name, field in fields.items()}
    return fields


def _as_registered(run: Interpreter, tool: ToolValue) -> dict[str, Field]:
    if tool.fields is None:
        options: specs.Arguments = tuple(
            (name, _unordered(value) if name == "tags" else value)
            for name, value in tool.options
            if name not in ("enabled", "context_kwarg")
        )
        if tool.opaque is None:
            tool.fields = dict(tool_fields(tool.function, options, tool.family, run.versions, server=tool.server))
        else:
            tool.fields = _of_opaque(run, tool, tool.opaque, options)
    return tool.fields


def _unordered(value: specs.ValueSpec) -> specs.ValueSpec:
    """A set of tags as a list: the SDK sorts tags, so their order in the source does not matter."""
    if isinstance(value, specs.ItemsValue) and value.kind in ("set", "frozenset"):
        return specs.ItemsValue("list", value.items)
    return value


def _of_opaque(run: Interpreter, tool: ToolValue, unknown: UnknownValue, options: specs.Arguments) -> dict[str, Field]:
    """The fields of a tool whose function is unknown, as far as its options settle them."""
    whole = as_unknown(unknown)
    spec = specs.UnknownSpec(whole.reason, whole.code, whole.site)
    function = specs.FunctionSpec("?", "", (specs.ParameterSpec("p", annotation=spec),), spec, "?")
    fields = dict(tool_fields(function, options, tool.family, run.versions, server=tool.server))
    for name in ("name", "title", "description"):
        known = fields.get(name)
        if isinstance(known, Known) and "?" in str(known.value):
            fields[name] = whole
    return {**fields, "inputSchema": whole, "outputSchema": whole}


def _text(value: Value) -> Field:
    if (text := value.text) is not None:
        return Known(text)
    return Unknown("the name of the tool is set by the program", reasons.MUTATED)


def _changes_output(metadata: SdkObject) -> bool:
    return metadata.rest is not None or any(name.startswith(("output", "wrap")) for name in metadata.names)


def _changed(run: Interpreter, wire: str, name: str, value: Value) -> Field | None:
    """A field that the program has set, or may have changed in place; ``None`` if it is not sent."""
    if name == "tags":
        return Unknown("the tags of the tool are set by the program", reasons.MUTATED)
    made = SdkObject({"name": const("x"), "inputSchema": DictValue(), wire: value}, None, "mcp.types.Tool")
    return values_on_the_wire(made, {"pydantic": run.versions.get("pydantic", "")}).get(wire)


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
    method = _METHODS.get(name)
    if method is not None:
        return BoundMethod(Native(name, method), tool)
    if name == "tags":
        tags = tool.tags
        unknown = reasons.unknown(reasons.UNSUPPORTED, "the tags of a tool", place)
        return SetValue({item: const(item) for item in tags}) if tags is not None else unknown
    if name == "fn_metadata":
        tool.names[name] = SdkObject({}, None, "the metadata of a function")
        return tool.names[name]
    if name in WIRE:
        tool.names[name] = _value(registered_fields(run, tool).get(WIRE[name]), WIRE[name])
        return tool.names[name]
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a tool", place)


def _value(field: Field | None, name: str) -> Value:
    """A field as a value that the program can read and change."""
    if field is None:
        return NONE
    if isinstance(field, Unknown):
        return UnknownValue(field.reason, field.code)
    made = from_python(field.value)
    if name in _MODELS and isinstance(made, DictValue):
        return SdkObject({str(key): entry.value for key, entry in made.entries.items()}, None, _MODELS[name])
    return made


_MODELS = {"annotations": "mcp.types.ToolAnnotations", "execution": "mcp.types.ToolExecution"}


def _receiver(arguments: Arguments) -> ToolValue:
    tool = arguments.positional[0]
    assert isinstance(tool, ToolValue)
    return tool


def _switch(enabled: bool, run: Interpreter, arguments: Arguments) -> Value:
    tool = _receiver(arguments)
    run.trail.touch(tool)
    tool.names["enabled"] = const(enabled)
    return NONE


def _copied(run: Interpreter, arguments: Arguments) -> Value:
    """``tool.model_copy(update={...})``: a new tool, independent of the original."""
    tool = _receiver(arguments)
    update = arguments.keywords.get("update", NONE)
    copied = replace(tool, names=dict(tool.names))
    if (changes := update.by_key) is not None:
        copied.names.update(changes)
    elif not update.is_just(None):
        copied.rest = reasons.unknown(reasons.MUTATED, "a tool is copied with changes that are not known")
    if arguments.keywords.keys() - {"update", "deep"}:
        copied.rest = reasons.unknown(reasons.UNSUPPORTED, "a tool is copied in this way")
    del run
    return copied


def _to_mcp_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``tool.to_mcp_tool(name=...)`` of fastmcp."""
    tool = _receiver(arguments)
    made = wire_tool(run, tool)
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


# --- listings ---------------------------------------------------------------------------------------------------------


def wire_tool(run: Interpreter, tool: ToolValue) -> WireTool:
    """The ``mcp.types.Tool`` of a registered tool."""
    fields = registered_fields(run, tool)
    names = {key: _value(field, key) for key, field in fields.items()}
    return WireTool(names, None, "mcp.types.Tool", place_of(tool), True, made_from=tool)


def place_of(tool: ToolValue) -> Place | None:
    """Where the function of a tool is defined."""
    return tool.value.made_at if tool.value.origin is not None else tool.place


def guarded(value: Value, guards: tuple[Guard, ...]) -> Value:
    for guard in reversed(guards):
        value = Maybe(value, guard)
    return value


def listed_value(
    run: Interpreter, tools: tuple[Registered, ...], rest: UnknownValue | None, *, wire: bool
) -> ListValue:
    """The list that ``list_tools()`` returns: protocol objects if ``wire`` is set, otherwise the SDK's own tools."""
    items = []
    for registered in tools:
        tool: Value = wire_tool(run, named(registered)) if wire else named(registered)
        doubts = tuple(Guard(doubt, reasons.unknown(reasons.CONDITION, doubt)) for doubt in registered.doubts)
        items.append(guarded(tool, (*registered.guards, *doubts)))
    return ListValue(items, rest)


def named(registered: Registered) -> ToolValue:
    """The tool under the name it has on this server: a mounted tool is a copy, and its title may come from its name."""
    tool = registered.tool
    if registered.name is None or registered.name == tool.tool_name:
        return tool
    options = tuple((name, value) for name, value in tool.options if name != "name")
    names = {name: value for name, value in tool.names.items() if name != "name"}
    return replace(tool, names=names, options=(("name", specs.PlainValue(registered.name)), *options), fields=None)
