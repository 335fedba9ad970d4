"""Data kept between runs in the user's cache folder: it may be deleted, damaged or written by two commands at once.

Data that is not whole, or that other code wrote, counts as absent.  Hooks import this module: standard library only.
"""

from __future__ import annotations

import os

from pdmigrate import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pdmigrate.disk.places import Root


def load(folder: str, name: str, form: str) -> bytes | None:
    """The data kept under a name, if all of it is there and has the wanted form; otherwise ``None``."""
    try:
        # Not noted as read: a plan is not bound to the cache.
        known, digest, body = disk.head(_place(folder), name, disk.LARGEST).split(b"\n", 2)
    except (OSError, ValueError):
        return None
    return body if known == form.encode() and digest == disk.digest(body).encode() else None


def save(folder: str, name: str, form: str, body: bytes) -> bool:
    """Keep data in one step; return ``False`` if it is too large or cannot be written, which only costs time later."""
    content = b"%s\n%s\n%s" % (form.encode(), disk.digest(body).encode(), body)
    if len(content) > disk.LARGEST:
        return False
    try:
        disk.make_root(_place(folder))
        disk.keep(_place(folder), name, content, 0o600)
    except OSError:
        return False
    return True


def remove(folder: str, name: str) -> None:
    """Remove the data kept under a name."""
    try:
        disk.remove(_place(folder), name)
    except OSError:
        return  # there is no such folder, or it cannot be written: nothing was kept there either


def forget_oldest(folder: str, most: int) -> None:
    """Leave at most ``most`` entries in a folder: those that were written last."""
    names = disk.names(_place(folder))
    if len(names) <= most:
        return
    written = [(state.st_mtime_ns, name) for name in names if (state := disk.status(_place(folder), name)) is not None]
    for _, name in sorted(written)[:-most]:
        remove(folder, name)


def name_of(root: Root, path: str = "") -> str:
    """The name under which data about a tree, or about a path in it, is kept."""
    return disk.digest(os.fsencode(disk.real(root)) + b"\0" + os.fsencode(path))[:24]


def _place(folder: str) -> str:
    return f"{disk.user_folder('cache')}/{folder}"
