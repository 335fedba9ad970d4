"""The tools of the lost property office as its low-level servers list them, on either major of the SDK."""

from __future__ import annotations

from mcp import types

TOPIC = {"type": "object", "properties": {"topic": {"type": "string", "minLength": 2}}, "required": ["topic"]}
TOOLS = [
    types.Tool(
        name="find_items",
        title="Find items",
        description="List what was found, by a word of its label. Only what was handed in this month is kept here.",
        inputSchema={
            "type": "object",
            "properties": {
                "word": {"type": "string", "minLength": 2, "description": "A word of the label."},
                "shelf": {"type": "string", "enum": ["a", "b"], "default": "a", "description": "Where to look."},
            },
            "required": ["word"],
        },
        outputSchema={
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
        },
        annotations=types.ToolAnnotations(readOnlyHint=True, openWorldHint=False),
        icons=[types.Icon(src="data:image/png;base64,AAAA", mimeType="image/png")],
        _meta={"office.example/rank": 3},
    ),
    types.Tool(
        name="hand_out",
        description="Give an item back to its owner. It is gone from the shelves then, so ask for a proof before.",
        inputSchema={
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 1, "description": "On the label."}},
            "required": ["number"],
        },
        annotations=types.ToolAnnotations(destructiveHint=True),
    ),
    types.Tool(
        name="lost_property_describe_tools",
        description="Say how the tools of the workshop are used. This is a tool of the office, not a bridge.",
        inputSchema=TOPIC,
    ),
    types.Tool(
        name="lost_property_describe_tools_pd",
        description="The same for the staff, who alone see it. It names the keys as well.",
        inputSchema=TOPIC,
    ),
    types.Tool(
        name="open_cellar",
        description="Open the cellar. From then on everybody may search it, until the office closes.",
        inputSchema={"type": "object", "properties": {}},
    ),
]
CELLAR = types.Tool(
    name="search_cellar",
    description="Search a box in the cellar. There are nine; the ninth is empty.",
    inputSchema={
        "type": "object",
        "properties": {"box": {"type": "integer", "maximum": 9, "description": "Which box."}},
        "required": ["box"],
    },
)
