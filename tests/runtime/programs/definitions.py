"""The tools of the test server, as a client sees them before the migration."""

from __future__ import annotations

from typing import Any

DAYS: dict[str, Any] = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}

FULL: dict[str, dict[str, Any]] = {
    "find": {
        "name": "find",
        "title": "Find books",
        "description": "Find books by words. The words must all occur, in any order, in the title or the author.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": {"type": "string", "minLength": 2, "description": "Words of the title."},
                "shelf": {"anyOf": [{"type": "string", "pattern": "^S"}, {"type": "null"}], "default": None},
            },
            "required": ["words"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
        "_meta": {"example.org/rank": 3},
    },
    "lend": {
        "name": "lend",
        "description": "Lend a book to a member. Answers for how many days.",
        "inputSchema": {
            "type": "object",
            "properties": {"book": {"type": "integer", "minimum": 1}},
            "required": ["book"],
        },
        "outputSchema": DAYS,
    },
    "faulty": {
        "name": "faulty",
        "description": "Answers with something that its own output schema forbids.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": DAYS,
    },
    "plain": {
        "name": "plain",
        "title": "Plain",
        "description": "A tool that the code keeps. It fails on request.\n\nArgs:\n    fail: whether to fail",
        "inputSchema": {
            "type": "object",
            "properties": {
                "fail": {"type": "boolean", "description": "Whether to fail."},
                "where": {"type": "object", "properties": {"x": {"type": "number"}}},
                "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}},
            },
        },
        "outputSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}}},
        "annotations": {"title": "Plain", "destructiveHint": False},
        "_meta": {"example.org/colour": "blue"},
    },
}

MOVED = ("faulty", "find", "lend")
"""The tools whose definitions are in files after the migration."""


def stub(name: str) -> dict[str, Any]:
    """What the code holds of a moved tool after the migration: ``faulty`` is one that it still derives in full."""
    if name == "faulty":
        return FULL[name]
    properties = {key: {"type": "string"} for key in FULL[name]["inputSchema"]["properties"]}
    return {
        **FULL[name],
        "description": f"Summary of {name}.",
        "inputSchema": {"type": "object", "properties": properties},
    }


def listed(migrated: bool) -> list[dict[str, Any]]:
    return [stub(name) if migrated and name in MOVED else FULL[name] for name in FULL]
