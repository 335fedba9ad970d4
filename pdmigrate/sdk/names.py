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
    return (module or "").rpartition(".")[2] == MODULE


def canonical(name: str) -> str:
    """The canonical name of an object that the SDK exports in several places; any other name unchanged."""
    if name in _SERVERS:
        return _SERVERS[name]
    if name.startswith("mcp_types"):
        return TYPES + name.removeprefix("mcp_types")
    if name.startswith("mcp.") and name.count(".") == 1 and name[4:] in _TOP:
        return f"{TYPES}.{name[4:]}"
    return name


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


_ALWAYS = ""
_EXPORTS: Mapping[str, Mapping[str, str]] = {
    "mcp": {
        _ALWAYS: """
            mcp: types; mcp.client.session: ClientSession; mcp.client.stdio: stdio_client; mcp.server:
            NotificationOptions stdio; mcp.server.fastmcp: Context; mcp.server.fastmcp.exceptions: ToolError;
            mcp.server.models: InitializationOptions; mcp.server.sse: SseServerTransport; mcp.server.stdio:
            stdio_server; mcp.types: CallToolResult ClientCapabilities EmbeddedResource ErrorData GetPromptResult
            ImageContent INTERNAL_ERROR INVALID_PARAMS ListToolsResult Prompt PromptArgument PromptMessage Resource
            ServerCapabilities TextContent Tool ToolsCapability
        """,
        "1.7.0": """
            mcp.server.auth.middleware.auth_context: get_access_token; mcp.server.auth.provider: AccessToken;
            mcp.server.auth.settings: AuthSettings; mcp.types: ToolAnnotations
        """,
        "1.9.4": "mcp.types: AudioContent",
        "1.10.0": """
            mcp.server.transport_security: TransportSecuritySettings; mcp.types: ContentBlock ElicitRequest ResourceLink
        """,
        "1.15.0": "mcp.types: Icon",
        "1.24.0": "mcp.client.streamable_http: streamable_http_client",
        "2.0.0": """
            mcp: MCPError; mcp.server.caching: CacheHint; mcp.server.mcpserver: Context;
            mcp.server.mcpserver.exceptions: ResourceError ToolError; mcp.shared.exceptions: MCPError;
            mcp.shared.subscriptions: ToolsListChanged
        """,
    },
    "fastmcp": {
        _ALWAYS: "fastmcp: Context; fastmcp.exceptions: ToolError; fastmcp.tools: Tool",
        "2.3.0": "fastmcp.server.dependencies: get_context",
        "2.5.2": "fastmcp.server.dependencies: get_http_headers",
        "2.6.0": "fastmcp.server.dependencies: get_access_token",
        "2.9.0": "fastmcp.server.middleware: Middleware MiddlewareContext",
        "2.10.0 4.0.0": "fastmcp.tools.tool: ToolResult",
        "2.11.0": "fastmcp.server.auth: JWTVerifier",
        "3.0.0": "fastmcp.tools: ToolResult",
    },
}
"""Names that one server in a hundred imports, or that one imports where it is prepared for an ImportError, by module,
and by the first release that exports them and the first that does so no more.

Read from the sources of mcp 1.2.0 to 2.3.0 and fastmcp 2.0.0 to 3.2.4, and imported from the newest release of each
family.  A name that is not here may be there or not.
"""
SINCE: Mapping[str, tuple[str, str]] = {
    f"{module.strip()}.{name}": (package, since)
    for package, releases in _EXPORTS.items()
    for since, modules in releases.items()
    for module, _, names in (each.partition(":") for each in modules.split(";"))
    for name in names.split()
}
"""The package of a dotted name, and the releases between which it is there; empty for all of them."""
_MODULES = frozenset(name.rpartition(".")[0] for name in SINCE)


def exported(versions: Mapping[str, str], name: str) -> bool | None:
    """Whether SDKs of these ``versions`` (by package) have a module, or a name of one; ``None`` if nothing says so."""
    if name in _SERVERS.values():
        return True
    if name in _MODULES:
        inside = [exported(versions, each) for each in SINCE if each.startswith(f"{name}.")]
        return True if True in inside else None
    package, since = SINCE.get(name, ("", ""))
    if not since:
        return True if package else None
    first, _, end = since.partition(" ")
    return is_within(versions.get(package, ""), first, end)


def is_within(version: str, first: str, end: str) -> bool | None:
    """Whether ``version`` is one from ``first`` on and before ``end`` (each empty where there is no such limit).

    ``None``: it is no plain release, or of the minor version of ``first`` and before it.  Of each minor version the
    first and the last release were read, so what the last one has came with any of them.
    """
    own = _numbers(version)
    if not own:
        return None
    if end and own >= _numbers(end):
        return False
    if own >= _numbers(first):
        return True
    return None if own[:2] == _numbers(first)[:2] else False


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release; empty for a text that is no plain release."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
