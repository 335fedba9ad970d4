"""The command line: options in, one function called, its result printed, an exit status out.

Exit status: 0 done or clean, 1 there is something to do or it fails the check, 2 the command could not run,
130 interrupted.
"""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = 3_000_000
"""How many more objects are made than freed between two garbage collections: as many as fill some 400 MB, which only a
program that leaves garbage behind comes to.  Syntax trees are a million objects that live to the end; a collection
every 700 objects takes a fifth of the time of a command, and every 200,000 still a twelfth.
"""


def main() -> None:
    """The ``pdmigrate`` command.  Always ends by ``SystemExit``."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        # Asked by scripts and bug reports before anything else: not worth the import of a command line library.
        from pdmigrate import __version__

        print(f"pdmigrate {__version__}")  # noqa: T201 - the answer itself
        raise SystemExit(0)
    if sys.argv[1:] in (["check"], ["sync"]):
        _end_if_agreed()
    from pdmigrate.cli.frames import with_room
    from pdmigrate.cli.guard import guarded

    gc.set_threshold(COLLECT_AFTER, 20, 100)

    def run() -> None:
        from pdmigrate.cli.app import app

        app(prog_name="pdmigrate")

    try:
        with_room(guarded(run))
    finally:
        # The process ends, and its memory with it: without this, Python would collect garbage twice before that, which
        # takes a tenth of the time of a command.
        gc.freeze()


def _end_if_agreed() -> None:
    """End a ``check`` or ``sync`` of this folder if nothing has changed since everything in it agreed."""
    from pdmigrate.record import quick

    root = quick.root_of(".")
    agreed = quick.agreed(root) if root is not None else None
    if agreed is not None:
        print(quick.told(*agreed), file=sys.stderr)  # noqa: T201 - the talk
        raise SystemExit(0)
