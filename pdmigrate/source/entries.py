"""How a project is started: the functions that its packaging names."""

from __future__ import annotations

import configparser
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pdmigrate import disk
from pdmigrate.model import mapping
from pdmigrate.source.requirements import toml_of

_BUILDS = re.compile(rb"\b(?:setuptools|distutils|import\s+setup)\b")


def is_build_script(raw: bytes) -> bool:
    """Whether a ``setup.py`` builds a wheel; a module of a package may have that name, too."""
    return _BUILDS.search(raw) is not None


def is_project(root: Path, folder: str) -> bool:
    """Whether ``folder``, relative to ``root`` and empty for the root itself, holds a build file."""
    if any(disk.is_there(root, posixpath.join(folder, name)) for name in ("pyproject.toml", "setup.cfg")):
        return True
    try:
        return is_build_script(disk.content(root, posixpath.join(folder, "setup.py")) or b"")
    except OSError:
        return True  # a file that cannot be read may be a build script


def project_of(root: Path, file: str) -> str:
    """The innermost folder above ``file`` that holds a build file; empty for the root, whatever that holds."""
    around = (folder.as_posix() for folder in PurePosixPath(file).parents if folder.name)
    return next((folder for folder in around if is_project(root, folder)), "")


class EntryPoint(NamedTuple):
    """``module:function`` of a console script."""

    module: str
    function: str


def entry_points(root: Path, folder: str = "") -> tuple[EntryPoint, ...]:
    """The console scripts of the project in ``folder`` below ``root``, in the order of its packaging."""
    found = [*declared_in(root, posixpath.join(folder, "pyproject.toml"))]
    for name in disk.names(root, folder):
        if name.endswith(".dist-info"):
            found += _from_metadata(root, posixpath.join(folder, name, "entry_points.txt"))
    return tuple(dict.fromkeys(found))


def declared_in(root: Path, path: str) -> list[EntryPoint]:
    """The console scripts that a ``pyproject.toml`` declares."""
    return [point for value in scripts_of(toml_of(root, path)).values() if (point := _parse(value))]


def scripts_of(build: Mapping[str, Any]) -> dict[str, str]:
    """The console scripts that a parsed ``pyproject.toml`` declares, with their targets as they are written."""
    tables = (mapping(mapping(build.get("tool")).get("poetry")), mapping(build.get("project")))
    scripts = {name: target for table in tables for name, target in mapping(table.get("scripts")).items()}
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
