"""Since which release the SDKs export names that programs import where they are prepared for an ImportError.

Read from the sources of mcp 1.2.0 to 2.3.0 and fastmcp 2.0.0 to 3.2.4, and imported from the newest release of each
family.  A name that is not here may be there or not; what is in one major version only, ``names.absent`` says first.

Standard library only, as the rows of the families.
"""

from __future__ import annotations

from collections.abc import Mapping

_ALWAYS = ""
_EXPORTS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "mcp": {
        _ALWAYS: {
            "mcp": "ClientSession StdioServerParameters types",
            "mcp.client.session": "ClientSession",
            "mcp.client.sse": "sse_client",
            "mcp.client.stdio": "stdio_client",
            "mcp.server": "NotificationOptions Server stdio",
            "mcp.server.fastmcp": "Context FastMCP",
            "mcp.server.fastmcp.exceptions": "ToolError",
            "mcp.server.lowlevel": "Server NotificationOptions",
            "mcp.server.models": "InitializationOptions",
            "mcp.server.sse": "SseServerTransport",
            "mcp.server.stdio": "stdio_server",
            "mcp.types": "BlobResourceContents CallToolResult ClientCapabilities EmbeddedResource GetPromptResult "
            "ImageContent ListToolsRequest ListToolsResult METHOD_NOT_FOUND Prompt PromptArgument PromptMessage "
            "Resource TextContent Tool",
        },
        "1.7.0": {
            "mcp.server.auth.middleware.auth_context": "get_access_token",
            "mcp.server.auth.provider": "AccessToken OAuthAuthorizationServerProvider",
            "mcp.server.auth.settings": "AuthSettings",
            "mcp.types": "ToolAnnotations",
        },
        "1.10.0": {
            "mcp.server.transport_security": "TransportSecuritySettings",
            "mcp.types": "ElicitRequest ResourceLink",
        },
        "1.15.0": {"mcp.types": "Icon"},
        "1.24.0": {"mcp.client.streamable_http": "streamable_http_client"},
        "2.0.0": {
            "mcp": "MCPError",
            "mcp.server": "MCPServer",
            "mcp.server.caching": "CacheHint",
            "mcp.server.mcpserver": "Context MCPServer",
            "mcp.server.mcpserver.exceptions": "ResourceError ToolError",
            "mcp.shared.exceptions": "MCPError",
            "mcp.shared.subscriptions": "ToolsListChanged",
        },
    },
    "fastmcp": {
        _ALWAYS: {
            "fastmcp": "Client Context FastMCP settings",
            "fastmcp.exceptions": "ToolError",
            "fastmcp.tools": "Tool",
            "fastmcp.utilities.logging": "get_logger",
            "fastmcp.utilities.types": "Image",
        },
        "2.3.0": {"fastmcp.server": "dependencies", "fastmcp.server.dependencies": "get_context get_http_request"},
        "2.5.2": {"fastmcp.server.dependencies": "get_http_headers"},
        "2.6.0": {"fastmcp.server.dependencies": "get_access_token"},
        "2.9.0": {"fastmcp.server.middleware": "Middleware MiddlewareContext"},
        "2.10.0": {"fastmcp.server.middleware": "CallNext"},
        "2.11.0": {"fastmcp.server.auth": "JWTVerifier OAuthProvider StaticTokenVerifier TokenVerifier"},
        "2.11.3": {"fastmcp.server.auth": "RemoteAuthProvider"},
        "3.0.0": {
            "fastmcp.server.providers.openapi": "MCPType RouteMap",
            "fastmcp.tools": "ToolResult",
            "fastmcp.utilities.lifespan": "combine_lifespans",
        },
    },
}
SINCE: Mapping[str, tuple[str, str]] = {
    f"{module}.{name}": (package, since)
    for package, releases in _EXPORTS.items()
    for since, modules in releases.items()
    for module, names in modules.items()
    for name in names.split()
}
"""The package of a dotted name, and the first release that has it."""
_MODULES = frozenset(name.rpartition(".")[0] for name in SINCE)


def exported(versions: Mapping[str, str], name: str) -> bool | None:
    """Whether SDKs of these ``versions`` (by package) have a module, or a name of one; ``None`` if nothing says so."""
    if name in _MODULES:
        inside = [exported(versions, each) for each in SINCE if each.startswith(f"{name}.")]
        return True if True in inside else None
    package, since = SINCE.get(name, ("", ""))
    if package and not since:
        return True
    own, first = _numbers(versions.get(package, "")), _numbers(since)
    return own >= first if own and first else None


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release; empty for a text that is no plain release."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
