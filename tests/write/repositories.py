"""Real git repositories and trees of files for tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pdmigrate.model import FileChange, FileKind

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
}


def git(folder: Path, *arguments: str, given: bytes | None = None, fails: bool = False) -> bytes:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=given, capture_output=True, timeout=60, check=False, env=_ENVIRONMENT
    )
    assert (done.returncode != 0) is fails, done.stderr.decode(errors="replace")
    return done.stderr if fails else done.stdout


def initialised(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "core.autocrlf", "false")
    return folder


def commit(folder: Path, message: str = "work") -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def tree(folder: Path, *, without: tuple[str, ...] = (".git",)) -> dict[str, bytes]:
    """Every file below a folder; empty folders appear with a trailing slash."""
    found: dict[str, bytes] = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in without]
        for name in files:
            path = Path(parent) / name
            found[path.relative_to(folder).as_posix()] = path.read_bytes() if path.exists() else b"a link to nothing"
        if not folders and not files and Path(parent) != folder:
            found[Path(parent).relative_to(folder).as_posix() + "/"] = b""
    return found


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[FileChange]:
    return [
        FileChange(path, before.get(path), after.get(path), FileKind.CODE, "test")
        for path in sorted(before.keys() | after.keys())
    ]
