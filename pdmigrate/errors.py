"""The exceptions that end a command; only the command line turns them into an exit status.

A finding (``findings.py``) is a statement about the user's project, and a run goes on after it. An error ends the run:
exit status 2, nothing written.
"""

from __future__ import annotations


class PdmigrateError(Exception):
    """A command could not run.

    ``message`` says what happened and where; ``hint`` says what to do next.  ``code`` is the finding code whose page
    explains the error, if there is one.
    """

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class UsageError(PdmigrateError):
    """The command line asks for something that makes no sense: an unknown tool, a path that does not exist."""


class ConfigError(PdmigrateError):
    """``[tool.pdmigrate]`` has an unknown key or a value that is not allowed, or its file cannot be read."""


class SourceError(PdmigrateError):
    """A file cannot be read, or cannot be edited without losing bytes; ``line`` is where, or 1 if that is not known."""

    def __init__(self, message: str, *, hint: str = "", code: str | None = None, line: int = 1) -> None:
        super().__init__(message, hint=hint, code=code)
        self.line = line


class StaleError(PdmigrateError):
    """A file is no longer what it was when the plan was made."""


class WriteError(PdmigrateError):
    """Writing failed or was refused: nothing is left changed, or the next command undoes it."""


class OutsideError(PdmigrateError):
    """Something outside the project is missing or does not answer: git, a server that does not start."""
