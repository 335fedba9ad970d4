"""Registered functions as tools in wire form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.listing import run_handler
from pdmigrate.evaluate.provenance import site_of
from pdmigrate.evaluate.registered import ToolValue
from pdmigrate.evaluate.replaying import Registered, Replay
from pdmigrate.evaluate.values import Const, UnknownValue, Value
from pdmigrate.model import TOOL_FIELDS, Field, Fixed, Known, Site, Tool, Unknown
from pdmigrate.schemas.signatures import tool_fields
from pdmigrate.schemas.specs import Arguments, FunctionSpec, ParameterSpec, UnknownSpec

if TYPE_CHECKING:
    from pdmigrate.evaluate.starting import Reading

MADE = "PD324"
_WIRE = {
    "parameters": "inputSchema",
    "output_schema": "outputSchema",
    "fn_metadata": "outputSchema",
    "description": "description",
    "title": "title",
    "annotations": "annotations",
    "icons": "icons",
    "meta": "_meta",
    "tags": "_meta",
    "name": "name",
}
"""The attributes of the SDKs' tool objects, and the fields that they become."""


def tools_of(reading: Reading, family: str, versions: Mapping[str, str], site: Site) -> tuple[Tool, ...]:
    """The tools that a reading found."""
    made = [_tool(registered, reading.replay, family, versions, site) for registered in reading.replay.tools]
    return tuple(_unique(made))


def incomplete_of(reading: Reading, tools: tuple[Tool, ...]) -> str | None:
    """Why the server may list more tools than these."""
    return reading.replay.incomplete or next(
        (f"the name of a tool is not known ({tool.site})" for tool in tools if tool.name is None), None
    )


def _tool(registered: Registered, replay: Replay, family: str, versions: Mapping[str, str], site: Site) -> Tool:
    tool = registered.tool
    fields = _fields(tool, family, versions)
    if registered.name is not None and isinstance(fields.get("name"), Known):
        fields["name"] = Known(registered.name)
    elif registered.name is None and isinstance(fields.get("name"), Known):
        fields["name"] = Unknown("the name under which it is mounted is not known", reasons.UNSUPPORTED)
    _overwrite(fields, tool.names)
    for name, unknown in replay.fields.items():
        _forget(fields, _WIRE.get(name), unknown)
    if replay.rewritten is not None:
        for name in (
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
            "icons",
            "_meta",
            "execution",
        ):
            _forget(fields, name, replay.rewritten)
    place = tool.function.site or site_of(tool.place) or site
    conditions = [*(str(guard) for guard in registered.guards), *registered.doubts]
    declaration = Fixed("it is made from a function", MADE, place)
    return Tool(fields, place, declaration, "; ".join(dict.fromkeys(conditions)) or None)


def _fields(tool: ToolValue, family: str, versions: Mapping[str, str]) -> dict[str, Field]:
    options: Arguments = tuple(
        (name, value) for name, value in tool.options if name not in ("enabled", "context_kwarg")
    )
    if tool.opaque is None:
        return dict(tool_fields(tool.function, options, family, versions))
    return _of_opaque(tool.opaque, options, family, versions)


def _of_opaque(unknown: UnknownValue, options: Arguments, family: str, versions: Mapping[str, str]) -> dict[str, Field]:
    """What is known of a tool when its function is not: what its options say."""
    spec = UnknownSpec(unknown.reason, unknown.code, site_of(unknown.place))
    function = FunctionSpec("?", "", (ParameterSpec("?", annotation=spec),), spec, "?")
    fields = dict(tool_fields(function, options, family, versions))
    whole = Unknown(unknown.reason, unknown.code, site=site_of(unknown.place))
    for name in ("name", "title", "description"):
        known = fields.get(name)
        if isinstance(known, Known) and "?" in str(known.value):
            fields[name] = whole
    for name in ("inputSchema", "outputSchema"):
        fields[name] = whole
    return fields


def _overwrite(fields: dict[str, Field], names: Mapping[str, Value]) -> None:
    """What the program sets on the tool object itself."""
    for name, value in names.items():
        wire = _WIRE.get(name)
        if wire in ("description", "title") and isinstance(value, Const) and isinstance(value.value, str):
            fields[wire] = Known(value.value)
        elif wire == "name":
            continue
        elif wire is not None:
            reason = value if isinstance(value, UnknownValue) else None
            text = reason.reason if reason is not None else f"{name} of the tool is set by the program"
            fields[wire] = Unknown(text, reasons.MUTATED)


def _forget(fields: dict[str, Field], name: str | None, unknown: UnknownValue) -> None:
    if name is not None:
        fields[name] = Unknown(unknown.reason, unknown.code, site=site_of(unknown.place))


def _unique(tools: list[Tool]) -> list[Tool]:
    """Tools of one name under different conditions as one tool, of which is known what they agree on."""
    result: list[Tool] = []
    for tool in tools:
        index = next((i for i, other in enumerate(result) if other.name is not None and other.name == tool.name), None)
        if index is None:
            result.append(tool)
        else:
            result[index] = _either(result[index], tool)
    return result


def _either(first: Tool, second: Tool) -> Tool:
    fields: dict[str, Field] = {}
    for name in dict.fromkeys((*TOOL_FIELDS, *first.fields, *second.fields)):
        one, two = first.fields.get(name), second.fields.get(name)
        if one is None and two is None:
            continue
        if isinstance(one, Known) and isinstance(two, Known) and one.value == two.value:
            fields[name] = one
        else:
            known = next((item for item in (one, two) if isinstance(item, Unknown)), None)
            fields[name] = known or Unknown("it is registered in more than one way", reasons.CONDITION)
    conditional = " or ".join(item for item in (first.conditional, second.conditional) if item)
    certain = first.conditional is None or second.conditional is None
    return Tool(fields, first.site, first.declaration, None if certain else conditional)


__all__ = ["incomplete_of", "run_handler", "tools_of"]
