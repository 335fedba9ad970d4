"""In place of winreg, which exists on Windows only: a registry with no keys."""

from __future__ import annotations

from typing import NoReturn

HKEY_LOCAL_MACHINE = 0x80000002
HKEY_CURRENT_USER = 0x80000001
KEY_READ = 0x20019


def OpenKey(*_arguments: object, **_options: object) -> NoReturn:  # noqa: N802 - the name of the real one
    raise FileNotFoundError("this registry has no keys")


OpenKeyEx = OpenKey
QueryValueEx = OpenKey
