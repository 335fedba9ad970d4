"""Modules of libraries whose functions change nothing that matters to what a server lists."""

from __future__ import annotations

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Arguments, External, Origin, Value
from pdmigrate.families import DISTRIBUTIONS

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
    """The result of a call of an inert function: an object that is inert, too, but parsed arguments are unknown."""
    if name.startswith("argparse.") and "parse" in name.rpartition(".")[2]:
        return reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
    return External(f"{name.removesuffix('()')}()", arguments, origin=Origin(f"{name}()", arguments.place))
