"""What the SDK puts on the wire of a value: fields that are ``None`` are left out, enum members become their values."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pdmigrate.model import TOOL_FIELDS, Field, JsonValue, Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.understand.demand.containers import content
from pdmigrate.understand.servers.fields import is_renamed
from pdmigrate.understand.servers.wire_mcp2 import as_sent
from pdmigrate.understand.values.codes import BUDGET, INVALID, UNSUPPORTED, VOLATILE
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import Instance, SdkObject, describe, text_of

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
    for name, value in tool.data.items():
        if is_renamed(versions) and name not in TOOL_FIELDS:
            continue
        field = one_field(name, value)
        if field is not None and is_renamed(versions):
            field = as_sent(name, field, versions["mcp"])
        if field is not None:
            fields[name] = field
    for required in ("name", "inputSchema"):
        if required not in fields:
            fields[required] = UnknownField(f"the tool has no {required}, which the SDK refuses", INVALID)
    if tool.rest is not None:
        return dict.fromkeys({**dict.fromkeys(TOOL_FIELDS), **fields}, field_of(tool.rest))
    return fields


def one_field(name: str, value: Value) -> Field | None:
    """One field as it is sent; ``None`` if it is not sent."""
    if isinstance(value, Const) and value.value is None and name != "name":
        if name == "inputSchema":
            return UnknownField("the inputSchema is None, which the SDK refuses", INVALID)
        return None
    try:
        return Known(_read(name, value))
    except NotSettledError as error:
        return field_of(error.unknown, ".".join(error.path))


def _read(name: str, value: Value) -> JsonValue:
    value = content(value)
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
    if name == "execution":
        return _model(value)
    return to_json(value)


def _refusal(value: Value, wanted: str) -> NotSettledError:
    if isinstance(value, Maybe):
        return NotSettledError(value.why)
    if isinstance(value, Unknown):
        return NotSettledError(value)
    return NotSettledError(Unknown(f"{describe(value)} where the SDK wants {wanted}", INVALID))


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
    result: dict[str, JsonValue] = {}
    for name, item in _items(value).items():
        if isinstance(item, Const) and item.value is None:
            continue
        known = to_json(item, (name,))
        if (name in _FLAGS and not isinstance(known, bool)) or (name == "title" and not isinstance(known, str)):
            raise NotSettledError(Unknown(f"the SDK converts or refuses this {name}", INVALID), (name,))
        result[name] = known
    return result


def _model(value: Value) -> JsonValue:
    found = {name: item for name, item in _items(value).items() if item != Const(None)}
    return {name: to_json(item, (name,)) for name, item in found.items()}


def to_json(value: Value, path: tuple[str, ...] = ()) -> JsonValue:
    """The JSON to which pydantic serialises a value of type ``Any``.

    Raises:
        NotSettledError: some part of the value is not known.
    """
    if len(path) > _DEEPEST:
        raise NotSettledError(Unknown("it is nested too deeply", BUDGET), path)
    value = content(value)
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
    if isinstance(value, SetValue) and len(value.data) < 2:
        return [to_json(item, path) for item in value.data.values()]
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
        raise NotSettledError(Unknown(f"{plain} is no JSON number", UNSUPPORTED), path)
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
