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
    wanted = quick.grouped(paths) if paths else _here()
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


def _here() -> list[str] | None:
    """The project of the current folder, or else those below it that git knows; ``None`` where there is no git."""
    root = quick.root_of(".")
    if root is not None:
        return [root]
    from pdmigrate.disk.vcs.git import roots

    found = roots(".")
    return None if found is None else [disk.real(root) for root in found]
