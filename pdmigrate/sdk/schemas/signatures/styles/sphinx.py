"""Sphinx style: fields between colons, as ``:param name: text``."""

from __future__ import annotations

import inspect

from pdmigrate.sdk.schemas.signatures.styles.found import Parsed, is_empty

PARAMETERS = (":param", ":arg", ":key")
ATTRIBUTES = (":var", ":ivar", ":cvar")
RAISES = (":raise", ":except")
IGNORED = (":type", ":vartype", ":rtype")


def sphinx(lines: list[str]) -> Parsed:
    """The text and the texts of parameters in Sphinx style."""
    found = Parsed()
    text: list[str] = []
    index = 0
    while index < len(lines):
        if not lines[index].startswith((*PARAMETERS, *ATTRIBUTES, *RAISES, *IGNORED, ":return")):
            text.append(lines[index])
            index += 1
            continue
        end = index + 1
        while end < len(lines) and not lines[end].startswith(":"):
            end += 1
        _field(lines[index:end], found)
        index = end
    seen = [index for index, line in enumerate(text) if not is_empty(line)]
    found.description = "\n".join(text[seen[0] : seen[-1] + 1]) if seen else ""
    return found


def _field(lines: list[str], found: Parsed) -> None:
    field = inspect.cleandoc("\n".join(lines)).rstrip("\n").split(":", 2)
    if len(field) < 3:
        return
    words = field[1].split(" ")
    if lines[0].startswith(IGNORED):
        return
    if lines[0].startswith(PARAMETERS):
        if len(words) > 1:
            found.parameters.setdefault(words[-1], field[2].strip())
            found.structured = True
    elif lines[0].startswith(":return") or len(words) == 2:
        found.structured = True
    if lines[0].startswith(RAISES) and len(words) == 2:
        found.keep("raises", [f"{words[1]}: {field[2].strip().partition(chr(10) * 2)[0]}"])
