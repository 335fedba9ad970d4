"""mcp 1.x, low-level ``Server``: tools are what the handler of ``tools/list`` returns.

The handler is registered with ``@server.list_tools()`` or put into ``server.request_handlers`` under
``ListToolsRequest``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.dialects.lowlevel import LowLevel, servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate import World
    from pdmigrate.model import Server


class Mcp1LowLevel:
    """The family before handlers became constructor arguments."""

    id = "mcp1-lowlevel"
    package = "mcp"
    gates = (b"mcp.server", b"mcp import server")
    adapter = "mcp1"

    def servers(self, path: str, world: World) -> Iterable[Server]:
        if not _CONSTRUCTOR.search((world.root / path).read_bytes()):
            return ()
        sdk = world.sdk(path, self.package, major=1)
        if not sdk.version.startswith(("0.", "1.")):
            return ()
        return servers_of(path, world, LowLevel(self.id, sdk, "ListToolsRequest"))


_CONSTRUCTOR = re.compile(rb"\bServer\b")

DIALECT = Mcp1LowLevel()
