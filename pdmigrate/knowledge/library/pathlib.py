"""``pathlib``: paths below the root, and the text of the files there; a path made from other text stays a call.

``os.path``, ``open`` and ``importlib.resources`` use the same functions.
"""

from __future__ import annotations

import codecs
import posixpath
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate import disk
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.known_objects import FILE, KnownObject
from pdmigrate.evaluate.core.natives import declare, first_argument, unfit
from pdmigrate.evaluate.core.operations import ATTRIBUTES
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    External,
    ListValue,
    Native,
    Origin,
    PathText,
    PathValue,
    Place,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.operators import OPERANDS
from pdmigrate.knowledge.builtin.text_methods import CODECS

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

LARGEST_DATA = 1_000_000
"""The size in bytes of the largest file that is read."""


def _outside(place: Place | None = None) -> UnknownValue:
    return reasons.unknown(reasons.INPUT_OUTPUT, "a path outside the tree", place)


def io(reason: str, run: Interpreter, place: Place | None) -> UnknownValue:
    """An unknown value that a program gets from outside; the risk that it gets an exception instead is noted."""
    unknown = reasons.unknown(reasons.INPUT_OUTPUT, reason, place)
    run.risk(unknown)
    return unknown


def path_argument(value: Value, place: Place | None) -> PathValue:
    """The path that ``value`` is, or whose text ``value`` is.

    Raises:
        NotPlain: no path below the root is known.
    """
    if (path := value.as_path) is None:
        raise unfit(value, "a path outside the tree", place, reasons.INPUT_OUTPUT)
    return path


# --- paths ------------------------------------------------------------------------------------------------------------


def path_text(path: PathValue, unknown: Value) -> Value:
    """``str(path)``: a ``PathText`` for ``path``, since the text itself depends on where the program is installed."""
    if not isinstance(unknown, UnknownValue):
        return unknown
    return PathText(unknown.reason, unknown.code, unknown.place, origin=unknown.origin, of=path)


def join_path(_run: Interpreter, path: PathValue, more: Value) -> Value:
    """``path / more``"""
    text = more.text
    if text is None or text.startswith(("/", "\\", "~")):
        return first_unknown(more) or _outside()
    joined = posixpath.normpath(posixpath.join(path.path, text))
    if joined.startswith(".."):
        return _outside()
    return PathValue("" if joined == "." else joined, origin=path.origin)


OPERANDS.of(PathValue)(lambda run, kind, path, more, _: join_path(run, path, more) if kind is cst.Divide else None)


def join_all(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    for more in arguments.positional:
        joined = join_path(run, path, more)
        if joined.as_path is None:
            return joined
        path = joined.as_path
    return path


def exists(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    if run.index.is_file(path.path):
        return const(True)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"whether {path.path} exists", arguments.place)


def _is_folder(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    if run.index.is_folder(path.path) or posixpath.basename(path.path) == "__pycache__":
        return const(True)
    if run.index.is_file(path.path):
        return const(False)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"whether {path.path} is a folder", arguments.place)


def _with_name(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    return join_path(run, PathValue(posixpath.dirname(path.path)), first_argument(run, arguments))


_METHODS: dict[str, Callable[[Interpreter, PathValue, Arguments], Value]] = {
    **dict.fromkeys(("resolve", "absolute", "expanduser"), lambda _run, path, _arguments: path),
    "read_text": lambda run, path, arguments: read_text(run, path, arguments, first=0),
    "open": lambda run, path, arguments: open_file(run, arguments._replace(positional=(path, *arguments.positional))),
    "joinpath": join_all,
    "exists": exists,
    "is_file": exists,
    "is_dir": _is_folder,
    "with_name": _with_name,
}


@ATTRIBUTES.of(PathValue)
def path_attribute(_run: Interpreter, path: PathValue, name: str, place: Place | None) -> Value:
    if name in _METHODS:
        method = _METHODS[name]
        return Native(name, lambda run, arguments: method(run, path, arguments))
    if name == "parent":
        return PathValue(posixpath.dirname(path.path), origin=path.origin) if path.path else _outside(place)
    if name == "parents":
        steps, current = [], path.path
        while current:
            current = posixpath.dirname(current)
            steps.append(PathValue(current))
        return ListValue([*steps], _outside(place))
    if name in ("name", "stem", "suffix"):
        base = posixpath.basename(path.path)
        stem, suffix = posixpath.splitext(base)
        return const({"name": base, "stem": stem, "suffix": suffix}[name])
    return reasons.unknown(reasons.INPUT_OUTPUT, f"{name}() of a path depends on the files of the machine", place)


def _make(name: str, run: Interpreter, arguments: Arguments) -> Value:
    """``Path(...)``"""
    first, *more = arguments.positional or (NONE,)
    if (text := first.text) is not None and not more and not arguments.keywords:
        # Relative to where the process runs, so that only the text is known.
        if "/" in text or "\\" in text:
            reason = f"how {text} is written depends on the platform"
            return reasons.unknown(reasons.PLATFORM, reason, arguments.place)
        return External(f"{name}()", arguments, origin=Origin(f"{name}()", arguments.place))
    path = path_argument(first, arguments.place)
    return join_all(run, path, arguments._replace(positional=tuple(item.as_path or item for item in more)))


declare({name: partial(_make, name) for name in ("pathlib.Path", "pathlib.PurePath")})


# --- files ------------------------------------------------------------------------------------------------------------


def open_file(run: Interpreter, arguments: Arguments) -> Value:
    """``open(path)`` for reading text."""
    target, mode = arguments.first.as_path, arguments.given(1, "mode")
    if target is None:
        return first_unknown(arguments.first) or io("a file outside the tree", run, arguments.place)
    if mode is not None and mode.text not in ("r", "rt"):
        return io(f"{target.path} is not opened as text to be read", run, arguments.place)
    read = read_text(run, target, arguments, first=3)
    if (text := read.text) is None:
        return read
    lines: list[Value] = [const(line, read.origin) for line in text.splitlines(keepends=True)]
    methods: dict[str, Callable[[Interpreter, Arguments], Value]] = {
        "read": lambda _run, _arguments: read,
        "readlines": lambda _run, _arguments: ListValue([*lines]),
        **dict.fromkeys(("close", "__exit__"), lambda _run, _arguments: NONE),
    }
    return KnownObject(FILE, {}, methods, payload=text, origin=read.origin)


def read_text(run: Interpreter, path: PathValue, arguments: Arguments, *, first: int) -> Value:
    """The text of a file of the tree, as Python's text mode gives it.

    ``first`` is the position of ``encoding``, which ``errors`` and ``newline`` follow.
    """
    named, newline = arguments.given(first, "encoding"), arguments.given(first + 2, "newline")
    encoding = codec(named)
    if encoding is None:
        return io(f"{path.path} is read in an encoding that is not known", run, arguments.place)
    try:
        raw = disk.read(run.index.root, path.path, LARGEST_DATA)
        text = raw.decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return io(f"{path.path} cannot be read: {why}", run, arguments.place)
    if "\r" in text and newline is not None and not _is_none(newline):
        return io(f"the ends of lines of {path.path} are read in a way of the program's own", run, arguments.place)
    run.read_files.add(path.path)
    run.budget.text(len(text))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return const(text, Origin(f"file {path.path}", arguments.place))


def codec(named: Value | None) -> str | None:
    """The name of the codec that is given; UTF-8 if none is, and ``None`` if it is not known, or not one of ours."""
    if named is None or _is_none(named):
        return "utf-8"
    try:
        name = codecs.lookup(named.text or "").name
    except LookupError:
        return None
    return name if name in CODECS else None


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None
