"""The build files that make a folder a project: its packaging starts there, and an outer project's files end there."""

from __future__ import annotations

import re
from pathlib import Path

from pdmigrate import disk

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
