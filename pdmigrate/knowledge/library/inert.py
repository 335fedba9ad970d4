"""Modules of libraries whose functions change nothing that matters to what a server lists."""

from __future__ import annotations

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import Arguments, External, Origin, Value
from pdmigrate.families import DISTRIBUTIONS

INERT = (
    *("logging", "warnings", "structlog", "loguru", "traceback", "rich", "faulthandler", "tracemalloc", "gc"),
    *("typing", "typing_extensions", "abc", "collections.abc", "builtins", "contextlib", "contextvars", "weakref"),
    *("atexit", "signal", "threading", "asyncio", "anyio", "nest_asyncio", "argparse"),
    *("sys.exit", "sys.stdout", "sys.stderr"),
    *("pydantic", "annotated_types", "jsonschema.FormatChecker", "jsonschema.exceptions", "jsonschema.validate"),
    *(f"jsonschema.Draft{draft}Validator" for draft in ("202012", "201909", "7", "6", "4")),
    *("starlette", "uvicorn", *DISTRIBUTIONS),
)
"""Modules, and names in modules, whose functions do not change their arguments and are taken not to raise."""


def inert(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in INERT)


def inert_result(name: str, arguments: Arguments) -> Value:
    """The result of a call of an inert function: an object as inert as that, but parsed arguments are unknown."""
    if name.startswith("argparse.") and "parse" in name.rpartition(".")[2]:
        return reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
    return External(f"{name.removesuffix('()')}()", arguments, origin=Origin(f"{name}()", arguments.place))
