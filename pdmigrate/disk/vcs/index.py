"""What git's index holds: the content of the next commit.

Inside a hook git's environment variables say which index that is (``git commit FILE`` makes a temporary one), so here,
unlike in ``vcs/git.py``, the environment is trusted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pdmigrate import disk
from pdmigrate.disk.vcs.git import ask
from pdmigrate.errors import OutsideError
from pdmigrate.names import LOCK_PATH

_CHUNK = 400
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
"""Virtual environments: they say which SDK is installed, and are in no index."""


def unstaged(root: str, paths: Iterable[str]) -> dict[str, bool] | None:
    """Those of ``paths`` (relative to ``root``) that differ from the index, each with whether git tracks it.

    ``None`` outside a repository, and without git.

    Raises:
        OutsideError: git does not answer.
    """
    wanted = sorted(set(paths))
    found: dict[str, bool] = {}
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
        said = _git(root, "ls-files", "-z", "-t", "-m", "-o", "--exclude-standard", "--", *chunk)
        if said is None:
            return None
        for entry in said.split(b"\0"):
            tag, _, name = entry.partition(b" ")
            if name:
                found[os.fsdecode(name)] = tag != b"?"
    return found


def roots(folder: str) -> list[str]:
    """The migrated folders below ``folder`` that are in the index; empty outside a repository."""
    said = _git(folder, "ls-files", "-z", "--", f":(glob)**/{LOCK_PATH}", literal=False)
    found = (os.fsdecode(name) for name in (said or b"").split(b"\0") if name)
    return [os.path.join(folder, os.path.dirname(os.path.dirname(name))) for name in found]


@contextmanager
def checked_out(root: str) -> Iterator[str]:
    """A context manager that gives the folder of a temporary copy of ``root`` as it is in the index.

    Raises:
        OutsideError: there is no repository, or git does not answer.
    """
    top = _git(root, "rev-parse", "--show-toplevel")
    if top is None:
        raise OutsideError(f"{root} is in no git repository, so nothing is staged", hint="leave out --staged")
    above = os.fsdecode(top.rstrip(b"\r\n"))
    inside = os.path.relpath(disk.real(root), disk.real(above)).replace(os.sep, "/")
    with disk.scratch() as target:
        if _git(above, "checkout-index", "--all", "--force", f"--prefix={target}{os.sep}") is None:
            raise OutsideError(f"git cannot write its index to {target}", hint="check the free disk space")
        disk.make_folder(target, inside)
        copy = os.path.normpath(os.path.join(target, inside))
        for name in _ENVIRONMENTS:
            if disk.is_folder(os.path.join(root, name)) and not disk.is_there(copy, name):
                disk.link(copy, name, disk.real(os.path.join(root, name)))
        yield copy


def _git(folder: str, *arguments: str, literal: bool = True) -> bytes | None:
    """The output of git; ``None`` when it fails, or is not installed."""
    done = ask(folder, *arguments, literal=literal, calling=True)
    return done.stdout if done is not None and done.returncode == 0 else None
