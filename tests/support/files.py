"""Trees of files: written for a test, and read again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder, after ``files`` were written below it."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def executable(path: Path, script: str) -> Path:
    """A program that a shell runs."""
    write(path.parent, {path.name: f"#!/bin/sh\n{script}\n"})
    path.chmod(0o755)
    return path


def tree(root: Path, *, without: tuple[str, ...] = (".git", "__pycache__")) -> dict[str, bytes]:
    """Every file below a folder with its bytes, and each empty folder, with a slash behind its path.

    What is no file, a link to nothing say, has no bytes.  Folders named in ``without`` are left out.
    """
    found: dict[str, bytes] = {}
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in without]
        for path in (Path(parent) / name for name in names):
            found[path.relative_to(root).as_posix()] = path.read_bytes() if path.is_file() else b""
        if not folders and not names and Path(parent) != root:
            found[Path(parent).relative_to(root).as_posix() + "/"] = b""
    return found
