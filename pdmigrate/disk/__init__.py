"""The only way to the disk: pdmigrate reads, lists, writes and removes files only through this package.

A place is a root and a path below it, with ``/`` as separator.  The root is a folder that somebody named: a project, a
folder of the user's own (``user_folder``), this package, or a temporary folder.  What is below a root may be anybody's
work, and is not trusted: a path that leads out of the root by ``..`` or by links is refused, and so is a git
repository's own data; only regular files of a sensible size are read.  These checks hold at the moment when a file is
opened, not only before: folders are opened one below the other, and none of them through a link.

Where the system has no way to open a file relative to an open folder (Windows), links are resolved just before.

Hooks import this package on every commit: standard library only, and little of that.
"""

from __future__ import annotations

from pdmigrate.disk.elsewhere import installed as installed
from pdmigrate.disk.elsewhere import make_root as make_root
from pdmigrate.disk.elsewhere import own_digest as own_digest
from pdmigrate.disk.elsewhere import packaged as packaged
from pdmigrate.disk.elsewhere import program as program
from pdmigrate.disk.elsewhere import silence as silence
from pdmigrate.disk.elsewhere import user_folder as user_folder
from pdmigrate.disk.places import ChangedError as ChangedError
from pdmigrate.disk.places import RefusedError as RefusedError
from pdmigrate.disk.places import Seen as Seen
from pdmigrate.disk.places import is_git as is_git
from pdmigrate.disk.places import noted as noted
from pdmigrate.disk.places import reading as reading
from pdmigrate.disk.places import resolved as resolved
from pdmigrate.disk.reading import FILE as FILE
from pdmigrate.disk.reading import FOLDER as FOLDER
from pdmigrate.disk.reading import LARGEST as LARGEST
from pdmigrate.disk.reading import above as above
from pdmigrate.disk.reading import changed_since as changed_since
from pdmigrate.disk.reading import content as content
from pdmigrate.disk.reading import content_or_empty as content_or_empty
from pdmigrate.disk.reading import head as head
from pdmigrate.disk.reading import is_file as is_file
from pdmigrate.disk.reading import is_folder as is_folder
from pdmigrate.disk.reading import is_link as is_link
from pdmigrate.disk.reading import is_repository as is_repository
from pdmigrate.disk.reading import is_there as is_there
from pdmigrate.disk.reading import kind as kind
from pdmigrate.disk.reading import listing as listing
from pdmigrate.disk.reading import names as names
from pdmigrate.disk.reading import read as read
from pdmigrate.disk.reading import real as real
from pdmigrate.disk.reading import signatures as signatures
from pdmigrate.disk.reading import split as split
from pdmigrate.disk.reading import status as status
from pdmigrate.disk.reading import upward as upward
from pdmigrate.disk.tracing import QUESTIONS as QUESTIONS
from pdmigrate.disk.tracing import Question as Question
from pdmigrate.disk.tracing import Trace as Trace
from pdmigrate.disk.tracing import asked as asked
from pdmigrate.disk.tracing import digest as digest
from pdmigrate.disk.tracing import question as question
from pdmigrate.disk.tracing import repeat as repeat
from pdmigrate.disk.tracing import tracing as tracing
from pdmigrate.disk.writing import create as create
from pdmigrate.disk.writing import is_writable as is_writable
from pdmigrate.disk.writing import keep as keep
from pdmigrate.disk.writing import lockable as lockable
from pdmigrate.disk.writing import make_folder as make_folder
from pdmigrate.disk.writing import put as put
from pdmigrate.disk.writing import remove as remove
from pdmigrate.disk.writing import remove_folder as remove_folder
from pdmigrate.disk.writing import remove_tree as remove_tree
from pdmigrate.disk.writing import replace as replace
from pdmigrate.disk.writing import sync as sync
