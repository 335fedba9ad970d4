"""mcp 1.x, ``mcp.server.fastmcp.FastMCP``: tools are functions, registered with ``@mcp.tool()`` or ``add_tool``.

The first of two tools of one name stays; descriptions are docstrings as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.decorated import Decorated, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World
    from pdmigrate.model import Server


class Mcp1FastMCP:
    """``FastMCP`` of the official SDK, before it was renamed."""

    id = "mcp1-fastmcp"
    package = "mcp"
    gates = (b"FastMCP",)
    adapter = "mcp1"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        return servers_of(path, world, Decorated(self.id, "mcp.server.fastmcp.FastMCP", self.package, major=1))


DIALECT = Mcp1FastMCP()
