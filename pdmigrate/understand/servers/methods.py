"""The attributes and methods of servers: each call is an event that decides what is listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pdmigrate.sdk.families import FASTMCP, SERVER, DecoratedClass
from pdmigrate.sdk.names import TYPES, is_within
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.flow import conditionally
from pdmigrate.understand.demand.run import ATTRIBUTES, SETTERS, RaisedError, Run
from pdmigrate.understand.servers.composing import Method, add_middleware, mount, note_unfollowed, show, unfollowed
from pdmigrate.understand.servers.making import CONSTRUCTED, lost, note, running
from pdmigrate.understand.servers.objects import (
    DecoratedHandler,
    Opaque,
    Registered,
    Removed,
    ServerValue,
    ToolValue,
    Visibility,
    is_function,
    is_plain,
    is_renamed,
    new_tool,
)
from pdmigrate.understand.servers.offered import refuse_missing
from pdmigrate.understand.servers.overriding import starting
from pdmigrate.understand.types.functions import first_parameter
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.core import MUTATED, NONE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, describe, text_of
from pdmigrate.understand.values.outside import Called, External

_REQUESTS = {"list_tools": "ListToolsRequest", "call_tool": "CallToolRequest"}
LOW_REGISTRATIONS = frozenset(
    {
        *("list_resources", "read_resource", "list_resource_templates", "list_prompts", "get_prompt", "completion"),
        *("set_logging_level", "subscribe_resource", "unsubscribe_resource", "progress_notification", *_REQUESTS),
    }
)


def bound(server: ServerValue, name: str, method: Method) -> Native:
    return Native(f"server.{name}", lambda run, arguments: method(run, server, arguments))


def _attribute(run: Run, server: ServerValue, name: str) -> Value:
    if name in server.attributes.data:
        return _set_before(run, server, name, server.attributes.data[name])
    if server.cls is SERVER:
        return _low_attribute(run, server, name)
    refuse_missing(run, "server", server.family, name)
    if name in METHODS:
        known = run.memory.setdefault((server, name), bound(server, name, METHODS[name]))
        assert isinstance(known, Native)
        return known  # one object each time, which a program may keep and put back
    if name in HOLDERS:
        return HOLDERS[name](server)
    if name in ("_mcp_server", "_lowlevel_server") and server.below is not None:
        return server.below
    if name in _QUIET or name.startswith(("run", "http_app", "sse_app", "streamable_http")):
        return _started(server, name)
    private = name.startswith("_") and not name.startswith("__")
    if private and not name.startswith((*_SDK_PRIVATE, *_APART)):
        raise RaisedError("builtins.AttributeError", f"a server has no {name}", run.site())
    public = not name.startswith("_") and any(part in name for part in ("tool", "provider", "middleware", "_tags"))
    by_text = name in ("__dict__", "__getattribute__", "__setattr__", "__delattr__")
    if public or by_text or (private and name.startswith(_SDK_PRIVATE)):
        return lost(run, server, f"{name} of the server is used")
    return run.unsettled(f"{name} of the server is used", MUTATED)


def _set_before(run: Run, server: ServerValue, name: str, value: Value) -> Value:
    """What the program has put under a name of the server; if that is not known, using it may do anything."""
    bare = value.why if isinstance(value, Maybe) else value
    if name != "name" and isinstance(bare, Unknown) and (name in METHODS or name.startswith("_")):
        note(run, server, Opaque(bare, rewrites=True))
    return bare


_SDK_PRIVATE = tuple(
    f"_{name}"
    for name in (
        *("tool", "mcp", "list", "handle", "setup", "provider", "local", "cache", "transform", "middleware", "_"),
        *("additional", "mount", "lowlevel", "get", "call", "run", "component", "add", "on_", "import", "is_", "has"),
        *("should", "apply", "read", "make", "include", "exclude", "original", "server"),
    )
)
"""How those private attributes of the SDKs' servers begin that have to do with their tools."""
_APART = tuple(
    f"_{name}"
    for name in (
        *("docket", "lifespan", "resource", "prompt", "auth", "session", "custom", "started", "token", "event"),
        *("retry", "deprecated", "task", "worker", "warn", "strict", "http", "sse", "instructions", "name"),
        *("version", "state"),
    )
)
"""How their other private attributes begin; a program's own marks on a server have other names."""
_QUIET = frozenset(
    {
        *("settings", "instructions", "version", "session_manager", "add_resource", "add_prompt", "get_context"),
        *("add_resource_fn", "add_template", "call_tool", "icons", "website_url", "list_resources", "list_prompts"),
        *("read_resource", "auth", "dependencies", "remove_resource", "custom_starlette_routes", "title"),
        *("list_resource_templates", "_custom_starlette_routes"),
    }
)


def _started(server: ServerValue, name: str) -> Value:
    runs = name.startswith("run")

    def act(run: Run, arguments: Arguments) -> Value:
        if runs or name.startswith(("http_app", "sse_app", "streamable")):
            count = len(server.starts)
            if (own := starting(server, name)) is not None:
                run.call(own, Arguments([]))
            server.started = True
            if len(server.starts) > count:
                return NONE
            if runs:
                server.starts.append((run.site(), {part: part.save() for part in (server, server.handlers)}))
            if not runs or name.endswith("_async") or server.cls is SERVER:
                server.starts.append((run.site(), {}))  # it runs when something else awaits it, or calls it
        return Called(f"server.{name}()", tuple(arguments.positional), (), run.site())

    if name == "settings":
        return External("<settings>")
    return Native(f"server.{name}", act)


_HARMFUL = {
    *("list_tools", "add_tool", "request_handlers", "_request_handlers", "middleware", "include_tags", "exclude_tags")
}


def _set(run: Run, server: ServerValue, name: str, value: Value) -> None:
    run.journal.touch(server.attributes)
    server.attributes.data[name] = value
    if (name.startswith(_SDK_PRIVATE) or name in _HARMFUL) and name not in ("_lifespan", "lifespan"):
        lost(run, server, f"{name} of the server is replaced")


# --- low-level servers ------------------------------------------------------------------------------------------------


def _low_attribute(run: Run, server: ServerValue, name: str) -> Value:
    if name in (_UNTIL_2 if is_renamed(run.versions) else _SINCE_2):
        raise RaisedError("builtins.AttributeError", f"a Server of mcp {run.versions['mcp']} has no {name}", run.site())
    if name in LOW_REGISTRATIONS:
        request = External(f"{TYPES}.{_REQUESTS.get(name, name)}")

        def register(run: Run, arguments: Arguments) -> Value:
            handler = DecoratedHandler(f"the handler {name}", running, arguments.first, request)
            run.journal.touch(server.handlers)
            server.handlers.data[request] = (request, handler)
            return arguments.first

        return Native(f"server.{name}", lambda _run, _arguments: Native(f"server.{name}()", register))
    if name == "request_handlers":
        return server.handlers
    if name == "add_request_handler":
        return bound(server, name, _add_handler)
    if name in ("run", "create_initialization_options", "get_capabilities"):
        return _started(server, name)
    if name == "middleware" or (name.startswith("_") and name != "_tool_cache"):  # by the cache, calls are checked
        return lost(run, server, f"{name} of the server is used")
    return Native(f"server.{name}", running)


def _add_handler(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    given = arguments.named(("method", "params_type", "handler"))
    text = text_of(given.get("method", NONE))
    run.journal.touch(server.handlers)
    if text is None:
        return lost(run, server, "a handler is added for a method that is not known")
    server.handlers.data[(True, text)] = (Const(text), given.get("handler", NONE))
    return NONE


_UNTIL_2 = frozenset({*LOW_REGISTRATIONS, "request_handlers", "notification_handlers", "request_context"})
_SINCE_2 = frozenset({"add_request_handler", "get_request_handler", "add_notification_handler", "middleware"})
"""What a low-level server has only before, or only since, mcp 2.0."""


# --- tools ------------------------------------------------------------------------------------------------------------


def register(run: Run, server: ServerValue, given: Value, options: dict[str, Value], arguments: Arguments) -> Value:
    """Make a tool of a function, perhaps one in a ``staticmethod``; returns what the decorator returns."""
    function = given.args[0] if isinstance(given, Called) and given.callee == "builtins.staticmethod" else given
    if isinstance(function, Unknown) and text_of(options.get("name", NONE)) is None:
        note(run, server, Opaque(function))
        return function
    site = function.module.site(function.node) if isinstance(function, FunctionValue) else arguments.site or run.site()
    tool = new_tool(run, function, options, server.family, site)
    tool.rest = arguments.others
    note(run, server, Registered(tool))
    return tool if server.family.id == "fastmcp2" else given


_OBJECTS = (ClassValue, Instance, Partial, ToolValue)


def _takes_tools(run: Run, server: ServerValue) -> bool | None:
    """Whether ``add_tool`` takes tools, and ``tool()`` nothing but functions."""
    return server.cls is FASTMCP and is_within(run.versions.get(server.cls.package, ""), "2.7.0", "")


def _check(run: Run, server: ServerValue, value: Value) -> None:
    """Raise what the SDK raises if it makes no tool of this: an object without a name, and with fastmcp any object."""
    bare = isinstance(value, Called) and value.callee == "builtins.classmethod"
    if server.cls is FASTMCP:
        refused = isinstance(value, _OBJECTS) and _takes_tools(run, server) is not False
        refused |= server.family.major > 2 and first_parameter(value) in ("self", "cls")  # a method without its object
    else:
        refused = is_plain(value)
    if refused or bare or isinstance(value, Const):
        kind = "AttributeError" if refused and server.cls is not FASTMCP else "TypeError"
        kind = "ValueError" if bare and server.family.id == "fastmcp2" else kind
        raise RaisedError(f"builtins.{kind}", f"the SDK makes no tool of {describe(value)}", run.site())
    run.risk |= not isinstance(value, (FunctionValue, BoundMethod))  # it may have no name, or no signature


def _tool(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    assert isinstance(server.cls, DecoratedClass)
    options = arguments.named(server.cls.first)
    first = options.pop("name_or_fn", options.pop("fn", NONE)) if server.cls is FASTMCP else NONE
    name, twice = options.get("name"), set(server.cls.first[: len(arguments.positional)]) & arguments.keywords.keys()
    if twice or (isinstance(name, (FunctionValue, BoundMethod, *_OBJECTS)) and text_of(name) is None):
        raise RaisedError("builtins.TypeError", "the SDK refuses what its decorator is given", run.site())
    if first != NONE and not isinstance(first, Maybe) and text_of(first) is None:
        _check(run, server, first)
        return _decorated(run, server, first, options, arguments)
    if first != NONE:
        options["name"] = first

    def decorate(run: Run, inner: Arguments) -> Value:
        _check(run, server, inner.first)
        given = replace(arguments, positional=inner.positional, keywords=inner.keywords, site=inner.site)
        return _decorated(run, server, inner.first, options, given)

    return Native("server.tool()", decorate)


def _decorated(run: Run, server: ServerValue, function: Value, options: dict[str, Value], given: Arguments) -> Value:
    """Register a function by the decorator, which asks ``add_tool()`` of the server's class up to major version 2."""
    made = register(run, server, function, options, given)
    cls = server.instance.cls if isinstance(server.instance, Instance) else None
    if cls is not None and cls.find("add_tool") is not None and server.family.major <= 2:
        lost(run, server, f"{cls.name} adds tools in its own way")
    return made


def _add_tool(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    assert isinstance(server.cls, DecoratedClass)
    options = arguments.named(server.cls.added)
    value = options.pop(server.cls.added[0], NONE)
    odd = options.keys() - arguments.perhaps.keys()
    if (odd or (is_function(value) and server.family.major == 2)) and _takes_tools(run, server):
        kind = "TypeError" if odd else "AttributeError"
        raise RaisedError(f"builtins.{kind}", f"the SDK does not add {describe(value)} in this way", run.site())
    if isinstance(value, ToolValue):
        note(run, server, Registered(value))
        return value
    if isinstance(value, Instance) and server.cls is FASTMCP:
        note(run, server, Opaque(run.unsettled(f"a tool of the class {value.cls.name}")))
        return value
    if server.cls is not FASTMCP:
        _check(run, server, value)
    return register(run, server, value, options, arguments)


def _taken(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    """An element of ``tools=``: fastmcp 2 makes a tool of a function there, which its ``add_tool()`` refuses."""
    value = arguments.first
    if isinstance(server.instance, Instance) and server.instance.cls.find("add_tool") is not None:
        return lost(run, server, f"{server.instance.cls.name} adds tools in its own way")
    if server.cls is not FASTMCP and is_function(value):
        server.refused = f"{describe(value)} is not a tool of the SDK"
        raise RaisedError("builtins.AttributeError", server.refused, run.site())
    if server.family.id != "fastmcp2" or not is_function(value):
        return _add_tool(run, server, arguments)
    if isinstance(value, (FunctionValue, BoundMethod)):
        return register(run, server, value, {}, arguments)
    return lost(run, server, f"the SDK may refuse to make a tool of {describe(value)}")


def _remove_tool(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    name = text_of(arguments.get(0, "name")) if "version" not in arguments.keywords else None
    note(run, server, Removed(name) if name is not None else Visibility("a tool is removed that is not known by name"))
    return NONE


def tools_of(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    """Some of the server's tools: a program may change them."""
    events = map(bare_value, server.data)
    return unsettled(run.unsettled("the list of tools"), *(e.tool for e in events if isinstance(e, Registered)))


def _identity(_run: Run, _server: ServerValue, arguments: Arguments) -> Value:
    """``server.resource(...)`` and its kin return the function; one that does not fit the address may be refused."""
    given = arguments.first
    if isinstance(given, (FunctionValue, BoundMethod)):
        return given

    def decorate(run: Run, inner: Arguments) -> Value:
        run.risk |= "{" in (text_of(given) or "") or not isinstance(inner.first, (FunctionValue, BoundMethod))
        return inner.first

    return Native("a decorator", decorate)


_UNFOLLOWED = frozenset({"providers", "transforms", "tool_transformations", "extensions", "list_page_size"})
HOLDERS: dict[str, Callable[[ServerValue], Value]] = {}
"""The objects in which a server keeps its tools, by the attribute under which each is found."""
METHODS: dict[str, Method] = {
    "tool": _tool,
    "add_tool": _add_tool,
    "remove_tool": _remove_tool,
    **{name: partial(mount, name) for name in ("mount", "import_server")},
    **dict.fromkeys(("enable", "disable"), show),
    "add_middleware": add_middleware,
    **dict.fromkeys(("add_transform", "add_tool_transformation"), partial(unfollowed, "a transform")),
    "add_provider": partial(unfollowed, "a provider"),
    **dict.fromkeys(("resource", "prompt", "custom_route", "completion"), _identity),
    "get_tool": tools_of,
}


def _constructed(run: Run, server: ServerValue, arguments: Arguments) -> None:
    for name, add in (("tools", _taken), ("middleware", add_middleware)):
        given = arguments.keywords.get(name, NONE)
        items, more = elements(run, given) if given != NONE else ([], None)

        def act(one: Value, add: Method = add) -> bool:
            add(run, server, Arguments([one], site=server.site))
            return True

        for item in items:  # which may be there only on some paths
            conditionally(run, item, act)
        if more is not None:
            note(run, server, Opaque(more, rewrites=name == "middleware"))
    for name in _UNFOLLOWED & arguments.keywords.keys():
        note_unfollowed(run, server, arguments.keywords[name], f"{name}=")


ATTRIBUTES[ServerValue] = _attribute
SETTERS[ServerValue] = _set
CONSTRUCTED.append(_constructed)
