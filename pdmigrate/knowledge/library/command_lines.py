"""The functions behind a command line, and the arguments that they are called with.

Command-line libraries call these functions, so nothing in the project does.  An option that may be given several times
has known values, each under a condition:
``@click.option("--apis", type=click.Choice(ALL), default=ALL, multiple=True)`` says which values the parameter holds if
the option is not given; if it is given, the parameter holds only the values that it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import Frame
from pdmigrate.evaluate.core.operations import evaluate, spread
from pdmigrate.evaluate.core.values import NONE, Arguments, FunctionValue, Guard, ListValue, Maybe, Value
from pdmigrate.evaluate.language.functions import unknown_arguments
from pdmigrate.tree.code.syntax import last_name

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule

LIBRARIES = frozenset({"click", "asyncclick", "rich_click", "typer", "cyclopts", "fire"})
_COMMAND = frozenset({"command", "default"})
_BEFORE = frozenset({"group", "callback", "meta"})
"""Decorators of functions that run before the command that the user chose."""
_RUNNERS = frozenset({"run", "Fire"})


def commands(module: SourceModule) -> list[tuple[cst.FunctionDef, ...]]:
    """The commands that a module declares with a command-line library: for each, the functions that run, in order.

    ``@app.command()`` and ``typer.run(main)`` declare a command; a function decorated with ``@app.callback()`` or
    ``@click.group()`` runs before it, or alone if the module declares no command.
    """
    functions = {node.name.value: node for node in module.tree.body if isinstance(node, cst.FunctionDef)}
    before = tuple(node for node in functions.values() if not _BEFORE.isdisjoint(_decorators(node)))
    chosen = [node for node in functions.values() if not _COMMAND.isdisjoint(_decorators(node))]
    for call in module.outline.calls_of(_RUNNERS):
        given = call.args[0].value if call.args else None
        if isinstance(given, cst.Name) and given.value in functions:
            chosen.append(functions[given.value])
    return [(*before, node) for node in dict.fromkeys(chosen)] or ([before] if before else [])


def _decorators(node: cst.FunctionDef) -> Iterator[str]:
    for item in node.decorators:
        made = item.decorator
        yield last_name(made.func if isinstance(made, cst.Call) else made)


def command_arguments(run: Interpreter, function: FunctionValue) -> Arguments:
    """The arguments for the function of an entry point: unknown, except where its options settle them."""
    arguments = unknown_arguments(function)
    node = function.node
    if not isinstance(node, cst.FunctionDef) or function.scope is None or function.module is None:
        return arguments

    frame = Frame(function.scope, function.module)
    keywords = dict(arguments.keywords)
    for decorator in node.decorators:
        call = decorator.decorator
        if not isinstance(call, cst.Call) or last_name(call.func) != "option":
            continue
        if evaluate(run, call.func, frame).library_name == "click.option":
            _settle(run, call, frame, keywords)
    return arguments._replace(keywords=keywords)


def _settle(run: Interpreter, call: cst.Call, frame: Frame, keywords: dict[str, Value]) -> None:
    """Fill in the parameter of one option, if it may be given several times and has a list as its default."""
    given = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    multiple = evaluate(run, given["multiple"], frame) if "multiple" in given else NONE
    option = next((arg.value for arg in call.args if arg.keyword is None), None)
    if not multiple.is_just(True) or "default" not in given or option is None:
        return
    text = evaluate(run, option, frame).text
    default = evaluate(run, given["default"], frame)
    if text is None or default.sequence is None:
        return
    name = text.lstrip("-").replace("-", "_")
    elements = spread(run, default)
    if name not in keywords or elements.uncertain is not None:
        return
    unknown = reasons.unknown(reasons.ARGUMENTS, f"the option {text} of the command", frame.place(call))
    guard = Guard(f"{text} is not given, or names it", unknown)
    keywords[name] = ListValue([Maybe(item, guard) for item in elements.items])
