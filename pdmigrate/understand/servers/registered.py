"""The fields of a registered function as its SDK lists them."""

from __future__ import annotations

from collections.abc import Mapping

from pdmigrate.model import Field, Known, Site
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.signatures import tool_fields as listed_fields
from pdmigrate.understand.demand.functions import from_plain
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.servers.answers import CHANGEABLE
from pdmigrate.understand.servers.objects import ToolValue
from pdmigrate.understand.servers.wire import field_of, one_field
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.types.functions import function_spec, named_spec
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.core import Unknown, Value

LISTING = ("dereference_schemas", "include_fastmcp_meta")
"""The arguments of a server that affect how it lists each tool."""
_WIRE = {
    "parameters": "inputSchema",
    "output_schema": "outputSchema",
    "description": "description",
    "title": "title",
    "annotations": "annotations",
    "icons": "icons",
    "meta": "_meta",
    "name": "name",
}


def registered(run: Run, told: Mapping[str, Value], tool: ToolValue) -> tuple[dict[str, Field], Site | None]:
    """The fields of a tool as its function and options settle them, with what the program has changed since.

    ``told`` are the options of the server that lists it.
    """
    convert = Specs(run)
    function = function_spec(convert, tool.function)
    given = {name: value for name, value in tool.options.items() if name not in ("enabled", "context_kwarg")}
    options = tuple((name, _unordered(name, convert.value(value))) for name, value in given.items())
    unknown = function if isinstance(function, Unknown) else tool.rest
    spec = specs.UnknownSpec(unknown.reason, unknown.code, unknown.site) if unknown is not None else None
    if isinstance(function, Unknown):
        assert spec is not None
        function = named_spec(tool.function, spec)
    listing = tuple((name, convert.value(told[name])) for name in LISTING if name in told)
    fields = dict(listed_fields(function, options, tool.family.id, run.versions, server=listing))
    if unknown is not None:
        _forget(fields, unknown, tool)
    for name, value in tool.data.items():
        mixed = name == "meta" and tool.family.package != "mcp"  # fastmcp adds entries of its own
        wire = None if mixed else _WIRE.get(name)
        if wire is not None:
            fields.pop(wire, None)
            changed = one_field(wire, value)
            if changed is not None:
                fields[wire] = changed
        elif name not in ("enabled", "fn"):
            fields.update(dict.fromkeys(CHANGEABLE, UnknownField(f"{name} of the tool is set", MUTATED)))
    return fields, function.site or tool.site


def value_of(field: Field) -> Value:
    """A field of a listed tool as a value of the program."""
    if isinstance(field, Known):
        return from_plain(field.value)
    return Unknown(field.reason, field.code, field.site)


def _forget(fields: dict[str, Field], unknown: Unknown, tool: ToolValue) -> None:
    whole = field_of(unknown)
    for name in ("name", "title", "description"):
        known = fields.get(name)
        if known is not None and "?" in (known.text or ""):
            fields[name] = whole
    fields.update(inputSchema=whole, outputSchema=whole)
    if tool.rest is not None:
        fields.update(dict.fromkeys(("name", *CHANGEABLE), whole))


def _unordered(name: str, value: specs.ValueSpec) -> specs.ValueSpec:
    """Tags are sorted by the SDK: their order in source does not matter."""
    if name == "tags" and isinstance(value, specs.ItemsValue) and value.kind in ("set", "frozenset"):
        return specs.ItemsValue("list", value.items)
    return value
