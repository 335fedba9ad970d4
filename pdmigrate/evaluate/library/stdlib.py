"""What the evaluator knows of the standard library: small tables, and nothing that differs between Python versions."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import (
    Arguments,
    Executing,
    External,
    Native,
    Origin,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.library import discovering, importing, regular_expressions, signatures
from pdmigrate.evaluate.library.files import os_path
from pdmigrate.evaluate.library.scalars import unfollowed
from pdmigrate.evaluate.library.stdlib_functions import FUNCTIONS

if TYPE_CHECKING:
    pass


_NAMES: dict[str, Value] = {name: Native(name, function) for name, function in FUNCTIONS.items()}
_NAMES.update({name: Executing(name, function) for name, function in importing.EXECUTING.items()})
_NAMES.update(
    {
        f"os.path.{name}": os_path(name)
        for name in ("join", "dirname", "basename", "abspath", "realpath", "normpath", "exists", "isfile")
    }
)
_NAMES.update(regular_expressions.NAMES)
_NAMES.update({name: Native(name, function) for name, function in signatures.FUNCTIONS.items()})
_NAMES.update(signatures.NAMES)
_NAMES.update({name: Native(name, function) for name, function in discovering.FUNCTIONS.items()})
_CONSTANTS = [name for name in string.__all__ if isinstance(getattr(string, name), str)]
_NAMES.update({f"string.{name}": const(getattr(string, name)) for name in _CONSTANTS})
_NAMES.update({f"math.{name}": const(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")})
_NAMES["typing.TYPE_CHECKING"] = const(False)
_NAMES["typing_extensions.TYPE_CHECKING"] = const(False)
_NAMES["os.sep"] = reasons.unknown(reasons.PLATFORM, "os.sep depends on the platform")

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
_ATTRIBUTES = {
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


def known_name(name: str) -> Value | None:
    """The value of a name of the standard library (or of pydantic), where the evaluator knows one."""
    found = _NAMES.get(name)
    if found is not None:
        return found
    if name in _ATTRIBUTES and name != "os.environ":
        return reasons.unknown(*_ATTRIBUTES[name])
    return None


INERT = (
    "logging",
    "warnings",
    "typing",
    "typing_extensions",
    "abc",
    "atexit",
    "signal",
    "traceback",
    "threading",
    "asyncio",
    "anyio",
    "contextlib",
    "contextvars",
    "weakref",
    "builtins",
    "argparse",
    "collections.abc",
    "pydantic",
    "annotated_types",
    "structlog",
    "loguru",
    "sys.exit",
    "sys.stdout",
    "sys.stderr",
    "gc",
    "mcp",
    "fastmcp",
    "starlette",
    "uvicorn",
    "rich",
    "tracemalloc",
    "faulthandler",
    "nest_asyncio",
    "jsonschema.Draft202012Validator",
    "jsonschema.Draft201909Validator",
    "jsonschema.Draft7Validator",
    "jsonschema.Draft6Validator",
    "jsonschema.Draft4Validator",
    "jsonschema.FormatChecker",
    "jsonschema.exceptions",
    "jsonschema.validate",
)
"""Modules whose functions do not change what they are handed, and are taken not to raise."""


def inert(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in INERT)


def inert_result(name: str, arguments: Arguments) -> Value:
    """What a call of an inert function gives: an object that is as inert, but for parsed arguments."""
    if name.startswith("argparse.") and "parse" in name.rpartition(".")[2]:
        return reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
    return External(f"{name.removesuffix('()')}()", arguments, origin=Origin(f"{name}()", arguments.place))


def outside_reason(name: str) -> tuple[str, str]:
    """The code and the text for a name from outside whose value is not known."""
    scalar = unfollowed(name)
    if scalar is not None:
        return scalar.code, scalar.reason
    known = next(
        (reason for prefix, reason in _ATTRIBUTES.items() if name == prefix or name.startswith(f"{prefix}.")), None
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
    """The result of a call that the evaluator does not know."""
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
        return reasons.unknown(reasons.INPUT_OUTPUT, f"{name}() asks the machine", arguments.place)
    return reasons.unknown(reasons.OUTSIDE, f"{name}() comes from outside the package", arguments.place)
