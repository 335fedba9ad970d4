"""mcp 2.x, low-level ``Server``: its tools are those that the handler of ``tools/list`` returns.

The handler is an argument of the constructor (``on_list_tools``) or registered with ``server.add_request_handler``.  It
is called with a context and the parameters of the request, answers with a ``ListToolsResult``, and may have pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import NONE, Const, SdkObject, Value, const
from pdmigrate.recognise.listing.handlers import MORE_PAGES, Listing, run_handler
from pdmigrate.recognise.listing.middleware import middleware_doubt
from pdmigrate.recognise.lowlevel import servers_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.families import Family
    from pdmigrate.model import Server
    from pdmigrate.recognise.world import World


def servers(path: str, world: World, family: Family) -> Iterable[Server]:
    return servers_of(path, world, family, _listing)


MOST_PAGES = 100


def _listing(run: Interpreter, server: SdkObject, handler: Value) -> Listing:
    """The tools of all pages: a client sends no cursor for the first page, and the last page's cursor for the next."""
    cursor: Value = NONE
    asked: set[object] = set()
    whole = Listing(())
    while len(asked) < MOST_PAGES:
        page = run_handler(run, handler, _arguments(cursor))
        more = page.incomplete == MORE_PAGES
        incomplete = whole.incomplete or (None if more else page.incomplete)
        whole = Listing((*whole.tools, *page.tools), incomplete, whole.doubt or page.doubt)
        if not more or not isinstance(page.cursor, Const) or page.cursor.value in asked:
            break
        cursor = page.cursor
        asked.add(page.cursor.value)
    if more:
        whole = replace(whole, incomplete=whole.incomplete or MORE_PAGES)
    return middleware_doubt(run, server, whole)


def _arguments(cursor: Value) -> tuple[Value, Value]:
    """The arguments of the handler: a context of which only the method is known, and parameters, never ``None``."""
    request = reasons.unknown(reasons.ARGUMENTS, reasons.REQUEST)
    context = SdkObject({"method": const("tools/list")}, request, "request context")
    params = SdkObject({"cursor": cursor, "_meta": request}, None, "mcp.types.PaginatedRequestParams")
    return context, params
