"""What the evaluator knows of the MCP SDK: its names, its server objects, its result types.

Objects of the SDK are ``SdkObject``: a canonical type name and the values of the fields as they were passed.  What a
field becomes on the wire is decided in ``wire.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.python_values import describe
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Origin,
    Place,
    SdkObject,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter

SERVER = "mcp.server.lowlevel.Server"
TYPES = "mcp.types"
_SERVERS = frozenset({"mcp.server.Server", "mcp.server.lowlevel.Server", "mcp.server.lowlevel.server.Server"})
_HOMES = ("mcp_types.", "mcp.types.")
_TOP = frozenset({"Tool", "ServerSession", "ListToolsResult", "CallToolResult", "ServerResult", "ListToolsRequest"})


def canonical(name: str) -> str:
    """One name for what the SDK exports in several places."""
    if name in _SERVERS:
        return SERVER
    if name.startswith("mcp_types"):
        return TYPES + name.removeprefix("mcp_types")
    if name.startswith("mcp.") and name.count(".") == 1 and name[4:] in _TOP:
        return f"{TYPES}.{name[4:]}"
    return name


ENABLE = "progressive_disclosure.enable"
"""The one function of a generated module that servers call; it returns its argument."""

EXPORTED = ("Tool", "ToolAnnotations", "ListToolsResult", "ListToolsRequest", "ServerResult", "Icon", "ToolExecution")


def exported_names(module: str) -> tuple[str, ...]:
    """The names that matter here among those that ``from module import *`` binds."""
    if module == TYPES:
        return (*EXPORTED, "TextContent", "ImageContent", "EmbeddedResource", "CallToolResult", "Resource", "Prompt")
    return ()


MODELS = frozenset(
    f"{TYPES}.{name}"
    for name in ("Tool", "ToolAnnotations", "ListToolsResult", "ServerResult", "Icon", "ToolExecution")
)


def sdk_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of calling a name of the SDK; ``None`` when the evaluator does not know it."""
    if function.name == SERVER:
        return make_server(run, arguments)
    if function.name == ENABLE and arguments.positional:
        return arguments.positional[0]
    if function.name in MODELS or _is_model(function.name):
        return make_model(run, function.name, arguments)
    if function.name.endswith(".model_validate") and function.name.removesuffix(".model_validate") in MODELS:
        return _validate(run, function.name.removesuffix(".model_validate"), arguments)
    return None


def _is_model(name: str) -> bool:
    """Any other model: its fields can be read back, which is all that programs do with it before the server runs."""
    head, _, last = name.rpartition(".")
    return head == TYPES and last[:1].isupper() and last != "AnyUrl"


def make_model(run: Interpreter, name: str, arguments: Arguments) -> Value:
    """An object of one of the SDK's pydantic models.

    Containers are copied at the top, as pydantic does (measured with pydantic 2.14): what is nested stays shared.
    """
    fields = {key: _validated(value) for key, value in arguments.keywords.items()}
    made = SdkObject(
        fields,
        arguments.unknown,
        name,
        arguments.place,
        run.loops > 0,
        origin=Origin(f"{name.rpartition('.')[2]}(...)", arguments.place),
    )
    if arguments.positional:
        if name == f"{TYPES}.ServerResult":
            made.names["root"] = arguments.positional[0]
        else:
            raise run.failure("TypeError", f"{name}() takes no positional arguments")
    if arguments.place is not None:
        known = run.made.setdefault(arguments.place.node, [])
        made.repeated = made.repeated or bool(known)
        for other in known:
            if isinstance(other, SdkObject):
                other.repeated = True
        known.append(made)
    return made


def _validated(value: Value) -> Value:
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.rest, origin=value.origin)
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.rest, origin=value.origin)
    return value


def _validate(run: Interpreter, name: str, arguments: Arguments) -> Value:
    data = arguments.positional[0] if arguments.positional else NONE
    if isinstance(data, SdkObject):
        return data
    unknown = first_unknown(data)
    if unknown is not None:
        return unknown
    if not isinstance(data, DictValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"validating {describe(data)}", arguments.place)
    keywords = {str(key): entry.value for key, entry in data.entries.items()}
    return make_model(run, name, Arguments((), keywords, data.rest, arguments.place))


# --- servers ----------------------------------------------------------------------------------------------------------


def make_server(run: Interpreter, arguments: Arguments) -> SdkObject:
    names: dict[str, Value] = {"request_handlers": DictValue(), "notification_handlers": DictValue()}
    names["name"] = (
        arguments.positional[0] if arguments.positional else arguments.keywords.get("name", arguments.unknown or NONE)
    )
    for key, value in arguments.keywords.items():
        if key != "name":
            names[f"argument {key}"] = value
    server = SdkObject(names, None, SERVER, arguments.place, run.loops > 0, origin=Origin("server", arguments.place))
    if arguments.unknown is not None:
        server.names["arguments"] = arguments.unknown
    if arguments.place is not None:
        run.made.setdefault(arguments.place.node, []).append(server)
    run.servers.append(server)
    return server


def instance_of_subclass(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value | None:
    """An instance of a class of the program that derives from a class of the SDK."""
    base = next((b for b in cls.mro if isinstance(b, External) and (b.name == SERVER or b.name in MODELS)), None)
    if base is None:
        return None
    if base.name in MODELS:
        reason = f"{cls.name} derives from {base.name}"
        return reasons.unknown(reasons.UNSUPPORTED, reason, arguments.place)
    from pdmigrate.evaluate.classes import initialise

    instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    inner = make_server(run, arguments._replace(positional=(), keywords={}))
    inner.names["subclass"] = instance
    instance.names["<server>"] = inner
    initialise(run, cls, instance, arguments)
    return instance


def super_of_sdk(run: Interpreter, base: Value, receiver: Value, name: str) -> Value | None:
    """``super().name`` where the next class is the SDK's server."""
    if not isinstance(base, External) or base.name != SERVER or not isinstance(receiver, Instance):
        return None
    inner = receiver.names.get("<server>")
    if not isinstance(inner, SdkObject):
        return None
    if name == "__init__":

        def initialise(_run: Interpreter, arguments: Arguments) -> Value:
            if arguments.positional or "name" in arguments.keywords:
                inner.names["name"] = arguments.positional[0] if arguments.positional else arguments.keywords["name"]
            return NONE

        return Native("super().__init__", initialise)
    return sdk_attribute(run, inner, name, None)


LIST_TOOLS = "list_tools"
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


def request_key(kind: str) -> tuple[str, str]:
    """What ``request_handlers`` finds the handler of a request type by."""
    return ("external", f"{TYPES}.{kind}")


def sdk_attribute(_run: Interpreter, value: SdkObject, name: str, place: Place | None) -> Value:
    """``value.name`` of an object of the SDK."""
    if value.type == SERVER:
        return _server_attribute(value, name)
    if name in value.names:
        return value.names[name]
    if name in ("model_copy", "copy"):
        return BoundMethod(Native("model_copy", _copy), value)
    if name in ("model_dump", "dict", "model_dump_json"):
        return BoundMethod(Native(name, _dump), value)
    if value.rest is not None:
        return value.rest
    from pdmigrate.evaluate.wire_fields import fields_of_type

    if name in fields_of_type(value.type):
        return NONE
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {value.type}", place)


def _server_attribute(value: SdkObject, name: str) -> Value:
    if name in REGISTRATIONS:
        return BoundMethod(Native(name, lambda run, arguments: _registration(run, name, arguments)), value)
    if name in value.names:
        return value.names[name]
    if name == "add_request_handler":
        return BoundMethod(Native(name, _add_request_handler), value)
    if name in ("run", "create_initialization_options"):
        return BoundMethod(Native(f"server.{name}", _started), value)
    return BoundMethod(Native(f"server.{name}", _harmless), value)


def _started(run: Interpreter, arguments: Arguments) -> Value:
    """From here on the server answers requests: this is the state in which its handlers run."""
    server = arguments.positional[0]
    if isinstance(server, SdkObject) and run.on_start is not None:
        run.on_start(server)
    return _harmless(run, arguments)


def _harmless(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "the running server", arguments.place)


def _registration(_run: Interpreter, name: str, arguments: Arguments) -> Value:
    """``server.list_tools()``: a decorator that registers and gives the function back."""
    server = arguments.positional[0]
    assert isinstance(server, SdkObject)

    def register(run: Interpreter, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else reasons.unknown(reasons.UNSUPPORTED, name, inner.place)
        handler = SdkObject({"function": function}, None, "decorated handler", inner.place)
        request = _REQUESTS.get(name, name)
        set_handler(run, server, External(f"{TYPES}.{request}"), handler)
        return function

    return Native(f"server.{name}()", register)


def set_handler(run: Interpreter, server: SdkObject, request: Value, handler: Value) -> None:
    from pdmigrate.evaluate.literals import put

    handlers = server.names["request_handlers"]
    if isinstance(handlers, DictValue):
        put(run, handlers, request, handler)


def _add_request_handler(run: Interpreter, arguments: Arguments) -> Value:
    server, *rest = arguments.positional
    assert isinstance(server, SdkObject)
    handler = rest[-1] if rest else arguments.keywords.get("handler", NONE)
    if rest:
        set_handler(run, server, rest[0], handler)
    return NONE


def _copy(_run: Interpreter, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.copying import deep_copy

    value = arguments.positional[0]
    assert isinstance(value, SdkObject)
    deep = arguments.keywords.get("deep")
    copied = deep_copy(value) if isinstance(deep, Const) and deep.value else value
    assert isinstance(copied, SdkObject)
    names, rest = dict(copied.names), copied.rest
    update = arguments.keywords.get("update")
    if isinstance(update, DictValue) and update.exact:
        names.update({str(key): entry.value for key, entry in update.entries.items()})
    elif update is not None:
        rest = rest or first_unknown(update) or reasons.unknown(reasons.UNSUPPORTED, "model_copy", arguments.place)
    return SdkObject(
        names, rest, value.type, value.place, True, origin=Origin("model_copy", arguments.place, _one(value))
    )


def _one(value: Value) -> tuple[Origin, ...]:
    return (value.origin,) if value.origin else ()


def _dump(_run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0]
    assert isinstance(value, SdkObject)
    keep = arguments.keywords.get("exclude_none")
    if not (isinstance(keep, Const) and keep.value is True) or arguments.keywords.keys() - {
        "exclude_none",
        "by_alias",
        "mode",
    }:
        return reasons.unknown(reasons.UNSUPPORTED, "model_dump with these arguments", arguments.place)
    result = DictValue(rest=value.rest, origin=Origin("model_dump", arguments.place, _one(value)))
    for name, item in value.names.items():
        if isinstance(item, Const) and item.value is None:
            continue
        if not isinstance(item, (Const, DictValue, UnknownValue)):
            result.rest = reasons.unknown(reasons.UNSUPPORTED, f"model_dump of {name}", arguments.place)
        result.entries[name] = Entry(const(name), item)
    return result


def is_function(value: Value) -> bool:
    return isinstance(value, (FunctionValue, BoundMethod))
