"""What the SDK puts on the wire: of a tool that the program makes, and of a function that it registers.

Fields that are ``None`` are left out, and enum members become their values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from pdmigrate.model import TOOL_FIELDS, Field, JsonObject, JsonValue, Known, Site
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.signatures import tool_fields as listed_fields
from pdmigrate.understand.demand.functions import from_plain
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.servers.answers import CHANGEABLE
from pdmigrate.understand.servers.objects import ToolValue, is_renamed
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.types.functions import doc_spec, function_spec, inherited_doc, named_spec
from pdmigrate.understand.types.orders import in_another_order
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import (
    BUDGET,
    INVALID,
    MUTATED,
    NONE,
    UNSUPPORTED,
    VOLATILE,
    Const,
    Maybe,
    TupleValue,
    Unknown,
    Value,
)
from pdmigrate.understand.values.objects import Instance, SdkObject, describe, text_of
from pdmigrate.understand.values.outside import Called

_DEEPEST = 60
_FLAGS = frozenset({"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})


class NotSettledError(Exception):
    """A part of a field is not known; ``path`` leads to that part."""

    def __init__(self, unknown: Unknown, path: tuple[str, ...] = ()) -> None:
        super().__init__(unknown.reason)
        self.unknown, self.path = unknown, path


def field_of(unknown: Unknown, path: str = "") -> UnknownField:
    return UnknownField(unknown.reason, unknown.code, path, unknown.site)


def tool_fields(tool: SdkObject, versions: Mapping[str, str]) -> dict[str, Field]:
    """The wire fields of an ``mcp.types.Tool`` under these versions of packages."""
    fields: dict[str, Field] = {}
    renamed = is_renamed(versions)
    for name, value in tool.data.items():
        if (not renamed or name in TOOL_FIELDS) and (field := one_field(name, value)) is not None:
            fields[name] = _as_sent(name, field) if renamed else field
    for required in ("name", "inputSchema"):
        if required not in fields:
            fields[required] = UnknownField(f"the tool has no {required}, which the SDK refuses", INVALID)
    if tool.rest is not None:
        return dict.fromkeys({**dict.fromkeys(TOOL_FIELDS), **fields}, field_of(tool.rest))
    return fields


def one_field(name: str, value: Value) -> Field | None:
    """One field as it is sent; ``None`` if it is not sent."""
    if value == NONE and name != "name":
        why = "the inputSchema is None, which the SDK refuses"
        return UnknownField(why, INVALID) if name == "inputSchema" else None
    try:
        return Known(_read(name, value))
    except NotSettledError as error:
        return field_of(error.unknown, ".".join(error.path))


def _read(name: str, value: Value) -> JsonValue:
    if name in ("name", "title", "description"):
        text = text_of(value)
        if text is None:
            raise _refusal(value, "text")
        return _unicode(text, ())
    if name in ("inputSchema", "outputSchema", "_meta") and not isinstance(value, DictValue):
        raise _refusal(value, "a dict")
    if name == "annotations":
        return _annotations(value)
    if name == "icons":
        if not isinstance(value, ListValue):
            raise _refusal(value, "a list")
        return [_model(item) for item in value.data]
    return to_json(value)


def _refusal(value: Value, wanted: str) -> NotSettledError:
    if isinstance(value, Maybe):
        return NotSettledError(value.why)
    if isinstance(value, Unknown):
        return NotSettledError(value)
    code = UNSUPPORTED if isinstance(value, (Instance, Called)) else INVALID  # which may be what is wanted
    return NotSettledError(Unknown(f"{describe(value)} where the SDK wants {wanted}", code))


def _items(value: Value) -> dict[str, Value]:
    rest = getattr(value, "rest", None)
    if isinstance(rest, Unknown):
        raise NotSettledError(rest)
    if isinstance(value, SdkObject):
        return value.data
    if isinstance(value, DictValue):
        return {_key(key, ()): item for key, item in value.entries()}
    raise _refusal(value, "a model or a dict")


def _annotations(value: Value) -> JsonValue:
    made = _model(value)
    for name, known in made.items():
        if (name in _FLAGS and not isinstance(known, bool)) or (name == "title" and not isinstance(known, str)):
            raise NotSettledError(Unknown(f"the SDK converts or refuses this {name}", INVALID), (name,))
    return made


def _model(value: Value) -> JsonObject:
    found = {name: item for name, item in _items(value).items() if item != NONE}
    return {name: to_json(item, (name,)) for name, item in found.items()}


def to_json(value: Value, path: tuple[str, ...] = ()) -> JsonValue:
    """The JSON to which pydantic serialises a value of type ``Any``.

    Raises NotSettledError if some part of the value is not known.
    """
    if len(path) > _DEEPEST:
        raise NotSettledError(Unknown("it is nested too deeply", BUDGET), path)
    if isinstance(value, (Maybe, Unknown)):
        raise NotSettledError(value.why if isinstance(value, Maybe) else value, path)
    if isinstance(value, Const):
        return _scalar(value, path)
    if isinstance(value, Instance) and value.cls.kind == "enum" and "_value_" in value.data:
        return to_json(value.data["_value_"], path)
    if isinstance(value, TupleValue):
        return [to_json(item, (*path, str(index))) for index, item in enumerate(value.items)]
    if isinstance(value, (ListValue, DictValue, SetValue)) and value.rest is not None:
        raise NotSettledError(value.rest, path)
    if isinstance(value, ListValue):
        return [to_json(item, (*path, str(index))) for index, item in enumerate(value.data)]
    if isinstance(value, DictValue):
        made: dict[str, JsonValue] = {}
        for key, item in value.entries():
            name = _key(key, path)
            made[name] = to_json(item, (*path, name))
        return made
    if isinstance(value, SetValue):
        raise NotSettledError(Unknown("the order of a set differs from run to run", VOLATILE), path)
    raise NotSettledError(Unknown(f"{describe(value)} in a definition", UNSUPPORTED), path)


def _key(value: Value, path: tuple[str, ...]) -> str:
    text = text_of(value)
    if text is None:
        raise NotSettledError(Unknown(f"{describe(value)} as a key of a schema", INVALID), path)
    return _unicode(text, path)


def _scalar(value: Const, path: tuple[str, ...]) -> JsonValue:
    plain = value.value
    if isinstance(plain, float) and not math.isfinite(plain):
        raise NotSettledError(Unknown(f"{plain} is not a JSON number", UNSUPPORTED), path)
    if isinstance(plain, str):
        return _unicode(plain, path)
    if plain is None or isinstance(plain, (bool, int, float)):
        return plain
    raise NotSettledError(Unknown(f"a value of type {type(plain).__name__}", UNSUPPORTED), path)


def _unicode(text: str, path: tuple[str, ...]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotSettledError(Unknown("the text is not valid Unicode", INVALID), path) from None
    return text


# --- mcp 2.x ----------------------------------------------------------------------------------------------------------
# Every answer is validated once more, against the models of the protocol revision, and dumped without ``None`` values.
# If these models refuse a tool, the SDK does not drop a field: it answers the whole list with an error.  The models of
# 2025-11-25, which serve every revision before 2026-07-28, decide here (measured with 2.0.1 and 2.3.0).

_SCHEMA_ORDER = ("$schema", "properties", "required", "type")


def _as_sent(name: str, field: Field) -> Field:
    """The field as it is sent; ``Unknown`` if the SDK refuses to send the list."""
    if not isinstance(field, Known):
        return field
    if name in ("inputSchema", "outputSchema"):
        if _is_taken(field.value):
            return replace(field, value=_schema(field.value))
        return UnknownField(f"the SDK may answer with an error instead of this list, for its {name}", INVALID)
    if name in ("execution", "icons"):
        return UnknownField(f"{name} that the SDK checks and rewrites", UNSUPPORTED)
    return field


def _is_taken(schema: JsonValue) -> bool:
    """Whether a schema certainly fits the protocol's model of a schema."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    known = {key: value for key, value in schema.items() if value is not None}
    given: JsonObject = {"properties": {}, "required": [], "$schema": "", **known}
    properties, required = given["properties"], given["required"]
    if not isinstance(properties, dict) or not isinstance(required, list):
        return False
    texts = (*required, given["$schema"])
    return all(isinstance(text, str) for text in texts) and all(isinstance(each, dict) for each in properties.values())


def _schema(schema: JsonValue) -> JsonObject:
    """The schema in the order of the model's fields, without its top-level keys whose value is ``None``."""
    assert isinstance(schema, dict)
    names = (*(name for name in _SCHEMA_ORDER if name in schema), *(n for n in schema if n not in _SCHEMA_ORDER))
    return {name: schema[name] for name in names if schema[name] is not None}


# --- functions --------------------------------------------------------------------------------------------------------

LISTING = ("dereference_schemas", "include_fastmcp_meta")
"""The arguments of a server that affect how it lists each tool."""
WIRE = {
    "parameters": "inputSchema",
    "output_schema": "outputSchema",
    "description": "description",
    "title": "title",
    "annotations": "annotations",
    "icons": "icons",
    "meta": "_meta",
    "name": "name",
}


def text_field(run: Run, tool: ToolValue, name: str) -> Field | None:
    """The title or description of a tool; the types of its function are looked at only where these matter."""
    found = registered(run, {}, tool, Unknown("its signature is not asked for"))[0].get(name)
    return registered(run, {}, tool)[0].get(name) if isinstance(found, UnknownField) else found


def registered(
    run: Run, told: Mapping[str, Value], tool: ToolValue, signature: Unknown | None = None
) -> tuple[dict[str, Field], Site | None]:
    """The fields of a tool that a server with the options ``told`` lists; ``signature``: why that is not asked for."""
    convert = Specs(run, tool.read, official=tool.family.is_official)
    function = signature or function_spec(convert, tool.function)
    unseen = ("enabled", "context_kwarg") if tool.family.id == "fastmcp2" else ()
    given = {name: value for name, value in tool.options.items() if name not in unseen}
    options = tuple((name, _unordered(name, convert.value(value))) for name, value in given.items())
    unknown = function if isinstance(function, Unknown) else tool.rest
    if isinstance(function, Unknown):
        function = named_spec(tool.function, convert.unknown(function))
    if function.doc is None:
        function = replace(function, inherited=doc_spec(inherited_doc(tool.function)))
    if not tool.family.is_official and function.returns is not None:
        other = in_another_order(run, (function.returns,))
        function = function if other is None else replace(function, returns=convert.unknown(other))
    listing = tuple((name, convert.value(told[name])) for name in (*LISTING, "tasks") if name in told)
    fields = dict(listed_fields(function, options, tool.family.id, run.versions, server=listing))
    if unknown is not None:
        _forget(fields, unknown, tool)
    for name, value in {**tool.parts, **tool.data}.items():
        mixed = name == "meta" and not tool.family.is_official  # fastmcp adds entries of its own
        wire = None if mixed else WIRE.get(name)
        if wire is not None:
            fields.pop(wire, None)
            if (changed := one_field(wire, value)) is not None:
                fields[wire] = changed
        elif name not in ("enabled", "fn"):
            fields.update(dict.fromkeys(CHANGEABLE, UnknownField(f"{name} of the tool is set", MUTATED)))
    for wire in ("inputSchema", "outputSchema"):
        if wire in fields and is_renamed(run.versions) and (sent := _as_sent(wire, fields[wire])) != fields[wire]:
            fields[wire] = sent
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
