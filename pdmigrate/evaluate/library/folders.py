"""The text of a path, and whether a path is a folder."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Arguments, PathText, PathValue, UnknownValue, Value, const

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

COMPILED = "__pycache__"


def as_path(value: Value) -> Value:
    """The path whose text ``value`` is; any other ``value`` itself."""
    return value.of if isinstance(value, PathText) else value


def path_text(path: PathValue, unknown: Value) -> Value:
    """``str(path)``: ``unknown``, as the text depends on where the program is installed, but still meaning ``path``."""
    if not isinstance(unknown, UnknownValue):
        return unknown
    return PathText(unknown.reason, unknown.code, unknown.place, origin=unknown.origin, of=path)


def is_folder(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    """``path.is_dir()``"""
    if run.index.is_folder(path.path) or posixpath.basename(path.path) == COMPILED:
        return const(True)
    if run.index.is_file(path.path):
        return const(False)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"whether {path.path} is a folder", arguments.place)
