"""The events that record a server's transforms and providers: what they do to its tools, as far as that is known."""

from __future__ import annotations

from pdmigrate.evaluate.core.values import Choice, DictValue, ListValue, Maybe, TupleValue, UnknownValue, Value
from pdmigrate.evaluate.servers.registered import Unfollowed

_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""
_ADDING = ("fastmcp.server.transforms.ResourcesAsTools(", "fastmcp.server.transforms.PromptsAsTools(",
           "fastmcp.server.transforms.resources_as_tools.", "fastmcp.server.transforms.prompts_as_tools.")  # fmt: skip


def unfollowed_in(value: Value, reason: UnknownValue, *, rewrites: bool) -> list[Value]:
    """The events for a transform or a provider, for a collection of them, or for ``None``."""
    if isinstance(value, Choice):
        sides = ((value.first, value.guard), (value.second, value.guard.inverse()))
        return [
            Maybe(event, guard) for side, guard in sides for event in unfollowed_in(side, reason, rewrites=rewrites)
        ]
    if isinstance(value, Maybe):
        return [Maybe(event, value.guard) for event in unfollowed_in(value.value, reason, rewrites=rewrites)]
    if value.is_just(None):
        return []
    if isinstance(value, ListValue) and value.kind == "list" and value.rest is None:
        return [event for item in value.items for event in unfollowed_in(item, reason, rewrites=rewrites)]
    if isinstance(value, TupleValue):
        return [event for item in value.items for event in unfollowed_in(item, reason, rewrites=rewrites)]
    if isinstance(value, DictValue) and not value.entries and value.rest is None:
        return []
    if value.library_name.startswith(_REPLACING):
        return [Unfollowed(reason, rewrites, replaces=True)]
    return [Unfollowed(reason, rewrites and not value.library_name.startswith(_ADDING))]
