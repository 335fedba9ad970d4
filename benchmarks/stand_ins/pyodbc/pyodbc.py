"""In place of pyodbc, which is a binding to a driver manager in C: no connection can be made."""

from __future__ import annotations

from typing import NoReturn


class Error(Exception):
    pass


def connect(*_arguments: object, **_options: object) -> NoReturn:
    raise Error("there is no driver")
