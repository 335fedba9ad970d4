"""Read a project's JSON and TOML so that no value surprises the code that works with it.

Python's own readers accept numbers that JSON does not have; for very long numbers and deep nesting they raise other
exceptions than for bad text.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any

from pdmigrate.model import JsonObject, JsonValue

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEEPEST = 200
"""The most levels of nesting: with more, code that follows a schema down would run out of stack."""


class DocumentError(ValueError):
    """A text is no valid document, nested too deeply, or holds a number that JSON does not have.

    ``line`` is the line of the error, 1 if it is not known.
    """

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def read_json(raw: bytes | str) -> JsonValue:
    """Parse a JSON document, or raise DocumentError; of two equal keys the last one counts."""
    value: JsonValue = _parsed(raw, json.loads)
    return value


def json_or_none(raw: bytes) -> JsonValue:
    """A JSON document that pdmigrate wrote; ``None`` if it has been made unreadable since."""
    try:
        return read_json(raw)
    except DocumentError:
        return None


def read_toml(raw: bytes | str) -> JsonObject:
    """Parse a TOML document, or raise DocumentError."""
    value: JsonObject = _parsed(raw, tomllib.loads)
    return value


def toml_or_empty(raw: bytes) -> JsonObject:
    """The tables of a file of a project; none if it cannot be parsed, which the tools that it is for report."""
    try:
        return read_toml(raw)
    except DocumentError:
        return {}


def _parsed(raw: bytes | str, parse: Callable[[str], Any]) -> Any:
    try:
        value = parse(raw.removeprefix("\ufeff") if isinstance(raw, str) else raw.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DocumentError(error.msg, error.lineno) from error
    except RecursionError as error:
        raise DocumentError("it is nested too deeply") from error
    except ValueError as error:
        digits = "integer string conversion" in str(error)
        raise DocumentError("a number has too many digits" if digits else str(error)) from error
    _check(value)
    return value


def _check(value: Any) -> None:
    """Raise DocumentError for deep nesting and numbers that are not finite; level by level, so without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            raise DocumentError("a number is not finite")
        parts = [item.values() if isinstance(item, dict) else item for item in level if isinstance(item, (dict, list))]
        if not (level := [inner for part in parts for inner in part]):
            return
    raise DocumentError("it is nested too deeply")


def same_json(one: object, other: object) -> bool:
    """Whether two values are equal on the wire: ``True`` is not 1, a tuple is a list, the order of keys is ignored."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


MOST_SYNTAX = 96_000
"""The most counted marks in a file that is parsed: its tree takes 2 to 5 kB for each.

The largest of 2,200 modules of published servers has 46,000.  Of 60 servers drawn at random, two are generated, with
modules of 79,000 and 102,000.
"""
_ENDS = tuple(bytes([character]) for character in b",;.:=([+-*/%<>|&^~@\r")


def is_too_much(raw: bytes) -> bool:
    """Whether the syntax tree of a Python file would take hundreds of megabytes.

    Counts the marks that a name, a value or a statement follows; line ends and ``{``, which opens a field of an
    f-string, count twice.  The file's size says little: ``1,1,1`` has a node for every two bytes, a string of any
    length has one node.
    """
    if len(raw) <= MOST_SYNTAX:
        return False
    return sum(map(raw.count, _ENDS)) + 2 * (raw.count(b"\n") + raw.count(b"{")) > MOST_SYNTAX
