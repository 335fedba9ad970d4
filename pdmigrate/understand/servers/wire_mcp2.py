"""What mcp 2.x does to a tool between its model and the wire (measured with 2.0.1 and 2.3.0).

Every answer is validated once more, against the models of the protocol revision, and dumped without ``None`` values.
If these models refuse a tool, the SDK does not drop a field: it answers the whole list with an error.  The models of
2025-11-25, which serve every revision before 2026-07-28, decide here.
"""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.model import Field, JsonObject, JsonValue, Known, Unknown
from pdmigrate.understand.values.codes import INVALID

_SCHEMA_ORDER = ("$schema", "properties", "required", "type")
_ICON = ("mimeType", "sizes", "src", "theme")
_ICON_NAMES = {"mime_type": "mimeType"}


def as_sent(name: str, field: Field, version: str) -> Field:
    """The field as ``version`` sends it; ``Unknown`` if the SDK refuses to send the list."""
    if not isinstance(field, Known):
        return field
    if name in ("inputSchema", "outputSchema"):
        problem = _schema_problem(field.value, version)
        return replace(field, value=_schema(field.value)) if problem is None else _refused(f"its {name} {problem}")
    if name == "execution":
        match field.value:
            case {"taskSupport": "forbidden" | "optional" | "required"}:
                return field
            case dict() as given if "taskSupport" not in given:
                return field
        return _refused("its execution names no known task support")
    if name == "icons":
        return _icons(field)
    return field


def _refused(problem: str) -> Unknown:
    return Unknown(f"the SDK answers with an error instead of this list: {problem}", INVALID)


def _schema_problem(schema: JsonValue, version: str) -> str | None:
    """Why a schema does not fit the protocol's model of a schema; ``None`` if it does."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return 'has not "type": "object"'
    kinds = (dict, bool) if _release(version) >= (2, 3) else (dict,)
    match schema.get("properties"):
        case None:
            pass
        case dict() as properties if all(isinstance(value, kinds) for value in properties.values()):
            pass
        case _:
            return "has properties that are no schemas"
    if (required := schema.get("required")) is not None and not _are_texts(required):
        return "has a list of required properties with something that is not text"
    return None if isinstance(schema.get("$schema", ""), (str, type(None))) else "has a $schema that is not text"


def _are_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _schema(schema: JsonValue) -> JsonObject:
    """The schema in the order of the model's fields, without its top-level keys whose value is ``None``."""
    assert isinstance(schema, dict)
    names = (*(name for name in _SCHEMA_ORDER if name in schema), *(n for n in schema if n not in _SCHEMA_ORDER))
    return {name: schema[name] for name in names if schema[name] is not None}


def _icons(field: Known) -> Field:
    assert isinstance(field.value, list)
    icons: list[JsonValue] = []
    for given in field.value:
        items = {_ICON_NAMES.get(key, key): value for key, value in given.items()} if isinstance(given, dict) else {}
        icon: JsonObject = {key: items[key] for key in _ICON if items.get(key) is not None}
        if not (_are_texts([icon.get("src"), icon.get("mimeType", "")]) and _are_texts(icon.get("sizes", []))):
            return _refused("an icon of it does not fit the protocol")
        if icon.get("theme", "light") not in ("light", "dark"):
            return _refused("the theme of an icon of it is neither light nor dark")
        icons.append(icon)
    return replace(field, value=icons)
