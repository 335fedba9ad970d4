"""``pdmigrate-check`` and ``pdmigrate-sync``: the commands that hooks run.

They are ``pdmigrate check`` and ``pdmigrate sync`` for the arguments that a hook passes, which are paths.  While
everything agrees they use nothing but the standard library; for such arguments they never import the command line
library.
"""

from __future__ import annotations

import os
import sys

from pdmigrate import disk
from pdmigrate.names import LOCK_PATH
from pdmigrate.record import quick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def check() -> None:
    """The ``pdmigrate-check`` command.  Always ends with ``SystemExit``."""
    _run("check", sys.argv[1:])


def sync() -> None:
    """The ``pdmigrate-sync`` command.  Always ends with ``SystemExit``."""
    _run("sync", sys.argv[1:])


def _run(command: str, arguments: Sequence[str]) -> None:
    paths = [_as_path(argument) for argument in arguments]
    if any(path.startswith("-") for path in paths):
        from pdmigrate.cli import main

        sys.argv = ["pdmigrate", command, *paths]
        main()
    wanted = quick.grouped(paths)
    if wanted is None and not paths and disk.is_repository("."):
        wanted = {}  # pre-commit names no file of a commit that only deletes some, and the projects are further down
    wraps = bool(quick.wrappers(paths)[0])
    agreed = (disk.is_file(root, LOCK_PATH) and quick.agreed(root) is not None for root in wanted or ())
    if not wraps and wanted is not None and all(agreed):
        raise SystemExit(0)
    from pdmigrate.cli.agreeing import Request, run
    from pdmigrate.cli.guard import guarded

    asked = tuple(paths) or tuple(wanted or ())
    request = Request(asked, fix=command == "sync", hook=True)
    guarded(lambda: run(request))()


def _as_path(argument: str) -> str:
    """``argument``, made a path if it looks like an option but names a file: anybody may commit ``--live=sh x.py``."""
    is_file = argument.startswith("-") and disk.is_there(".", argument)
    return os.path.join(".", argument) if is_file else argument
