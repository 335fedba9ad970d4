"""How a command ends: every way out of it becomes an exit status and a message that says what to do next."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

from pdmigrate import disk
from pdmigrate.errors import PdmigrateError

P = ParamSpec("P")

DONE, TO_DO, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130


def guarded(command: Callable[P, int | None]) -> Callable[P, None]:
    """``command`` as a function that ends by ``SystemExit``, with the status it returned or that of its failure."""

    @functools.wraps(command)
    def ending(*args: P.args, **kwargs: P.kwargs) -> None:
        raise SystemExit(_status(lambda: command(*args, **kwargs)))

    return ending


def _status(run: Callable[[], int | None]) -> int:
    try:
        status = run() or DONE
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, a pager) has had enough; the interpreter must not complain when it flushes at exit.
        disk.silence(sys.stdout.fileno())
        return DONE
    except Exception as error:  # noqa: BLE001 - the one place where a mistake of ours is turned into words
        debugging = os.environ.get("PDMIGRATE_DEBUG", "") not in ("", "0")
        _say(_message(error, "" if debugging else " that PDMIGRATE_DEBUG=1 prints"))
        if debugging:
            import traceback

            traceback.print_exc()
        return COULD_NOT_RUN


def _message(error: Exception, how: str) -> str:
    """An error, for people to read; ``how`` they get a traceback."""
    if isinstance(error, PdmigrateError):
        code = f"[{error.code}]" if error.code else ""
        hint = f"\nhint: {error.hint}" if error.hint else ""
        more = f"\nhint: pdmigrate explain {error.code}" if error.code else ""
        return f"error{code}: {error.message}{hint}{more}"
    if isinstance(error, OSError) and error.filename is not None:
        is_closed = isinstance(error, PermissionError)
        hint = "check that you may read it, and write it if pdmigrate is to write it" if is_closed else "check the path"
        return f"error: {error.filename}: {error.strerror}\nhint: {hint}"
    return (
        f"error: {type(error).__name__}: {error}\n"
        "this is a mistake in pdmigrate, not in your project\n"
        f"hint: please report it with the command, `pdmigrate --version` and the traceback{how}"
    )


def _say(text: str) -> None:
    from pdmigrate.cli.terminal import talk

    talk(text, always=True)
