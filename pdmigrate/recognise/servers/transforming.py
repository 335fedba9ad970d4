"""The events that record a server's transforms and providers: what they do to its tools, as far as that is known."""

from __future__ import annotations

from pdmigrate.evaluate.core.aliasing import unwrapped
from pdmigrate.evaluate.core.values import ListValue, TupleValue, UnknownValue, Value
from pdmigrate.recognise.servers.registered import Unfollowed
from pdmigrate.recognise.servers.tool_attributes import guarded

_REPLACING = ("fastmcp.server.transforms.search.", "fastmcp.experimental.transforms.code_mode.")
"""Transforms that list tools of their own, to search and call the server's tools, which stay unchanged."""
_ADDING = ("fastmcp.server.transforms.ResourcesAsTools(", "fastmcp.server.transforms.PromptsAsTools(",
           "fastmcp.server.transforms.resources_as_tools.", "fastmcp.server.transforms.prompts_as_tools.")  # fmt: skip


def unfollowed_in(value: Value, reason: UnknownValue, *, rewrites: bool) -> list[Value]:
    """The events for a transform or a provider, for a collection of them, or for ``None``."""
    return [guarded(event, guards) for guards, part in unwrapped(value) for event in _events(part, reason, rewrites)]


def _events(value: Value, reason: UnknownValue, rewrites: bool) -> list[Value]:
    if value.is_just(None) or value.by_key == {}:
        return []
    if isinstance(value, TupleValue) or (isinstance(value, ListValue) and value.kind == "list" and value.rest is None):
        return [event for item in value.items for event in unfollowed_in(item, reason, rewrites=rewrites)]
    if value.library_name.startswith(_REPLACING):
        return [Unfollowed(reason, rewrites, replaces=True)]
    return [Unfollowed(reason, rewrites and not value.library_name.startswith(_ADDING))]
