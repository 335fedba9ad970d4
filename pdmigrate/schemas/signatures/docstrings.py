"""What an SDK makes of a docstring: a description, and texts for parameters.

fastmcp 3 and 4 read docstrings with griffe, as Google, NumPy and Sphinx style in this order, and take the first style
that finds something.  Here is what Google style finds; a docstring in which another style may find something is not
settled.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from pdmigrate.schemas.unsettled import NOT_EVALUATED, UnsettledError

PARAMETERS = frozenset({"args", "arguments", "params", "parameters"})
WITH_COLON = frozenset(
    {
        *(f"{kind} {name}" for kind in ("keyword", "other", "type") for name in ("args", "arguments")),
        *(f"{kind} {name}" for kind in ("other", "type") for name in ("params", "parameters")),
        "attributes",
        "classes",
        "exceptions",
        "functions",
        "methods",
        "modules",
        "raises",
        "type aliases",
        "warnings",
        "warns",
    }
)
"""Sections of which an item counts when it has a colon."""

WITHOUT_COLON = frozenset({"receives", "returns", "yields"})
TITLE = re.compile(r"^(?P<kind>\w[\s\w-]*):(\s+(?P<title>\S.*))?\s*$", re.IGNORECASE)
SPHINX_FIELDS = (
    ":arg",
    ":cvar",
    ":except",
    ":ivar",
    ":key",
    ":param",
    ":raise",
    ":return",
    ":rtype",
    ":type",
    ":var",
)


@dataclass(slots=True)
class Parsed:
    """``description`` is ``None`` where there is none; ``structured``: some section was found."""

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False


def cleaned(doc: str | None) -> str | None:
    """What ``inspect.getdoc`` returns for a function with this docstring."""
    return None if doc is None else inspect.cleandoc(doc)


def compiled(doc: str | None, python: str) -> str | None:
    """The ``__doc__`` of a docstring that is written so: Python 3.13 and later take the indentation away.

    Source: "Compiler now strips common leading whitespace from every line in a docstring", What's New in Python 3.13.
    """
    match = re.match(r"3\.(\d+)", python)
    if doc is None or match is None or int(match[1]) < 13:
        return doc
    first, *rest = doc.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")), default=0)
    return "\n".join([first.lstrip(" "), *(line[margin:] if line.strip(" ") else "" for line in rest)])


def parsed(doc: str | None, *, only_parameters: bool) -> Parsed:
    """What fastmcp 3 and 4 take from a docstring.

    ``only_parameters``: a docstring without texts for parameters stays as it is, whatever its sections (to 4.0).

    Raises:
        UnsettledError: it may be in another style than Google's.
    """
    text = cleaned(doc)
    if not text:
        return Parsed()
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    found = google(lines)
    if found.parameters or (found.structured and not only_parameters):
        return found
    if _may_be_numpy(lines, only_parameters) or any(line.startswith(SPHINX_FIELDS) for line in lines):
        raise UnsettledError("the docstring is not in Google style, and the SDK parses it", NOT_EVALUATED)
    return Parsed(text)


def _may_be_numpy(lines: list[str], only_parameters: bool) -> bool:
    titles = [line.lower() for line, below in pairwise(lines) if line.strip() and _is_dashes(below)]
    return "parameters" in titles if only_parameters else bool(titles)


def _is_dashes(line: str) -> bool:
    return "-" in line and not line.replace("-", "").strip()


# --- Google style -----------------------------------------------------------------------------------------------------


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
    _end_text(text, found)
    return found


def _opens(lines: list[str], index: int) -> bool:
    """Whether a line with a colon at its end is the title of a section: it stands alone, and its text is indented."""
    below = lines[index + 1 : index + 3]
    indented = [line.startswith(" ") and not _empty(line) for line in below]
    if not any(indented):
        return False
    alone = index == 0 or _empty(lines[index - 1])
    detached = len(below) == 2 and indented[1] and _empty(below[0])
    return alone and not detached


def _section(lines: list[str], index: int, kind: str, text: list[str], found: Parsed) -> tuple[int, list[str]]:
    """Read the section whose title is at ``index``: where to go on, and the text that is still open."""
    if kind not in READERS:
        end, contents = _block(lines, index + 1)
        if not contents:
            return index + 1, [*text, lines[index]]
        _end_text(text, found)
        found.structured = True
        return end, []
    _end_text(text, found)
    return READERS[kind](lines, index + 1, found), []


def _end_text(text: list[str], found: Parsed) -> None:
    if found.description is None and any(text):
        found.description = "\n".join(text).rstrip("\n")


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
    """The items of a section, each with its lines; and the index of the line after it."""
    while _empty(lines[index]):
        index += 1
    indent = _indent(lines[index])
    if indent == 0:
        return index, []
    items: list[list[str]] = []
    while index < len(lines):
        line = lines[index]
        if _empty(line):
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
    """The indented lines from ``index`` on as text; and the index of the line after them."""
    start = index
    while _empty(lines[index]):
        index += 1
    indent = _indent(lines[index])
    if indent == 0:
        return start, ""
    block: list[str] = []
    while index < len(lines) and (_empty(lines[index]) or _indent(lines[index]) >= indent):
        block.append(lines[index][indent:])
        index += 1
    return index, "\n".join(block).rstrip("\n")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _empty(line: str) -> bool:
    return not line or line.isspace()
