"""Servers of the decorator families as objects of the evaluated program: they record what they are told.

Bodies of tools are never evaluated: registering a function reads its signature and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.state import join_values
from pdmigrate.evaluate.core.values import (
    Arguments,
    Choice,
    Instance,
    ListValue,
    SdkObject,
    Value,
)
from pdmigrate.evaluate.servers.registered import Removal, Unfollowed, Visibility

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
TOOL_CLASSES = {name: family for family in FAMILIES.values() for name in family.tools}
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


def by_name(names: tuple[str, ...], arguments: Arguments, skip: int = 0) -> dict[str, Value]:
    """The arguments of a call by the names of the parameters."""
    given = dict(zip(names, arguments.positional[skip:], strict=False))
    return {**given, **arguments.keywords}


def each(run: Interpreter, value: Value, make: Callable[[Value], Value]) -> Value:
    """``make`` of ``value``, or of each of its alternatives."""
    if isinstance(value, Choice):
        first, second = each(run, value.first, make), each(run, value.second, make)
        return join_values(value.guard, first, second)
    return make(value)
