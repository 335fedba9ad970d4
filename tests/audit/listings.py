"""Listings whose figures can be worked out by hand: a token is a character."""

from __future__ import annotations

import json
from typing import Any


class Characters:
    """A counter for which every character is a token."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


def tool(name: str, *, sentences: int = 4, parameters: int = 2, prose: int = 60) -> dict[str, Any]:
    """A tool whose description has ``sentences`` and whose ``parameters`` have texts of ``prose`` characters."""
    properties = {f"field_{number}": {"type": "string", "description": "x" * prose} for number in range(parameters)}
    described = " ".join(f"Sentence {number} says what {name} does with its input." for number in range(sentences))
    return {"name": name, "description": described, "inputSchema": {"type": "object", "properties": properties}}


def heavy(count: int) -> list[dict[str, Any]]:
    return [tool(f"tool_{number}", sentences=20, parameters=6, prose=200) for number in range(count)]


def light(count: int) -> list[dict[str, Any]]:
    return [tool(f"small_{number}", sentences=1, parameters=0) for number in range(count)]


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
