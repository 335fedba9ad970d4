"""Globs as the build backends read them: ``*`` stays in one path component, ``**`` stands for any number of them."""

from __future__ import annotations

import re
from functools import lru_cache

from pdmigrate.project.shipping.model import chain


def matches(pattern: str, path: str) -> bool:
    """Whether ``glob(pattern, recursive=True)`` would find ``path``."""
    return _compiled(_normal(pattern)).fullmatch(path) is not None


def covers(pattern: str, path: str) -> bool:
    """Whether the glob finds ``path`` itself or a folder that holds it; ``.`` covers everything."""
    normal = _normal(pattern)
    return not normal or any(_compiled(normal).fullmatch(place) for place in (path, *chain(path)) if place)


def _normal(pattern: str) -> str:
    parts = pattern.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = pattern.split("/")
    text = ""
    for position, part in enumerate(parts):
        last = position == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:[^/]+/)*"
        else:
            text += _component(part) + ("" if last else "/")
    return re.compile(text, re.DOTALL)


def _component(part: str) -> str:
    """One path component as a regular expression."""
    text, position = "", 0
    while position < len(part):
        character = part[position]
        position += 1
        end = part.find("]", position + 1) if character == "[" else -1
        if end > 0:
            inside = part[position:end].replace("\\", r"\\")
            text += f"[^/{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
            position = end + 1
        else:
            text += {"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character))
    return text
