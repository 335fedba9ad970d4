"""Paths below the root, and the text of package data files."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import ATTRIBUTES
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ListValue,
    ModuleValue,
    Native,
    Origin,
    PathValue,
    Place,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.library.folders import as_path, is_folder

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

LARGEST_DATA = 1_000_000


class FileValue(Value):
    """An open text file of the tree."""

    __slots__ = ("content",)

    def __init__(self, content: str, origin: Origin | None) -> None:
        super().__init__(origin=origin)
        self.content = content


def join_path(_run: Interpreter, path: PathValue, more: Value) -> Value:
    """``path / more``"""
    unknown = first_unknown(more)
    if unknown is not None:
        return unknown
    if (text := more.text) is None or text.startswith(("/", "\\", "~")):
        return _outside(None)
    joined = posixpath.normpath(posixpath.join(path.path, text))
    if joined.startswith(".."):
        return _outside(None)
    return PathValue("" if joined == "." else joined, origin=path.origin)


@ATTRIBUTES.of(PathValue)
def path_attribute(_run: Interpreter, value: PathValue, name: str, place: Place | None) -> Value:
    if name == "parent":
        return PathValue(posixpath.dirname(value.path), origin=value.origin) if value.path else _outside(place)
    if name == "parents":
        steps, current = [], value.path
        while current:
            current = posixpath.dirname(current)
            steps.append(PathValue(current))
        return ListValue([*steps], _outside(place))
    if name in ("name", "stem", "suffix"):
        base = posixpath.basename(value.path)
        stem, suffix = posixpath.splitext(base)
        return const({"name": base, "stem": stem, "suffix": suffix}[name])
    if name in ("resolve", "absolute", "expanduser"):
        return Native(name, lambda _run, _arguments: value)
    methods = {
        "read_text": lambda run, arguments: read_text(run, value, arguments.place),
        "open": lambda run, arguments: open_file(run, arguments._replace(positional=(value, *arguments.positional))),
        "joinpath": lambda run, arguments: _join_all(run, value, arguments),
        "exists": lambda run, arguments: _exists(run, value, arguments),
        "is_file": lambda run, arguments: _exists(run, value, arguments),
        "is_dir": lambda run, arguments: is_folder(run, value, arguments),
        "with_name": lambda run, arguments: join_path(
            run, PathValue(posixpath.dirname(value.path)), arguments.positional[0]
        ),
    }
    if name in methods:
        return Native(name, methods[name])
    return reasons.unknown(reasons.INPUT_OUTPUT, f"{name}() of a path depends on the files of the machine", place)


def _outside(place: Place | None) -> UnknownValue:
    return reasons.unknown(reasons.INPUT_OUTPUT, "a path outside the tree", place)


def _join_all(run: Interpreter, value: PathValue, arguments: Arguments) -> Value:
    result: Value = value
    for more in arguments.positional:
        result = join_path(run, result, more) if isinstance(result, PathValue) else result
    return result


def _exists(run: Interpreter, value: PathValue, arguments: Arguments) -> Value:
    if run.index.is_file(value.path):
        return const(True)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"whether {value.path} exists", arguments.place)


def open_file(run: Interpreter, arguments: Arguments) -> Value:
    """``open(path)`` for reading text."""
    target, mode = as_path(arguments.first), arguments.given(1, "mode")
    if not isinstance(target, PathValue):
        return first_unknown(target) or _io("a file outside the tree", run, arguments.place)
    if mode is not None and mode.text not in ("r", "rt"):
        return _io(f"{target.path} is not opened as text to be read", run, arguments.place)
    text = read_text(run, target, arguments.place)
    return FileValue(text.text, text.origin) if text.text is not None else text


def _io(reason: str, run: Interpreter, place: Place | None) -> UnknownValue:
    unknown = reasons.unknown(reasons.INPUT_OUTPUT, reason, place)
    run.risk(unknown)
    return unknown


def read_text(run: Interpreter, path: PathValue, place: Place | None) -> Value:
    """The text of a file of the tree, with newlines as Python's text mode gives them."""
    try:
        text = disk.read(run.index.root, path.path, LARGEST_DATA).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return _io(f"{path.path} cannot be read: {why}", run, place)
    run.read_files.add(path.path)
    run.budget.text(len(text))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return const(text, Origin(f"file {path.path}", place))


@ATTRIBUTES.of(FileValue)
def file_attribute(_run: Interpreter, value: FileValue, name: str, place: Place | None) -> Value:
    if name == "read":
        return Native("read", lambda _run, _arguments: const(value.content, value.origin))
    if name in ("close", "__exit__"):
        return Native(name, lambda _run, _arguments: NONE)
    if name == "readlines":
        lines: list[Value] = [const(line, value.origin) for line in value.content.splitlines(keepends=True)]
        return Native("readlines", lambda _run, _arguments: ListValue(lines))
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a file", place)


# --- pathlib, os.path, importlib.resources ----------------------------------------------------------------------------


def make_path(run: Interpreter, arguments: Arguments) -> Value:
    """``Path(...)``"""
    if not arguments.positional:
        return _outside(arguments.place)
    first, *more = map(as_path, arguments.positional)
    if not isinstance(first, PathValue):
        return first_unknown(first) or _outside(arguments.place)
    return _join_all(run, first, arguments._replace(positional=tuple(more)))


def os_path(name: str) -> Native:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        first = as_path(arguments.first)
        if not isinstance(first, PathValue):
            return first_unknown(first) or _outside(arguments.place)
        if name == "join":
            return _join_all(run, first, arguments._replace(positional=arguments.positional[1:]))
        if name == "dirname":
            return path_attribute(run, first, "parent", arguments.place)
        if name == "basename":
            return path_attribute(run, first, "name", arguments.place)
        if name in ("exists", "isfile"):
            return _exists(run, first, arguments)
        return first

    return Native(f"os.path.{name}", call)


def resource_files(run: Interpreter, arguments: Arguments) -> Value:
    """``importlib.resources.files(package)``"""
    package = arguments.first
    path: str | None = None
    if isinstance(package, ModuleValue):
        path = package.module.path
    elif (name := package.text) is not None and arguments.place is not None:
        path = run.index.find(name, arguments.place.module.path)
    if path is None:
        return first_unknown(package) or _io("data of a package outside the tree", run, arguments.place)
    return PathValue(path.rstrip("/") if path.endswith("/") else posixpath.dirname(path))


def resource_text(run: Interpreter, arguments: Arguments) -> Value:
    """``importlib.resources.read_text(package, name)``"""
    folder = resource_files(run, arguments._replace(positional=arguments.positional[:1]))
    if not isinstance(folder, PathValue) or len(arguments.positional) < 2:
        return first_unknown(folder) or _io("package data", run, arguments.place)
    path = join_path(run, folder, arguments.positional[1])
    return read_text(run, path, arguments.place) if isinstance(path, PathValue) else path
