"""The methods and constructor arguments of servers of the decorator families, and the events that each records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import leading_to, unwrapped
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Guard,
    ListValue,
    Maybe,
    Native,
    Origin,
    Place,
    SdkObject,
    Tolerant,
    UnknownValue,
    Value,
)
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.listing.replaying import replayed
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.recognise.sdk.objects import OWN_ATTRIBUTES, make_server, set_handler
from pdmigrate.recognise.servers.attributes import is_known
from pdmigrate.recognise.servers.composing import import_server, mount, visibility
from pdmigrate.recognise.servers.registered import TAMPERED, TOOL, Removal, ToolValue, Unfollowed
from pdmigrate.recognise.servers.registries import CLASSES, each, family_of, record
from pdmigrate.recognise.servers.tool_attributes import guarded, listed_value, named, tool_attribute
from pdmigrate.recognise.servers.tools import LISTING, MARK, is_function, listing_options, tool_of
from pdmigrate.recognise.servers.transforming import unfollowed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pdmigrate.evaluate.core.interpreter import Interpreter


def constructed(run: Interpreter, server: SdkObject, arguments: Arguments) -> None:
    """Record the tools, middleware and other events that the constructor's arguments register."""
    for name, value in arguments.keywords.items():
        if name == "tools":
            _add_all(run, server, value, arguments.place)
        elif name == "middleware":
            server.names["middleware"] = ListValue(*_copied(run, value))
        elif name in _KEPT:
            server.names[name] = value
        elif name in _UNFOLLOWED:
            reason = reasons.unknown(reasons.UNSUPPORTED, f"{name}= of the server", arguments.place)
            for event in unfollowed_in(value, reason, rewrites=name in ("transforms", "tool_transformations")):
                record(run, server, event)
    server.names.setdefault("middleware", ListValue())


_KEPT = frozenset({"include_tags", "exclude_tags", "on_duplicate_tools", "on_duplicate", "lifespan", *LISTING})
_UNFOLLOWED = frozenset({"providers", "transforms", "tool_transformations", "extensions", "list_page_size"})


def _copied(run: Interpreter, value: Value) -> tuple[list[Value], UnknownValue | None]:
    if value.is_just(None):
        return [], None
    elements = spread(run, value)
    return list(elements.items), elements.rest


def _add_all(run: Interpreter, server: SdkObject, value: Value, place: Place | None) -> None:
    items, rest = _copied(run, value)
    for item in items:
        add(run, server, item, {}, place)
    if rest is not None:
        record(run, server, Unfollowed(rest, rewrites=False))


def add(run: Interpreter, server: SdkObject, value: Value, options: dict[str, Value], place: Place | None) -> Value:
    """Register ``value``, a function or a tool; return the tool."""
    guards: list[Guard] = []
    while isinstance(value, Maybe):
        guards.append(value.guard)
        value = value.value

    def tool_from(item: Value) -> ToolValue:
        made = _tool_from(run, server, item, options, place)
        made.server = made.server or listing_options(run, server)
        return made

    made = each(run, value, tool_from)
    for more, tool in unwrapped(made):
        record(run, server, guarded(tool, (*guards, *more)))
    return made


def _tool_from(
    run: Interpreter, server: SdkObject, value: Value, options: dict[str, Value], place: Place | None
) -> ToolValue:
    if isinstance(value, ToolValue):
        return value
    function = value.unbound
    marked = function.names.get(MARK) if isinstance(function, FunctionValue) and server.type == FASTMCP.type else None
    if isinstance(marked, ToolValue) and not options:
        if value is marked.value or not isinstance(value, BoundMethod):
            return marked
        remade = tool_of(run, CLASSES[server.type], value, {}, place)
        remade.options = marked.options
        return remade
    return tool_of(run, CLASSES[server.type], value, options, place)


# --- methods ----------------------------------------------------------------------------------------------------------


def registry_attribute(run: Interpreter, server: SdkObject, name: str, place: Place | None) -> Value:
    """``server.name``"""
    if name in server.names and not name.startswith("<"):
        return server.names[name]
    method = _METHODS.get(name)
    if method is not None:
        return BoundMethod(Native(name, method), server)
    if name in ("_mcp_server", "_lowlevel_server"):
        return _low_level(run, server, name)
    if name in _MANAGERS:
        return SdkObject({"<server>": server}, None, MANAGER, place)
    if name in _READS:
        return _tools_unknown(server, name, place)
    if name in _RUNS:
        return BoundMethod(Tolerant(name, _started), server)
    if name in _APPLICATIONS:
        return BoundMethod(Tolerant(name, _application), server)
    if not is_known(name):
        raise run.failure("AttributeError", f"the server has no attribute {name}")
    if name.startswith("_") and "tool" in name:
        return _tools_unknown(server, name, place)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"{name} of the server", place)


def manager_attribute(_run: Interpreter, manager: SdkObject, name: str, place: Place | None) -> Value:
    """An attribute of the object in which a server keeps its tools: its methods act on the server."""
    server = manager.names["<server>"]
    assert isinstance(server, SdkObject)
    method = _MANAGER_METHODS.get(name) or _METHODS.get(name)
    if method is not None:
        return BoundMethod(Native(name, method), server)
    return _tools_unknown(server, name, place)


MANAGER = "the tool manager of a server"
_MANAGERS = frozenset({"_tool_manager", "_local_provider", "local_provider"})
_READS = frozenset({"providers", "_components", "_mounted_servers", "_providers"})
_RUNS = frozenset(
    {
        "run",
        "run_async",
        "run_stdio_async",
        "run_sse_async",
        "run_http_async",
        "run_streamable_http_async",
        "run_sse",
    }
)
_APPLICATIONS = frozenset({"http_app", "sse_app", "streamable_http_app"})


def _tools_unknown(server: SdkObject, name: str, place: Place | None) -> UnknownValue:
    """An unknown value that leads to the tools of ``server``: a change of it in place may change any of them."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name} of the server", place)
    return leading_to(unknown, server.names[TAMPERED])


def _listed(run: Interpreter, arguments: Arguments) -> Value:
    """``await server.list_tools()``: protocol objects with ``mcp``, the SDK's own tools with ``fastmcp``."""
    server = arguments.receiver
    return list_of(run, server, wire=server.type != FASTMCP.type)


def list_of(run: Interpreter, server: SdkObject, *, wire: bool) -> ListValue:
    replay = replayed(run, server)
    rest = None
    if replay.incomplete is not None or replay.rewritten is not None or replay.fields:
        rest = _tools_unknown(server, replay.incomplete or "the tools", None)
    return listed_value(run, () if replay.unordered else replay.tools, rest, wire=wire)


def _own_tools(run: Interpreter, arguments: Arguments) -> Value:
    """``_tool_manager.list_tools()``: a new list of the SDK's own tools."""
    return list_of(run, arguments.receiver, wire=False)


def _one_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``get_tool(name)``"""
    server, wanted = arguments.receiver, arguments.given(1, "name") or arguments.keywords.get("key", NONE)
    replay = replayed(run, server, visible_only=False)
    if not isinstance(wanted, Const):
        return _tools_unknown(server, "a tool", arguments.place)
    found = [tool for tool in replay.tools if tool.name == wanted.value]
    if len(found) == 1 and not found[0].guards and not replay.fields and replay.rewritten is None:
        return named(found[0])
    if not found and replay.incomplete is None and all(tool.name is not None for tool in replay.tools):
        return NONE
    return _tools_unknown(server, "a tool", arguments.place)


def _tools_by_name(run: Interpreter, arguments: Arguments) -> Value:
    """``await server.get_tools()`` of fastmcp 2: a dict of tools by name."""
    server = arguments.receiver
    if family_of(run, FASTMCP).major != 2:
        return _listed(run, arguments)
    tools = list_of(run, server, wire=False)
    entries: dict[Hashable, Entry] = {}
    for item in tools.items:
        inner = item.element
        name = inner.tool_name if isinstance(inner, ToolValue) else None
        if name is None:
            return _tools_unknown(server, "the tools", arguments.place)
        entries[name] = Entry(Const(name), item)
    return DictValue(entries, tools.rest)


def _harmless(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "the running server", arguments.place)


def _started(run: Interpreter, arguments: Arguments) -> Value:
    """A method that runs the server: from here on the server answers requests."""
    server = arguments.positional[0]
    if isinstance(server, SdkObject) and run.on_start is not None:
        run.on_start(server)
    return _harmless(run, arguments)


def _application(run: Interpreter, arguments: Arguments) -> Value:
    """The server as a web application: nothing that is done to the application changes the server's tools."""
    _started(run, arguments)
    return External("starlette.applications.Starlette()", origin=Origin("the web application", arguments.place))


def _low_level(run: Interpreter, server: SdkObject, name: str) -> Value:
    """The low-level server inside ``server``; the program may replace its handler of ``tools/list``."""
    if name != family_of(run, CLASSES[server.type]).low_level:
        raise run.failure("AttributeError", f"the server has no attribute {name}")

    known = server.names.get(LOW_LEVEL)
    if known is not None:
        return known
    inner = make_server(run, Arguments((), {}))
    inner.names["<owner>"] = server
    server.names[LOW_LEVEL] = inner
    default = Native(DEFAULT, lambda run, _arguments: _answer(run, server))
    if is_renamed(run.versions):
        set_handler(run, inner, Const("tools/list"), default)
    else:
        set_handler(run, inner, External("mcp.types.ListToolsRequest"), default)
    return inner


LOW_LEVEL = "<low-level>"
DEFAULT = "the SDK's own list handler"


def _answer(run: Interpreter, server: SdkObject) -> Value:
    """What the SDK's own handler of ``tools/list`` answers."""
    result = SdkObject({"tools": list_of(run, server, wire=True)}, None, "mcp.types.ListToolsResult")
    return result if is_renamed(run.versions) else SdkObject({"root": result}, None, "mcp.types.ServerResult")


def _tool(run: Interpreter, arguments: Arguments) -> Value:
    """``server.tool(...)`` in each of its forms."""
    server = arguments.receiver
    server_class = CLASSES[server.type]
    options = arguments.by_name(server_class.first, 1)
    first = options.pop("name_or_fn", NONE) if server_class.bare else options.get("name", NONE)
    if is_function(first) and not server_class.bare and not isinstance(first, UnknownValue):
        raise run.failure("TypeError", "the tool decorator has to be called")
    if is_function(first) and server_class.bare:
        return _result(run, server, first, add(run, server, first, options, arguments.place))
    if server_class.bare and first.text is not None:
        options["name"] = first

    def register(run: Interpreter, inner: Arguments) -> Value:
        function = inner.first
        more = {**options, **inner.keywords}
        return _result(run, server, function, add(run, server, function, more, inner.place or arguments.place))

    return Native("server.tool()", register)


def _result(run: Interpreter, server: SdkObject, function: Value, tool: Value) -> Value:
    """The value that the decorated name is bound to: fastmcp 2 binds its tool object, others the function."""
    keeps = server.type != FASTMCP.type or family_of(run, FASTMCP).major >= 3
    return function if keeps else tool


def _add_tool(run: Interpreter, arguments: Arguments) -> Value:
    server = arguments.receiver
    server_class = CLASSES[server.type]
    options = arguments.by_name(server_class.added, 1)
    function = options.pop("fn", None) or options.pop("tool", NONE)
    add(run, server, function, options, arguments.place)
    return NONE if server_class is not FASTMCP else function


def _remove_tool(run: Interpreter, arguments: Arguments) -> Value:
    record(run, arguments.receiver, Removal((arguments.given(1, "name") or NONE).text))
    return NONE


def _unfollowed(what: str, *, rewrites: bool) -> Callable[[Interpreter, Arguments], Value]:
    def note(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.receiver
        reason = reasons.unknown(reasons.UNSUPPORTED, f"{what} of the server", arguments.place)
        given = [*arguments.positional[1:2], *arguments.keywords.values()]
        for event in (
            unfollowed_in(given[0], reason, rewrites=rewrites) if len(given) == 1 else [Unfollowed(reason, rewrites)]
        ):
            record(run, server, event)
        return NONE

    return note


def _add_middleware(run: Interpreter, arguments: Arguments) -> Value:
    server, rest = arguments.receiver, arguments.positional[1:]
    chain = server.names["middleware"]
    if isinstance(chain, ListValue):
        run.trail.touch(chain)
        chain.items += rest or list(arguments.keywords.values())[:1]
    return NONE


def _identity_decorator(_run: Interpreter, arguments: Arguments) -> Value:
    """``server.resource(...)``, ``server.prompt``: registers a component other than a tool; returns the function."""
    if len(arguments.positional) > 1 and isinstance(arguments.positional[1], (FunctionValue, BoundMethod)):
        return arguments.positional[1]
    return Native("decorator", lambda _run, inner: inner.first)


_METHODS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    "tool": _tool,
    "add_tool": _add_tool,
    "remove_tool": _remove_tool,
    "mount": mount,
    "import_server": import_server,
    "enable": visibility(True),
    "disable": visibility(False),
    "add_middleware": _add_middleware,
    "add_transform": _unfollowed("a transform", rewrites=True),
    "add_tool_transformation": _unfollowed("a transform", rewrites=True),
    "add_provider": _unfollowed("a provider", rewrites=False),
    "resource": _identity_decorator,
    "prompt": _identity_decorator,
    "custom_route": _identity_decorator,
    "completion": _identity_decorator,
    "list_tools": _listed,
    "get_tools": _tools_by_name,
    "get_tool": _one_tool,
}
_MANAGER_METHODS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    "list_tools": _own_tools,
    "_list_tools": _own_tools,
    "get_tool": _one_tool,
}

OWN_ATTRIBUTES.update(dict.fromkeys(CLASSES, registry_attribute))
OWN_ATTRIBUTES[MANAGER] = manager_attribute
OWN_ATTRIBUTES[TOOL] = tool_attribute
