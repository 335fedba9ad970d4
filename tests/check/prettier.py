"""JSON as prettier 3 lays it out, from a file in which every object begins on a line of its own.

Checked against prettier 3.10.1 on random documents; it is written out here because prettier needs Node.
"""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 80


def prettier(value: Any) -> str:
    """The text of a file that prettier leaves as it is."""
    return _laid_out(value, 0, 0, 0) + "\n"


def _laid_out(value: Any, depth: int, before: int, after: int) -> str:
    """``value`` where ``before`` columns of its line are taken, and ``after`` follow it."""
    inner = "  " * (depth + 1)
    if isinstance(value, dict) and value:
        heads = [f"{inner}{json.dumps(key, ensure_ascii=False)}: " for key in value]
        last = len(value) - 1
        lines = [
            head + _laid_out(one, depth + 1, len(head), int(number < last))
            for number, (head, one) in enumerate(zip(heads, value.values(), strict=True))
        ]
        return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"
    if isinstance(value, list) and value:
        flat = json.dumps(value, ensure_ascii=False)
        if not _must_break(value) and before + len(flat) + after <= _WIDTH:
            return flat
        return f"[\n{_entries(value, depth, inner)}\n{'  ' * depth}]"
    return json.dumps(value, ensure_ascii=False)


def _entries(value: list[Any], depth: int, inner: str) -> str:
    last = len(value) - 1
    if len(value) > 1 and all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in value):
        return _filled([json.dumps(one) + ("," if number < last else "") for number, one in enumerate(value)], inner)
    lines = [inner + _laid_out(one, depth + 1, len(inner), int(n < last)) for n, one in enumerate(value)]
    return ",\n".join(lines)


def _filled(numbers: list[str], inner: str) -> str:
    """As many numbers a line as there is room for."""
    lines = [inner + numbers[0]]
    for number in numbers[1:]:
        if len(lines[-1]) + 1 + len(number) <= _WIDTH:
            lines[-1] += f" {number}"
        else:
            lines.append(inner + number)
    return "\n".join(lines)


def _must_break(value: Any) -> bool:
    """Objects stay open; so does a list of several objects, or of several lists, with more than one entry each."""
    if isinstance(value, dict):
        return bool(value)
    if not isinstance(value, list):
        return False
    kinds = {type(one) for one in value}
    alike = len(value) > 1 and kinds in ({dict}, {list}) and all(len(one) > 1 for one in value)
    return alike or any(map(_must_break, value))
