"""Servers that do not start, because their SDK refuses one of their tools."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.model import Server
from pdmigrate.understand.doubt.model import Doubt

REFUSED = frozenset({"PD311", "PD342"})
"""The codes of a field that the SDK refuses to make, where it registers the tool."""


def refusals(server: Server) -> Iterator[Doubt]:
    """The doubt that the server starts at all: its SDK raises an exception where it registers one of its tools."""
    for tool in server.tools:
        refused = next((field for field in tool.unknown.values() if field.code in REFUSED), None)
        if refused is not None and tool.conditional is None:
            yield Doubt(f"the server does not start: {refused.reason}", tool.site, frozenset())
