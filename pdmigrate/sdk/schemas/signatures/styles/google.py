"""Google style: sections under a title with a colon, their text indented."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pdmigrate.sdk.schemas.signatures.styles.found import Parsed, is_empty

PARAMETERS = frozenset({"args", "arguments", "params", "parameters"})
WITH_COLON = frozenset(
    {
        *(f"{kind} {name}" for kind in ("keyword", "other", "type") for name in ("args", "arguments")),
        *(f"{kind} {name}" for kind in ("other", "type") for name in ("params", "parameters")),
        *("attributes", "classes", "exceptions", "functions", "methods", "modules", "raises", "type aliases"),
        *("warnings", "warns"),
    }
)
"""Sections whose items count only if they have a colon."""

WITHOUT_COLON = frozenset({"receives", "returns", "yields"})
TITLE = re.compile(r"^(?P<kind>\w[\s\w-]*):(\s+(?P<title>\S.*))?\s*$", re.IGNORECASE)


def google(lines: list[str]) -> Parsed:
    """The first stretch of text and the texts of parameters in Google style."""
    found = Parsed()
    text: list[str] = []
    fenced = False
    index = 0
    while index < len(lines):
        line = lines[index]
        title = None if fenced else TITLE.match(line)
        if line.lstrip(" ").startswith("```"):
            fenced = not fenced
        elif title is not None and _opens(lines, index):
            index, text = _section(lines, index, title["kind"].lower(), text, found)
            continue
        text.append(line)
        index += 1
    found.end_text(text)
    return found


def _opens(lines: list[str], index: int) -> bool:
    """Whether a line with a colon at its end is a section's title: an empty line above it, and indented text below."""
    below = lines[index + 1 : index + 3]
    indented = [line.startswith(" ") and not is_empty(line) for line in below]
    if not any(indented):
        return False
    alone = index == 0 or is_empty(lines[index - 1])
    detached = len(below) == 2 and indented[1] and is_empty(below[0])
    return alone and not detached


def _section(lines: list[str], index: int, kind: str, text: list[str], found: Parsed) -> tuple[int, list[str]]:
    """Read the section whose title is at ``index``; return the index to continue at, and the text still open."""
    if kind not in READERS:
        end, contents = _block(lines, index + 1)
        if not contents:
            return index + 1, [*text, lines[index]]
        found.end_text(text)
        found.head(kind)
        found.keep(kind, lines[index + 1 : end])
        return end, []
    found.end_text(text)
    end = READERS[kind](lines, index + 1, found)
    found.keep(kind, lines[index + 1 : end])
    return end, []


def _read_parameters(lines: list[str], index: int, found: Parsed) -> int:
    end, items = _items(lines, index)
    for first, *rest in items:
        name, colon, about = first.partition(":")
        if not colon:
            continue
        if "(" in name and name.endswith(")"):
            name = name.split("(", 1)[0].strip()
        found.parameters[name] = "\n".join([about.lstrip(), *rest]).rstrip("\n")
        found.structured = True
    return end


def _read_with_colon(lines: list[str], index: int, found: Parsed) -> int:
    end, items = _items(lines, index)
    found.structured = found.structured or any(":" in item[0] for item in items)
    return end


def _read_without_colon(lines: list[str], index: int, found: Parsed) -> int:
    end, items = _items(lines, index)
    found.structured = found.structured or bool(items)
    return end


def _read_examples(lines: list[str], index: int, found: Parsed) -> int:
    end, _ = _block(lines, index)
    found.structured = True
    return end


READERS: Mapping[str, Callable[[list[str], int, Parsed], int]] = {
    **dict.fromkeys(PARAMETERS, _read_parameters),
    **dict.fromkeys(WITH_COLON, _read_with_colon),
    **dict.fromkeys(WITHOUT_COLON, _read_without_colon),
    "examples": _read_examples,
}


def _items(lines: list[str], index: int) -> tuple[int, list[list[str]]]:
    """The index of the line after a section, and the section's items, each with its lines."""
    while is_empty(lines[index]):
        index += 1
    indent = _indent(lines[index])
    if indent == 0:
        return index, []
    items: list[list[str]] = []
    while index < len(lines):
        line = lines[index]
        if is_empty(line):
            items[-1].append("")
        elif _indent(line) < indent:
            break
        elif _indent(line) == indent:
            items.append([line[indent:]])
        else:
            items[-1].append(line[min(_indent(line), 2 * indent) :])
        index += 1
    return index, items


def _block(lines: list[str], index: int) -> tuple[int, str]:
    """The index of the line after the indented lines from ``index`` on, and these lines as text."""
    start = index
    while is_empty(lines[index]):
        index += 1
    indent = _indent(lines[index])
    if indent == 0:
        return start, ""
    block: list[str] = []
    while index < len(lines) and (is_empty(lines[index]) or _indent(lines[index]) >= indent):
        block.append(lines[index][indent:])
        index += 1
    return index, "\n".join(block).rstrip("\n")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
