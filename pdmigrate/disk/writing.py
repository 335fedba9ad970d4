"""Write below a root: no link is followed, and nothing is written into a git repository's own data.

The functions raise OSError where the disk refuses, and RefusedError for a path that is refused.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

from pdmigrate.disk.places import CAREFUL, RefusedError, at, joined, parts_of
from pdmigrate.disk.reading import FOLDER, listable, own_type, scanned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pdmigrate.disk.places import Root


def create(root: Root, path: str, content: bytes, like: os.stat_result | None = None) -> None:
    """Create a file that is durable when this function returns, with the mode and owner of ``like`` if given."""
    descriptor = at(root, path, lambda folder, name: _new(folder, name, 0o666), writing=True)
    with os.fdopen(descriptor, "wb") as stream:
        if like is not None and sys.platform != "win32":
            _take_after(descriptor, like)
        stream.write(content)
        stream.flush()
        os.fsync(descriptor)


def keep(root: Root, path: str, content: bytes, mode: int = 0o666) -> None:
    """Replace a file in one step, without ``fsync``: for files that can be made anew if the machine loses power."""
    draft = f"{path}.{os.getpid()}"
    remove(root, draft)
    with os.fdopen(at(root, draft, lambda folder, name: _new(folder, name, mode), writing=True), "wb") as stream:
        stream.write(content)
    replace(root, draft, path)


def put(root: Root, path: str, content: bytes) -> None:
    """Write a file at a place that the user named, make the folders above it, and replace a regular file there."""
    os.makedirs(root, exist_ok=True)
    if own_type(root, path) not in (None, stat.S_IFREG):
        raise RefusedError("is not a regular file", joined(root, path))
    if "/" in path:
        make_folder(root, path.rpartition("/")[0])
    keep(root, path, content)


def lockable(root: Root, path: str, *, make: bool = True) -> int:
    """The descriptor of a regular file to be locked; with ``make`` the file is created where it is missing."""
    flags = os.O_RDWR | (os.O_CREAT if make else 0)
    descriptor = at(root, path, lambda folder, name: os.open(name, flags | CAREFUL, 0o666, dir_fd=folder), writing=make)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RefusedError("is not a regular file", joined(root, path))
    return descriptor


def replace(root: Root, source: str, target: str) -> None:
    """Rename a file or folder; a file at the target is replaced."""

    def renamed(folder: int | None, name: str) -> None:
        at(root, target, lambda other, to: os.replace(name, to, src_dir_fd=folder, dst_dir_fd=other), writing=True)

    at(root, source, renamed, writing=True)


def remove(root: Root, path: str) -> None:
    """Remove a file or a link; it may be gone already."""
    try:
        at(root, path, lambda folder, name: os.unlink(name, dir_fd=folder), writing=True)
    except (FileNotFoundError, NotADirectoryError):
        return


def make_folder(root: Root, path: str) -> None:
    """Make a folder and the folders above it, where they are missing."""
    parts = parts_of(root, path)
    for end in range(1, len(parts) + 1):
        try:
            at(root, "/".join(parts[:end]), lambda folder, name: os.mkdir(name, dir_fd=folder), writing=True)
        except FileExistsError as error:
            there = own_type(root, "/".join(parts[:end]))
            if there == stat.S_IFLNK:
                raise RefusedError("is a link", joined(root, "/".join(parts[:end]))) from error
            if there != stat.S_IFDIR:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename) from error


def remove_folder(root: Root, path: str) -> bool:
    """Remove a folder if it is empty; return whether it is gone."""
    try:
        at(root, path, lambda folder, name: os.rmdir(name, dir_fd=folder), writing=True)
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def remove_tree(root: Root, path: str) -> None:
    """Remove a folder with all its content; links are removed, not followed."""
    for name, mode in at(root, path, scanned, writing=True):
        if mode == FOLDER:
            remove_tree(root, f"{path}/{name}")
        else:
            remove(root, f"{path}/{name}")
    remove_folder(root, path)


def sync(root: Root, folder: str) -> None:
    """Make durable what was renamed, made or removed in a folder; Windows has no such call."""
    if sys.platform == "win32":
        return
    try:
        descriptor = at(root, folder, listable, writing=True)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_writable(root: Root, path: str) -> bool:
    """Whether the system would let this user write: asked only to report it before any work begins."""
    return os.access(joined(root, path), os.W_OK)


def _new(folder: int | None, name: str, mode: int) -> int:
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CAREFUL, mode, dir_fd=folder)


def _take_after(descriptor: int, like: os.stat_result) -> None:
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.chown(descriptor, like.st_uid, like.st_gid)
        except PermissionError:
            pass  # Giving a file away needs rights that few have; the content matters more than the owner.
    os.chmod(descriptor, like.st_mode & 0o7777)
