"""Paths below the root of the program, and the text of the files there; what depends on the machine is not known."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pdmigrate import disk
from pdmigrate.understand.demand.functions import MANAGERS
from pdmigrate.understand.demand.operators import OPERANDS
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY, LIBRARY_RULES, Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.core import INPUT_OUTPUT, NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import Arguments, Native, text_of
from pdmigrate.understand.values.outside import ModuleValue, PathValue

_LARGEST = 1_000_000
"""The size in bytes of the largest file that is read as data."""


@dataclass(frozen=True, slots=True)
class FileValue(Value):
    """A file of the tree that was opened to be read."""

    text: str | bytes


def _unknown(run: Run, reason: str, *values: Value) -> Unknown:
    return run.risky(reason, *values, code=INPUT_OUTPUT)


_MOST_ABOVE = 8
"""How many folders above the root of the tree a program is taken to ask for."""


def _joined(run: Run, path: PathValue, more: Value) -> Value:
    """``path / more``"""
    text = text_of(more)
    joined = posixpath.normpath(posixpath.join(path.path, text or "/"))
    if joined.startswith(("..", "/")) or (text or "").startswith(("\\", "~")):
        return _unknown(run, "a path outside the tree", more)
    return PathValue("" if joined == "." else joined)


def _join_all(run: Run, path: PathValue, more: list[Value]) -> Value:
    for part in more:
        joined = _joined(run, path, part)
        if not isinstance(joined, PathValue):
            return joined
        path = joined
    return path


def _renamed(run: Run, path: PathValue, name: Value, *, suffix: bool = False) -> Value:
    """``path.with_name(name)``, or ``with_suffix``"""
    base = posixpath.splitext(posixpath.basename(path.path))[0] if suffix else ""
    text, folder = text_of(name), PathValue(posixpath.dirname(path.path))
    return _joined(run, folder, Const(base + text) if path.path and text else name)


def _exists(kinds: tuple[str, ...], run: Run, path: PathValue, _arguments: Arguments) -> Value:
    if disk.kind(run.program.tree.root, path.path) in kinds:
        return TRUE
    return _unknown(run, f"whether {path.path} exists")


_KINDS = {"exists": (disk.FILE, disk.FOLDER), "is_file": (disk.FILE,), "is_dir": (disk.FOLDER,)}
_METHODS: dict[str, Callable[[Run, PathValue, Arguments], Value]] = {
    **dict.fromkeys(("resolve", "absolute", "expanduser"), lambda _run, path, _arguments: path),
    "read_text": lambda run, path, arguments: _text(run, path, arguments, at=0),
    "open": lambda run, path, arguments: LIBRARY["io.open"](run, arguments.behind(path)),
    "joinpath": lambda run, path, arguments: _join_all(run, path, arguments.positional),
    "read_bytes": lambda run, path, _arguments: _bytes(run, path),
    "with_name": lambda run, path, arguments: _renamed(run, path, arguments.first),
    "with_suffix": lambda run, path, arguments: _renamed(run, path, arguments.first, suffix=True),
    **{name: partial(_exists, kinds) for name, kinds in _KINDS.items()},
}


def _attribute(run: Run, path: PathValue, name: str) -> Value:
    method = _METHODS.get(name)
    if method is not None:
        return Native(name, lambda run, arguments: method(run, path, arguments))
    if name == "parent":
        return PathValue(posixpath.dirname(path.path)) if path.path else _unknown(run, "a path outside the tree")
    if name == "parents":
        names = path.path.split("/") if path.path else []
        steps = [PathValue("/".join(names[:depth])) for depth in reversed(range(len(names)))]
        return TupleValue((*steps, *[_unknown(run, "a path above the tree")] * _MOST_ABOVE))
    base = posixpath.basename(path.path)
    stem, suffix = posixpath.splitext(base)
    known = {"name": base, "stem": stem, "suffix": suffix}.get(name)
    return Const(known) if known is not None else _unknown(run, f"{name} of a path depends on the machine")


@library("importlib.resources.files", "importlib_resources.files")
def _resources(run: Run, arguments: Arguments) -> Value:
    """``files(package)``: the folder of a package of the program."""
    given, name = arguments.first, text_of(arguments.first)
    place = run.place[0].module.path if run.place is not None else ""
    path = given.module.path if isinstance(given, ModuleValue) else run.program.tree.find(name, place) if name else None
    return PathValue(posixpath.dirname(path)) if path else _unknown(run, "a file of a library", given)


def _path(run: Run, name: str, arguments: Arguments) -> Value | None:
    """``Path(...)`` of a path; one that is made of text is relative to where the program runs."""
    given = arguments.first
    if name not in ("pathlib.Path", "pathlib.PurePath") or not isinstance(given, PathValue):
        return None
    return _join_all(run, given, arguments.positional[1:])


def _of_path(act: Callable[[Run, PathValue, Arguments], Value]) -> Callable[[Run, Arguments], Value]:
    def call(run: Run, arguments: Arguments) -> Value:
        given = arguments.first
        if isinstance(given, PathValue):
            return act(run, given, arguments)
        return _unknown(run, "a path outside the tree", given)

    return call


# --- files ------------------------------------------------------------------------------------------------------------


@library("builtins.open", "io.open", "codecs.open")
def _open(run: Run, arguments: Arguments) -> Value:
    """``open(path)`` for reading."""
    path, mode = arguments.first, arguments.get(1, "mode")
    if not isinstance(path, PathValue):
        return _unknown(run, "a file outside the tree", path)
    if mode is not None and text_of(mode) == "rb":
        content = _bytes(run, path)
        return FileValue(content.value) if isinstance(content, Const) else content
    if mode is not None and text_of(mode) not in ("r", "rt"):
        return _unknown(run, f"{path.path} is not opened as text to be read")
    read = _text(run, path, arguments, at=3)
    text = text_of(read)
    return FileValue(text) if text is not None else read


def _text(run: Run, path: PathValue, arguments: Arguments, *, at: int) -> Value:
    """The text of a file of the tree, as Python's text mode gives it.

    ``at`` is the position of ``encoding``, which ``errors`` and ``newline`` follow.
    """
    encoding, newline = arguments.get(at, "encoding") or NONE, arguments.get(at + 2, "newline") or NONE
    if encoding != NONE and (text_of(encoding) or "").lower() not in ("utf-8", "utf8", "utf-8-sig", "ascii"):
        return _unknown(run, f"{path.path} is read in an encoding that is not known")
    content = _bytes(run, path)
    if not isinstance(content, Const):
        return content
    try:
        text = content.value.decode(text_of(encoding) or "utf-8")
    except UnicodeDecodeError as error:
        return _unknown(run, f"{path.path} cannot be read: {error}")
    if "\r" in text and newline != NONE:
        return _unknown(run, f"the ends of lines of {path.path} are read in a way of the program's own")
    return Const(text.replace("\r\n", "\n").replace("\r", "\n"))


def _bytes(run: Run, path: PathValue) -> Value:
    try:
        content = run.program.tree.data(path.path, _LARGEST)
    except OSError as error:
        return _unknown(run, f"{path.path} cannot be read: {error.strerror}")
    run.step(len(content) // 100)
    return Const(content)


def _of_file(run: Run, file: FileValue, name: str) -> Value:
    if name == "read":
        return Native(name, lambda _run, _arguments: Const(file.text))
    return _unknown(run, f"{name} of a file")


@library("json.load")
def _load(run: Run, arguments: Arguments) -> Value:
    file = arguments.first
    if not isinstance(file, FileValue) or arguments.keywords:
        return _unknown(run, "json.load() of this", file)
    return LIBRARY["json.loads"](run, Arguments([Const(file.text)], site=arguments.site))


OPERANDS[PathValue] = lambda run, sign, path, more: _joined(run, path, more) if isinstance(sign, ast.Div) else None
ATTRIBUTES[PathValue] = _attribute
for _names, _act in {
    ("os.path.join",): lambda run, path, arguments: _join_all(run, path, arguments.positional[1:]),
    ("os.path.dirname",): lambda run, path, _arguments: _attribute(run, path, "parent"),
    ("os.path.basename",): lambda run, path, _arguments: _attribute(run, path, "name"),
    ("os.path.exists",): _METHODS["exists"],
    ("os.path.isfile",): _METHODS["is_file"],
    ("os.path.isdir",): _METHODS["is_dir"],
    ("os.path.abspath", "os.path.realpath", "os.path.normpath"): lambda _run, path, _arguments: path,
}.items():
    library(*_names)(_of_path(_act))
LIBRARY_RULES.insert(0, _path)
ATTRIBUTES[FileValue] = _of_file
MANAGERS.add(FileValue)
