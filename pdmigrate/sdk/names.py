"""The names under which the SDKs export the objects that programs use, and which releases export them."""

from __future__ import annotations

from collections.abc import Mapping

from pdmigrate.names import MODULE
from pdmigrate.sdk.families import MCP1, MCP2, SERVER_CLASSES, ServerClass

TYPES = "mcp.types"
ENABLE = f"{MODULE}.enable"
"""The one function of generated modules that servers call, in whatever package they are."""
_SERVERS = {name: each.type for each in SERVER_CLASSES for name in each.exported}
_TOP = frozenset({"Tool", "ServerSession", "ListToolsResult", "CallToolResult", "ServerResult", "ListToolsRequest"})


def is_generated(module: str | None) -> bool:
    """Whether a dotted name is that of a generated module, in whatever package."""
    return (module or "").rpartition(".")[2].startswith(MODULE)


def canonical(name: str) -> str:
    """The canonical name of an object that the SDK exports in several places; any other name unchanged."""
    if name in _SERVERS:
        return _SERVERS[name]
    if name.startswith("mcp_types"):
        return TYPES + name.removeprefix("mcp_types")
    if name.startswith("mcp.") and name.count(".") == 1 and name[4:] in _TOP:
        return f"{TYPES}.{name[4:]}"
    return name


EXPORTED = ("Tool", "ToolAnnotations", "ListToolsResult", "ListToolsRequest", "ServerResult", "Icon", "ToolExecution")


def exported_names(module: str) -> tuple[str, ...]:
    """The names that are known among those that ``from module import *`` binds."""
    if module == TYPES:
        return (*EXPORTED, "TextContent", "ImageContent", "EmbeddedResource", "CallToolResult", "Resource", "Prompt")
    return ()


def absent(versions: Mapping[str, str], name: str) -> bool:
    """Whether the release of ``mcp`` that ``versions`` (by package) gives certainly lacks ``name``."""
    major = versions.get("mcp", "").partition(".")[0]
    if major == "2":
        return _is_of(name, MCP1)
    if major == "1":
        return _is_of(name, MCP2) or name.startswith("mcp_types.")
    return False


def _is_of(name: str, server: ServerClass) -> bool:
    """Whether ``name`` is the server class itself, or in the package that only the SDK version of this class has."""
    return name in server.exported or f"{name}.".startswith(f"{server.modules[0]}.")
