"""The sections of a docstring or description, in all common styles: their titles and texts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from pdmigrate.sdk.schemas.signatures.styles import google, numpydoc, sphinx

Section = tuple[str, str]
"""A title in lower case, without marks, and the text below it."""

_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(?P<plain>\S.*)|\*\*(?P<bold>[^*\n]+)\*\*:?[ \t]*)$")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_TITLE = re.compile(r"^(?P<title>\w[\w \t'-]{2,48}):[ \t]*$")
_STARTS = re.compile(r"^(?:[-*•]|\d+[.)]|>>>|\.\.\.|```|~~~)(?:[ \t\w]|$)")
_LINE = re.compile(
    r"^(?:[-*•][ \t]+)?(?P<title>(?:usage )?examples?|e\.g\.)[ \t]*:[ \t]+(?P<text>\S.*)$", re.IGNORECASE
)


def sections(text: str) -> list[Section]:
    """Every section of ``text``, once; a line that says ``Example: ...`` is a section of one line."""
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    found = [
        *google(lines).sections,
        *numpydoc(lines).sections,
        *sphinx(lines).sections,
        *_headed(lines),
        *_flush(lines),
    ]
    found += _lines(lines)
    return list(dict.fromkeys((_plain(title), body) for title, body in found if body.strip()))


def _plain(title: str) -> str:
    plain = re.sub(r"[*_`:#]+", " ", title)
    return " ".join(plain.lower().split())


def _headed(lines: list[str]) -> Iterator[Section]:
    """The sections under headings of Markdown; a line in a fenced block is no heading."""
    title, body, fenced = "", list[str](), False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield title, "\n".join(body).strip("\n")
        title, body = heading["plain"] or heading["bold"], []
    if title:
        yield title, "\n".join(body).strip("\n")


def _flush(lines: list[str]) -> Iterator[Section]:
    """Sections whose text is not indented below the title: a list, a fenced block or a call."""
    for index, line in enumerate(lines):
        match = _TITLE.match(line)
        below = index + 1 if lines[index + 1 : index + 2] != [""] else index + 2
        if match is None or below >= len(lines) or not _STARTS.match(lines[below]):
            continue
        body, fenced = list[str](), False
        for position, part in enumerate(lines[below:], below):
            ends = not part.strip() and not (position + 1 < len(lines) and _STARTS.match(lines[position + 1]))
            if not fenced and (ends or _TITLE.match(part)):
                break
            if _FENCE.match(part):
                fenced = not fenced
            body.append(part)
        yield match["title"], "\n".join(body)


def _lines(lines: list[str]) -> Iterator[Section]:
    for line in lines:
        if match := _LINE.match(line.strip()):
            yield match["title"], match["text"]
