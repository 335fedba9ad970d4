"""The command line: options in, one function called, its result printed, an exit status out.

Exit status: 0 done or clean, 1 there is something to do or it fails the check, 2 the command could not run,
130 interrupted.
"""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = 3_000_000
"""The surplus of objects made over objects freed at which garbage is collected: some 400 MB of them, which only a
program that leaves garbage behind reaches.  Syntax trees are a million objects that live to the end; collecting after
every 700 objects takes a fifth of the time of a command, and after every 200,000 still a twelfth.
"""


def main() -> None:
    """The ``pdmigrate`` command.  Always ends by ``SystemExit``."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        # Scripts and bug reports ask for nothing else: this is not worth importing a command line library.
        from pdmigrate import __version__

        print(f"pdmigrate {__version__}")  # noqa: T201 - the answer itself
        raise SystemExit(0)
    if sys.argv[1:] in (["check"], ["sync"]):
        _end_if_agreed()
    sys.argv = _with_values(sys.argv)
    from pdmigrate.cli.guard import guarded

    gc.set_threshold(COLLECT_AFTER, 20, 100)

    def run() -> None:
        from pdmigrate.cli.app import app

        app(prog_name="pdmigrate")

    try:
        guarded(run)()
    finally:
        # Without this, Python collects garbage twice before it exits, which takes a tenth of the time of a command and
        # frees memory that the end of the process frees anyway.
        gc.freeze()


def _with_values(arguments: list[str]) -> list[str]:
    """The arguments with an empty value for a ``--live`` that has none: it stands for the command that is found."""
    following = (*arguments[1:], "-")
    alone = (one == "--live" and _is_no_command(after) for one, after in zip(arguments, following, strict=True))
    return [f"{one}=" if empty else one for one, empty in zip(arguments, alone, strict=True)]


def _is_no_command(word: str) -> bool:
    """Whether the word after ``--live`` is an option, or by its form a folder, and so the PATH of the command."""
    return word.startswith("-") or word in (".", "..") or (word.endswith("/") and len(word.split()) == 1)


def _end_if_agreed() -> None:
    """Exit if nothing in the project of this folder has changed since it was last found in agreement."""
    from pdmigrate.record import quick

    root = quick.root_of(".")
    agreed = quick.agreed(root) if root is not None else None
    if agreed is not None:
        print(quick.agreement_message(*agreed), file=sys.stderr)  # noqa: T201 - the talk
        raise SystemExit(0)
