"""Methods and arguments of servers of the decorator families: what each of them records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.aliasing import leading_to
from pdmigrate.evaluate.iteration import spread
from pdmigrate.evaluate.registered import TAMPERED, Mounted, Removal, ToolValue, Unfollowed, Visibility
from pdmigrate.evaluate.registries import (
    EVENTS,
    FAMILIES,
    FASTMCP,
    MARK,
    MCP1,
    Family,
    by_name,
    each,
    fastmcp_major,
    is_function,
    record,
    registry_in,
    tool_of,
)
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.values import (
    NONE,
    Arguments,
    BoundMethod,
    Choice,
    Const,
    DictValue,
    FunctionValue,
    ListValue,
    Maybe,
    Native,
    Place,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pdmigrate.evaluate.interpreter import Interpreter


def constructed(run: Interpreter, server: SdkObject, family: Family, arguments: Arguments) -> None:
    """What the constructor's arguments register."""
    for name, value in arguments.keywords.items():
        if name == "tools":
            _add_all(run, server, value, arguments.place)
        elif name == "middleware":
            server.names["middleware"] = ListValue(*_copied(run, value))
        elif name in ("include_tags", "exclude_tags", "on_duplicate_tools", "on_duplicate", "lifespan"):
            server.names[name] = value
        elif name in _UNFOLLOWED and not (isinstance(value, Const) and value.value is None):
            reason = reasons.unknown(reasons.UNSUPPORTED, f"{name}= of the server", arguments.place)
            record(run, server, Unfollowed(reason, rewrites=name in ("transforms", "tool_transformations")))
    server.names.setdefault("middleware", ListValue())
    server.names["<family>"] = Const(family.type)


_UNFOLLOWED = frozenset({"providers", "transforms", "tool_transformations", "extensions", "list_page_size"})


def _copied(run: Interpreter, value: Value) -> tuple[list[Value], UnknownValue | None]:
    if isinstance(value, Const) and value.value is None:
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
    """Register ``value``, a function or a tool; the tool."""
    if isinstance(value, Maybe):
        inner = add_one(run, server, value.value, options, place)
        record(run, server, Maybe(inner, value.guard))
        return inner
    if isinstance(value, Choice):
        made = each(run, value, lambda item: add_one(run, server, item, options, place))
        for guarded in _sides(made):
            record(run, server, guarded)
        return made
    tool = add_one(run, server, value, options, place)
    record(run, server, tool)
    return tool


def _sides(value: Value) -> list[Value]:
    if isinstance(value, Choice):
        return [
            *(Maybe(side, value.guard) for side in _sides(value.first)),
            *(Maybe(side, value.guard.inverse()) for side in _sides(value.second)),
        ]
    return [value]


def add_one(run: Interpreter, server: SdkObject, value: Value, options: dict[str, Value], place: Place | None) -> Value:
    """``value`` as a tool of ``server``, not yet recorded."""
    if isinstance(value, ToolValue):
        return value
    function = value.function if isinstance(value, BoundMethod) else value
    marked = function.names.get(MARK) if isinstance(function, FunctionValue) and server.type == FASTMCP.type else None
    if isinstance(marked, ToolValue) and not options:
        if value is marked.value or not isinstance(value, BoundMethod):
            return marked
        remade = tool_of(run, value, {}, place)
        remade.options = marked.options
        return remade
    return tool_of(run, value, options, place)


def recording_attribute(run: Interpreter, value: SdkObject, name: str, place: Place | None) -> Value:
    """An attribute of a server, of its tool manager, or of a tool."""
    if value.type in FAMILIES:
        return registry_attribute(run, value, name, place)
    if value.type == MANAGER:
        return manager_attribute(value, name, place)
    assert isinstance(value, ToolValue)
    return _tool_attribute(value, name, place)


def _tool_attribute(tool: ToolValue, name: str, place: Place | None) -> Value:
    if name in tool.names:
        return tool.names[name]
    if name in ("fn", "__wrapped__"):
        return tool.value
    if name == "name" and tool.tool_name is not None:
        return Const(tool.tool_name)
    if name in ("enable", "disable"):
        return BoundMethod(Native(name, _switch(name == "enable")), tool)
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a tool", place)


def _switch(enabled: bool) -> Callable[[Interpreter, Arguments], Value]:
    def change(run: Interpreter, arguments: Arguments) -> Value:
        tool = arguments.positional[0]
        assert isinstance(tool, ToolValue)
        run.trail.touch(tool)
        tool.names["enabled"] = Const(enabled)
        return NONE

    return change


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
        return BoundMethod(Native(name, _started), server)
    return BoundMethod(Native(f"server.{name}", _harmless), server)


def manager_attribute(manager: SdkObject, name: str, place: Place | None) -> Value:
    """An attribute of what a server keeps its tools in: its methods are those of the server."""
    server = manager.names["<server>"]
    assert isinstance(server, SdkObject)
    method = _METHODS.get(name)
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
        "http_app",
        "sse_app",
        "streamable_http_app",
    }
)


def _tools_unknown(server: SdkObject, name: str, place: Place | None) -> UnknownValue:
    """What leads to the tools of ``server``: changing it in place changes any of them."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name} of the server", place)
    return leading_to(unknown, server.names[TAMPERED])


def _listed(_run: Interpreter, arguments: Arguments) -> Value:
    server = arguments.positional[0]
    assert isinstance(server, SdkObject)
    return _tools_unknown(server, "the tools", arguments.place)


def _harmless(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "the running server", arguments.place)


def _started(run: Interpreter, arguments: Arguments) -> Value:
    """From here on the server answers requests."""
    server = arguments.positional[0]
    if isinstance(server, SdkObject) and run.on_start is not None:
        run.on_start(server)
    return _harmless(run, arguments)


def _low_level(run: Interpreter, server: SdkObject, name: str) -> Value:
    from pdmigrate.evaluate.sdk_objects import make_server

    inner = make_server(run, Arguments((), {}))
    inner.names["<owner>"] = server
    run.trail.touch(server)
    server.names[name] = server.names["<low-level>"] = inner
    return inner


def _tool(run: Interpreter, arguments: Arguments) -> Value:
    """``server.tool(...)`` in each of its forms."""
    server = arguments.positional[0]
    assert isinstance(server, SdkObject)
    family = FAMILIES[server.type]
    options = by_name(family.first, arguments, 1)
    first = options.pop("name_or_fn", NONE) if family.bare else options.get("name", NONE)
    if is_function(first) and not isinstance(first, UnknownValue):
        if not family.bare:
            raise run.failure("TypeError", "the tool decorator has to be called")
        return _result(run, server, first, add(run, server, first, options, arguments.place))
    if isinstance(first, UnknownValue) and family.bare:
        return _result(run, server, first, add(run, server, first, options, arguments.place))
    if family.bare and isinstance(first, Const) and isinstance(first.value, str):
        options["name"] = first

    def register(run: Interpreter, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else NONE
        more = {**options, **inner.keywords}
        return _result(run, server, function, add(run, server, function, more, inner.place or arguments.place))

    return Native("server.tool()", register)


def _result(run: Interpreter, server: SdkObject, function: Value, tool: Value) -> Value:
    """What stands under the decorated name from here on: fastmcp 2 puts its tool object there."""
    keeps = server.type != FASTMCP.type or fastmcp_major(run) >= 3
    return function if keeps else tool


def _add_tool(run: Interpreter, arguments: Arguments) -> Value:
    server = arguments.positional[0]
    assert isinstance(server, SdkObject)
    family = FAMILIES[server.type]
    options = by_name(family.added, arguments, 1)
    function = options.pop("fn", None) or options.pop("tool", NONE)
    add(run, server, function, options, arguments.place)
    return NONE if family is not FASTMCP else function


def _remove_tool(run: Interpreter, arguments: Arguments) -> Value:
    server, *rest = arguments.positional
    assert isinstance(server, SdkObject)
    name = rest[0] if rest else arguments.keywords.get("name", NONE)
    plain = name.value if isinstance(name, Const) and isinstance(name.value, str) else None
    record(run, server, Removal(plain))
    return NONE


def _mount(run: Interpreter, arguments: Arguments) -> Value:
    """``server.mount(child, prefix)``; the child's tools are looked at when somebody asks."""
    server = arguments.positional[0]
    assert isinstance(server, SdkObject)
    if server.type != FASTMCP.type:
        return _harmless(run, arguments)
    options = by_name(("server", "prefix"), arguments, 1)
    child, prefix = options.get("server", NONE), options.get("prefix", options.get("namespace", NONE))
    if registry_in(child) is None and registry_in(prefix) is not None:
        child, prefix = prefix, child  # the order of fastmcp 2.0 to 2.8
    event = _mounting(run, child, prefix, options.get("tool_names"), arguments.place)
    record(run, server, event)
    return NONE


def _mounting(
    run: Interpreter, child: Value, prefix: Value, names: Value | None, place: Place | None
) -> Mounted | Unfollowed:
    inner = registry_in(child)
    if inner is None:
        unknown = first_unknown(child) or reasons.unknown(reasons.UNSUPPORTED, "what is mounted", place)
        return Unfollowed(unknown, rewrites=False)
    text = prefix.value if isinstance(prefix, Const) else None
    unknown_prefix = None if isinstance(prefix, Const) else first_unknown(prefix)
    renamed: dict[str, str] = {}
    if isinstance(names, DictValue) and names.exact:
        for entry in names.entries.values():
            if isinstance(entry.key, Const) and isinstance(entry.value, Const):
                renamed[str(entry.key.value)] = str(entry.value.value)
    elif names is not None and not (isinstance(names, Const) and names.value is None):
        unknown_prefix = unknown_prefix or reasons.unknown(reasons.UNSUPPORTED, "the names of mounted tools", place)
    del run
    return Mounted(inner, str(text or ""), renamed, unknown_prefix)


def _import_server(run: Interpreter, arguments: Arguments) -> Value:
    """``import_server``: the tools that the other server has now become tools of this one."""
    from pdmigrate.evaluate.replaying import replayed

    server = arguments.positional[0]
    assert isinstance(server, SdkObject)
    options = by_name(("server", "prefix"), arguments, 1)
    child, prefix = options.get("server", NONE), options.get("prefix", NONE)
    if registry_in(child) is None and registry_in(prefix) is not None:
        child, prefix = prefix, child
    event = _mounting(run, child, prefix, None, arguments.place)
    if isinstance(event, Unfollowed):
        record(run, server, event)
        return NONE
    listed = replayed(run, event.server, visible_only=fastmcp_major(run) >= 3)
    record(run, server, Mounted(_frozen(run, event.server, listed), event.prefix, {}, event.unknown))
    return NONE


def _frozen(run: Interpreter, server: SdkObject, listed: object) -> SdkObject:
    """A copy of ``server`` that keeps the record as it is now."""
    del run, listed
    events = server.names[EVENTS]
    assert isinstance(events, ListValue)
    names = {**server.names, EVENTS: ListValue(list(events.items), events.rest)}
    return SdkObject(names, server.rest, server.type, server.place)


def _visibility(enabled: bool) -> Callable[[Interpreter, Arguments], Value]:
    def change(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.positional[0]
        assert isinstance(server, SdkObject)
        for event in _criteria(run, enabled, arguments):
            record(run, server, event)
        return server

    return change


def _criteria(run: Interpreter, enabled: bool, arguments: Arguments) -> list[Value]:
    given: dict[str, frozenset[str] | None] = {}
    for name in ("names", "keys", "tags", "components"):
        value = arguments.keywords.get(name, NONE)
        texts = _texts(run, value)
        if isinstance(texts, UnknownValue):
            return [Unfollowed(texts, rewrites=False), Visibility(enabled, nothing=True)]
        given[name] = texts
    if "version" in arguments.keywords:
        unknown = reasons.unknown(reasons.UNSUPPORTED, "tools are shown by version", arguments.place)
        return [Unfollowed(unknown, rewrites=True)]
    components = given["components"]
    event = Visibility(
        enabled,
        given["tags"],
        given["names"],
        given["keys"],
        nothing=components is not None and "tool" not in components,
        everything=components is not None and not any(given[name] is not None for name in ("tags", "names", "keys")),
    )
    only = arguments.keywords.get("only")
    if isinstance(only, Const) and only.value is True:
        return [Visibility(False, everything=True), event]
    return [event]


def _texts(run: Interpreter, value: Value) -> frozenset[str] | UnknownValue | None:
    """The texts of a collection; ``None`` for ``None``."""
    if isinstance(value, Const) and value.value is None:
        return None
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    items: list[Value] = []
    if isinstance(value, SetValue):
        if not value.exact:
            return value.rest or reasons.unknown(reasons.CONDITION, "part of it depends on a condition")
        items = list(value.items.values())
    elif isinstance(value, (ListValue, TupleValue)):
        elements = spread(run, value)
        if elements.uncertain is not None:
            return elements.uncertain
        items = list(elements.items)
    texts = [item.value for item in items if isinstance(item, Const) and isinstance(item.value, str)]
    if len(texts) != len(items):
        return reasons.unknown(reasons.UNSUPPORTED, "what is enabled or disabled")
    return frozenset(texts)


def _unfollowed(what: str, *, rewrites: bool) -> Callable[[Interpreter, Arguments], Value]:
    def note(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.positional[0]
        assert isinstance(server, SdkObject)
        reason = reasons.unknown(reasons.UNSUPPORTED, f"{what} of the server", arguments.place)
        record(run, server, Unfollowed(reason, rewrites))
        return NONE

    return note


def _add_middleware(run: Interpreter, arguments: Arguments) -> Value:
    server, *rest = arguments.positional
    assert isinstance(server, SdkObject)
    chain = server.names["middleware"]
    if isinstance(chain, ListValue):
        run.trail.touch(chain)
        chain.items += rest or list(arguments.keywords.values())[:1]
    return NONE


def _identity_decorator(_run: Interpreter, arguments: Arguments) -> Value:
    """``server.resource(...)``, ``server.prompt``: registers something else, and gives the function back."""
    if len(arguments.positional) > 1 and isinstance(arguments.positional[1], (FunctionValue, BoundMethod)):
        return arguments.positional[1]
    return Native("decorator", lambda _run, inner: inner.positional[0] if inner.positional else NONE)


_METHODS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    "tool": _tool,
    "add_tool": _add_tool,
    "remove_tool": _remove_tool,
    "mount": _mount,
    "import_server": _import_server,
    "enable": _visibility(True),
    "disable": _visibility(False),
    "add_middleware": _add_middleware,
    "add_transform": _unfollowed("a transform", rewrites=True),
    "add_tool_transformation": _unfollowed("a transform", rewrites=True),
    "add_provider": _unfollowed("a provider", rewrites=False),
    "resource": _identity_decorator,
    "prompt": _identity_decorator,
    "custom_route": _identity_decorator,
    "completion": _identity_decorator,
    "list_tools": _listed,
    "get_tools": _listed,
    "get_tool": _listed,
    "_list_tools": _listed,
}

__all__ = ["MCP1", "TAMPERED", "add", "constructed", "registry_attribute"]
