"""Which Python files of a tree are worth reading: a walk that respects ``.gitignore``, and literal byte gates.

It never parses anything; a tree of thousands of files costs about what listing and reading it costs.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

PRUNED = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", "site-packages", ".cache", ".eggs", ".pdmigrate"}
)  # fmt: skip
"""Folders that never hold a project's own source."""


def discover(root: Path, *, exclude: tuple[str, ...] = (), gates: tuple[bytes, ...]) -> tuple[str, ...]:
    """The Python files below ``root`` that hold one of ``gates``: POSIX paths relative to it, sorted."""
    return gated(root, python_files(root, exclude=exclude), gates)


def gated(root: Path, files: tuple[str, ...], gates: tuple[bytes, ...]) -> tuple[str, ...]:
    """Those of ``files`` that hold one of ``gates``."""
    return tuple(path for path in files if _passes(root / path, gates))


def python_files(root: Path, *, exclude: tuple[str, ...] = ()) -> tuple[str, ...]:
    """All Python files of the project below ``root``, sorted; ``exclude`` holds patterns as in ``.gitignore``."""
    tracked = _tracked(root)
    if tracked is not None:
        paths = [p for p in tracked if p.endswith(".py") and not PRUNED & set(p.split("/")[:-1])]
    else:
        paths = [path for path in _walk(root) if path.endswith(".py")]
        paths = _not_matching(paths, _ignored_lines(root))
    return tuple(sorted(path for path in _not_matching(paths, list(exclude)) if _inside(root, path)))


def _passes(file: Path, gates: tuple[bytes, ...]) -> bool:
    try:
        raw = file.read_bytes()
    except OSError:
        return True  # nobody can tell; whoever reads it says why it cannot be read
    return any(gate in raw for gate in gates)


def _tracked(root: Path) -> list[str] | None:
    """What git lists: tracked and untracked files that are not ignored; ``None`` outside a repository."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z", "--", "*.py"]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    listed = os.fsdecode(done.stdout).split("\0")
    # A root inside an ignored folder of a repository lists nothing; then the folder itself is what is asked for.
    return list(dict.fromkeys(path for path in listed if path)) or None


def _walk(root: Path, folder: str = "") -> Iterator[str]:
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError:
        return
    names = {entry.name for entry in entries}
    if folder and "pyvenv.cfg" in names:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in PRUNED:
                yield from _walk(root, path)
        else:
            yield path


def _ignored_lines(root: Path) -> list[str]:
    try:
        return (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _not_matching(paths: list[str], patterns: list[str]) -> list[str]:
    if not patterns:
        return paths
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    return [path for path in paths if not spec.match_file(path)]


def _inside(root: Path, path: str) -> bool:
    """Whether the file exists and, when it is a link, leads to somewhere below ``root``."""
    file = root / path
    if not file.is_symlink():
        return file.is_file()
    return file.is_file() and file.resolve().is_relative_to(root.resolve())
