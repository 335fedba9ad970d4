"""The fields of the SDK's models, by the first version that declares them (measured on mcp 1.2 to 1.30)."""

from __future__ import annotations

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


def fields_of_type(name: str) -> tuple[str, ...]:
    return _FIELDS.get(name, ())
