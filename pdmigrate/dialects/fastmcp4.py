"""fastmcp 4.x: declared as with fastmcp 3, listed by mcp 2.x."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.decorated import Decorated, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World
    from pdmigrate.model import Server


class FastMCP4:
    """``fastmcp.FastMCP`` with providers, on mcp 2.x."""

    id = "fastmcp4"
    package = "fastmcp"
    gates = (b"FastMCP",)
    adapter = "mcp2"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        return servers_of(path, world, Decorated(self.id, "fastmcp.FastMCP", self.package, major=4))


DIALECT = FastMCP4()
