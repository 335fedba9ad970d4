"""The errors of minizinc, by name."""

from __future__ import annotations


class MiniZincError(Exception):
    pass


class SyntaxError(MiniZincError):  # noqa: A001 - the name that it is imported by
    pass


class TypeError(MiniZincError):  # noqa: A001 - the name that it is imported by
    pass
