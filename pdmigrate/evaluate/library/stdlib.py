"""What the evaluator knows of the standard library: small tables, and nothing that differs between Python versions."""

from __future__ import annotations

import math
import string

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import NAMES
from pdmigrate.evaluate.core.values import Arguments, Executing, External, Native, Origin, Value, const
from pdmigrate.evaluate.library import discovering, importing, regular_expressions, signatures
from pdmigrate.evaluate.library.files import os_path
from pdmigrate.evaluate.library.stdlib_functions import FUNCTIONS
from pdmigrate.families import DISTRIBUTIONS

NAMES.update({name: Native(name, function) for name, function in FUNCTIONS.items()})
NAMES.update({name: Executing(name, function) for name, function in importing.EXECUTING.items()})
NAMES.update(
    {
        f"os.path.{name}": os_path(name)
        for name in ("join", "dirname", "basename", "abspath", "realpath", "normpath", "exists", "isfile")
    }
)
NAMES.update(regular_expressions.NAMES)
NAMES.update({name: Native(name, function) for name, function in signatures.FUNCTIONS.items()})
NAMES.update(signatures.NAMES)
NAMES.update({name: Native(name, function) for name, function in discovering.FUNCTIONS.items()})
_CONSTANTS = [name for name in string.__all__ if isinstance(getattr(string, name), str)]
NAMES.update({f"string.{name}": const(getattr(string, name)) for name in _CONSTANTS})
NAMES.update({f"math.{name}": const(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")})
NAMES["typing.TYPE_CHECKING"] = const(False)
NAMES["typing_extensions.TYPE_CHECKING"] = const(False)
NAMES["os.sep"] = reasons.unknown(reasons.PLATFORM, "os.sep depends on the platform")


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
    *DISTRIBUTIONS,
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
"""Modules, and names in modules, whose functions do not change their arguments and are taken not to raise."""


def inert(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in INERT)


def inert_result(name: str, arguments: Arguments) -> Value:
    """The result of a call of an inert function: an object as inert as that, but parsed arguments are unknown."""
    if name.startswith("argparse.") and "parse" in name.rpartition(".")[2]:
        return reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
    return External(f"{name.removesuffix('()')}()", arguments, origin=Origin(f"{name}()", arguments.place))
