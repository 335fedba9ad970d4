"""The only way to the disk: pdmigrate reads, lists, writes, links and removes files only through this package.

A place is a root and a path below it, with ``/`` as separator.  The root is a folder that somebody named: a project, a
folder of the user's own (``user_folder``), this package, or a temporary folder.  What is below a root may be anybody's
work, and is not trusted: a path that leads out of the root by ``..`` or by links is refused, and so is a git
repository's own data; only regular files of a sensible size are read.  These checks hold at the moment when a file is
opened, not only before: folders are opened one below the other, and none of them through a link.

Where the system has no way to open a file relative to an open folder (Windows), links are resolved just before.

Hooks import this package on every commit: standard library only, and little of that.
"""

from __future__ import annotations

from pdmigrate.disk.digests import digest
from pdmigrate.disk.elsewhere import (
    installed,
    make_root,
    own_digest,
    packaged,
    program,
    releases_beside,
    scratch,
    silence,
    user_folder,
)
from pdmigrate.disk.places import ChangedError, RefusedError, Seen, is_git, noted, reading, resolved
from pdmigrate.disk.reading import (
    FILE,
    FOLDER,
    LARGEST,
    OTHER,
    changed_since,
    content,
    files,
    head,
    is_file,
    is_folder,
    is_link,
    is_repository,
    is_there,
    kind,
    lines,
    listing,
    names,
    read,
    real,
    split,
    status,
    upward,
)
from pdmigrate.disk.tracing import QUESTIONS, Question, Trace, asked, question, reached, repeat, tracing, tracing_part
from pdmigrate.disk.writing import (
    create,
    create_atomically,
    is_writable,
    keep,
    link,
    lockable,
    make_folder,
    put,
    remove,
    remove_folder,
    remove_tree,
    replace,
    sync,
)

__all__ = [
    "FILE",
    "FOLDER",
    "LARGEST",
    "OTHER",
    "QUESTIONS",
    "ChangedError",
    "Question",
    "RefusedError",
    "Seen",
    "Trace",
    "asked",
    "changed_since",
    "content",
    "create",
    "create_atomically",
    "digest",
    "files",
    "head",
    "installed",
    "is_file",
    "is_folder",
    "is_git",
    "is_link",
    "is_repository",
    "is_there",
    "is_writable",
    "keep",
    "kind",
    "lines",
    "link",
    "listing",
    "lockable",
    "make_folder",
    "make_root",
    "names",
    "noted",
    "own_digest",
    "packaged",
    "program",
    "put",
    "question",
    "reached",
    "read",
    "reading",
    "real",
    "releases_beside",
    "remove",
    "remove_folder",
    "remove_tree",
    "repeat",
    "replace",
    "resolved",
    "scratch",
    "silence",
    "split",
    "status",
    "sync",
    "tracing",
    "tracing_part",
    "upward",
    "user_folder",
]
