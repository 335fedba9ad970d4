"""The line of a part of a JSON document, for findings to point at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import TypeAlias

Path: TypeAlias = tuple["str | int", ...]

_BETWEEN = re.compile(r"[\s,:]*")
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}|={7}|\|{7})(?: |\r?$)", re.MULTILINE)


def line_of(raw: bytes, path: Path) -> int:
    """The line (from 1) of the part to which these keys and indexes lead, or of the nearest part around it.

    It is 1 for what is no JSON: reading the document reports that.
    """
    text = raw.decode("utf-8-sig", "replace")
    start = value = _next(text, 0)
    try:
        for wanted in path:
            found = [(part, inside) for key, part, inside in _parts(text, value) if key == wanted]
            if not found:
                break
            # The last of two equal keys is the one that counts.
            start, value = found[-1]
    except (ValueError, IndexError, RecursionError):
        return 1
    return text.count("\n", 0, start) + 1


def _parts(text: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """The keys of the object, or the indexes of the array, at ``start``, with the offsets of the part and its value."""
    decode = json.JSONDecoder().raw_decode
    part = _next(text, start + 1)
    for index in count() if text[start] in "{[" else ():
        if text[part] in "}]":
            return
        key, end = decode(text, part) if text[start] == "{" else (index, part)
        value = _next(text, end)
        yield key, part, value
        part = _next(text, decode(text, value)[1])


def _next(text: str, offset: int) -> int:
    """Where the next key, value or bracket begins."""
    between = _BETWEEN.match(text, offset)
    return between.end() if between else offset


def conflict_line(raw: bytes) -> int | None:
    """The first line that holds a marker of a merge conflict; ``None`` if no line does."""
    match = _CONFLICT.search(raw)
    return raw.count(b"\n", 0, match.start()) + 1 if match else None
