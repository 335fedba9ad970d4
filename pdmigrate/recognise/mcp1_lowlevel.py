"""mcp 1.x, low-level ``Server``: its tools are those that the handler of ``tools/list`` returns.

The handler is registered with ``@server.list_tools()`` or stored in ``server.request_handlers`` under
``ListToolsRequest``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.recognise.listing.handlers import Listing, run_handler
from pdmigrate.recognise.lowlevel import servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import SdkObject, Value
    from pdmigrate.families import Family
    from pdmigrate.model import Server
    from pdmigrate.recognise.world import World


def servers(path: str, world: World, family: Family) -> Iterable[Server]:
    return servers_of(path, world, family, _listing)


def _listing(run: Interpreter, _server: SdkObject, handler: Value) -> Listing:
    return run_handler(run, handler)
