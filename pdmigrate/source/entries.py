"""How a project is started: the functions that its packaging names, and its ``__main__`` modules."""

from __future__ import annotations

import ast
import configparser
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pdmigrate import disk
from pdmigrate.source.requirements import toml_of

MARKS = ("pyproject.toml", "setup.py", "setup.cfg")
_BUILDS = re.compile(rb"\b(?:setuptools|distutils|import\s+setup)\b")


def is_build_script(raw: bytes) -> bool:
    """Whether a ``setup.py`` builds a wheel; a module of a package may have that name, too."""
    return _BUILDS.search(raw) is not None


def is_project(root: Path, folder: str) -> bool:
    """Whether ``folder``, relative to ``root`` and empty for the root itself, holds a build file."""
    prefix = f"{folder}/" if folder else ""
    return any(disk.is_there(root, prefix + mark) and _is_mark(root, prefix + mark) for mark in MARKS)


def _is_mark(root: Path, path: str) -> bool:
    if not path.endswith(".py"):
        return True
    try:
        return is_build_script(disk.read(root, path))
    except OSError:
        return True  # a file that cannot be read may be a build script


class EntryPoint(NamedTuple):
    """``module:function`` of a console script, or a ``__main__`` module, which has no function."""

    module: str
    function: str = ""


def entry_points(root: Path, folder: str = "") -> tuple[EntryPoint, ...]:
    """The console scripts of the project in ``folder`` below ``root``, in the order of its packaging."""
    found = [*declared_in(root, posixpath.join(folder, "pyproject.toml"))]
    for name in disk.names(root, folder):
        if name.endswith(".dist-info"):
            found += _from_metadata(root, posixpath.join(folder, name, "entry_points.txt"))
    return tuple(dict.fromkeys(found))


def starts(root: Path) -> tuple[EntryPoint, ...]:
    """All ways in which the project may be started: its console scripts, then its ``__main__`` modules."""
    scripts = entry_points(root)
    return (*scripts, *_main_modules(root, scripts))


def _main_modules(root: Path, scripts: tuple[EntryPoint, ...]) -> Iterator[EntryPoint]:
    """The modules that ``python -m package`` runs, without those that only start a console script."""
    named = {point.module for point in scripts}
    for above in ("", "src/"):
        for name in disk.names(root, above):
            module = f"{name}.__main__"
            path = f"{above}{name}/__main__.py"
            if module in named or not name.isidentifier() or not disk.is_file(root, path):
                continue
            if not _only_starts(disk.content(root, path) or b"", name, scripts):
                yield EntryPoint(module)


def _only_starts(raw: bytes, package: str, scripts: tuple[EntryPoint, ...]) -> bool:
    """Whether a ``__main__`` module calls nothing but functions of console scripts and ``exit`` functions."""
    if len(raw) > LONGEST_MAIN:
        return False
    try:
        nodes = list(ast.walk(ast.parse(raw)))
    except (SyntaxError, ValueError, RecursionError):
        return False
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level < 2]
    same = {
        alias.asname or alias.name
        for node in imports
        for alias in node.names
        if EntryPoint(_full(node, package), alias.name) in scripts
    }
    return not same.isdisjoint(called) and set(called) <= {*same, "sys.exit", "exit", "SystemExit"}


LONGEST_MAIN = 10_000
"""The most bytes of a ``__main__`` module that is parsed: a module that only calls a function is far shorter."""


def _full(node: ast.ImportFrom, package: str) -> str:
    return ".".join(part for part in (package if node.level else "", node.module or "") if part)


def declared_in(root: Path, path: str) -> list[EntryPoint]:
    """The console scripts that a ``pyproject.toml`` declares."""
    return [point for value in scripts_of(toml_of(root, path)).values() if (point := _parse(value))]


def scripts_of(build: Mapping[str, Any]) -> dict[str, str]:
    """The console scripts that a parsed ``pyproject.toml`` declares, with their targets as they are written."""
    scripts: dict[str, Any] = {}
    match build:
        case {"tool": {"poetry": {"scripts": dict() as table}}}:
            scripts.update(table)
    match build:
        case {"project": {"scripts": dict() as table}}:
            scripts.update(table)
    return {name: target for name, target in scripts.items() if isinstance(target, str)}


def _from_metadata(root: Path, path: str) -> list[EntryPoint]:
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    try:
        parser.read_string((disk.content(root, path) or b"").decode("utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error):
        return []
    section = parser["console_scripts"] if parser.has_section("console_scripts") else {}
    return [point for value in section.values() if (point := _parse(value))]


def _parse(value: str) -> EntryPoint | None:
    module, _, function = value.partition(":")
    function = function.partition("[")[0].strip()
    return EntryPoint(module.strip(), function) if module.strip() and function.isidentifier() else None
