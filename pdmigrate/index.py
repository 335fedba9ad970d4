"""What git's index holds: the content of the next commit.

Inside a hook git says by its environment which index that is (``git commit FILE`` makes one of its own), so here,
unlike in ``git.py``, the environment is believed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pdmigrate.errors import OutsideError

_TIMEOUT = 60
_CHUNK = 400
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
"""Folders that say which SDK is installed, and that are in no index."""


def unstaged(root: str, paths: Iterable[str]) -> dict[str, bool]:
    """Those of ``paths`` (relative to ``root``) that differ from the index, each with whether git knows it at all.

    Empty outside a repository, and without git.

    Raises:
        OutsideError: git does not answer.
    """
    wanted = sorted(set(paths))
    found: dict[str, bool] = {}
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
        said = _git(root, "ls-files", "-z", "-t", "-m", "-o", "--exclude-standard", "--", *chunk)
        for entry in (said or b"").split(b"\0"):
            tag, _, name = entry.partition(b" ")
            if name:
                found[os.fsdecode(name)] = tag != b"?"
    return found


def roots(folder: str) -> list[str]:
    """The folders below ``folder`` that were migrated, as far as git knows them; none outside a repository."""
    said = _git(folder, "ls-files", "-z", "--", ":(glob)**/.pdmigrate/lock.json", literal=False)
    found = (os.fsdecode(name) for name in (said or b"").split(b"\0") if name)
    return [os.path.join(folder, os.path.dirname(os.path.dirname(name))) for name in found]


@contextmanager
def checked_out(root: str) -> Iterator[str]:
    """A folder that holds ``root`` as the index has it, and goes when it is left.

    Raises:
        OutsideError: there is no repository, or git does not answer.
    """
    top = _git(root, "rev-parse", "--show-toplevel")
    if top is None:
        raise OutsideError(f"{root} is in no git repository, so nothing is staged", hint="leave out --staged")
    above = os.fsdecode(top.rstrip(b"\r\n"))
    inside = os.path.relpath(os.path.realpath(root), os.path.realpath(above))
    with tempfile.TemporaryDirectory(prefix="pdmigrate-") as folder:
        target = os.path.realpath(folder)
        if _git(above, "checkout-index", "--all", "--force", f"--prefix={target}{os.sep}") is None:
            raise OutsideError(f"git cannot write its index to {target}", hint="see the room on the disk")
        copy = os.path.normpath(os.path.join(target, inside))
        os.makedirs(copy, exist_ok=True)
        for name in _ENVIRONMENTS:
            place = os.path.join(root, name)
            if os.path.isdir(place) and not os.path.lexists(os.path.join(copy, name)):
                os.symlink(os.path.realpath(place), os.path.join(copy, name), target_is_directory=True)
        yield copy


def _git(folder: str, *arguments: str, literal: bool = True) -> bytes | None:
    """What git answers; ``None`` when it refuses, or is not installed."""
    if shutil.which("git") is None:
        return None
    here = {name: value for name, value in os.environ.items() if name != "GIT_PREFIX"}
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        if name in here:
            here[name] = os.path.abspath(here[name])
    options = ["-c", "core.quotepath=off", "-c", "core.fsmonitor=false", *(["--literal-pathspecs"] if literal else [])]
    command = ["git", *options, *arguments]
    environment = {**here, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise OutsideError(f"git {arguments[0]} did not answer in {folder}", hint="see what holds git up") from error
    return done.stdout if done.returncode == 0 else None
