"""mcp 2.x, ``mcp.server.mcpserver.MCPServer``: tools are functions, registered as with the ``FastMCP`` of mcp 1.x."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.decorated import Decorated, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World
    from pdmigrate.model import Server


class Mcp2MCPServer:
    """``MCPServer`` of the official SDK."""

    id = "mcp2-mcpserver"
    package = "mcp"
    gates = (b"MCPServer", b"FastMCP")
    adapter = "mcp2"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        return servers_of(path, world, Decorated(self.id, "mcp.server.mcpserver.MCPServer", self.package, major=2))


DIALECT = Mcp2MCPServer()
