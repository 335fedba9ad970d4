"""Values as JSON that keeps their types and the order of dicts."""

from __future__ import annotations

import enum
from typing import Any

OTHER = ["?"]


def encode(value: Any, depth: int = 0) -> list[Any]:
    """``["i", "3"]``, ``["l", [...]]``; a value that is none of the built-in kinds is ``["?"]``."""
    if isinstance(value, enum.Enum):
        return encode(value.value) if isinstance(value, (str, int)) else OTHER
    if depth > 30:
        return OTHER
    if isinstance(value, int) and value.bit_length() > 8_000:
        return OTHER
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return [type(value).__name__, repr(value)]
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return [type(value).__name__, [encode(item, depth + 1) for item in value]]
    if isinstance(value, dict):
        return ["dict", [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((encode(item, depth + 1) for item in value), key=repr)]
    return OTHER
