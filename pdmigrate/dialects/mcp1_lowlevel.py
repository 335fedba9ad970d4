"""mcp 1.x, low-level ``Server``: its tools are those that the handler of ``tools/list`` returns.

The handler is registered with ``@server.list_tools()`` or stored in ``server.request_handlers`` under
``ListToolsRequest``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.dialects.lowlevel import LowLevel, sdk_of, servers_of
from pdmigrate.evaluate.sdk.listing import Listing, run_handler
from pdmigrate.evaluate.servers.driving import LIST_TOOLS_METHOD, LIST_TOOLS_REQUEST

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import SdkObject, Value
    from pdmigrate.evaluate.world import World
    from pdmigrate.families import Family
    from pdmigrate.model import Server


def servers(path: str, world: World, family: Family) -> Iterable[Server]:
    if not _CONSTRUCTOR.search(disk.read(world.root, path)):
        return ()
    sdk = sdk_of(path, world, major=family.major)
    if sdk is None:
        return ()
    way = LowLevel(family.id, sdk, LIST_TOOLS_REQUEST, _listing, foreign=LIST_TOOLS_METHOD)
    return servers_of(path, world, way)


def _listing(run: Interpreter, _server: SdkObject, handler: Value) -> Listing:
    return run_handler(run, handler)


_CONSTRUCTOR = re.compile(rb"\bServer\b")
