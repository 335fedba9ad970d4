"""Calls of libraries: known functions answer, everything else is kept as it is written."""

from __future__ import annotations

import ast
import re

from pdmigrate.understand.demand.run import CALLS, LIBRARY, LIBRARY_RULES, Run, by_rules, entry
from pdmigrate.understand.demand.unfollowed import lose
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.core import ENVIRONMENT, INPUT_OUTPUT, OUTSIDE, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.outside import External, PathValue, Subscripted

_HARMLESS = (
    *("logging.", "warnings.", "typing.", "typing_extensions.", "json.", "re.", "os.path.", "pathlib.", "time."),
    *("datetime.", "pydantic.", "collections.abc.", "abc.", "enum.", "dataclasses.", "textwrap.", "sys.stderr"),
    *("sys.std", "loguru.", "structlog.", "signal.", "traceback.", "uuid.", "hashlib.", "base64.", "math.", "string."),
    *("types.", "contextlib.", "functools.", "inspect.", "dotenv.", "builtins.", "rich.", "annotated_types.", "copy."),
    *("operator.", "jsonschema.", "starlette.", "uvicorn.", "fastapi.", "httpx.", "aiohttp.", "tempfile.", "shutil."),
    *("sys.", "mcp.", "fastmcp.", "mcp_types.", "argparse.", "click.", "typer.", "contextvars.", "asyncio."),
    *("threading.", "anyio."),
)
"""Libraries that change nothing of what they are given: containers and objects of the program."""
_CALLING = (
    *("threading.", "signal.", "asyncio.", "anyio.", "contextvars.", "re.", "json.", "copy.", "contextlib."),
    *("logging.", "functools.cmp_to_key"),
)
"""Those of them that call the functions that they are given."""
_IN_PLACE = "add|and|concat|floordiv|lshift|matmul|mod|mul|or|pow|rshift|sub|truediv|xor"
_STORING = re.compile(
    rf"\.(__(set|del)(attr|item)__|__getattribute__|(__)?i({_IN_PLACE})(__)?|setitem|delitem)$|^builtins\.(list|dict|set)\."
)
"""The functions of those libraries that do change what they are given, or give away how that is done."""
_OUTSIDE_WORLD = {
    **dict.fromkeys(("open", "input", "builtins.open", "builtins.input"), INPUT_OUTPUT),
    **dict.fromkeys(("os.getenv", "os.environ"), ENVIRONMENT),
}


def call_external(run: Run, function: External, arguments: Arguments) -> Value:
    """The result of calling an object of a library."""
    known = LIBRARY.get(function.name)
    if known is not None:
        return known(run, arguments)
    if (made := by_rules(LIBRARY_RULES, run, function.name, arguments)) is not None:
        return made
    run.risk = True
    run.written.update(item for item in arguments.all if isinstance(item, PathValue))
    for name, code in _OUTSIDE_WORLD.items():
        if function.name.startswith(name):
            return run.unsettled(f"it depends on {function.name}", code)
    why = run.unsettled(f"it is passed to {function.name}()", OUTSIDE)
    if not function.name.startswith((*_HARMLESS, "atexit.")) or _STORING.search(function.name):
        run.hand_over(arguments.all, why)
    elif function.name.startswith(_CALLING):
        run.may_call(arguments.all, why)
    if arguments.unknown is not None and not function.name.startswith("pydantic"):
        return Unknown(f"the result of {function.name}(), whose arguments are not known", OUTSIDE, run.site())
    # A function that is decorated by a library may be replaced by anything.
    return arguments.kept(function.name, arguments.site or run.site())


library = entry(LIBRARY)
"""Enters a function of a library under its dotted names."""


def given_up(run: Run, arguments: Arguments) -> Value:
    """The result of a function of a library that may call or change what it gets, and is not followed."""
    called = chain(arguments.node.func) if isinstance(arguments.node, ast.Call) else ""
    why = run.risky(f"the result of {called}()" if called else "the result of a function of a library")
    lose(run, arguments.all, why)
    run.disturb(arguments.all, why)
    return unsettled(why, *arguments.all)


def keep(callee: str, run: Run, arguments: Arguments) -> Value:
    """The call of a library as it is written."""
    return arguments.kept(callee, run.site())


library("builtins.filter", "builtins.map", "functools.reduce", "functools.partialmethod")(given_up)
library("types.new_class")(given_up)
library("collections.defaultdict")(given_up)
CALLS[External] = call_external
CALLS[Subscripted] = lambda run, value, arguments: run.call(value.base, arguments)
