"""Recognise this user's own journals: a repository may contain somebody else's, which must not be obeyed.

A journal carries a seal, made of its content, the place of its project, and a secret that lies in the user's state
folder, outside of every repository.
"""

from __future__ import annotations

import hmac
import os
from pathlib import Path

from pdmigrate import disk

_SECRET = "secret"
_SIZE = 32


def sealed(root: Path, content: bytes) -> str | None:
    """The seal of a journal of the project at ``root``; ``None`` where there is no place for this user's secret."""
    secret = _secret(root) or _made(root)
    return None if secret is None else _seal(root, content, secret)


def is_ours(root: Path, content: bytes, seal: object) -> bool:
    """Whether this user, on this machine, has written a journal with this content for the project at ``root``."""
    secret = _secret(root)
    if secret is None or not isinstance(seal, str) or not seal.isascii():
        return False
    return hmac.compare_digest(_seal(root, content, secret), seal)


def _seal(root: Path, content: bytes, secret: bytes) -> str:
    return hmac.digest(secret, os.fsencode(disk.real(root)) + b"\0" + content, "sha256").hex()


def _secret(root: Path) -> bytes | None:
    folder = _folder(root)
    try:
        secret = disk.content(folder, _SECRET) if folder is not None else None
    except OSError:
        return None
    return secret if secret is not None and len(secret) == _SIZE else None


def _made(root: Path) -> bytes | None:
    folder = _folder(root)
    if folder is None:
        return None
    try:
        disk.make_root(folder)
        disk.create_atomically(folder, _SECRET, os.urandom(_SIZE))
    except OSError:
        # No secret can be kept for this user: a run that is killed has to be undone by hand.
        return None
    return _secret(root)


def _folder(root: Path) -> str | None:
    """The user's state folder; ``None`` if it lies in the project, since it may have come with the project."""
    folder = disk.user_folder("state")
    return None if Path(disk.real(folder)).is_relative_to(disk.real(root)) else folder
