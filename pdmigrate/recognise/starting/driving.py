"""Run the code that makes a server: its module, and the functions and methods that nothing calls at import."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import call_with
from pdmigrate.evaluate.core.values import (
    Arguments,
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    SdkObject,
    Value,
    is_sdk,
)
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.evaluate.language.functions import call_function, unknown_arguments
from pdmigrate.evaluate.language.imports import module_at
from pdmigrate.evaluate.library.command_lines import command_arguments
from pdmigrate.families import HANDLER_NAMES
from pdmigrate.recognise.sdk.objects import SERVER, request_key
from pdmigrate.recognise.starting.entries import EntryPoint
from pdmigrate.sdk_names import canonical
from pdmigrate.tree.code.syntax import assigned, dotted, imported_aliases, last_name

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule

Definition = cst.FunctionDef | cst.ClassDef

LIST_TOOLS_REQUEST = request_key("ListToolsRequest")
LIST_TOOLS_METHOD = "tools/list"


@dataclass(frozen=True)
class CallSite:
    """A call in source, and the definitions around it, outermost first."""

    node: cst.Call
    inside: tuple[Definition, ...]


def call_sites(module: SourceModule, names: frozenset[str]) -> Iterator[CallSite]:
    """Calls of a name or attribute whose last part is one of ``names``."""
    for node in module.outline.calls_of(names):
        yield site_around(module, node)


def site_around(module: SourceModule, node: cst.Call) -> CallSite:
    """The call ``node`` with the definitions around it."""
    around = [item for item in module.outline.above(node) if isinstance(item, (cst.FunctionDef, cst.ClassDef))]
    return CallSite(node, tuple(reversed(around)))


def imported_names(module: SourceModule, wanted: str) -> frozenset[str]:
    """The local names under which ``wanted``, or a class derived from it, may be known in the module."""
    aliases = imported_aliases(module.outline)
    names = {wanted, *(local for _, alias, local in aliases if last_name(alias.name) == wanted)}
    for definition in module.outline.classes:
        if any(last_name(base.value) in names for base in definition.bases):
            names.add(definition.name.value)
    return frozenset(names.union(*(_renamed(module, name) for name in names)))


def _renamed(module: SourceModule, name: str) -> Iterator[str]:
    """The names that the module, or one of its classes, binds to the object called ``name``: ``FastMCP = Server``."""
    for node in module.outline.named(name, lambda _: False):
        targets, value = assigned(module.outline.parents[node])
        yield from (target.value for target in targets if value is node and isinstance(target, cst.Name))


def is_server_call(run: Interpreter, module: SourceModule, site: CallSite) -> bool:
    """Whether the call names the SDK's low-level server, by the executed module's bindings or a function's import."""
    function = site.node.func.value if isinstance(site.node.func, cst.Subscript) else site.node.func
    if not isinstance(function, cst.Name):
        return False
    executed = run.modules.get(module.path)
    value = executed.scope.names.get(function.value) if executed is not None else None
    if value is not None or not site.inside:
        return value is not None and value.library_name == SERVER
    return any(
        local == function.value and canonical(f"{dotted(statement.module)}.{last_name(alias.name)}") == SERVER
        for statement, alias, local in imported_aliases(module.outline)
        if statement.module is not None and not statement.relative
    )


def servers_made(run: Interpreter, node: cst.CSTNode) -> list[SdkObject]:
    return [made for made in run.made.get(node, []) if is_sdk(made, SERVER)]


def list_handler(server: SdkObject, request: Hashable = LIST_TOOLS_REQUEST) -> Value | None:
    """The registered list handler: its key is the request class until mcp 2.0, the method's name since."""
    handlers = server.names.get("request_handlers")
    if not isinstance(handlers, DictValue):
        return None
    entry = handlers.entries.get(request)
    return entry.value if entry is not None else None


def start(run: Interpreter, path: str, points: tuple[EntryPoint, ...], *, script: bool = False) -> EntryPoint | None:
    """Import the module at ``path`` the way the project's packaging does; return the entry point that led there.

    The modules that an entry point imports first may register tools with the server.  If no entry point leads to the
    module, run it by itself: as the main program if ``script`` is set and it acts as one, or if it makes its server so.

    Raises:
        SourceError: the module cannot be read or parsed.
        AbstractRaise: importing it certainly raises.
    """
    for point in points[:MOST_ENTRIES]:
        module = run.index.find(point.module, "pyproject.toml")
        if module is None or module.endswith("/"):
            continue
        if not point.function:
            run.script = module
        try:
            module_at(run, module, None)
        except AbstractRaise:
            continue
        if path in run.modules:
            return point
    own = run.index.at(path)
    if (script and acts_as_main(own)) or started_as_main(own):
        run.script = path
    module_at(run, path, None)
    run.run_module(path)
    return None


def acts_as_main(module: SourceModule) -> bool:
    """Whether a module has code at its top level that tests ``__name__`` in an ``if`` statement."""
    if b"__main__" not in module.source.raw:
        return False
    tests = (
        next((n for n in module.outline.above(node) if isinstance(n, cst.If)), None) for node in _own_names(module)
    )
    return any(test is not None and module.outline.parents[test] is module.tree for test in tests)


def _own_names(module: SourceModule) -> Sequence[cst.Name]:
    return module.outline.names.get("__name__", ())


def started_as_main(module: SourceModule) -> bool:
    """Whether a call of the low-level server class stands in a top-level ``if`` statement that tests ``__name__``."""
    for node in _own_names(module):
        test = next((n for n in module.outline.above(node) if isinstance(n, cst.If)), None)
        if test is None or isinstance(module.outline.parents[test], cst.BaseSuite):
            continue
        inside = (call for call in module.outline.calls_of(HANDLER_NAMES) if last_name(call.func) in HANDLER_NAMES)
        if any(test in module.outline.above(call) for call in inside):
            return True
    return False


MOST_ENTRIES = 6


def enter(run: Interpreter, point: EntryPoint) -> None:
    """Import the module of an entry point and call its function.

    Raises:
        SourceError: the module cannot be read or parsed.
        AbstractRaise: importing it certainly raises.
    """
    path = run.index.find(point.module, "pyproject.toml")
    if path is None or path.endswith("/"):
        return
    if not point.function:
        run.script = path
    module_at(run, path, None)
    call_entry(run, point)


def call_entry(run: Interpreter, point: EntryPoint) -> None:
    """Call the function of an entry point with unknown arguments."""
    path = run.index.find(point.module, "pyproject.toml")
    executed = run.modules.get(path or "")
    value = executed.scope.names.get(point.function) if executed is not None else None
    if executed is not None and not isinstance(value, FunctionValue):
        # A decorator of a command-line library may have replaced the function.
        nodes = [
            n for n in executed.module.tree.body if isinstance(n, cst.FunctionDef) and n.name.value == point.function
        ]
        value = next((f for node in nodes for f in run.functions.get(node, ())), value)
    if isinstance(value, FunctionValue):
        attempt(run, value, command_arguments(run, value))


def call_command(run: Interpreter, functions: Iterable[cst.FunctionDef]) -> None:
    """Call the functions of a command, as its command-line library does after it has parsed the arguments."""
    for node in functions:
        for function in run.functions.get(node, ())[:1]:
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
    cls = next((value for value in run.classes.get(definition, ())), None)
    if cls is None:
        return None
    if run.instances.get(cls):
        return run.instances[cls][-1]
    return attempt(run, cls, _constructor_arguments(cls))


def _constructor_arguments(cls: ClassValue) -> Arguments:
    for base in cls.lineage:
        init = base.names.get("__init__")
        if isinstance(init, FunctionValue):
            return unknown_arguments(init, skip_first=True)
    if cls.kind in ("plain", "enum"):
        return Arguments((), {})
    reason = f"{cls.name} is made by its caller"
    return Arguments((), {}, reasons.unknown(reasons.ARGUMENTS, reason))


def _call_definition(run: Interpreter, definition: cst.FunctionDef, instance: Value | None) -> None:
    if definition in run.executed:
        return
    function = next((value for value in run.functions.get(definition, ())), None)
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


def attempt(run: Interpreter, function: Value, arguments: Arguments) -> Value | None:
    """Call ``function``; ``None`` if the program raises."""
    run.kept.add(function.node if isinstance(function, FunctionValue) else None)
    try:
        if isinstance(function, FunctionValue):
            return awaited(run, call_function(run, function, arguments))
        return awaited(run, call_with(run, function, arguments))
    except AbstractRaise:
        return None


def drive_more(run: Interpreter, module: SourceModule, site: CallSite) -> SdkObject | None:
    """Run the module's other definitions until the server of ``site`` has a list handler."""
    for definition in _definitions(module):
        if isinstance(definition, cst.FunctionDef) and definition not in run.executed:
            owner = _owner(run, definition)
            instance = run.instances[owner][-1] if owner is not None and run.instances.get(owner) else None
            if owner is not None and instance is None:
                instance_value = attempt(run, owner, _constructor_arguments(owner))
                instance = instance_value if isinstance(instance_value, Instance) else None
            _call_definition(run, definition, instance)
            found = with_handler(run, site)
            if found is not None:
                return found
    return None


def with_handler(run: Interpreter, site: CallSite) -> SdkObject | None:
    return next((server for server in reversed(servers_made(run, site.node)) if has_handler(server)), None)


def has_handler(server: SdkObject) -> bool:
    """Whether a handler for listing tools is registered."""
    return any(list_handler(server, request) for request in (LIST_TOOLS_REQUEST, LIST_TOOLS_METHOD))


def _owner(run: Interpreter, definition: cst.FunctionDef) -> ClassValue | None:
    return next((value.owner for value in run.functions.get(definition, ())), None)


def _definitions(module: SourceModule) -> Iterator[Definition]:
    """The functions of the top level and the methods of its classes, in order."""
    for statement in module.tree.body:
        if isinstance(statement, cst.FunctionDef):
            yield statement
        elif isinstance(statement, cst.ClassDef):
            yield from (item for item in statement.body.body if isinstance(item, cst.FunctionDef))
