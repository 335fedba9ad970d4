"""The difference between two values or two texts, in a few short lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from pdmigrate.escaping import one_line
from pdmigrate.model import JsonObject, JsonValue

_LINES = 12
_WIDTH = 110
_MISSING = object()
LARGEST = 2_000_000
"""The bytes of two files whose lines are compared: a comparison takes a hundred times as many."""


def value_difference(old: JsonValue, new: JsonValue) -> str:
    """The first few ``-`` and ``+`` lines, each with the path to the part that differs."""
    return _bounded(list(_differing(old, new, ())))


def field_difference(old: JsonObject, new: JsonObject, keys: Sequence[str]) -> str:
    """The first few lines of difference between some fields of two versions of a description file."""
    lines = [line for key in keys for line in _differing(old.get(key, _MISSING), new.get(key, _MISSING), (key,))]
    return _bounded(lines)


def text_difference(old: bytes, new: bytes) -> str:
    """The first few lines of a unified diff, without its header; nothing for files that are too large to compare."""
    if len(old) + len(new) > LARGEST:
        return ""
    before, after = (raw.decode("utf-8", "replace").splitlines() for raw in (old, new))
    return _bounded([*map(_cut, unified_diff(before, after, lineterm="", n=1))][2:], limit=30)


def first_changed_line(old: bytes, new: bytes) -> int:
    """The number, from 1, of the first line of ``old`` that differs in ``new``."""
    before, after = old.splitlines(), new.splitlines()
    same = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    return min((same if same is not None else min(len(before), len(after))) + 1, max(len(before), 1))


def _differing(old: object, new: object, path: tuple[str, ...]) -> Iterator[str]:
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _differing(old.get(key, _MISSING), new.get(key, _MISSING), (*path, str(key)))
    elif isinstance(old, str) and isinstance(new, str) and ("\n" in old or "\n" in new):
        lines = list(unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=0))[2:]
        yield from (f"{line[0]} {_at(path)}{_cut(line[1:])}" for line in lines if not line.startswith("@@"))
    else:
        both = ((sign, value) for sign, value in (("-", old), ("+", new)) if value is not _MISSING)
        yield from (f"{sign} {_at(path)}{_cut(json.dumps(value, ensure_ascii=False))}" for sign, value in both)


def _at(path: tuple[str, ...]) -> str:
    return f"{'.'.join(path)}: " if path else ""


def _cut(text: str) -> str:
    plain = one_line(text)
    return plain if len(plain) <= _WIDTH else plain[: _WIDTH - 1] + "…"


def _bounded(lines: Sequence[str], limit: int = _LINES) -> str:
    more = [f"  ({len(lines) - limit} more lines)"] if len(lines) > limit else []
    return "\n".join([*lines[:limit], *more])
