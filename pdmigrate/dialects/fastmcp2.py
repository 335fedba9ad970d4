"""fastmcp 2.x: tools are functions; the decorated name becomes a tool object.

The last of two tools of one name wins; mounted servers come after the server's own tools, and replace them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.decorated import Decorated, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World
    from pdmigrate.model import Server


class FastMCP2:
    """``fastmcp.FastMCP`` with one manager of tools for each server."""

    id = "fastmcp2"
    package = "fastmcp"
    gates = (b"FastMCP",)
    adapter = "mcp1"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        return servers_of(path, world, Decorated(self.id, "fastmcp.FastMCP", self.package, major=2))


DIALECT = FastMCP2()
