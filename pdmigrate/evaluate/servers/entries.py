"""How a project is started: the functions that its packaging names, and its ``__main__`` modules."""

from __future__ import annotations

import configparser
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pdmigrate import disk
from pdmigrate.project.sdk import toml_of


class EntryPoint(NamedTuple):
    """``module:function`` of a console script, or a ``__main__`` module, which has no function."""

    module: str
    function: str = ""


def entry_points(root: Path, folder: str = "") -> tuple[EntryPoint, ...]:
    """The console scripts of the project in a folder below ``root``, in the order in which its packaging names them."""
    found = [*_from_pyproject(root, posixpath.join(folder, "pyproject.toml"))]
    for name in disk.names(root, folder):
        if name.endswith(".dist-info"):
            found += _from_metadata(root, posixpath.join(folder, name, "entry_points.txt"))
    return tuple(dict.fromkeys(found))


def starts(root: Path) -> tuple[EntryPoint, ...]:
    """All ways in which the project may be started: its console scripts, then its ``__main__`` modules."""
    scripts = entry_points(root)
    return (*scripts, *_main_modules(root, {point.module for point in scripts}))


def _main_modules(root: Path, named: set[str]) -> Iterator[EntryPoint]:
    """What ``python -m package`` starts, where no console script names it."""
    for above in ("", "src/"):
        for name in disk.names(root, above):
            module = f"{name}.__main__"
            if module not in named and name.isidentifier() and disk.is_file(root, f"{above}{name}/__main__.py"):
                yield EntryPoint(module)


def _from_pyproject(root: Path, path: str) -> list[EntryPoint]:
    data = toml_of(root, path)
    scripts: dict[str, Any] = {}
    for keys in (("project", "scripts"), ("tool", "poetry", "scripts")):
        table: Any = data
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        scripts.update(table if isinstance(table, dict) else {})
    return [point for value in scripts.values() if isinstance(value, str) and (point := _parse(value))]


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
