"""What an SDK reads from a docstring: a description, and texts for parameters, in one of the styles of griffe."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass, field

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
    unsettled: str = ""
    """Why the SDK may read the docstring differently; empty if it does not."""

    def head(self, title: str) -> None:
        """Note a section that is known by nothing but its title, which is in lower case."""
        self.structured = self.structured or title.replace(" ", "-") in HEADINGS
        self.titled = True

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
        found.head(kind)
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


# --- NumPy style: sections under a title underlined with dashes -------------------------------------------------------


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
        elif line.strip() and index + 1 < len(lines) and _is_dashes(lines[index + 1]):
            _end(text, title, found)
            text = []
            title = line.lower() if line.lower() not in SECTIONS else ""
            index = index + 1 if title else _underlined_section(lines, index + 2, line.lower(), found)
        else:
            text.append(line if line.strip() else "")
        index += 1
    _end(text, title, found)
    return found


def _is_dashes(line: str) -> bool:
    return "-" in line and not line.replace("-", "").strip()


def _end(text: list[str], title: str, found: Parsed) -> None:
    if title:
        # griffe calls these two by their singular.
        found.head({"warnings": "warning", "notes": "note"}.get(title, title))
    else:
        found.end_text(text)


def _underlined_section(lines: list[str], index: int, kind: str, found: Parsed) -> int:
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
    while not lines[index].strip():
        index += 1
    items = [[lines[index]]]
    index += 1
    while index < len(lines):
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        if not line.strip():
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
    while not lines[index].strip():
        index += 1
    while index < len(lines):
        below = lines[index + 1 : index + 3]
        if not lines[index].strip() and any(map(_is_dashes, below)):
            break
        index += 1
    return index - 1


# --- Sphinx style: fields between colons, as ``:param name: text`` ----------------------------------------------------


PARAMETER_FIELDS = (":param", ":arg", ":key")
ATTRIBUTES = (":var", ":ivar", ":cvar")
RAISES = (":raise", ":except")
IGNORED = (":type", ":vartype", ":rtype")


def sphinx(lines: list[str]) -> Parsed:
    """The text and the texts of parameters in Sphinx style."""
    found = Parsed()
    text: list[str] = []
    index = 0
    while index < len(lines):
        if not lines[index].startswith((*PARAMETER_FIELDS, *ATTRIBUTES, *RAISES, *IGNORED, ":return")):
            text.append(lines[index])
            index += 1
            continue
        end = index + 1
        while end < len(lines) and not lines[end].startswith(":"):
            end += 1
        _field(lines[index:end], found)
        index = end
    seen = [index for index, line in enumerate(text) if line.strip()]
    found.description = "\n".join(text[seen[0] : seen[-1] + 1]) if seen else ""
    return found


def _field(lines: list[str], found: Parsed) -> None:
    field = inspect.cleandoc("\n".join(lines)).rstrip("\n").split(":", 2)
    if len(field) < 3 or lines[0].startswith(IGNORED):
        return
    words = field[1].split(" ")
    if lines[0].startswith(PARAMETER_FIELDS):
        if len(words) > 1:
            found.parameters.setdefault(words[-1], field[2].strip())
            found.structured = True
    elif lines[0].startswith(":return") or len(words) == 2:
        found.structured = True


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
    """The parts of a docstring as fastmcp 3 and 4 read it: in the first style that finds what is looked for.

    ``looking_for``: texts for ``parameters`` (up to 4.0), ``sections`` with any title, or known ``headings`` (since
    4.1.7; any title makes prose of the kind ``if enabled:`` a section).  A docstring without any stays unchanged.

    Raises:
        UnsettledError: the docstring has a section that no style here reads.
    """
    text = inspect.cleandoc(doc or "")
    if not text:
        return Parsed()
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    for read in (google, numpydoc, sphinx):
        found = read(lines)
        if found.unsettled:
            raise UnsettledError(found.unsettled)
        sectioned = found.structured or (found.titled and looking_for == "sections")
        if found.parameters or (sectioned and looking_for != "parameters"):
            return found
    return Parsed(text)
