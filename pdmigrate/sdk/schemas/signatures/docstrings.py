"""What an SDK reads from a docstring: a description, and texts for parameters, in the Google style of griffe."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass, field
from itertools import pairwise

from pdmigrate.sdk.schemas.unsettled import NOT_EVALUATED, UnsettledError

HEADINGS = frozenset(
    {
        *("attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes", "raise"),
        *("references", "return", "see-also", "tip", "todo", "warning", "yield"),
    }
)
"""Titles of sections without a form of their own; since 4.1.7 fastmcp takes only these for sections, not any title."""


@dataclass(slots=True)
class Parsed:
    """What is found in a docstring.

    ``structured``: some section was found that has a form of its own, or a title in ``HEADINGS``.  ``titled``: text was
    found under any other title.
    """

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False
    titled: bool = False
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Titles of the sections in lower case, each with the dedented text below it."""

    def head(self, title: str) -> None:
        """Note a section that is known by nothing but its title, which is in lower case."""
        self.structured = self.structured or title.replace(" ", "-") in HEADINGS
        self.titled = True

    def end_text(self, text: list[str]) -> None:
        """Take a stretch of text as the description if there is none yet."""
        if self.description is None and any(text):
            self.description = "\n".join(text).rstrip("\n")


def is_empty(line: str) -> bool:
    """Whether a line is empty or only whitespace."""
    return not line or line.isspace()


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
    indented = [line.startswith(" ") and not is_empty(line) for line in below]
    if not any(indented):
        return False
    alone = index == 0 or is_empty(lines[index - 1])
    detached = len(below) == 2 and indented[1] and is_empty(below[0])
    return alone and not detached


def _titled_section(lines: list[str], index: int, kind: str, text: list[str], found: Parsed) -> tuple[int, list[str]]:
    """Read the section whose title is at ``index``; return the index to continue at, and the text still open."""
    known = kind == "examples" or kind in PARAMETERS | WITH_COLON | WITHOUT_COLON
    end, contents = (0, "") if known else _block(lines, index + 1)
    if not known and not contents:
        return index + 1, [*text, lines[index]]
    found.end_text(text)
    if known:
        end = _read(kind, lines, index + 1, found)
    else:
        found.head(kind)
    found.sections.append((kind, textwrap.dedent("\n".join(lines[index + 1 : end])).strip("\n")))
    return end, []


def _read(kind: str, lines: list[str], index: int, found: Parsed) -> int:
    """Read the section of a kind that has a form of its own; return the index to continue at."""
    if kind == "examples":
        found.structured = True
        return _block(lines, index)[0]
    end, items = _indented_items(lines, index)
    for first, *rest in items:
        name, colon, about = first.partition(":")
        found.structured = found.structured or bool(colon) or kind in WITHOUT_COLON
        if colon and kind in PARAMETERS:
            name = name.split("(", 1)[0].strip() if "(" in name and name.endswith(")") else name
            found.parameters[name] = "\n".join([about.lstrip(), *rest]).rstrip("\n")
    return end


def _indented_items(lines: list[str], index: int) -> tuple[int, list[list[str]]]:
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


# --- other styles -----------------------------------------------------------------------------------------------------


FIELDS = re.compile(r":(param|arg|key|var|ivar|cvar|raise|except|type|vartype|rtype|return)")


def _is_of_another_style(lines: list[str]) -> bool:
    """Whether griffe may find sections in NumPy style (underlined with dashes) or Sphinx style (``:param name: text``).

    Of 233 published servers on fastmcp, two have the one and none the other, so neither is read.
    """
    underlined = (
        not is_empty(line) and "-" in below and is_empty(below.replace("-", "")) for line, below in pairwise(lines)
    )
    return any(underlined) or any(map(FIELDS.match, lines))


# --- what an SDK reads ------------------------------------------------------------------------------------------------


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
    """The parts of a docstring as fastmcp 3 and 4 read it, if it finds what is looked for; otherwise its text alone.

    ``looking_for``: texts for ``parameters`` (up to 4.0), ``sections`` with any title, or known ``headings`` (since
    4.1.7; any title makes prose of the kind ``if enabled:`` a section).

    Raises:
        UnsettledError: the docstring may have sections of a style that is not read here.
    """
    text = inspect.cleandoc(doc or "")
    if not text:
        return Parsed()
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    found = google(lines)
    sectioned = found.structured or (found.titled and looking_for == "sections")
    if found.parameters or (sectioned and looking_for != "parameters"):
        return found
    if _is_of_another_style(lines):
        raise UnsettledError("sections in the style of NumPy or Sphinx are not followed", NOT_EVALUATED)
    return Parsed(text)
