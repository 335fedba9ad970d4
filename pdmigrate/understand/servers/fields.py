"""The fields of the SDK's models (measured on mcp 1.2 to 1.30, 2.0.1, 2.3.0).

Models of mcp 2.x have names in snake case and accept either name as a keyword; they drop unknown fields.
"""

from __future__ import annotations

from collections.abc import Mapping

_RENAMED: dict[str, dict[str, str]] = {
    "mcp.types.Tool": {
        "name": "name",
        "title": "title",
        "description": "description",
        "input_schema": "inputSchema",
        "output_schema": "outputSchema",
        "annotations": "annotations",
        "icons": "icons",
        "meta": "_meta",
        "execution": "execution",
    },
    "mcp.types.ToolAnnotations": {
        "title": "title",
        "read_only_hint": "readOnlyHint",
        "destructive_hint": "destructiveHint",
        "idempotent_hint": "idempotentHint",
        "open_world_hint": "openWorldHint",
    },
    "mcp.types.ListToolsResult": {
        "tools": "tools",
        "next_cursor": "nextCursor",
        "meta": "_meta",
        "ttl_ms": "ttlMs",
        "cache_scope": "cacheScope",
        "result_type": "resultType",
    },
    "mcp.types.PaginatedRequestParams": {"meta": "_meta", "cursor": "cursor"},
    "mcp.types.Icon": {"src": "src", "mime_type": "mimeType", "sizes": "sizes", "theme": "theme"},
    "mcp.types.ToolExecution": {"task_support": "taskSupport"},
}


def is_renamed(versions: Mapping[str, str]) -> bool:
    """Whether the SDK's fields have names in snake case, as since mcp 2.0."""
    return versions.get("mcp", "").startswith("2.")


def names_of(kind: str, versions: Mapping[str, str]) -> Mapping[str, str] | None:
    """The fields of a model by their names in Python, each with its name on the wire; ``None`` for other classes."""
    names = _RENAMED.get(kind)
    if names is None or is_renamed(versions):
        return names
    return {"meta" if wire == "_meta" else wire: wire for wire in names.values()}


def of_other_major(kind: str, name: str, versions: Mapping[str, str]) -> bool:
    """Whether only the models of the other major version have an attribute of this name."""
    own, names = names_of(kind, versions) or {}, _RENAMED.get(kind, {})
    return name not in own and (name in names or name in names.values())
