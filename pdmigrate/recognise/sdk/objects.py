"""The MCP SDK as the evaluator knows it: its names, its server objects, its result types.

Objects of the SDK are ``SdkObject``: a canonical type name and the values of the fields as they were passed.
``wire.py`` decides what a field becomes on the wire.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

from pdmigrate import families
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.operations import ATTRIBUTES
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    DictValue,
    External,
    ListValue,
    Native,
    Origin,
    Place,
    SdkObject,
    Value,
    const,
)
from pdmigrate.evaluate.language.attribute_setting import ATTRIBUTE_SETTING
from pdmigrate.evaluate.language.literals import put
from pdmigrate.recognise.sdk.fields import fields_of_type, is_renamed, wire_names
from pdmigrate.recognise.sdk.models import copy_model, dump_model, make_model, validate_model
from pdmigrate.sdk_names import TYPES

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.interpreter import Interpreter

SERVER = families.SERVER.type

ENABLE = "progressive_disclosure.enable"
"""The one function of a generated module that servers call; it returns its argument."""


MODELS = frozenset(
    f"{TYPES}.{name}"
    for name in ("Tool", "ToolAnnotations", "ListToolsResult", "ServerResult", "Icon", "ToolExecution")
)


def sdk_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of calling a name of the SDK; ``None`` if the evaluator does not know it."""
    if function.name == SERVER:
        return make_server(run, arguments)
    if function.name == ENABLE and arguments.positional:
        return arguments.positional[0]
    if function.name in MODELS or _is_model(function.name):
        return make_model(run, function.name, arguments)
    return None


def validated(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of ``Model.model_validate(...)`` of a model of the SDK; ``None`` for all other calls."""
    name = function.name.removesuffix(".model_validate")
    return validate_model(run, name, arguments) if name != function.name and name in MODELS else None


def _is_model(name: str) -> bool:
    """Whether ``name`` is any model: programs only read the fields of other models back before the server runs."""
    head, _, last = name.rpartition(".")
    return head == TYPES and last[:1].isupper() and last != "AnyUrl"


# --- servers ----------------------------------------------------------------------------------------------------------


def make_server(run: Interpreter, arguments: Arguments) -> SdkObject:
    names: dict[str, Value] = {"request_handlers": DictValue(), "notification_handlers": DictValue()}
    if is_renamed(run.versions):
        names["middleware"] = ListValue()
    server = SdkObject(
        names, None, SERVER, arguments.place, run.nesting.loops > 0, origin=Origin("server", arguments.place)
    )
    construct_server(run, server, arguments)
    run.made.add(server)
    run.made.servers.append(server)
    run.calls.never_leave_out_callers()
    return server


UNKNOWN_ARGUMENTS = "<arguments>"
"""The key in a server's ``names`` of arguments of its constructor that are not known."""


def construct_server(run: Interpreter, server: SdkObject, arguments: Arguments) -> None:
    """``Server.__init__``; since mcp 2.0 it takes the handlers as keywords, too."""
    names = server.names
    names["name"] = arguments.given(0, "name") or arguments.unknown or NONE
    names.update({f"argument {key}": value for key, value in arguments.keywords.items() if key != "name"})
    handlers = names["request_handlers"].as_dict
    if arguments.unknown is not None:
        names[UNKNOWN_ARGUMENTS] = arguments.unknown
    if not is_renamed(run.versions) or handlers is None:
        return
    handlers.rest = handlers.rest or arguments.unknown
    for keyword, method in METHODS.items():
        handler = arguments.keywords.get(keyword, NONE)
        if not handler.is_just(None):
            set_handler(run, server, const(method), handler)


METHODS = {
    "on_list_tools": "tools/list",
    "on_call_tool": "tools/call",
    "on_list_resources": "resources/list",
    "on_list_resource_templates": "resources/templates/list",
    "on_read_resource": "resources/read",
    "on_list_prompts": "prompts/list",
    "on_get_prompt": "prompts/get",
}
"""The constructor's keywords that register a handler, each with the method it registers it for (mcp 2.0.1, 2.3.0)."""


OWN_ATTRIBUTES: dict[str, Callable[[Interpreter, Any, str, Place | None], Value]] = {}
"""Functions that compute attributes, by the type of the object: for objects that record registrations."""
REGISTRATIONS = frozenset(
    {
        "list_tools",
        "call_tool",
        "list_resources",
        "read_resource",
        "list_resource_templates",
        "list_prompts",
        "get_prompt",
        "set_logging_level",
        "subscribe_resource",
        "unsubscribe_resource",
        "completion",
        "progress_notification",
    }
)
_REQUESTS = {"list_tools": "ListToolsRequest", "call_tool": "CallToolRequest"}


def list_request(versions: Mapping[str, str]) -> Value:
    """What the list handler is registered for: the request class until mcp 2.0, the method's name since."""
    return const("tools/list") if is_renamed(versions) else External(f"{TYPES}.ListToolsRequest")


def handler_for(server: SdkObject, request: Hashable) -> Value | None:
    """The handler that is registered under this key (``key_of``)."""
    handlers = server.names.get("request_handlers", NONE).mapping
    entry = handlers.entries.get(request) if handlers is not None else None
    return entry.value if entry is not None else None


def list_handler(server: SdkObject, versions: Mapping[str, str]) -> Value | None:
    """The handler of ``tools/list`` in these versions of the SDK."""
    return handler_for(server, key_of(list_request(versions)))


def has_handler(server: SdkObject) -> bool:
    """Whether a handler for listing tools is registered, in the way of any version."""
    return any(list_handler(server, {"mcp": version}) for version in ("1.", "2."))


def servers_made(run: Interpreter, node: cst.CSTNode) -> list[SdkObject]:
    """The low-level servers that the call ``node`` has made."""
    return [made for made in run.made.by_call.get(node, []) if made.type == SERVER]


@ATTRIBUTES.of(SdkObject)
def sdk_attribute(run: Interpreter, value: SdkObject, name: str, place: Place | None) -> Value:
    """``value.name`` of an object of the SDK."""
    if value.type == SERVER:
        return _server_attribute(run, value, name)
    names = wire_names(value.type, run.versions)
    if names is not None and name in names:
        return value.names.get(names[name], value.rest or NONE)
    if names is not None and name in names.values():
        raise run.failure("AttributeError", f"{value.type} has no attribute {name} in mcp 2.x")
    if value.type in OWN_ATTRIBUTES:
        return OWN_ATTRIBUTES[value.type](run, value, name, place)
    if name in value.names:
        return value.names[name]
    if name in ("model_copy", "copy"):
        return BoundMethod(Native("model_copy", copy_model), value)
    if name in ("model_dump", "dict", "model_dump_json"):
        return BoundMethod(Native(name, dump_model), value)
    if value.rest is not None:
        return value.rest
    if name in fields_of_type(value.type):
        return NONE
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {value.type}", place)


@ATTRIBUTE_SETTING.of(SdkObject)
def _set_attribute(run: Interpreter, target: SdkObject, name: str, value: Value, _place: Place) -> None:
    run.trail.touch(target)
    target.names[_attribute_key(run, target, name)] = value


def _attribute_key(run: Interpreter, value: SdkObject, name: str) -> str:
    """The key in ``value.names`` under which an assignment to the attribute ``name`` stores its value."""
    names = wire_names(value.type, run.versions)
    if names is None:
        return name
    if name not in names:
        raise run.failure("ValueError", f"{value.type} has no field {name}")
    return names[name]


def _server_attribute(run: Interpreter, value: SdkObject, name: str) -> Value:
    if is_renamed(run.versions) and name in REMOVED:
        raise run.failure("AttributeError", f"Server has no attribute {name} in mcp 2.x")
    if name in REGISTRATIONS:
        return BoundMethod(Native(name, lambda run, arguments: _registration(run, name, arguments)), value)
    if name in value.names:
        return value.names[name]
    if name == "add_request_handler":
        return BoundMethod(Native(name, _add_request_handler), value)
    if name == "get_request_handler":
        return BoundMethod(Native(name, _get_request_handler), value)
    if name in ("run", "create_initialization_options"):
        return BoundMethod(Native(f"server.{name}", started), value)
    return BoundMethod(Native(f"server.{name}", _harmless), value)


def started(run: Interpreter, arguments: Arguments) -> Value:
    """A method that runs the server: from here on it answers requests, and this is the state in which it does."""
    run.made.started(arguments.receiver)
    return _harmless(run, arguments)


def _harmless(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "the running server", arguments.place)


def _registration(_run: Interpreter, name: str, arguments: Arguments) -> Value:
    """``server.list_tools()``: a decorator that registers the function and returns it."""
    server = arguments.receiver

    def register(run: Interpreter, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else reasons.unknown(reasons.UNSUPPORTED, name, inner.place)
        handler = SdkObject({"function": function}, None, "decorated handler", inner.place)
        request = _REQUESTS.get(name, name)
        set_handler(run, server, External(f"{TYPES}.{request}"), handler)
        return function

    return Native(f"server.{name}()", register)


def set_handler(run: Interpreter, server: SdkObject, request: Value, handler: Value) -> None:
    handlers = server.names["request_handlers"].as_dict
    if handlers is not None:
        put(run, handlers, request, handler)


REMOVED = REGISTRATIONS | {"request_handlers", "notification_handlers", "request_context"}
"""The attributes of ``Server`` that mcp 2.0 removed."""


def _add_request_handler(run: Interpreter, arguments: Arguments) -> Value:
    """``server.add_request_handler(method, params_type, handler)``, since mcp 2.0."""
    server = arguments.receiver
    given = arguments.by_name(("method", "params_type", "handler"), 1)
    if given.keys() != {"method", "params_type", "handler"}:
        raise run.failure("TypeError", "add_request_handler() takes method, params_type and handler")
    set_handler(run, server, given["method"], given["handler"])
    return NONE


def _get_request_handler(_run: Interpreter, arguments: Arguments) -> Value:
    """``server.get_request_handler(method)``: an entry with ``params_type`` and ``handler``, or ``None``."""
    handlers = arguments.receiver.names.get("request_handlers", NONE).mapping
    unknown = reasons.unknown(reasons.UNSUPPORTED, "get_request_handler", arguments.place)
    if handlers is None or len(arguments.positional) != 2:
        return unknown
    try:
        entry = handlers.entries.get(key_of(arguments.positional[1]))
    except NotPlain as reason:
        return reason.unknown
    if entry is None:
        return handlers.rest or NONE
    return SdkObject({"handler": entry.value, "params_type": unknown}, None, "handler entry", arguments.place)
