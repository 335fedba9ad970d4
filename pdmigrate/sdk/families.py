"""The SDK families that pdmigrate understands: one row each, and the names and patterns derived from the rows.

A family is one way in which an SDK's servers declare tools.  Code that looks for servers in bytes, in syntax or in
evaluated values derives its patterns and names from these rows; nothing else spells the name of a server class.
Standard library only: the rows are read before anything is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution that provides an SDK."""

    name: str
    imported: tuple[str, ...]
    """The top-level modules that the distribution installs."""
    newest: tuple[str, ...]
    """The last measured release of each major version, newest first: an unlocked requirement means the first to fit."""
    oldest: tuple[int, ...]
    """The first release that a generated module runs on."""


@dataclass(frozen=True, slots=True)
class ServerClass:
    """A class of an SDK whose instances are servers."""

    name: str
    package: str
    modules: tuple[str, ...]
    """The modules from which the SDK exports the class under its name; ``type`` uses the first."""

    @property
    def type(self) -> str:
        """The dotted name by which pdmigrate calls the class, however many modules export it."""
        return f"{self.modules[0]}.{self.name}"

    @property
    def exported(self) -> frozenset[str]:
        return frozenset(f"{module}.{self.name}" for module in self.modules)


@dataclass(frozen=True, slots=True)
class DecoratedClass(ServerClass):
    """A server class whose tools are functions, and how the functions are registered."""

    tools: frozenset[str]
    """The dotted names under which the SDK exports its class of tools."""
    first: tuple[str, ...]
    """The positional parameters of ``tool()``."""
    added: tuple[str, ...]
    """The positional parameters of ``add_tool()``."""


@dataclass(frozen=True, slots=True)
class Family:
    """One way in which the servers of an SDK declare tools."""

    id: str
    """The name in reports and in ``[tool.pdmigrate]``: ``mcp1-lowlevel``."""
    server: ServerClass
    major: int
    """The major version of the package that has this family."""
    adapter: str
    """Which template connects the generated core to this SDK: ``mcp1`` for ``adapter_mcp1.py.j2``."""
    gates: tuple[bytes, ...]
    """Byte strings; a file that holds none of them declares no server of this family, and is not parsed."""
    answering: tuple[str, ...] = ()
    """The methods of the server that answer ``tools/list``, the outermost first: a subclass may replace them."""

    @property
    def below(self) -> int:
        """The major version of ``mcp`` that the SDK is built on."""
        return int(self.adapter.removeprefix("mcp"))

    @property
    def is_official(self) -> bool:
        """Whether the SDK makes tools of functions as the official one does, and not as fastmcp."""
        return self.server is not FASTMCP

    @property
    def package(self) -> str:
        """The distribution whose version decides what goes on the wire."""
        return self.server.package


PACKAGES = (
    Package("mcp", ("mcp", "mcp_types"), ("2.3.0", "1.30.0"), (1, 1)),
    Package("fastmcp", ("fastmcp",), ("4.2.3", "3.4.11", "2.14.7"), (2, 0)),
)

_OPTIONS = ("name", "title", "description", "annotations", "icons", "meta", "structured_output")
SERVER = ServerClass("Server", "mcp", ("mcp.server.lowlevel", "mcp.server", "mcp.server.lowlevel.server"))
MCP1 = DecoratedClass(
    "FastMCP",
    "mcp",
    ("mcp.server.fastmcp", "mcp.server", "mcp.server.fastmcp.server"),
    frozenset({"mcp.server.fastmcp.tools.Tool", "mcp.server.fastmcp.tools.base.Tool"}),
    _OPTIONS,
    ("fn", *_OPTIONS),
)
MCP2 = DecoratedClass(
    "MCPServer",
    "mcp",
    ("mcp.server.mcpserver", "mcp.server", "mcp.server.mcpserver.server"),
    frozenset({"mcp.server.mcpserver.tools.Tool", "mcp.server.mcpserver.tools.base.Tool"}),
    _OPTIONS,
    ("fn", *_OPTIONS),
)
FASTMCP = DecoratedClass(
    "FastMCP",
    "fastmcp",
    ("fastmcp", "fastmcp.server", "fastmcp.server.server"),
    frozenset(f"fastmcp.tools.{name}" for name in ("Tool", "tool.Tool", "base.Tool"))
    | {f"fastmcp.tools.{name}" for name in ("FunctionTool", "tool.FunctionTool", "function_tool.FunctionTool")}
    | {"fastmcp.tools.base.FunctionTool"},
    ("name_or_fn",),
    ("tool",),
)

_LOW = (b"mcp.server", b"mcp import server")
_FAST = (b"FastMCP",)
_LISTED = ("_list_tools_mcp", "list_tools", "_list_tools")
FAMILIES: tuple[Family, ...] = (
    Family("mcp1-lowlevel", SERVER, 1, "mcp1", _LOW),
    Family("mcp2-lowlevel", SERVER, 2, "mcp2", _LOW),
    Family("mcp1-fastmcp", MCP1, 1, "mcp1", _FAST, answering=("list_tools",)),
    Family(
        "fastmcp2", FASTMCP, 2, "mcp1", _FAST, answering=("_list_tools_mcp", "_list_tools_middleware", "_list_tools")
    ),
    Family("fastmcp3", FASTMCP, 3, "mcp1", _FAST, answering=_LISTED),
    Family("fastmcp4", FASTMCP, 4, "mcp2", _FAST, answering=_LISTED),
    Family("mcp2-mcpserver", MCP2, 2, "mcp2", (b"MCPServer", *_FAST), answering=("_handle_list_tools", "list_tools")),
)
"""All families, in the order in which a file is searched for their servers."""


SERVER_CLASSES = tuple(dict.fromkeys(family.server for family in FAMILIES))
DECORATED = tuple(each for each in SERVER_CLASSES if isinstance(each, DecoratedClass))
"""The classes whose tools are functions."""
CLASS_NAMES = tuple(dict.fromkeys(each.name for each in SERVER_CLASSES))
DECORATED_NAMES = tuple(dict.fromkeys(each.name for each in DECORATED))
HANDLER_NAMES = tuple(name for name in CLASS_NAMES if name not in DECORATED_NAMES)
"""The names of classes whose tools a handler returns: words too common to be recognised inside longer names."""
_MODULES = {module for each in SERVER_CLASSES for module in each.modules}
HOMES = tuple(sorted(name for name in _MODULES if not any(name.startswith(f"{other}.") for other in _MODULES)))
"""The modules at or below which server classes are exported."""
DISTRIBUTIONS = tuple(package.name for package in PACKAGES)
IMPORTED = frozenset(module for package in PACKAGES for module in package.imported)
"""The top-level modules of all SDKs."""


def alternation(names: Iterable[str]) -> bytes:
    """A group of alternative names in a pattern over bytes: ``(?:FastMCP|MCPServer)``."""
    return b"(?:" + b"|".join(re.escape(name).encode() for name in names) + b")"


def gates() -> tuple[bytes, ...]:
    """Every literal of every family: a file with none of them is never parsed."""
    return tuple(dict.fromkeys(gate for family in FAMILIES for gate in family.gates))


MENTIONS = tuple(dict.fromkeys((*(name.encode() for name in sorted(IMPORTED)), *gates())))
"""Every file that names an SDK, or declares one of its servers, contains one of these."""


def by_id(name: str) -> Family:
    """The family called ``name``.  Raises KeyError if there is no such family."""
    return {family.id: family for family in FAMILIES}[name]


def below(package: str, version: str) -> int:
    """The major version of ``mcp`` that a version of another package is built on."""
    return of_class(next(each for each in SERVER_CLASSES if each.package == package), version).below


def of_class(server: ServerClass, version: str) -> Family:
    """The family of a server class: the latest up to the major version of ``version``, or else the class's first.

    An unknown version counts as one of major version 3.
    """
    head = version.partition(".")[0]
    major = int(head) if head.isdigit() else 3
    rows = sorted((family for family in FAMILIES if family.server == server), key=lambda family: family.major)
    return next((family for family in reversed(rows) if family.major <= major), rows[0])
