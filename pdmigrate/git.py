"""Questions to git, bounded in time; without git, or outside a repository, the answers are empty.

Read only: no lock is taken, no hook runs, and what a calling hook says about the repository is not believed.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.errors import OutsideError

TIMEOUT = 60.0

_OPTIONS = ("-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_LOCAL = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")
_CHUNK = 200


def repository(root: Path) -> Path | None:
    """The top of the work tree that holds ``root``: of a clone, a worktree or a submodule; ``None`` without git.

    Raises:
        OutsideError: there is a repository, and git refuses to look at it or does not answer.
    """
    done = _git(root, "rev-parse", "--show-toplevel")
    if done is None:
        return None
    if done.returncode == 0:
        return Path(os.fsdecode(done.stdout.rstrip(b"\r\n")))
    if any((folder / ".git").exists() for folder in (root, *root.resolve().parents)):
        said = done.stderr.decode(errors="replace").strip()
        raise OutsideError(f"git does not look at the repository of {root}: {said}", hint="solve what git names")
    return None


def prefix(root: Path) -> str:
    """The way from the top of the repository to ``root``, with a slash at its end; empty at the top and without one.

    Raises:
        OutsideError: git refuses or does not answer.
    """
    if repository(root) is None:
        return ""
    return os.fsdecode(_output(root, "rev-parse", "--show-prefix").rstrip(b"\r\n"))


def dirty(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths`` (relative to ``root``) that exist with changes in no commit: edited, staged or untracked.

    Files that git ignores are nobody's to commit; they do not count.

    Raises:
        OutsideError: git refuses or does not answer.
    """
    wanted = [path for path in dict.fromkeys(paths) if os.path.lexists(root / path)]
    if not wanted or repository(root) is None:
        return ()
    above = prefix(root)
    changed: set[str] = set()
    for chunk in _chunks(wanted):
        arguments = ("--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", *chunk)
        entries = _output(root, "--literal-pathspecs", "status", *arguments).split(b"\0")
        changed |= {os.fsdecode(entry[3:]) for entry in entries if entry}
    return tuple(path for path in wanted if above + path in changed)


def ignored(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths`` that git leaves out of the repository; a tracked file is none of them.

    Raises:
        OutsideError: git refuses or does not answer.
    """
    wanted = tuple(paths)
    if not wanted or repository(root) is None:
        return ()
    given = b"".join(os.fsencode(path) + b"\0" for path in wanted)
    done = _git(root, "check-ignore", "-z", "--stdin", given=given)
    found = {os.fsdecode(path) for path in done.stdout.split(b"\0")} if done is not None else set()
    return tuple(path for path in wanted if path in found)


def blob(root: Path, object_id: str) -> bytes | None:
    """The bytes that git keeps under ``object_id``; ``None`` when it keeps none, or there is no git."""
    done = _git(root, "cat-file", "blob", object_id)
    return done.stdout if done is not None and done.returncode == 0 else None


def versions(root: Path, path: str, limit: int) -> Iterator[bytes]:
    """The file at ``path`` as it was in the last ``limit`` commits that changed it, newest first; none without git.

    Raises:
        OutsideError: git does not answer in time.
    """
    done = _git(root, "--literal-pathspecs", "log", f"--max-count={limit}", "--format=%H", "--", path)
    commits = done.stdout.split() if done is not None and done.returncode == 0 else []
    for commit in commits:
        shown = _git(root, "show", f"{commit.decode()}:./{path}")
        if shown is not None and shown.returncode == 0:
            yield shown.stdout


@dataclass(frozen=True, slots=True)
class Merge:
    """A three-way merge: the text with the conflicts in it, and the lines of the current text where they start."""

    text: bytes
    conflicts: tuple[int, ...]


def merge(current: bytes, base: bytes, other: bytes, labels: Sequence[str]) -> Merge | None:
    """``current`` with the changes from ``base`` to ``other``; ``None`` without git, or for what it takes for binary.

    Raises:
        OutsideError: git does not answer in time.
    """
    # Markers of an unusual length cannot be mistaken for a line of the file.
    size = 31
    with tempfile.TemporaryDirectory(prefix="pdmigrate-") as folder:
        names = ("current", "base", "other")
        for name, content in zip(names, (current, base, other), strict=True):
            (Path(folder) / name).write_bytes(content)
        flags = [flag for label in labels for flag in ("-L", label)]
        done = _git(Path(folder), "merge-file", "-p", "--diff3", f"--marker-size={size}", *flags, *names)
    if done is None or done.returncode not in range(128):
        return None
    conflicts = tuple(_conflict_lines(done.stdout, size))
    return Merge(done.stdout, conflicts) if len(conflicts) == done.returncode else None


def _conflict_lines(text: bytes, size: int) -> Iterator[int]:
    """For every conflict, the line of the current file at which it starts."""
    line, ours = 1, True
    for content in text.split(b"\n"):
        marker = content[:size]
        if marker == b"<" * size:
            yield line
        elif marker == b"|" * size:
            ours = False
        elif marker == b">" * size:
            ours = True
        elif ours:
            line += 1


def _chunks(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _CHUNK):
        yield paths[start : start + _CHUNK]


def _output(root: Path, *arguments: str) -> bytes:
    done = _git(root, *arguments)
    if done is None or done.returncode:
        said = done.stderr.decode(errors="replace").strip() if done else "it is not installed"
        raise OutsideError(f"git {arguments[0]} failed in {root}: {said}", hint="solve what git names")
    return done.stdout


def _git(root: Path, *arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes] | None:
    """What git answers; ``None`` when it is not installed."""
    environment = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            ["git", *_OPTIONS, *arguments],
            cwd=root,
            input=given if given is not None else b"",
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
            env=environment,
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired as error:
        raise OutsideError(
            f"git {arguments[0]} did not answer within {TIMEOUT:.0f} seconds in {root}", hint="see what holds git up"
        ) from error
