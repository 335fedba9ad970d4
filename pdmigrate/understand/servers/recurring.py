"""Models that hold themselves, in the schemas of fastmcp's tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pdmigrate.model import JsonValue, Known, Unknown
from pdmigrate.understand.servers.answers import Listed
from pdmigrate.understand.values.codes import MUTATED

_DEFS, _REF = "$defs", "$ref"


def forget_described(tools: list[Listed]) -> None:
    """Claim no schema with a model that holds itself, if a parameter of another tool says something about that model.

    pydantic keeps what such a parameter says (its description, its title) and says it wherever the model is used
    later, in other schemas of the process, too (seen with pydantic 2.14.3 and fastmcp 2, 3 and 4).
    """
    said = {name for tool in tools for name in _described(tool)}
    for tool in tools if said else ():
        for field in ("inputSchema", "outputSchema"):
            known = tool.fields.get(field)
            value = known.value if isinstance(known, Known) else None
            own = _described(tool) if field == "inputSchema" else frozenset()
            used = said & _recursive(value) - own
            if used:
                why = f"pydantic may describe {min(used)}, which holds itself, as another parameter does"
                tool.fields = {**tool.fields, field: Unknown(why, MUTATED)}


def _described(tool: Listed) -> frozenset[str]:
    """The models that hold themselves about which a parameter of ``tool`` says something."""
    known = tool.fields.get("inputSchema")
    value = known.value if isinstance(known, Known) else None
    said = {
        str(node[_REF]).rpartition("/")[2] for node in _nodes(value) if _REF in node and node.keys() - {_REF, "default"}
    }
    return frozenset(said & _recursive(value))


def _recursive(schema: JsonValue) -> set[str]:
    """The names of the definitions in a schema that refer to themselves."""
    defs = schema.get(_DEFS) if isinstance(schema, dict) else None
    table = defs if isinstance(defs, dict) else {}
    return {name for name, inner in table.items() if f'"#/{_DEFS}/{name}"' in json.dumps(inner)}


def _nodes(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """The objects in a schema, those in its definitions aside."""
    parts: Iterable[JsonValue] = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield value
        parts = (item for name, item in value.items() if name != _DEFS)
    for item in parts:
        yield from _nodes(item)
