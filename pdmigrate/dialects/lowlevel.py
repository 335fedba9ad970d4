"""What the families with a low-level ``Server`` share: from a file to servers and their tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.anchors import anchor_of
from pdmigrate.evaluate.budget import BudgetExceededError
from pdmigrate.evaluate.driving import (
    CallSite,
    call_sites,
    drive,
    drive_more,
    imported_names,
    list_handler,
    servers_made,
    with_handler,
)
from pdmigrate.evaluate.interpreter import AbstractRaise, Interpreter
from pdmigrate.evaluate.listing import Listed, Listing, run_handler
from pdmigrate.evaluate.moving import Handler, declaration_of, handler_of
from pdmigrate.evaluate.values import Const, DictValue, SdkObject
from pdmigrate.evaluate.wire import tool_fields
from pdmigrate.findings import finding
from pdmigrate.model import Sdk, Server, Site, Tool

if TYPE_CHECKING:
    from pdmigrate.evaluate import World
    from pdmigrate.evaluate.modules import SourceModule


@dataclass(frozen=True)
class LowLevel:
    """What differs between the families."""

    id: str
    sdk: Sdk
    request: str
    """What the list handler is registered under."""


def servers_of(path: str, world: World, family: LowLevel) -> Iterator[Server]:
    """The servers that the file at ``path`` constructs.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    versions = {"mcp": family.sdk.version, "pydantic": family.sdk.pydantic or ""}
    module = world.index.at(path)
    sites = list(call_sites(module, imported_names(module, "Server")))
    if not sites:
        return
    with world.interpreter(versions) as run:
        failed = _import(run, path)
        for site in sites:
            run.trail.fork()
            run.forget_made()
            try:
                server = _server(run, module, site, family, failed)
            except BudgetExceededError as exceeded:
                server = _unfinished(run, module, site, family, f"this server is too much to evaluate: {exceeded}")
            except RecursionError:
                server = _unfinished(run, module, site, family, "this server is nested too deeply to evaluate")
            finally:
                del run.trail.levels[1:]
                run.trail.capture()
            if server is not None:
                yield server


def _import(run: Interpreter, path: str) -> str | None:
    """Execute the module; why that ended early."""
    try:
        run.run_module(path)
    except AbstractRaise as raised:
        return f"importing the module raises {raised}"
    except BudgetExceededError as exceeded:
        return f"the module is too much to evaluate: {exceeded}"
    except RecursionError:
        return "the module is nested too deeply to evaluate"
    return None


def _server(
    run: Interpreter, module: SourceModule, site: CallSite, family: LowLevel, failed: str | None
) -> Server | None:
    drive(run, site)
    server = with_handler(run, site)
    if server is None:
        server = drive_more(run, module, site) or next(iter(servers_made(run, site.node)), None)
    if server is None:
        return _unfinished(run, module, site, family, failed) if failed and not site.inside else None
    handler = list_handler(server, family.request)
    if handler is None and not family.sdk.version.startswith(("0.", "1.")):
        return None
    if handler is None:
        listing = Listing((), failed or _handlers_doubt(server) or "no list handler of it was found")
    else:
        listing = run_handler(run, handler)
    lister = handler_of(handler) if handler is not None else None
    tools = tuple(_tool(run, listed, listing.doubt, lister) for listed in listing.tools)
    incomplete = listing.incomplete or _handlers_doubt(server) or failed or _nameless(tools)
    return Server(
        family.id, module.site(site.node), _name(server), family.sdk, anchor_of(run, module, site), tools, incomplete
    )


def _handlers_doubt(server: SdkObject) -> str | None:
    handlers = server.names.get("request_handlers")
    unknown = server.rest or (handlers.rest if isinstance(handlers, DictValue) else None)
    return f"other handlers may be registered: {unknown.reason}" if unknown is not None else None


def _nameless(tools: tuple[Tool, ...]) -> str | None:
    return next((f"the name of a tool is not known ({t.site})" for t in tools if t.name is None), None)


def _unfinished(
    run: Interpreter, module: SourceModule, site: CallSite, family: LowLevel, reason: str
) -> Server:
    anchor = anchor_of(run, module, site)
    return Server(family.id, module.site(site.node), None, family.sdk, anchor, (), reason)


def _name(server: SdkObject) -> str | None:
    name = server.names.get("name")
    return name.value if isinstance(name, Const) and isinstance(name.value, str) else None


def _tool(run: Interpreter, listed: Listed, doubt: str | None, handler: Handler | None) -> Tool:
    place = listed.tool.place
    site = place.module.site(place.node) if place is not None else Site("", 1)
    conditions = [str(guard) for guard in listed.guards] + ([doubt] if doubt else [])
    fields = tool_fields(listed.tool)
    return Tool(fields, site, declaration_of(run, listed.tool, fields, handler), "; ".join(conditions) or None)


__all__ = ["LowLevel", "finding", "reasons", "servers_of"]
