"""Paths below the root of the program, and the text of the files there; what depends on the machine is not known."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterator
from functools import partial

from pdmigrate import disk
from pdmigrate.understand.demand.functions import MANAGERS
from pdmigrate.understand.demand.imports import load
from pdmigrate.understand.demand.operators import OPERANDS
from pdmigrate.understand.demand.positions import DISK
from pdmigrate.understand.demand.run import ATTRIBUTES, DISTURBED, ITERATED, LIBRARY, LIBRARY_RULES, Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import ListValue, Mutable
from pdmigrate.understand.values.core import INPUT_OUTPUT, NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import text_of
from pdmigrate.understand.values.outside import Called, ModuleValue, PathValue


class FileValue(Mutable):
    """A file of the tree that was opened to be read: ``data`` holds what is left of it."""


def _unknown(run: Run, reason: str, *values: Value) -> Unknown:
    return run.risky(reason, *values, code=INPUT_OUTPUT)


def _elsewhere(what: str, value: Value | None) -> str:
    """Why a path that is made of text is not followed: pdmigrate knows no working directory."""
    is_relative = bool(text := text_of(value)) and not str(text).startswith(("/", "~"))
    return f"a {what} relative to the working directory" if is_relative else f"a {what} outside the project"


def _joined(run: Run, path: PathValue, more: Value) -> Value:
    """``path / more``"""
    text = text_of(more)
    joined = posixpath.normpath(posixpath.join(path.path, text or "/"))
    if joined.startswith(("..", "/")) or (text or "").startswith(("\\", "~")):
        return _unknown(run, "a path outside the project", more)
    # ``..`` stays until the path is used: the parent of ``a/b/..`` is ``a/b``.
    whole = posixpath.join(path.path, text or "")
    return PathValue(whole if ".." in whole.split("/") else "" if joined == "." else joined)


def _place(path: PathValue) -> str:
    """Where a path leads, below the root."""
    return posixpath.normpath(f"/{path.path}")[1:]


def _join_all(run: Run, path: PathValue, more: list[Value]) -> Value:
    for part in more:
        joined = _joined(run, path, part)
        if not isinstance(joined, PathValue):
            return joined
        path = joined
    return path


def _exists(kinds: tuple[str, ...], run: Run, path: PathValue, _arguments: Arguments) -> Value:
    if disk.kind(run.program.tree.root, _place(path)) in kinds and not _is_written(run, path):
        return TRUE
    return _unknown(run, f"whether {path.path} exists")


_KINDS = {"exists": (disk.FILE, disk.FOLDER), "is_file": (disk.FILE,), "is_dir": (disk.FOLDER,)}
_METHODS: dict[str, Callable[[Run, PathValue, Arguments], Value]] = {
    **dict.fromkeys(("absolute", "expanduser"), lambda _run, path, _arguments: path),
    "resolve": lambda _run, path, _arguments: PathValue(_place(path)),
    "read_text": lambda run, path, arguments: _text(run, path, arguments, at=0),
    "open": lambda run, path, arguments: LIBRARY["io.open"](run, arguments.behind(path)),
    "joinpath": lambda run, path, arguments: _join_all(run, path, arguments.positional),
    "read_bytes": lambda run, path, _arguments: _bytes(run, path),
    **dict.fromkeys(
        ("write_text", "write_bytes", "unlink", "rename", "replace", "symlink_to", "hardlink_to"),
        lambda run, path, arguments: _write(run, path, *arguments.all),
    ),
    **{name: partial(_exists, kinds) for name, kinds in _KINDS.items()},
}


def _attribute(run: Run, path: PathValue, name: str) -> Value:
    method = _METHODS.get(name)
    if method is not None:
        return Native(name, lambda run, arguments: method(run, path, arguments))
    if name == "parent":
        return PathValue(posixpath.dirname(path.path)) if path.path else _unknown(run, "a path outside the project")
    if name == "parents":
        names = path.path.split("/") if path.path else []
        steps = [PathValue("/".join(names[:depth])) for depth in reversed(range(len(names)))]
        return TupleValue((*steps, *[_unknown(run, "a path above the project")] * 8))  # a program asks for no more
    base = posixpath.basename(path.path)
    stem, suffix = posixpath.splitext(base)
    # Releases of Python differ in what ends in a dot.
    known = {"name": base, "stem": stem, "suffix": suffix}.get(name) if base and not base.endswith(".") else None
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


def _os_path(name: str, run: Run, arguments: Arguments) -> Value:
    """A function of ``os.path``: the method or the attribute ``name`` of a path."""
    given = arguments.first
    if not isinstance(given, PathValue):
        return _unknown(run, _elsewhere("path", given), given)
    found = _attribute(run, given, name)
    return run.call(found, Arguments(arguments.positional[1:])) if isinstance(found, Native) else found


# --- files ------------------------------------------------------------------------------------------------------------


@library("builtins.open", "io.open", "codecs.open")
def _open(run: Run, arguments: Arguments) -> Value:
    """``open(path)`` for reading."""
    path, mode = arguments.first, arguments.get(1, "mode")
    how = "r" if mode is None else text_of(mode)
    if not isinstance(path, PathValue):
        if (text := text_of(path)) is not None and how not in ("r", "rt", "rb"):
            run.written.add(PathValue(_ANYWHERE + posixpath.basename(text)))
        return _unknown(run, _elsewhere("file", path), path)
    if how not in ("r", "rt", "rb"):
        return _write(run, path)
    content = _bytes(run, path) if how == "rb" else _text(run, path, arguments, at=3)
    return FileValue({"left": content}) if isinstance(content, Const) else content


def _write(run: Run, *given: Value) -> Unknown:
    """Note that the files at paths of the tree have another content from here on, or none."""
    run.written.update(item for item in given if isinstance(item, PathValue))
    return _unknown(run, "a file is written")


_ANYWHERE = "?/"
"""Where the working directory may be."""


def _text(run: Run, path: PathValue, arguments: Arguments, *, at: int) -> Value:
    """The text of a file as Python's text mode gives it; ``at``: the position of ``encoding``, ``newline`` is 2 on."""
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
    if newline != NONE:
        return _unknown(run, f"the ends of lines of {path.path} are read in a way of the program's own")
    return Const(text.replace("\r\n", "\n").replace("\r", "\n"))


def _is_written(run: Run, path: PathValue) -> bool:
    """Whether another file may be at ``path`` by now than on the disk."""
    run.program.advance(DISK, run.program.position)
    place = _place(path)
    written = {_place(each) for each in run.written if isinstance(each, PathValue)}
    return not written.isdisjoint((place, _ANYWHERE + posixpath.basename(place)))


def _bytes(run: Run, path: PathValue) -> Value:
    if _is_written(run, path):
        return _unknown(run, f"{path.path} may have been written before")
    try:
        content = run.program.tree.data(_place(path), 1_000_000)
    except OSError as error:
        return _unknown(run, f"{path.path} cannot be read: {error.strerror}")
    run.step(len(content) // 100)
    return Const(content)


def _read(run: Run, arguments: Arguments) -> Value:
    """``file.read()``, which is followed once."""
    file, *sizes = arguments.all
    assert isinstance(file, FileValue)
    why = _unknown(run, "the rest of a file")
    left = why if sizes else file.rest or file.data["left"]
    run.journal.blur(file, why)
    return left


def _of_file(run: Run, file: FileValue, name: str) -> Value:
    if name == "read":
        return BoundMethod(Native(name, _read), file)  # whoever gets hold of it may move the file
    if name != "close":
        run.journal.blur(file, _unknown(run, f"{name} of a file"))
    return _unknown(run, f"{name} of a file")


def _blur(run: Run, _values: list[Value], found: list[Mutable], why: Unknown) -> None:
    for item in found:
        if isinstance(item, FileValue):
            run.journal.blur(item, why)


@library("json.load")
def _load(run: Run, arguments: Arguments) -> Value:
    file = arguments.first
    if not isinstance(file, FileValue) or arguments.keywords:
        run.disturb([file], why := _unknown(run, "json.load() of this", file))
        return why
    return LIBRARY["json.loads"](run, Arguments([_read(run, Arguments([file]))], site=arguments.site))


OPERANDS[PathValue] = lambda run, sign, path, more: _joined(run, path, more) if isinstance(sign, ast.Div) else None
ATTRIBUTES[PathValue] = _attribute
for _function, _name in (
    *(("join", "joinpath"), ("dirname", "parent"), ("basename", "name"), ("exists", "exists"), ("isfile", "is_file")),
    *(("isdir", "is_dir"), ("abspath", "resolve"), ("realpath", "resolve"), ("normpath", "resolve")),
):
    LIBRARY[f"os.path.{_function}"] = partial(_os_path, _name)
LIBRARY_RULES.insert(0, _path)
ATTRIBUTES[FileValue] = _of_file
ITERATED[FileValue] = lambda run, file: _of_file(run, file, "__iter__")
DISTURBED.append(_blur)
MANAGERS.add(FileValue)


# --- the modules of packages ------------------------------------------------------------------------------------------


def _listed_modules(run: Run, arguments: Arguments, depth: int) -> Value:
    """The modules of a package: ``pkgutil.iter_modules(package.__path__)``; with a ``depth``, those of its packages."""
    path, prefix = arguments.get(0, "path"), text_of(arguments.get(1, "prefix") or Const(""))
    items = path.args if isinstance(path, Called) and path.callee == "<path>" else ()
    items = tuple(path.data) if isinstance(path, ListValue) and path.rest is None else items
    place = items[0] if len(items) == 1 else None
    if prefix is None or not isinstance(place, (ModuleValue, PathValue)):
        return run.risky("the modules of a package that is not known")
    folder = _place(place) if isinstance(place, PathValue) else place.module.path.rpartition("/")[0]
    return ListValue([*_modules_in(run, f"{folder}/" if folder else "", prefix, depth)])


def _modules_in(run: Run, start: str, prefix: str, depth: int) -> Iterator[Value]:
    inside = {path.removeprefix(start) for path in run.program.tree.files if path.startswith(start)}
    packages = {path.partition("/")[0] for path in inside if path.count("/") == 1 and path.endswith("/__init__.py")}
    modules = {path.removesuffix(".py") for path in inside if "/" not in path and path.endswith(".py")}
    for name in sorted({*packages, *modules} - {"__init__"}):
        run.step()
        entry = (NONE, Const(f"{prefix}{name}"), Const(name in packages))
        yield TupleValue(entry, ("module_finder", "name", "ispkg"))
        if name in packages and depth:
            load(run, f"{start}{name}/__init__.py")  # a walk imports the packages that it goes into
            yield from _modules_in(run, f"{start}{name}/", f"{prefix}{name}.", depth - 1)


LIBRARY["pkgutil.iter_modules"] = lambda run, arguments: _listed_modules(run, arguments, 0)
LIBRARY["pkgutil.walk_packages"] = lambda run, arguments: _listed_modules(run, arguments, 10)
