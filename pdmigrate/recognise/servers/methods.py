"""The methods and constructor arguments of servers whose tools are functions, and the events that each records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import unwrapped
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.values import (
    INSIDE,
    NONE,
    OWNER,
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    Entry,
    External,
    Guard,
    ListValue,
    Native,
    Origin,
    Place,
    SdkObject,
    Tolerant,
    UnknownValue,
    Value,
)
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.listing.replaying import list_of, replayed, tools_unknown
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.recognise.sdk.objects import OWN_ATTRIBUTES, list_request, make_server, set_handler, started
from pdmigrate.recognise.servers.composing import import_server, mount, unfollowed_in, visibility
from pdmigrate.recognise.servers.record import (
    CLASSES,
    Removal,
    ToolValue,
    Unfollowed,
    as_tool,
    each,
    family_of,
    guarded,
    record,
)
from pdmigrate.recognise.servers.tools import LISTING, MARK, is_function, listing_options, tool_of

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
            unfollowed_in(run, server, value, reason, rewrites=name in ("transforms", "tool_transformations"))
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
        record(run, server, Unfollowed(rest))


def add(run: Interpreter, server: SdkObject, value: Value, options: dict[str, Value], place: Place | None) -> Value:
    """Register ``value``, a function or a tool; return the tool."""
    guards: tuple[Guard, ...] = ()
    while (guard := value.held_if) is not None:
        guards, [value] = (*guards, guard), value.parts

    def tool_from(item: Value) -> ToolValue:
        made = _tool_from(run, server, item, options, place)
        made.server = made.server or listing_options(run, server)
        return made

    made = each(run, value, tool_from)
    for more, tool in unwrapped(made, guards):
        record(run, server, guarded(tool, more))
    return made


def _tool_from(
    run: Interpreter, server: SdkObject, value: Value, options: dict[str, Value], place: Place | None
) -> ToolValue:
    if (tool := as_tool(value)) is not None:
        return tool
    function = value.underlying.as_function if server.type == FASTMCP.type else None
    marked = as_tool(function.names.get(MARK)) if function is not None else None
    if marked is None or options:
        return tool_of(run, CLASSES[server.type], value, options, place)
    if value is marked.value or value is function:
        return marked
    remade = tool_of(run, CLASSES[server.type], value, {}, place)
    remade.options = marked.options
    return remade


# --- methods ----------------------------------------------------------------------------------------------------------


def _attribute(run: Interpreter, server: SdkObject, name: str, place: Place | None) -> Value:
    """``server.name``"""
    if name in server.names and not name.startswith("<"):
        return server.names[name]
    if name in _METHODS:
        return BoundMethod(Native(name, _METHODS[name]), server)
    if name in ("_mcp_server", "_lowlevel_server"):
        return _low_level(run, server, name)
    if name in ("_tool_manager", "_local_provider", "local_provider"):
        return SdkObject({INSIDE: server}, None, MANAGER, place)
    if name in ("providers", "_components", "_mounted_servers", "_providers"):
        return tools_unknown(server, name, place)
    if name in _RUNS:
        return BoundMethod(Tolerant(name, started), server)
    if name in ("http_app", "sse_app", "streamable_http_app"):
        return BoundMethod(Tolerant(name, _application), server)
    if name.startswith("_") and not name.startswith("__"):
        if name not in _PRIVATE.split():
            raise run.failure("AttributeError", f"the server has no attribute {name}")
        if "tool" in name:
            return tools_unknown(server, name, place)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"{name} of the server", place)


def _manager_attribute(_run: Interpreter, manager: SdkObject, name: str, place: Place | None) -> Value:
    """An attribute of the object in which a server keeps its tools: its methods act on the server."""
    server = manager.names[INSIDE].as_sdk
    assert server is not None
    method = _MANAGER_METHODS.get(name) or _METHODS.get(name)
    if method is not None:
        return BoundMethod(Native(name, method), server)
    return tools_unknown(server, name, place)


MANAGER = "the tool manager of a server"
_RUNS = frozenset(
    ("run", "run_async", "run_stdio_async", "run_sse_async", "run_http_async", "run_streamable_http_async", "run_sse")
)
_PRIVATE = """
    _FastMCP__state_store _additional_http_routes _apply_extension _apply_middleware _apply_task_transforms
    _auth_server_provider _auto_extensions _call_tool _call_tool_mcp _call_tool_middleware _capture_shared_context
    _check_hashed_target _check_resource_access _client_log_levels _collect_list_results _completion_handler
    _completion_target _compose_tool_call_interceptors _custom_starlette_routes _deprecated_settings
    _dispatch_component_middleware _docket _docket_lifespan _docket_lifespan_root _event_store _extension_conflicts
    _extension_methods _extension_runtime _extension_scopes _extensions _extensions_lifespan _extensions_started
    _get_additional_http_routes _get_highest_version_result _get_injected_tool _get_prompt _get_prompt_mcp
    _get_prompt_middleware _get_resource _get_resource_or_template_or_none _get_resource_template _get_tool
    _get_tool_by_hash _get_tool_input_schema _get_tool_with_task_config _handle_call_tool
    _handle_deprecated_settings _handle_get_prompt _handle_list_prompts _handle_list_resource_templates
    _handle_list_resources _handle_list_tools _handle_read_resource _injected_tools _install_extension
    _install_extension_interceptor _is_mounted _is_protocol _lifespan _lifespan_lock _lifespan_manager
    _lifespan_ref_count _lifespan_result _lifespan_result_set _list_page_size _list_prompts _list_prompts_mcp
    _list_prompts_middleware _list_resource_templates _list_resource_templates_mcp
    _list_resource_templates_middleware _list_resources _list_resources_mcp _list_resources_middleware _list_tools
    _list_tools_mcp _list_tools_middleware _local_provider _lookup_resource _lowlevel_server _mask_error_details
    _mcp_server _mounted_servers _normalize_path _on_call_tool _on_complete _on_duplicate _on_get_prompt
    _on_list_prompts _on_list_resource_templates _on_list_resources _on_list_tools _on_read_resource
    _on_set_logging_level _prompt_manager _raises_on_provider_error _read_resource _read_resource_mcp
    _read_resource_middleware _rebind_prefab_tool_names _register_bundled_extensions _register_completion_handler
    _register_mounted_server_functions _register_provider_extensions _request_state_security _required_extensions
    _requires_live_resource _resource_manager _resource_security _retry_interval _rewrite_prefab_uris
    _run_middleware _session_manager _set_logging_level_mcp _setup_get_prompt_handler _setup_handlers
    _setup_read_resource_handler _setup_task_protocol_handlers _shared_context_lifespan _shared_context_snapshot
    _should_enable_component _started _state_storage _state_store _subscriptions _support_tasks_by_default
    _token_verifier _tool_input_schema _tool_manager _tool_serializer _transforms _validate_provider_extensions
    _validate_task_extension_registered _wire_input_schemas _worker _wrap_list_handler
"""
"""The private attributes of some version of an SDK (mcp 1.30.0, 2.3.0, fastmcp 2.14.7, 3.4.11, 4.1.6, 4.2.3).

Any other one can only be set by the program: ``getattr(server, "_installed", False)`` is False until then.
"""


def _listed(run: Interpreter, arguments: Arguments) -> Value:
    """``await server.list_tools()``: protocol objects with ``mcp``, the SDK's own tools with ``fastmcp``."""
    server = arguments.receiver
    return list_of(run, server, wire=server.type != FASTMCP.type)


def _own_tools(run: Interpreter, arguments: Arguments) -> Value:
    """``_tool_manager.list_tools()``: a new list of the SDK's own tools."""
    return list_of(run, arguments.receiver, wire=False)


def _one_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``get_tool(name)``"""
    server, wanted = arguments.receiver, arguments.given(1, "name") or arguments.keywords.get("key", NONE)
    name = wanted.scalar
    replay = replayed(run, server, visible_only=False)
    found = [tool for tool in replay.tools if name is not None and tool.name == name.value]
    if len(found) == 1 and not found[0].guards and not replay.fields and replay.rewritten is None:
        return found[0].named
    nameless = any(tool.name is None for tool in replay.tools)
    if name is not None and not found and replay.incomplete is None and not nameless:
        return NONE
    return tools_unknown(server, "a tool", arguments.place)


def _tools_by_name(run: Interpreter, arguments: Arguments) -> Value:
    """``await server.get_tools()`` of fastmcp 2: a dict of tools by name."""
    server = arguments.receiver
    if family_of(run, FASTMCP).major != 2:
        return _listed(run, arguments)
    tools = list_of(run, server, wire=False)
    entries: dict[Hashable, Entry] = {}
    for item in tools.items:
        tool = as_tool(item.element)
        name = tool.tool_name if tool is not None else None
        if name is None:
            return tools_unknown(server, "the tools", arguments.place)
        entries[name] = Entry(Const(name), item)
    return DictValue(entries, tools.rest)


def _application(run: Interpreter, arguments: Arguments) -> Value:
    """The server as a web application: nothing that is done to the application changes the server's tools."""
    started(run, arguments)
    return External("starlette.applications.Starlette()", origin=Origin("the web application", arguments.place))


def _low_level(run: Interpreter, server: SdkObject, name: str) -> Value:
    """The low-level server inside ``server``; the program may replace its handler of ``tools/list``."""
    if name != family_of(run, CLASSES[server.type]).low_level:
        raise run.failure("AttributeError", f"the server has no attribute {name}")

    known = server.names.get(LOW_LEVEL)
    if known is not None:
        return known
    inner = make_server(run, Arguments((), {}))
    inner.names[OWNER] = server
    server.names[LOW_LEVEL] = inner
    set_handler(run, inner, list_request(run.versions), Native(DEFAULT, lambda run, _: _answer(run, server)))
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
    if is_function(first):
        if server_class.bare:
            return _result(run, server, first, add(run, server, first, options, arguments.place))
        if first.as_unknown is None:
            raise run.failure("TypeError", "the tool decorator has to be called")
    refuses = server_class is FASTMCP and family_of(run, FASTMCP).major == 2
    if refuses and (first.as_instance is not None or first.as_class is not None):
        raise run.failure("TypeError", "the tool decorator takes a function")
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
    server, name = arguments.receiver, (arguments.given(1, "name") or NONE).text
    if not (arguments.given(2, "version") or NONE).is_just(None):
        unknown = reasons.unknown(reasons.UNSUPPORTED, "one version of a tool is removed", arguments.place)
        record(run, server, Unfollowed(unknown, rewrites=True))
        return NONE
    known = replayed(run, server, visible_only=False)
    names = {tool.name for tool in known.tools}
    if name is not None and name not in names and None not in names and known.incomplete is None:
        raise run.failure("ToolError", f"there is no tool {name} to remove")
    record(run, server, Removal(name))
    return NONE


def _unfollowed(what: str, *, rewrites: bool) -> Callable[[Interpreter, Arguments], Value]:
    def note(run: Interpreter, arguments: Arguments) -> Value:
        server = arguments.receiver
        reason = reasons.unknown(reasons.UNSUPPORTED, f"{what} of the server", arguments.place)
        given = [*arguments.positional[1:2], *arguments.keywords.values()]
        if len(given) == 1:
            unfollowed_in(run, server, given[0], reason, rewrites=rewrites)
        else:
            record(run, server, Unfollowed(reason, rewrites))
        return NONE

    return note


def _add_middleware(run: Interpreter, arguments: Arguments) -> Value:
    server, rest = arguments.receiver, arguments.positional[1:]
    chain = server.names["middleware"].as_list
    if chain is not None:
        run.trail.touch(chain)
        chain.items += rest or list(arguments.keywords.values())[:1]
    return NONE


def _identity_decorator(_run: Interpreter, arguments: Arguments) -> Value:
    """``server.resource(...)``, ``server.prompt``: registers a component other than a tool; returns the function."""
    given = arguments.positional[1:]
    if given and (isinstance(given[0], BoundMethod) or given[0].as_function is not None):
        return given[0]
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

OWN_ATTRIBUTES.update(dict.fromkeys(CLASSES, _attribute))
OWN_ATTRIBUTES[MANAGER] = _manager_attribute
