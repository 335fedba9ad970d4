"""Servers of the decorator families as objects of the evaluated program: they record what they are told.

Bodies of tools are never evaluated: registering a function reads its signature and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Origin,
    Partial,
    Place,
    SdkObject,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.servers.registered import RECORD, TAMPERED, TOOL, Removal, ToolValue, Unfollowed, Visibility

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@dataclass(frozen=True)
class Family:
    """How one SDK's server class is called and called upon."""

    id: str
    type: str
    names: frozenset[str]
    """Where the SDK exports the class."""
    tools: frozenset[str]
    """Where the SDK exports its class of tools."""
    first: tuple[str, ...]
    """The positional parameters of ``tool()``."""
    added: tuple[str, ...]
    """The positional parameters of ``add_tool()``."""
    bare: bool
    """Whether ``@server.tool`` works without a call."""


_MCP_OPTIONS = ("name", "title", "description", "annotations", "icons", "meta", "structured_output")
MCP1 = Family(
    "mcp1-fastmcp",
    "mcp.server.fastmcp.FastMCP",
    frozenset({"mcp.server.FastMCP", "mcp.server.fastmcp.FastMCP", "mcp.server.fastmcp.server.FastMCP"}),
    frozenset({"mcp.server.fastmcp.tools.Tool", "mcp.server.fastmcp.tools.base.Tool"}),
    _MCP_OPTIONS,
    ("fn", *_MCP_OPTIONS),
    bare=False,
)
MCP2 = Family(
    "mcp2-mcpserver",
    "mcp.server.mcpserver.MCPServer",
    frozenset({"mcp.server.MCPServer", "mcp.server.mcpserver.MCPServer", "mcp.server.mcpserver.server.MCPServer"}),
    frozenset({"mcp.server.mcpserver.tools.Tool", "mcp.server.mcpserver.tools.base.Tool"}),
    _MCP_OPTIONS,
    ("fn", *_MCP_OPTIONS),
    bare=False,
)
FASTMCP = Family(
    "fastmcp",
    "fastmcp.FastMCP",
    frozenset({"fastmcp.FastMCP", "fastmcp.server.FastMCP", "fastmcp.server.server.FastMCP"}),
    frozenset(
        {f"fastmcp.tools.{name}" for name in ("Tool", "FunctionTool", "tool.Tool", "tool.FunctionTool", "base.Tool")}
        | {"fastmcp.tools.function_tool.FunctionTool"}
    ),
    ("name_or_fn",),
    ("tool",),
    bare=True,
)
FAMILIES = {family.type: family for family in (MCP1, MCP2, FASTMCP)}
_ALIASES = {name: family.type for family in FAMILIES.values() for name in family.names}
_TOOLS = {name: family for family in FAMILIES.values() for name in family.tools}
REMOTE = frozenset({"from_openapi", "from_fastapi", "from_client", "as_proxy", "create_proxy", "FastMCPProxy"})
"""What makes a server whose tools somebody else defines."""
EVENTS = "<events>"
HIDES, REWRITES = "<hides>", "<rewrites>"


def canonical_registry(name: str) -> str:
    """One name for a server class that the SDK exports in several places."""
    return _ALIASES.get(name, name)


def fastmcp_major(run: Interpreter) -> int:
    """The major version of ``fastmcp`` that the program runs on."""
    head = run.versions.get("fastmcp", "").partition(".")[0]
    return int(head) if head.isdigit() else 3


def absent(run: Interpreter, name: str) -> bool:
    """Whether the version of ``mcp`` that the program runs on certainly has no ``name``."""
    major = run.versions.get("mcp", "").partition(".")[0]
    if major == "2":
        return name == "mcp.server.FastMCP" or f"{name}.".startswith("mcp.server.fastmcp.")
    if major == "1":
        return name == "mcp.server.MCPServer" or f"{name}.".startswith(("mcp.server.mcpserver.", "mcp_types."))
    return False


def registry_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of calling a name of a decorator SDK; ``None`` when it is none of those that matter."""
    name = function.name
    if name in FAMILIES:
        return make_registry(run, FAMILIES[name], arguments)
    head, _, last = name.rpartition(".")
    if last == "from_function" and head in _TOOLS:
        return from_function(run, _TOOLS[head], arguments)
    if last == "from_tool" and _TOOLS.get(head) is FASTMCP:
        return from_tool(run, arguments)
    if last in REMOTE and name.startswith("fastmcp."):
        made = make_registry(run, FASTMCP, Arguments((), {}, None, arguments.place))
        reason = reasons.unknown(reasons.INPUT_OUTPUT, f"{last}() takes tools from elsewhere", arguments.place)
        record(run, made, Unfollowed(reason, rewrites=False))
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
    """A function of the SDK that is not followed receives a server: it may register tools with it."""
    if name.startswith(_HARMLESS):
        return
    for value in (*arguments.positional, *arguments.keywords.values()):
        server = registry_in(value)
        if server is not None:
            unknown = reasons.unknown(reasons.UNSUPPORTED, f"it is handed to {name}()", arguments.place)
            record(run, server, Unfollowed(unknown, rewrites=False))


def make_registry(run: Interpreter, family: Family, arguments: Arguments) -> SdkObject:
    """A server object with an empty record; its constructor's arguments are its first registrations."""
    from pdmigrate.evaluate.servers.registering import constructed

    tampered = SdkObject({}, None, "the tools of a server")
    names: dict[str, Value] = {EVENTS: ListValue(kind=RECORD), TAMPERED: tampered}
    names["name"] = arguments.positional[0] if arguments.positional else arguments.keywords.get("name", NONE)
    origin = Origin("server", arguments.place)
    server = SdkObject(names, None, family.type, arguments.place, run.loops > 0, origin=origin)
    if arguments.place is not None:
        run.made.setdefault(arguments.place.node, []).append(server)
    if arguments.unknown is not None:
        # What is not known of the arguments may hold tools; most calls spread settings.
        names["<arguments>"] = arguments.unknown
    constructed(run, server, family, arguments)
    run.kept.update(function.node for function in run.calls)
    return server


def initialised(run: Interpreter, server: SdkObject, arguments: Arguments) -> Value:
    """``super().__init__(...)`` of a class of the program that derives from a server class."""
    from pdmigrate.evaluate.servers.registering import constructed

    server.names["name"] = arguments.positional[0] if arguments.positional else arguments.keywords.get("name", NONE)
    constructed(run, server, FAMILIES[server.type], arguments)
    return NONE


def record(run: Interpreter, server: SdkObject, event: Value) -> None:
    """Append to the record of ``server``."""
    events = server.names[EVENTS]
    assert isinstance(events, ListValue)
    run.trail.touch(events)
    events.items.append(event)
    kind = _kind_of_change(event)
    if kind:
        run.trail.touch(server)
        server.names[kind] = event


def _kind_of_change(event: Value) -> str:
    """Under which name a server holds the last event that may take tools away, or change them; empty for others.

    What a loop of unknown length adds to a record is lost with the order of its turns, but this name is not known then.
    """
    if isinstance(event, (Removal, Visibility)):
        return HIDES
    return REWRITES if isinstance(event, Unfollowed) and (event.rewrites or event.replaces) else ""


def registry_in(value: Value) -> SdkObject | None:
    """The server object that ``value`` is, or is an instance of a subclass of."""
    if isinstance(value, Instance):
        value = value.names.get("<server>", value)
    return value if isinstance(value, SdkObject) and value.type in FAMILIES else None


# --- tools ------------------------------------------------------------------------------------------------------------


def family_name(run: Interpreter, family: Family) -> str:
    """By whose rules tools of the family are listed."""
    return f"fastmcp{fastmcp_major(run)}" if family is FASTMCP else family.id


def tool_of(
    run: Interpreter, family: Family, value: Value, options: dict[str, Value], place: Place | None
) -> ToolValue:
    """``value``, a function, as a tool with these options."""
    from pdmigrate.evaluate.types.function_specs import ToolSpecs

    convert = ToolSpecs(run)
    with run.collected_risks():
        function = convert.function(value)
        given = tuple((name, convert.value(item)) for name, item in options.items())
    origin, name = Origin("tool", place), family_name(run, family)
    made = ToolValue({}, None, TOOL, place, True, options=given, value=value, family=name, origin=origin)
    if isinstance(function, UnknownValue):
        made.opaque = function
    else:
        made.function = function
    return made


def from_function(run: Interpreter, family: Family, arguments: Arguments) -> Value:
    """``Tool.from_function(fn, ...)``"""
    names: tuple[str, ...] = ("fn", "name", "title", "description")
    if family is not FASTMCP:
        names = (*names, "context_kwarg", "annotations", "icons", "meta", "structured_output")
    options = by_name(names, arguments)
    function = options.pop("fn", NONE)
    return each(run, function, lambda item: tool_of(run, family, item, options, arguments.place))


_GIVEN = ("name", "title", "description", "annotations", "tags", "meta", "output_schema", "enabled")
"""What ``Tool.from_tool`` takes from its arguments, and else from the tool that it transforms."""


def from_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``Tool.from_tool(tool, ...)``: a tool whose schema is made anew from that of another, which keeps all else."""
    options = by_name(("tool",), arguments)
    place = arguments.place
    schema = reasons.unknown(reasons.UNSUPPORTED, "the schema of a tool that is transformed", place)

    def made(value: Value) -> Value:
        tool = value if isinstance(value, ToolValue) else tool_of(run, FASTMCP, value, {}, place)
        given = {name: options[name] for name in _GIVEN if name in options and not _is_none(options[name])}
        names = {**tool.names, "parameters": schema, **given}
        if "name" in given:
            names.setdefault(
                "title", reasons.unknown(reasons.UNSUPPORTED, "the title of a tool that is renamed", place)
            )
        if "transform_fn" in options and "output_schema" not in given:
            names["output_schema"] = schema
        return replace(tool, names=names, rest=tool.rest or arguments.unknown, place=place)

    return each(run, options.pop("tool", NONE), made)


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def inherited_maker(cls: ClassValue, name: str) -> Value | None:
    """``from_function`` of a class of the program that derives from the SDK's class of tools, if it is that."""
    base = _sdk_tool_class(cls) if name == "from_function" else None
    return External(f"{base.name}.{name}") if base is not None else None


def _sdk_tool_class(cls: ClassValue) -> External | None:
    """The SDK's class of tools, where ``cls`` derives from it and changes nothing of what is listed.

    What encodes results, runs the function, or is private to the program is not asked for by ``tools/list``.
    """
    found: External | None = None
    for base in cls.mro:
        if isinstance(base, ClassValue):
            own = [(name, value) for name, value in base.names.items() if name not in _SAID]
            methods = all(isinstance(value, FunctionValue) and _unlisted(name) for name, value in own)
            if not methods or base.rest is not None or base.opaque is not None or base.fields.items or base.options:
                return None
        elif isinstance(base, External) and base.name in _TOOLS:
            found = found or base
        elif not isinstance(base, External) or base.name not in _PLAIN:
            return None
    return found


def _unlisted(name: str) -> bool:
    own = name.startswith("_") and not name.startswith("__") and name not in _SDK_PRIVATE
    return own or name in ("run", "convert_result")


_SAID = frozenset({"__doc__", "__module__", "__qualname__"})
_SDK_PRIVATE = frozenset({"_ensure_tool", "_mark_non_object_result", "_validate_tool_name"})
"""Methods of the SDK's own that have a part in what a tool is listed as."""
_PLAIN = frozenset({"abc.ABC", "builtins.object"})


def by_name(names: tuple[str, ...], arguments: Arguments, skip: int = 0) -> dict[str, Value]:
    """The arguments of a call by the names of the parameters."""
    given = dict(zip(names, arguments.positional[skip:], strict=False))
    return {**given, **arguments.keywords}


def each(run: Interpreter, value: Value, make: Callable[[Value], Value]) -> Value:
    """``make`` of ``value``, or of each of its alternatives."""
    from pdmigrate.evaluate.core.state import join_values

    if isinstance(value, Choice):
        first, second = each(run, value.first, make), each(run, value.second, make)
        return join_values(value.guard, first, second)
    return make(value)


def is_function(value: Value) -> bool:
    return isinstance(value, (FunctionValue, BoundMethod, Partial, UnknownValue, Native, Choice)) or (
        isinstance(value, External) and value.is_result
    )


def _standalone(run: Interpreter, arguments: Arguments) -> Value:
    """``@tool`` of fastmcp 3: the function remembers its options until it is added to a server."""
    options = by_name(("name_or_fn",), arguments)
    first = options.pop("name_or_fn", NONE)

    def mark(run: Interpreter, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else NONE
        target = function.function if isinstance(function, BoundMethod) else function
        made = tool_of(run, FASTMCP, function, options, arguments.place)
        if fastmcp_major(run) < 3:
            return made
        if isinstance(target, FunctionValue):
            run.trail.touch(target)
            target.names[MARK] = made
        return function

    if is_function(first):
        return mark(run, arguments)
    if isinstance(first, Const) and isinstance(first.value, str):
        options["name"] = first
    return Native("tool()", mark)


MARK = "__fastmcp__"
