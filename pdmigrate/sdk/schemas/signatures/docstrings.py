"""What an SDK reads from a docstring: a description, and texts for parameters, in Google style.

fastmcp also reads the styles of NumPy and Sphinx, of which nothing is claimed: of 494 published servers one has such a
docstring.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass, field
from itertools import pairwise

from pdmigrate.sdk.schemas.unsettled import UnsettledError

HEADINGS = frozenset(
    {
        *("attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes", "raise"),
        *("references", "return", "see-also", "tip", "todo", "warning", "yield"),
    }
)
"""Titles of sections without a form of their own; since 4.1.7 fastmcp takes only these for sections, not any title."""


@dataclass(slots=True)
class Parsed:
    """What a style finds in a docstring.

    ``structured``: some section was found that has a form of its own, or a title in ``HEADINGS``.  ``titled``: text was
    found under any other title.
    """

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False
    titled: bool = False
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Titles of the sections of Google style in lower case, each with the dedented text below it."""

    def end_text(self, text: list[str]) -> None:
        """Take a stretch of text as the description if there is none yet."""
        if self.description is None and any(text):
            self.description = "\n".join(text).rstrip("\n")


# --- Google style: sections under a title with a colon, their text indented -------------------------------------------


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
            index, text = _titled_section(lines, index, title["kind"].lower(), text, found)
            continue
        text.append(line)
        index += 1
    found.end_text(text)
    return found


def _opens(lines: list[str], index: int) -> bool:
    """Whether a line with a colon at its end is a section's title: an empty line above it, and indented text below."""
    below = lines[index + 1 : index + 3]
    alone = index == 0 or not lines[index - 1].strip()
    indented = [line.startswith(" ") and bool(line.strip()) for line in below]
    return alone and any(indented) and bool(below[0].strip())


def _titled_section(lines: list[str], index: int, kind: str, text: list[str], found: Parsed) -> tuple[int, list[str]]:
    """Read the section whose title is at ``index``; return the index to continue at, and the text still open."""
    known = kind == "examples" or kind in PARAMETERS | WITH_COLON | WITHOUT_COLON
    indent = _indent(lines[index + 1])
    end = index + 1
    while indent and end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= indent):
        end += 1
    block = lines[index + 1 : end]
    if not known and not block:
        return end, [*text, lines[index]]
    found.end_text(text)
    if not known:
        found.structured = found.structured or kind.replace(" ", "-") in HEADINGS
        found.titled = True
    elif kind == "examples":
        found.structured = True
    else:
        _read_items(kind, block, indent, found)
    found.sections.append((kind, textwrap.dedent("\n".join(block)).strip("\n")))
    return end, []


def _read_items(kind: str, block: list[str], indent: int, found: Parsed) -> None:
    """Read the items of a section, each with the lines below it that are indented further than ``indent``."""
    items: list[list[str]] = []
    for line in block:
        if line.strip() and _indent(line) == indent:
            items.append([line[indent:]])
        else:
            items[-1].append(line[min(_indent(line), 2 * indent) :] if line.strip() else "")
    for first, *rest in items:
        name, colon, about = first.partition(":")
        found.structured = found.structured or bool(colon) or kind in WITHOUT_COLON
        if colon and kind in PARAMETERS:
            name = name.split("(", 1)[0].strip() if "(" in name and name.endswith(")") else name
            found.parameters[name] = "\n".join([about.lstrip(), *rest]).rstrip("\n")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


# --- what an SDK reads ------------------------------------------------------------------------------------------------


_DASHES = re.compile(r"\s*-[-\s]*")
_FIELD = re.compile(r"(?m)^:(?:param|arg|key|i?var|cvar|raise|except|type|vartype|rtype|return)")


def compiled(doc: str | None, python: str) -> str | None:
    """The ``__doc__`` of a docstring as written in source: Python 3.13 and later remove its indentation.

    Source: "Compiler now strips common leading whitespace from every line in a docstring", What's New in Python 3.13.
    """
    match = re.match(r"3\.(\d+)", python)
    if doc is None or match is None or int(match[1]) < 13:
        return doc
    first, *rest = doc.expandtabs().split("\n")
    margin = min((_indent(line) for line in rest if line.strip(" ")), default=0)
    return "\n".join([first.lstrip(" "), *(line[min(margin, _indent(line)) :] for line in rest)])


def parsed(doc: str | None, looking_for: str) -> Parsed:
    """The parts of a docstring as fastmcp 3 and 4 read it.

    ``looking_for``: texts for ``parameters`` (up to 4.0), ``sections`` with any title, or known ``headings`` (since
    4.1.7; any title makes prose of the kind ``if enabled:`` a section).  A docstring without any stays unchanged.
    Raises UnsettledError if the docstring may have sections of another style.
    """
    text = inspect.cleandoc(doc or "")
    if not text:
        return Parsed()
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    found = google(lines)
    sectioned = found.structured or (found.titled and looking_for == "sections")
    if found.parameters or (sectioned and looking_for != "parameters"):
        return found
    underlined = any(above.strip() and _DASHES.fullmatch(below) for above, below in pairwise(lines))
    if underlined or _FIELD.search(text):
        raise UnsettledError("the docstring may have sections in NumPy style, or fields in Sphinx style")
    return Parsed(text)
