"""NumPy style: sections under a title underlined with dashes."""

from __future__ import annotations

import re

from pdmigrate.sdk.schemas.signatures.styles.found import Parsed, is_empty

SECTIONS = frozenset(
    {
        *("attributes", "classes", "deprecated", "examples", "functions", "methods", "modules", "other parameters"),
        *("parameters", "raises", "receives", "returns", "type aliases", "type parameters", "warns", "yields"),
    }
)
NAME = r"\*{0,2}[_a-z][_a-z0-9]*"
NAMES = re.compile(rf"{NAME}(?:,\s{NAME})*", re.IGNORECASE)
INDENT = 4


def numpydoc(lines: list[str]) -> Parsed:
    """The first stretch of text and the texts of parameters in NumPy style."""
    found = Parsed()
    text: list[str] = []
    title, fenced = "", False
    index = 0
    while index < len(lines):
        line = lines[index]
        fence = line.lstrip(" ").startswith("```")
        if fenced or fence:
            fenced = fenced != fence
            text.append(line)
        elif not is_empty(line) and index + 1 < len(lines) and _is_dashes(lines[index + 1]):
            _end(text, title, found)
            text = []
            title = line.lower() if line.lower() not in SECTIONS else ""
            start = index + 2
            index = index + 1 if title else _section(lines, start, line.lower(), found)
            if not title:
                found.keep(line, lines[start : index + 1])
        else:
            text.append("" if is_empty(line) else line)
            if index == len(lines) - 1:
                _end(text, title, found)
                text, title = [], ""
        index += 1
    _end(text, title, found)
    return found


def _is_dashes(line: str) -> bool:
    return "-" in line and is_empty(line.replace("-", ""))


def _end(text: list[str], title: str, found: Parsed) -> None:
    if title:
        # griffe calls these two by their singular.
        found.head({"warnings": "warning", "notes": "note"}.get(title, title))
        found.keep(title, text)
    else:
        found.end_text(text)


def _section(lines: list[str], index: int, kind: str, found: Parsed) -> int:
    """Read the section whose text begins at ``index``; return the index of its last line."""
    if kind == "type parameters":
        found.unsettled = "the docstring has a section for type parameters"
    if kind == "examples":
        found.structured = True
        return _end_of_block(lines, index)
    end, items = _items(lines, index)
    if kind not in {"parameters", "other parameters"}:
        found.structured = found.structured or bool(items)
        return end
    for first, *rest in items:
        match = NAMES.match(first)
        if match is None:
            continue
        found.structured = True
        if kind == "parameters":
            found.parameters.update(dict.fromkeys(match[0].split(", "), "\n".join(rest).rstrip()))
    return end


def _items(lines: list[str], index: int) -> tuple[int, list[list[str]]]:
    if index >= len(lines):
        return index, []
    while is_empty(lines[index]):
        index += 1
    items = [[lines[index]]]
    index += 1
    while index < len(lines):
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        if is_empty(line):
            items[-1].append("")
        elif line.startswith(" "):
            items[-1].append(line[INDENT if line.startswith(" " * INDENT) else indent :])
        elif index + 1 < len(lines) and _is_dashes(lines[index + 1]):
            break
        else:
            items.append([line])
        index += 1
    return index - 1, items


def _end_of_block(lines: list[str], index: int) -> int:
    if index >= len(lines):
        return index
    while is_empty(lines[index]):
        index += 1
    while index < len(lines):
        below = lines[index + 1 : index + 3]
        if is_empty(lines[index]) and any(map(_is_dashes, below)):
            break
        index += 1
    return index - 1
