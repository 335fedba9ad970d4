"""The servers that a program makes, of the SDKs' classes and of its own classes derived from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import INSTANCES, SUPER_ATTRIBUTES
from pdmigrate.evaluate.core.values import (
    INSIDE,
    NONE,
    Arguments,
    ClassValue,
    External,
    Instance,
    ListValue,
    Native,
    Origin,
    SdkObject,
    Value,
)
from pdmigrate.evaluate.language.classes import initialise
from pdmigrate.families import FASTMCP, DecoratedClass
from pdmigrate.recognise.sdk.objects import (
    MODELS,
    SERVER,
    UNKNOWN_ARGUMENTS,
    construct_server,
    make_server,
    sdk_attribute,
)
from pdmigrate.recognise.servers.methods import constructed
from pdmigrate.recognise.servers.record import (
    CLASSES,
    EVENTS,
    RECORD,
    REMOTE,
    SUBCLASS,
    TAMPERED,
    TOOL_CLASSES,
    Unfollowed,
    family_of,
    record,
    registry_in,
)
from pdmigrate.recognise.servers.tools import MARK, from_function, from_tool, is_function, tool_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def registry_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of calling a name of a decorator SDK; ``None`` if no rule covers the name."""
    name = function.name
    if name in CLASSES:
        return make_registry(run, CLASSES[name], arguments)
    head, _, last = name.rpartition(".")
    if last == "from_function" and head in TOOL_CLASSES:
        return from_function(run, TOOL_CLASSES[head], arguments)
    if last == "from_tool" and TOOL_CLASSES.get(head) is FASTMCP:
        return from_tool(run, arguments)
    if last in REMOTE and name.startswith("fastmcp."):
        made = make_registry(run, FASTMCP, Arguments((), {}, None, arguments.place))
        reason = reasons.unknown(reasons.INPUT_OUTPUT, f"{last}() takes tools from elsewhere", arguments.place)
        record(run, made, Unfollowed(reason))
        return made
    if name == "fastmcp.tools.tool" or name == "fastmcp.tools.function_tool.tool":
        return _standalone(run, arguments)
    if name.startswith(("fastmcp.", "mcp.")):
        _handed_over(run, name, arguments)
    return None


_HARMLESS = (
    "fastmcp.Client",
    "fastmcp.client.",
    "mcp.client.",
    "mcp.Client",
    "mcp.shared.",
    "fastmcp.utilities.logging",
)


def _handed_over(run: Interpreter, name: str, arguments: Arguments) -> None:
    """Record that a server is passed to ``name``, a function of the SDK that is not followed and may register tools."""
    if name.startswith(_HARMLESS):
        return
    for value in arguments.values:
        server = registry_in(value)
        if server is not None:
            unknown = reasons.unknown(reasons.UNSUPPORTED, f"it is handed to {name}()", arguments.place)
            record(run, server, Unfollowed(unknown))


def make_registry(run: Interpreter, server_class: DecoratedClass, arguments: Arguments) -> SdkObject:
    """A server object whose record holds what its constructor's arguments register."""
    tampered = SdkObject({}, None, "the tools of a server")
    names: dict[str, Value] = {EVENTS: ListValue(kind=RECORD), TAMPERED: tampered}
    names["name"] = arguments.given(0, "name") or NONE
    origin = Origin("server", arguments.place)
    server = SdkObject(names, None, server_class.type, arguments.place, run.nesting.loops > 0, origin=origin)
    run.made.add(server)
    if arguments.unknown is not None:
        # The unknown arguments may hold tools, but most such calls spread settings.
        names[UNKNOWN_ARGUMENTS] = arguments.unknown
    constructed(run, server, arguments)
    run.calls.never_leave_out_callers()
    return server


def initialised(run: Interpreter, server: SdkObject, arguments: Arguments) -> Value:
    """``super().__init__(...)`` in a class of the program that derives from a server class."""
    server.names["name"] = arguments.given(0, "name") or NONE
    constructed(run, server, arguments)
    return NONE


def _standalone(run: Interpreter, arguments: Arguments) -> Value:
    """``@tool`` of fastmcp 3: the function keeps its options until it is added to a server."""
    options = arguments.by_name(("name_or_fn",))
    first = options.pop("name_or_fn", NONE)

    def mark(run: Interpreter, inner: Arguments) -> Value:
        function = inner.first
        target = function.underlying.as_function
        made = tool_of(run, FASTMCP, function, options, arguments.place)
        if family_of(run, FASTMCP).major < 3:
            return made
        if target is not None:
            run.trail.touch(target)
            target.names[MARK] = made
        return function

    if is_function(first):
        return mark(run, arguments)
    if first.text is not None:
        options["name"] = first
    return Native("tool()", mark)


def instance_of_subclass(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value | None:
    """An instance of a program's class derived from an SDK class; unknown for models, ``None`` for other classes."""
    known = {SERVER, *CLASSES, *MODELS}
    base = next((each.library_name for each in cls.mro if each.library_name in known), None)
    if base is None:
        return None
    if base in MODELS:
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} derives from {base}", arguments.place)

    instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    bare = arguments._replace(positional=(), keywords={}, unknown=None)
    inner = make_server(run, bare) if base == SERVER else make_registry(run, CLASSES[base], bare)
    inner.names[SUBCLASS] = instance
    instance.names[INSIDE] = inner
    if cls.defines("__init__"):
        initialise(run, cls, instance, arguments)
    elif base == SERVER:
        construct_server(run, inner, arguments)
    else:
        initialised(run, inner, arguments)
    return instance


def super_of_sdk(run: Interpreter, base: Value, receiver: Value, name: str) -> Value | None:
    """``super().name`` where the next class in the MRO is the SDK's server class."""
    instance = receiver.as_instance
    inner = instance.names.get(INSIDE, NONE).as_sdk if instance is not None else None
    if inner is None or inner.type != base.library_name:
        return None
    if name == "__init__":

        def initialise(run: Interpreter, arguments: Arguments) -> Value:
            if inner.type != SERVER:
                return initialised(run, inner, arguments)
            construct_server(run, inner, arguments)
            return NONE

        return Native("super().__init__", initialise)
    return sdk_attribute(run, inner, name, None)


INSTANCES.append(instance_of_subclass)
SUPER_ATTRIBUTES.append(super_of_sdk)
