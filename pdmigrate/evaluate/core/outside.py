"""Why the values of names from outside the tree are unknown."""

from __future__ import annotations

import datetime
import decimal
import fractions
import ipaddress
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Arguments, UnknownValue, Value

MAKERS: dict[str, Callable[..., Any]] = {
    "datetime.date": datetime.date,
    "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time,
    "datetime.timezone": datetime.timezone,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "uuid.UUID": uuid.UUID,
    "pathlib.PurePosixPath": pathlib.PurePosixPath,
    **{
        f"ipaddress.{kind.__name__}": kind
        for kind in (
            ipaddress.IPv4Address,
            ipaddress.IPv4Interface,
            ipaddress.IPv4Network,
            ipaddress.IPv6Address,
            ipaddress.IPv6Interface,
            ipaddress.IPv6Network,
        )
    },
}


PATHS = frozenset({"pathlib.Path", "pathlib.PurePath"})


def unfollowed(name: str) -> UnknownValue | None:
    """Why a value derived from an object of ``MAKERS`` or ``PATHS`` is unknown: ``datetime.date().year``."""
    made, called, rest = name.partition("()")
    if not called or (made not in MAKERS and made not in PATHS):
        return None
    what = f"{rest.removeprefix('.')} of {made}(...)" if rest else f"what is done with {made}(...)"
    code = reasons.INPUT_OUTPUT if made in PATHS else reasons.UNSUPPORTED
    return reasons.unknown(code, f"{what} is not followed")


_VOLATILE = {
    "time": reasons.VOLATILE,
    "datetime": reasons.VOLATILE,
    "random": reasons.VOLATILE,
    "secrets": reasons.VOLATILE,
    "uuid": reasons.VOLATILE,
    "platform": reasons.PLATFORM,
    "locale": reasons.ENVIRONMENT,
    "socket": reasons.INPUT_OUTPUT,
    "urllib": reasons.INPUT_OUTPUT,
    "http": reasons.INPUT_OUTPUT,
    "subprocess": reasons.INPUT_OUTPUT,
    "sqlite3": reasons.INPUT_OUTPUT,
    "shutil": reasons.INPUT_OUTPUT,
    "tempfile": reasons.INPUT_OUTPUT,
    "glob": reasons.INPUT_OUTPUT,
    "argparse": reasons.ARGUMENTS,
    "getpass": reasons.ENVIRONMENT,
    "dotenv": reasons.ENVIRONMENT,
}


ATTRIBUTES_OUTSIDE = {
    "os.environ": (reasons.ENVIRONMENT, "the environment"),
    "os.name": (reasons.PLATFORM, "os.name depends on the platform"),
    "sys.platform": (reasons.PLATFORM, "sys.platform depends on the platform"),
    "sys.version_info": (reasons.PLATFORM, "sys.version_info depends on the interpreter"),
    "sys.version": (reasons.PLATFORM, "sys.version depends on the interpreter"),
    "sys.executable": (reasons.PLATFORM, "sys.executable depends on the machine"),
    "sys.argv": (reasons.ARGUMENTS, "sys.argv holds the arguments of the command"),
    "sys.modules": (reasons.UNSUPPORTED, "sys.modules"),
    "sys.path": (reasons.ENVIRONMENT, "sys.path"),
    "sys.stdin": (reasons.INPUT_OUTPUT, "sys.stdin"),
}


def outside_reason(name: str) -> tuple[str, str]:
    """The reason code and text for an unknown name from outside the tree."""
    scalar = unfollowed(name)
    if scalar is not None:
        return scalar.code, scalar.reason
    known = next(
        (reason for prefix, reason in ATTRIBUTES_OUTSIDE.items() if name == prefix or name.startswith(f"{prefix}.")),
        None,
    )
    if known is not None:
        return known
    code = _VOLATILE.get(name.partition(".")[0], reasons.OUTSIDE)
    texts = {
        reasons.OUTSIDE: "comes from outside the package",
        reasons.INPUT_OUTPUT: "is read from outside the program",
    }
    return code, f"{name} {texts.get(code, 'depends on where the server runs')}"


def unknown_call(name: str, arguments: Arguments) -> UnknownValue:
    """The unknown result of a call of ``name``, which the evaluator does not follow."""
    top = name.partition(".")[0]
    scalar = unfollowed(name)
    if scalar is not None:
        return reasons.unknown(scalar.code, scalar.reason, arguments.place)
    if name.startswith("os.environ") or name in ("os.getenv", "os.getcwd", "pathlib.Path.cwd", "pathlib.Path.home"):
        return reasons.unknown(reasons.ENVIRONMENT, f"{name}() depends on the environment", arguments.place)
    if top in _VOLATILE:
        texts = {
            reasons.VOLATILE: f"{name}() differs from run to run",
            reasons.PLATFORM: f"{name}() depends on the platform",
            reasons.INPUT_OUTPUT: f"{name}() reads from outside the program",
        }
        code = _VOLATILE[top]
        return reasons.unknown(code, texts.get(code, f"{name}() depends on how the server is started"), arguments.place)
    if top == "os":
        return reasons.unknown(reasons.INPUT_OUTPUT, f"{name}() depends on the machine", arguments.place)
    return reasons.unknown(reasons.OUTSIDE, f"{name}() comes from outside the package", arguments.place)


def made_outside(value: Value) -> UnknownValue:
    """The unknown value, with its reason, for a name that a library exports or an object that it made."""
    code, reason = outside_reason(value.library_name)
    return reasons.unknown(code, reason, value.made_at)
