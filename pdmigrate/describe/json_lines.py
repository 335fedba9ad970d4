"""The line of every key and item of a JSON document, for findings to point at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

Path: TypeAlias = tuple["str | int", ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}|={7}|\|{7})(?: |\r?$)", re.MULTILINE)


@lru_cache(maxsize=2)
def lines(raw: bytes) -> Mapping[Path, int]:
    """The line (from 1) of every part of the JSON document ``raw``, by the keys and indexes that lead to it.

    The path ``()`` is the whole document.  If ``raw`` is not valid JSON, the parts up to the first mistake are
    included.
    """
    text = raw.decode("utf-8-sig", "replace")
    found: dict[Path, int] = {}
    line, counted = 1, 0
    try:
        for path, offset in _places(text):
            line, counted = line + text.count("\n", counted, offset), offset
            # The last of two equal keys is the one that counts.
            found[path] = line
    except (StopIteration, ValueError, IndexError):
        pass  # The text is not JSON from here on; reading the document reports that.
    return found


def line_of(raw: bytes, path: Path) -> int:
    """The line of the part at ``path``, or of the nearest part around it."""
    known = lines(raw)
    return next((known[path[:end]] for end in range(len(path), -1, -1) if path[:end] in known), 1)


def conflict_line(raw: bytes) -> int | None:
    """The first line that holds a marker of a merge conflict; ``None`` if no line does."""
    match = _CONFLICT.search(raw)
    return raw.count(b"\n", 0, match.start()) + 1 if match else None


def _places(text: str) -> Iterator[tuple[Path, int]]:
    """Every part with the offset of its key, or of the item; raises IndexError or ValueError where it is not JSON."""
    import json

    path: list[str | int] = []
    # For every open container: whether it is an object that expects a key next; ``None`` for an array.
    waiting: list[bool | None] = []
    key_at = -1
    for match in _TOKEN.finditer(text):
        token, offset = match[0], match.start()
        if token == ":":
            continue
        if token in "}]":
            waiting.pop()
            path.pop()
        elif token == ",":
            if waiting[-1] is None:
                path[-1] = int(path[-1]) + 1
            else:
                waiting[-1] = True
        elif waiting and waiting[-1]:
            path[-1], key_at, waiting[-1] = str(json.loads(token)), offset, False
        else:
            # A container that was just opened has a place in ``path`` for its first part.
            own = tuple(path)
            yield own, key_at if waiting and waiting[-1] is not None else offset
            if token in "{[":
                waiting.append(True if token == "{" else None)
                path.append("" if token == "{" else 0)
