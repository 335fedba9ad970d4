"""The fields of the SDK's models, by the first version that declares them (measured on mcp 1.2 to 1.30, 2.0.1, 2.3.0).

Models of mcp 2.x have names in snake case and accept either name as a keyword; they drop unknown fields.
"""

from __future__ import annotations

from collections.abc import Mapping

TOOL = {
    "name": (1, 0),
    "description": (1, 0),
    "inputSchema": (1, 0),
    "annotations": (1, 8),
    "title": (1, 10),
    "outputSchema": (1, 10),
    "meta": (1, 10),
    "icons": (1, 16),
    "execution": (1, 23),
}
ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")

_FIELDS = {
    "mcp.types.Tool": (*TOOL, "input_schema", "output_schema"),
    "mcp.types.ToolAnnotations": ANNOTATIONS,
    "mcp.types.ListToolsResult": ("tools", "nextCursor", "meta"),
    "mcp.types.Icon": ("src", "mimeType", "sizes"),
    "mcp.types.ToolExecution": ("taskSupport",),
}

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


def fields_of_type(name: str) -> tuple[str, ...]:
    return _FIELDS.get(name, ())


def is_renamed(versions: Mapping[str, str]) -> bool:
    """Whether the SDK's fields have names in snake case, as since mcp 2.0."""
    return versions.get("mcp", "").startswith("2.")


def wire_names(name: str, versions: Mapping[str, str]) -> Mapping[str, str] | None:
    """The fields of a model: each name in Python, with its name on the wire.

    ``None`` if both are the same (mcp 1.x), and for models whose fields are not needed here.
    """
    return _RENAMED.get(name) if is_renamed(versions) else None
