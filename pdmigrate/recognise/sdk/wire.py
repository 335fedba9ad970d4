"""Convert the evaluator's values to what the SDK puts on the wire (measured with mcp 1.2 to 1.30, 2.0.1, 2.3.0).

The SDK serialises with pydantic: fields that are ``None`` are left out, tuples become arrays, enum members become
their values, unknown fields are kept.  A value that pydantic would refuse is ``Unknown``: such a server fails.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.provenance import as_unknown, steps_of
from pdmigrate.evaluate.core.python_values import describe, enum_payload
from pdmigrate.evaluate.core.values import (
    Const,
    DictValue,
    External,
    Instance,
    IteratorValue,
    ListValue,
    RangeValue,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.model import TOOL_FIELDS, Field, JsonValue, Known, Unknown
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.recognise.sdk.wire_mcp2 import as_sent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_DEPTH = 60


class NotKnownError(Exception):
    """A part of a field is not known; ``path`` leads to that part."""

    def __init__(self, unknown: UnknownValue, path: tuple[str, ...]) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown
        self.path = path


def tool_fields(tool: SdkObject, versions: Mapping[str, str]) -> dict[str, Field]:
    """The wire fields of an ``mcp.types.Tool`` under these versions of packages."""
    fields: dict[str, Field] = {}
    for name, value in tool.names.items():
        field = _field(name, value)
        if field is not None and is_renamed(versions):
            field = as_sent(name, field, versions["mcp"])
        if field is not None:
            fields[name] = field
    for required in ("name", "inputSchema"):
        if required not in fields:
            reason = f"the tool has no {required}, which the SDK refuses"
            fields[required] = Unknown(reason, reasons.INVALID)
    if tool.rest is not None:
        missing = as_unknown(tool.rest)
        fields = {name: fields.get(name, missing) for name in {**dict.fromkeys(TOOL_FIELDS), **fields}}
        fields = dict.fromkeys(fields, missing)
    return fields


def _field(name: str, value: Value) -> Field | None:
    """One field as it is sent; ``None`` if it is not sent."""
    if value.is_just(None) and name != "name":
        if name == "inputSchema":
            return Unknown("the inputSchema is None, which the SDK refuses", reasons.INVALID)
        return None
    try:
        return Known(_READERS.get(name, _any)(value), steps_of(value))
    except NotKnownError as reason:
        return as_unknown(reason.unknown, ".".join(reason.path))


def _text(value: Value) -> JsonValue:
    payload = enum_payload(value) or value
    if (text := payload.text) is not None:
        return _unicode(text, ())
    raise _refusal(value, "text")


def _refusal(value: Value, wanted: str) -> NotKnownError:
    unknown = first_unknown(value)
    return NotKnownError(
        unknown or reasons.unknown(reasons.INVALID, f"{describe(value)} where the SDK wants {wanted}"), ()
    )


def _object(value: Value) -> JsonValue:
    if value.as_dict is None:
        raise _refusal(value, "a dict")
    return to_json(value)


def _annotations(value: Value) -> JsonValue:
    """``ToolAnnotations`` or a dict; entries that are ``None`` are left out of both."""
    items = _model_items(value)
    flags = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    result: dict[str, JsonValue] = {}
    for name, item in items.items():
        if item.is_just(None):
            continue
        known = to_json(item, (name,))
        if (name in flags and not isinstance(known, bool)) or (name == "title" and not isinstance(known, str)):
            raise NotKnownError(reasons.unknown(reasons.INVALID, f"the SDK converts or refuses this {name}"), (name,))
        result[name] = known
    return result


def _model_items(value: Value) -> dict[str, Value]:
    if value.as_sdk is None and value.as_dict is None:
        raise _refusal(value, "a model or a dict")
    if value.rest is not None:
        raise NotKnownError(value.rest, ())
    if value.as_sdk is not None:
        return value.as_sdk.names
    entries = value.as_dict.entries if value.as_dict is not None else {}
    return {str(_key(entry.key)): _certain(entry.value) for entry in entries.values()}


def _icons(value: Value) -> JsonValue:
    if value.sequence is None:
        raise _refusal(value, "a list")
    if value.rest is not None:
        raise NotKnownError(value.rest, ())
    return [_model(_certain(item)) for item in value.sequence]


def _model(value: Value) -> JsonValue:
    items = _model_items(value)
    return {name: to_json(item, (name,)) for name, item in items.items() if not item.is_just(None)}


def _any(value: Value) -> JsonValue:
    return to_json(value)


_READERS: dict[str, Callable[[Value], JsonValue]] = {
    "name": _text,
    "title": _text,
    "description": _text,
    "inputSchema": _object,
    "outputSchema": _object,
    "_meta": _object,
    "annotations": _annotations,
    "icons": _icons,
    "execution": _model,
}


# --- JSON -------------------------------------------------------------------------------------------------------------


def to_json(value: Value, path: tuple[str, ...] = ()) -> JsonValue:
    """The JSON to which pydantic serialises a value of type ``Any``.

    Raises:
        NotKnownError: some part of the value is not known.
    """
    if len(path) > MAX_DEPTH:
        raise NotKnownError(reasons.unknown(reasons.BUDGET, "it is nested too deeply"), path)
    return JSON[type(value)](value, path)


JSON: Kinds[Callable[[Any, tuple[str, ...]], JsonValue]] = Kinds()


@JSON.of(Value, RangeValue, IteratorValue)
def _no_json(value: Value, path: tuple[str, ...]) -> JsonValue:
    unknown = first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} in a definition")
    raise NotKnownError(unknown, path)


@JSON.of(External)
def _outside(value: External, path: tuple[str, ...]) -> JsonValue:
    raise NotKnownError(made_outside(value), path)


@JSON.of(ListValue, TupleValue)
def _array(value: ListValue | TupleValue, path: tuple[str, ...]) -> JsonValue:
    if value.rest is not None:
        raise NotKnownError(value.rest, path)
    charge(len(value.items))
    return [to_json(_certain(item, path), (*path, str(index))) for index, item in enumerate(value.items)]


@JSON.of(Instance)
def _member(value: Instance, path: tuple[str, ...]) -> JsonValue:
    is_member = value.cls.kind == "enum" and "_value_" in value.names
    return to_json(value.names["_value_"], path) if is_member else _no_json(value, path)


@JSON.of(SetValue)
def _set(value: SetValue, path: tuple[str, ...]) -> JsonValue:
    if value.exact and len(value.items) < 2:
        return [to_json(item, (*path, "0")) for item in value.items.values()]
    reason = value.rest or reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run")
    raise NotKnownError(reason, path)


@JSON.of(DictValue)
def _mapping(value: DictValue, path: tuple[str, ...]) -> JsonValue:
    if value.rest is not None:
        raise NotKnownError(value.rest, path)
    charge(len(value.entries))
    result: dict[str, JsonValue] = {}
    for entry in value.entries.values():
        key = _key(entry.key, path)
        result[key] = to_json(_certain(entry.value, (*path, key)), (*path, key))
    return result


def _key(value: Value, path: tuple[str, ...] = ()) -> str:
    payload = enum_payload(value) or value
    if (text := payload.text) is not None:
        return _unicode(text, path)
    raise NotKnownError(reasons.unknown(reasons.INVALID, f"{describe(value)} as a key of a schema"), path)


def _certain(value: Value, path: tuple[str, ...] = ()) -> Value:
    if value.doubt is not None:
        raise NotKnownError(value.doubt, path)
    return value


@JSON.of(Const)
def _scalar(value: Const, path: tuple[str, ...]) -> JsonValue:
    match plain := value.value:
        case float() if not math.isfinite(plain):
            raise NotKnownError(reasons.unknown(reasons.UNSUPPORTED, f"{plain} is no JSON number"), path)
        case int() if plain.bit_length() > 4_096:
            raise NotKnownError(reasons.unknown(reasons.BUDGET, "the number is too long"), path)
        case str():
            return _unicode(plain, path)
        case bytes() | complex() | timedelta():
            raise NotKnownError(reasons.unknown(reasons.UNSUPPORTED, f"a value of type {type(plain).__name__}"), path)
    return plain


def _unicode(text: str, path: tuple[str, ...]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotKnownError(reasons.unknown(reasons.INVALID, "the text is not valid Unicode"), path) from None
    return text
