"""Run the code that makes a server: its module, and the functions and methods that nothing calls at import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import call_with
from pdmigrate.evaluate.core.values import NONE, Arguments, ClassValue, Value
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.evaluate.language.functions import call_function, unknown_arguments
from pdmigrate.evaluate.language.imports import module_at
from pdmigrate.families import HANDLER_NAMES
from pdmigrate.knowledge.library.command_lines import command_arguments
from pdmigrate.recognise.sdk.objects import has_handler, servers_made
from pdmigrate.recognise.starting.entries import EntryPoint
from pdmigrate.tree.code.syntax import last_name

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.recognise.source.sites import CallSite
    from pdmigrate.tree.code.modules import SourceModule

MOST_ENTRIES = 6


def start(run: Interpreter, path: str, points: tuple[EntryPoint, ...], *, script: bool = False) -> EntryPoint | None:
    """Import the module at ``path`` the way the project's packaging does; return the entry point that led there.

    The modules that an entry point imports first may register tools with the server.  If no entry point leads to the
    module, run it by itself: as the main program if ``script`` is set and it acts as one, or if it makes its server so.

    Raises:
        SourceError: the module cannot be read or parsed.
        AbstractRaise: importing it certainly raises.
    """
    for point in points[:MOST_ENTRIES]:
        module = _file_of(run, point)
        if not module:
            continue
        if not point.function:
            run.assumed.script = module
        try:
            module_at(run, module, None)
        except AbstractRaise:
            continue
        if path in run.modules:
            return point
    own = run.index.at(path)
    if (script and acts_as_main(own)) or started_as_main(own):
        run.assumed.script = path
    module_at(run, path, None)
    run.run_module(path)
    return None


def acts_as_main(module: SourceModule) -> bool:
    """Whether a module has code at its top level that tests ``__name__`` in an ``if`` statement."""
    return b"__main__" in module.source.raw and any(
        module.outline.parents[test] is module.tree for test in _tests_of_name(module)
    )


def _tests_of_name(module: SourceModule) -> Iterator[cst.If]:
    """The innermost ``if`` statements around the mentions of ``__name__``."""
    for node in module.outline.names.get("__name__", ()):
        yield from islice(module.outline.around(node, cst.If), 1)


def started_as_main(module: SourceModule) -> bool:
    """Whether a call of the low-level server class stands in a top-level ``if`` statement that tests ``__name__``."""
    outline = module.outline
    for test in _tests_of_name(module):
        if not isinstance(outline.parents[test], cst.BaseSuite):
            calls = (call for call in outline.calls_of(HANDLER_NAMES) if last_name(call.func) in HANDLER_NAMES)
            if any(test in outline.above(call) for call in calls):
                return True
    return False


def enter(run: Interpreter, point: EntryPoint) -> None:
    """Import the module of an entry point and call its function.

    Raises:
        SourceError: the module cannot be read or parsed.
        AbstractRaise: importing it certainly raises.
    """
    path = _file_of(run, point)
    if path:
        if not point.function:
            run.assumed.script = path
        module_at(run, path, None)
        call_entry(run, point)


def _file_of(run: Interpreter, point: EntryPoint) -> str:
    """The file of an entry point's module; empty if the tree has none."""
    path = run.index.find(point.module, "pyproject.toml")
    return path if path is not None and not path.endswith("/") else ""


def call_entry(run: Interpreter, point: EntryPoint) -> None:
    """Call the function of an entry point with unknown arguments."""
    executed = run.modules.get(_file_of(run, point))
    if executed is None:
        return
    value = executed.scope.names.get(point.function)
    function = value.as_function if value is not None else None
    if function is None:
        # A decorator of a command-line library may have replaced the function.
        body = (node for node in executed.module.tree.body if isinstance(node, cst.FunctionDef))
        nodes = [node for node in body if node.name.value == point.function]
        function = next((run.defined.functions[node] for node in nodes if node in run.defined.functions), None)
    if function is not None:
        attempt(run, function, command_arguments(run, function))


def call_command(run: Interpreter, functions: Iterable[cst.FunctionDef]) -> None:
    """Call the functions of a command, as its command-line library does after it has parsed the arguments."""
    for node in functions:
        if (function := run.defined.functions.get(node)) is not None:
            attempt(run, function, command_arguments(run, function))


def drive(run: Interpreter, site: CallSite) -> None:
    """Run the definitions around ``site``, from the outermost in, with unknown arguments."""
    instance: Value | None = None
    for definition in site.inside:
        if servers_made(run, site.node):
            return
        if isinstance(definition, cst.ClassDef):
            instance = _instance(run, definition)
        else:
            _call_definition(run, definition, instance)


def _instance(run: Interpreter, definition: cst.ClassDef) -> Value | None:
    cls = run.defined.classes.get(definition)
    if cls is None:
        return None
    return run.defined.instance_of(cls) or attempt(run, cls, _constructor_arguments(cls))


def _constructor_arguments(cls: ClassValue) -> Arguments:
    for base in cls.lineage:
        init = base.names.get("__init__", NONE).as_function
        if init is not None:
            return unknown_arguments(init, skip_first=True)
    if cls.kind in ("plain", "enum"):
        return Arguments((), {})
    reason = f"{cls.name} is made by its caller"
    return Arguments((), {}, reasons.unknown(reasons.ARGUMENTS, reason))


def _call_definition(run: Interpreter, definition: cst.FunctionDef, instance: Value | None) -> None:
    if definition in run.calls.executed:
        return
    function = run.defined.functions.get(definition)
    if function is None:
        return
    if function.owner is None or function.kind == "static":
        attempt(run, function, unknown_arguments(function))
        return
    receiver: Value = instance or reasons.unknown(reasons.ARGUMENTS, f"the object that {function.name}() is called on")
    arguments = unknown_arguments(function, skip_first=True)
    if function.kind == "class":
        receiver = function.owner
    attempt(run, function, arguments._replace(positional=(receiver, *arguments.positional)))


def attempt(run: Interpreter, value: Value, arguments: Arguments) -> Value | None:
    """Call ``value``; ``None`` if the program raises."""
    function = value.as_function
    run.calls.never_leave_out((function.node if function is not None else None,))
    try:
        if function is not None:
            return awaited(run, call_function(run, function, arguments))
        return awaited(run, call_with(run, value, arguments))
    except AbstractRaise:
        return None


def drive_more(run: Interpreter, site: CallSite) -> None:
    """Run the module's other definitions until the server of ``site`` has a list handler."""
    for definition in _definitions(site.module):
        if definition in run.calls.executed:
            continue
        function = run.defined.functions.get(definition)
        owner = function.owner if function is not None else None
        instance = run.defined.instance_of(owner) if owner is not None else None
        if owner is not None and instance is None:
            attempted = attempt(run, owner, _constructor_arguments(owner))
            instance = attempted.as_instance if attempted is not None else None
        _call_definition(run, definition, instance)
        if any(map(has_handler, servers_made(run, site.node))):
            return


def _definitions(module: SourceModule) -> Iterator[cst.FunctionDef]:
    """The functions of the top level and the methods of its classes, in order."""
    for statement in module.tree.body:
        match statement:
            case cst.FunctionDef():
                yield statement
            case cst.ClassDef():
                yield from (item for item in statement.body.body if isinstance(item, cst.FunctionDef))
