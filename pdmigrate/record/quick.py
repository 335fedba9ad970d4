"""Whether anything has changed since a project was last found in agreement: what a hook asks first.

The answer comes from a record outside the project, in the user's cache: digests of every file that the comparison read,
digests of the names in their folders, and the installations that the comparison relied on.  This module imports only
the standard library, and little of that (no pathlib): it runs on every commit.
"""

from __future__ import annotations

import os

from pdmigrate import __version__, disk
from pdmigrate.names import DESCRIPTIONS, MODULE, STATE, WRAPPED
from pdmigrate.source import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FOLDER, _FORM = "agreements", f"pdmigrate {__version__} 5"
_OURS = (DESCRIPTIONS, MODULE, STATE)


def root_of(path: str) -> str | None:
    """The nearest folder at or above ``path`` that has been migrated or described; the file itself may be gone."""
    folder = disk.real(path if disk.is_folder(path) else os.path.dirname(path) or ".")
    return next((each for each in disk.above(folder) if disk.is_folder(each, STATE)), None)


def wrappers(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """The folders of wrappers that ``paths`` belong to (without ``paths``, the current folder), and the other paths."""
    folders: dict[str, None] = {}
    others = []
    for path in paths or (".",):
        folder = disk.real(path if disk.is_folder(path) else os.path.dirname(path) or ".")
        inner = os.path.dirname(folder) if os.path.basename(folder) == DESCRIPTIONS else folder
        if disk.is_file(inner, WRAPPED):
            folders[inner] = None
        elif paths:
            others.append(path)
    return list(folders), others


def grouped(paths: Sequence[str]) -> dict[str, list[str]] | None:
    """The projects that ``paths`` belong to, each with its paths; without ``paths``, the project of the current folder.

    A folder ends in a slash.  A project that is given by its root has an empty list, which stands for all its paths.
    Paths in no project are ignored, unless they look like part of a project: then the result is ``None``.
    """
    if not paths:
        root = root_of(".")
        return {root: []} if root is not None else None
    result: dict[str, list[str]] = {}
    whole: set[str] = set()
    for path in paths:
        if (root := root_of(path)) is not None:
            relative = _relative(path, root)
            result.setdefault(root, []).append(relative)
            if relative == "./":
                whole.add(root)
        elif any(part.startswith(_OURS) for part in path.replace(os.sep, "/").split("/")):
            return None
    return {root: [] if root in whole else own for root, own in result.items()}


def _relative(path: str, root: str) -> str:
    if disk.is_folder(path):
        return os.path.relpath(disk.real(path), root).replace(os.sep, "/") + "/"
    folder = disk.real(os.path.dirname(path) or ".")
    return os.path.relpath(os.path.join(folder, os.path.basename(path)), root).replace(os.sep, "/")


def agreed(root: str) -> tuple[int, int] | None:
    """The tools in agreement and those of them that source leaves open, unless something has changed since."""
    if (record := load(root)) is None:
        return None
    tools, partly, files, folders, installed = record
    same = (
        all(disk.is_there(*disk.split(path)) for path in installed)
        and all(digest(*disk.upward(root, path)) == known for path, known in files.items())
        and all(listing(*disk.upward(root, path)) == known for path, known in folders.items())
    )
    return (tools, partly) if same else None


def agreement_message(tools: int, partly: int) -> str:
    """The message about ``tools`` in agreement; source does not settle every field of ``partly`` of them."""
    rest = f", {partly} of them only as far as source settles what is listed" if partly else ""
    return f"in agreement: {tools} tool{'' if tools == 1 else 's'}{rest}"


Record = tuple[int, int, dict[str, str], dict[str, str], list[str]]
"""The tools that agree and those of them that source leaves open, the digests of files and of folders, installations.

Paths are relative to the root.  A plain tuple, stored as text without quoting: ``dataclasses``, ``typing`` and ``json``
take longer to import than the whole question takes to answer.
"""


def dump(record: Record) -> bytes:
    """A record as bytes, its parts separated by zero bytes, which no path holds; pairs come after their number."""
    tools, partly, files, folders, installed = record
    parts = [str(tools), str(partly)]
    for pairs in (files, folders):
        parts += [str(len(pairs)), *(part for pair in pairs.items() for part in pair)]
    return "\0".join((*parts, *installed)).encode("utf-8", "surrogateescape")


def parse(content: bytes) -> Record:
    """The record in ``content``."""
    rest = iter(content.decode("utf-8", "surrogateescape").split("\0"))
    tools, partly = int(next(rest)), int(next(rest))
    files, folders = ({next(rest): next(rest) for _ in range(int(next(rest)))} for _ in range(2))
    return tools, partly, files, folders, [*rest]


def load(root: str) -> Record | None:
    """The record of the project at ``root``; ``None`` if there is none that this version has written."""
    content = kept.load(_FOLDER, kept.name_of(root), _FORM)
    return parse(content) if content is not None else None


def save(root: str, record: Record) -> bool:
    """Save a record; ``False`` where the cache cannot be written, which only costs time later."""
    return kept.save(_FOLDER, kept.name_of(root), _FORM, dump(record))


def digest(root: str, path: str) -> str:
    """The digest of a file's bytes; empty for a file that is not there or cannot be read."""
    try:
        return disk.digest(disk.read(root, path))
    except OSError:
        return ""


def listing(root: str, folder: str) -> str:
    """A digest of the names in a folder that can decide what code means or what is described."""
    try:
        names = [name for name, kind, _ in disk.listing(root, folder) if _counts(name, kind)]
    except OSError:
        return ""
    return disk.digest("\n".join(names).encode("utf-8", "surrogateescape"))


def _counts(name: str, kind: str) -> bool:
    if name.endswith((".py", ".json")) or name.startswith("requirements"):
        return True
    return not name.startswith((".", "__pycache__")) and "." not in name and kind == disk.FOLDER
