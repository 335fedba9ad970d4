"""The server to talk to, from the options of a command line."""

from __future__ import annotations

import shlex
from pathlib import Path

from pdmigrate.errors import UsageError
from pdmigrate.live.wire import HttpTarget, StdioTarget, Target


def target(where: str, variables: dict[str, str], headers: dict[str, str], cwd: Path | None = None) -> Target:
    """The server behind a command (split as a shell does, run without one, in ``cwd``) or a URL.

    Raises UsageError if a quotation mark in the command is not closed.
    """
    if where.startswith(("http://", "https://")):
        return HttpTarget(where, headers)
    return StdioTarget(words(where), variables, cwd)


def words(command: str) -> tuple[str, ...]:
    """A command as the words that a shell makes of it.  Raises UsageError if a quotation mark is not closed."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{command!r} is not a command: {error}", hint="close the quotation mark") from error


def pairs(option: str, separator: str, given: list[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` or ``NAME:VALUE`` texts as a mapping.  Raises UsageError if a text is not of that form."""
    found = {}
    for text in given or ():
        name, parted, value = text.partition(separator)
        if not parted or not name.strip():
            raise UsageError(f"{option} {text!r} has no value", hint=f"write it as NAME{separator}VALUE")
        found[name.strip()] = value.strip() if separator == ":" else value
    return found
