"""Lines that fit a terminal: broken between words, never within a command in backquotes, which somebody may copy."""

from __future__ import annotations

import re

_COLOUR = re.compile(r"\x1b\[\d+m")
_WORD = re.compile(r" *(?:`[^`]*`|[^ ])+")
_NARROW = 40
"""The columns below which lines are not broken, as nothing is gained."""


def fitted(text: str, width: int) -> str:
    """``text`` in lines of at most ``width`` columns; continuation lines are indented by two more."""
    if width < _NARROW:
        return text
    return "\n".join(_broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    if _columns(line) <= width:
        return line
    indent = " " * min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
    lines = [""]
    for word in _WORD.findall(line):
        if lines[-1].strip() and _columns(lines[-1]) + _columns(word) > width:
            lines.append(indent + word.lstrip(" "))
        else:
            lines[-1] += word
    return "\n".join(lines)


def _columns(text: str) -> int:
    return len(_COLOUR.sub("", text))
