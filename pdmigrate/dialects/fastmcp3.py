"""fastmcp 3.x: tools come from providers; ``mount`` takes a namespace, and tools are hidden by ``disable``.

The last of two tools of one name wins; a server's own tools come before those of what is mounted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.decorated import Decorated, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World
    from pdmigrate.model import Server


class FastMCP3:
    """``fastmcp.FastMCP`` with providers, on mcp 1.x."""

    id = "fastmcp3"
    package = "fastmcp"
    gates = (b"FastMCP",)
    adapter = "mcp1"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        return servers_of(path, world, Decorated(self.id, "fastmcp.FastMCP", self.package, major=3))


DIALECT = FastMCP3()
