"""What a migration adds to what a model is sent: a saving without it would be a flattering figure."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from pdmigrate.documents import json_or_none
from pdmigrate.guidance import describing_tool, with_guidance
from pdmigrate.model import FileKind, JsonObject, Plan
from pdmigrate.render import bridge_name, features
from pdmigrate.tokens import Counter, listing_tokens


def bridge_tokens(plan: Plan, using: Counter) -> int:
    """The tokens of the bridges that the servers of ``plan`` list once it is carried out; 0 without any.

    A bridge names every tool, so its size is that of its own text and of all their names.
    """
    names = [outcome.tool for outcome in plan.outcomes]
    bridges = [_bridge(about) for about in _servers(plan)] if _has_bridges(plan) else []
    listed = [describing_tool(bridge, [] if position else names) for position, bridge in enumerate(bridges)]
    return sum(listing_tokens([bridge], using) for bridge in listed)


def guidance_tokens(plan: Plan, using: Counter) -> int:
    """The tokens of the sentences that the servers of ``plan`` put behind their instructions."""
    has_bridges = _has_bridges(plan)
    return sum(using.count(guidance(about, bridge=has_bridges)) for about in _servers(plan))


def guidance(about: JsonObject, *, bridge: bool) -> str:
    """The sentences of one server, where its own instructions leave room for them."""
    example = f"resource:///tool_descriptions?tools={quote(str(about.get('example')), safe='')}"
    return with_guidance(None, example, f", or call {_bridge(about)}" if bridge else "") or ""


def _bridge(about: JsonObject) -> str:
    """The name of a server's bridge; where the server is named when it starts, one of about that length."""
    name = about.get("server")
    return bridge_name(name if isinstance(name, str) else "server")


def _has_bridges(plan: Plan) -> bool:
    modules = (change.after or b"" for change in plan.changes if change.kind is FileKind.MODULE)
    return any("bridge" in features(module) for module in modules)


def _servers(plan: Plan) -> Iterator[JsonObject]:
    """What the modules of ``plan`` know of their servers."""
    for change in plan.changes:
        if change.kind is FileKind.SERVER and change.after is not None:
            about = json_or_none(change.after)
            yield about if isinstance(about, dict) else {}
