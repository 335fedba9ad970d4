"""Making servers: of the SDKs' classes, and of classes of the program; and names that may mean several servers."""

from __future__ import annotations

from collections.abc import Callable

from pdmigrate.sdk.constructors import refuses
from pdmigrate.sdk.families import DECORATED, FASTMCP, IMPORTED, SERVER, Family, ServerClass, of_class
from pdmigrate.sdk.names import ENABLE, TYPES
from pdmigrate.understand.demand.attributes import SUPER
from pdmigrate.understand.demand.run import ATTRIBUTES, DISTURBED, INSTANCES, LIBRARY_RULES, SETTERS, RaisedError, Run
from pdmigrate.understand.servers.objects import OTHER_HANDLERS, Opaque, OwnHandler, ServerValue, ToolValue, is_renamed
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import INPUT_OUTPUT, MUTATED, NONE, OUTSIDE, Const, Either, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, same
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance
from pdmigrate.understand.values.outside import External, external_name

CLASSES: dict[str, ServerClass] = {each.type: each for each in (SERVER, *DECORATED)}
_MAKING = ("from_openapi", "from_fastapi", "from_client", "as_proxy", "create_proxy")
REMOTE = frozenset({*_MAKING, "FastMCPProxy", "FastMCPOpenAPI"})
"""The classes and functions of fastmcp that make servers of what lies elsewhere."""


def family_of(run: Run, cls: ServerClass) -> Family:
    return of_class(cls, run.versions.get(cls.package, ""))


def new_server(run: Run, cls: ServerClass, arguments: Arguments) -> ServerValue:
    """A server without a name or tools, made by the call with these arguments."""
    site = arguments.site or run.site()
    made = ServerValue(cls, family_of(run, cls), site)
    made.node = arguments.node
    run.servers.append(made)
    if cls is not SERVER:
        made.below = ServerValue(SERVER, family_of(run, SERVER), site)
        if not is_renamed(run.versions):
            own = OwnHandler("the SDK's handler", lambda run, _: lost(run, made, "the SDK's own handler is called"))
            requests = (External(f"{TYPES}.{name}Request") for name in _ANSWERED)
            made.below.handlers.data = {request: (request, own) for request in requests}
            made.below.handlers.rest = OTHER_HANDLERS
    return made


_ANSWERED = ("ListTools", "CallTool", "ListResources", "ReadResource", "ListPrompts", "GetPrompt")
"""The requests for which every SDK on mcp 1 registers handlers with a server whose tools are functions."""


def running(run: Run, _arguments: Arguments) -> Value:
    """What only the running server knows."""
    return run.unsettled("the running server")


def construct(run: Run, made: ServerValue, arguments: Arguments) -> Value:
    """What the constructor of a server class does with its arguments.

    Raises RaisedError if it takes no keyword of this name, and the program would catch that or end.
    """
    version = run.versions.get(made.cls.package, "")
    for word, value in arguments.keywords.items():
        certain = word not in arguments.perhaps and value != arguments.unknown
        if certain and refuses(made.cls, version, word):
            made.refused = f"{made.cls.name}() of {made.cls.package} {version} takes no {word}"
            raise RaisedError("builtins.TypeError", made.refused, run.site())
    if "name" in made.attributes.data:
        run.journal.touch(made.attributes)  # before that, nobody has seen the server: no path has it without a name
    made.attributes.data["name"] = arguments.get(0, "name") or NONE
    made.options.update(arguments.keywords)
    if arguments.others is not None and (made.cls is FASTMCP or "tools" not in arguments.keywords):
        note(run, made, Opaque(arguments.others))  # an argument that is given by name is not among the unknown ones
    for hook in CONSTRUCTED if made.cls is not SERVER else ():
        hook(run, made, arguments)
    handler = arguments.keywords.get("on_list_tools", NONE)
    if made.cls is SERVER and is_renamed(run.versions) and handler != NONE:
        run.journal.touch(made.handlers)
        made.handlers.data[(True, "tools/list")] = (Const("tools/list"), handler)
    return NONE


CONSTRUCTED: list[Callable[[Run, ServerValue, Arguments], None]] = []
"""What the constructors of servers whose tools are functions do."""


def lost(run: Run, server: ServerValue, reason: str) -> Unknown:
    """Record that something may have changed any tool of a server, hidden it, or added more."""
    why = run.unsettled(reason, MUTATED)
    note(run, server, Opaque(why, rewrites=True))
    return why


def note(run: Run, server: ServerValue, event: Value) -> None:
    run.journal.touch(server)
    server.data.append(event)


def _call(run: Run, name: str, arguments: Arguments) -> Value | None:
    if (cls := CLASSES.get(name)) is not None:
        made = new_server(run, cls, arguments)
        construct(run, made, arguments)
        return made
    if name == ENABLE and arguments.positional:
        return arguments.positional[0]
    last = name.rpartition(".")[2]
    for value in arguments.all if last == "StreamableHTTPSessionManager" else ():
        if isinstance(value, ServerValue):
            value.started = True
    if last in REMOTE and name.startswith("fastmcp."):
        made = new_server(run, FASTMCP, arguments)
        made.attributes.data["name"] = arguments.keywords.get("name", NONE)
        note(run, made, Opaque(run.unsettled(f"{last}() takes tools from elsewhere", INPUT_OUTPUT)))
        return made
    if name.partition(".")[0] in IMPORTED and not name.startswith(_HARMLESS):
        given = arguments.all
        disturb_servers(run, given, reachable(given), run.unsettled(f"it is handed to {name}()", OUTSIDE))
    return None


_HARMLESS = (
    *("fastmcp.Client", "fastmcp.client.", "mcp.client.", "mcp.Client", "mcp.shared.", "fastmcp.utilities.logging"),
    *("mcp.server.stdio", "mcp.server.sse", "mcp.server.streamable_http", "mcp.types", "mcp_types"),
    *("mcp.server.models", "fastmcp.Context", "fastmcp.server.Context", "fastmcp.server.context.Context"),
    *("mcp.server.lowlevel.NotificationOptions", "mcp.server.NotificationOptions", "mcp.server.auth"),
    "fastmcp.server.http",
    "mcp.server.lowlevel.server.NotificationOptions",
)
"""What of the SDKs changes nothing of a server that it is given."""


def disturb_servers(run: Run, values: list[Value], found: list[Mutable], why: Unknown) -> None:
    """Code that is not followed gets hold of servers: it may register more tools, and change those that are there."""
    if any(external_name(value).rpartition(".")[0] in CLASSES for value in values):
        run.memory.setdefault("registers on unknown", why)  # a method that any server has
    for item in found:
        if isinstance(item, ToolValue):
            run.journal.blur(item, why)
        elif isinstance(item, ServerValue):
            note(run, item, Opaque(why, rewrites=True))


# --- classes that derive from a server class --------------------------------------------------------------------------


def _instance(run: Run, cls: ClassValue, arguments: Arguments) -> Value | None:
    base = next((CLASSES[name] for name in cls.outside if name in CLASSES), None)
    if base is None or cls.refused is not None:
        return None
    made = Instance(cls, arguments.site)
    inner = new_server(run, base, arguments)
    inner.instance = made
    made.inside = inner
    if (own := cls.find("__init__")) is not None:
        run.call(own, arguments.behind(made))
    else:
        construct(run, inner, arguments)
    return made


def _super(run: Run, base: str, receiver: Value, name: str) -> Value | None:
    inner = receiver.inside if isinstance(receiver, Instance) else None
    if not isinstance(inner, ServerValue) or CLASSES.get(base) is not inner.cls:
        return None
    if name == "__init__":
        return Native("super().__init__", lambda run, arguments: construct(run, inner, arguments))
    return run.attribute(inner, name)


def server_in(value: Value) -> ServerValue | None:
    inner = value.inside if isinstance(value, Instance) else value
    return inner if isinstance(inner, ServerValue) else None


LIBRARY_RULES.insert(0, _call)
DISTURBED.append(disturb_servers)
INSTANCES.insert(0, _instance)
SUPER.append(_super)


# --- names that may mean several servers: what is done with one is done with each -------------------------------------


def _attribute_of_each(run: Run, either: Either, name: str) -> Value:
    run.risk |= NONE in either.options  # ``None`` has no such attribute
    return _combined(run, either, [run.attribute(option, name) for option in either.options if option != NONE])


def _combined(run: Run, either: Either, found: list[Value]) -> Value:
    """What the same operation on each server gives, as one value."""
    if all(same(found[0], other) for other in found):
        return found[0]
    if all(isinstance(value, (Native, BoundMethod, FunctionValue)) for value in found):

        def call(run: Run, arguments: Arguments) -> Value:
            return _combined(run, either, [run.call(value, arguments) for value in found])

        return Native("a method of one of several servers", call)
    why = run.unsettled("it depends on which server is made")
    servers = [server for option in either.options if (server := server_in(option)) is not None]
    disturb_servers(run, [], [*servers], why)
    return why


def _set_on_each(run: Run, either: Either, name: str, value: Value) -> None:
    for option in either.options:
        run.set_attribute(option, name, value)


_REGISTERING = frozenset({"tool", "add_tool", "remove_tool", "list_tools", "add_request_handler"})
_of_unknown, _of_any = ATTRIBUTES[Unknown], ATTRIBUTES[AnyOf]


def _attribute_of_unknown(run: Run, value: Unknown, name: str) -> Value:
    if name in _REGISTERING and not (isinstance(value, AnyOf) and value.sure):
        why = run.unsettled(f"{name} of something that is not known is used: {value.reason}", value.code)
        run.memory.setdefault("removes on unknown" if name == "remove_tool" else "registers on unknown", why)
    return (_of_any if isinstance(value, AnyOf) else _of_unknown)(run, value, name)


ATTRIBUTES[Unknown] = ATTRIBUTES[AnyOf] = _attribute_of_unknown
ATTRIBUTES[Either] = _attribute_of_each
SETTERS[Either] = _set_on_each
