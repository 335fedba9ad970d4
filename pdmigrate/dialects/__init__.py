"""The SDK families that are understood: one row each; a module is imported only when one of its gates fires."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pdmigrate.dialects.base import Dialect


class Family(NamedTuple):
    """One family: the module that exports its ``DIALECT``, and the bytes without which a file declares none of it."""

    id: str
    module: str
    gates: tuple[bytes, ...]

    def load(self) -> Dialect:
        dialect: Dialect = import_module(self.module).DIALECT
        return dialect


DIALECTS: tuple[Family, ...] = (
    Family("mcp1-lowlevel", "pdmigrate.dialects.mcp1_lowlevel", (b"mcp.server", b"mcp import server")),
    Family("mcp2-lowlevel", "pdmigrate.dialects.mcp2_lowlevel", (b"mcp.server", b"mcp import server")),
    Family("mcp1-fastmcp", "pdmigrate.dialects.mcp1_fastmcp", (b"FastMCP",)),
    Family("fastmcp2", "pdmigrate.dialects.fastmcp2", (b"FastMCP",)),
    Family("fastmcp3", "pdmigrate.dialects.fastmcp3", (b"FastMCP",)),
    Family("fastmcp4", "pdmigrate.dialects.fastmcp4", (b"FastMCP",)),
    Family("mcp2-mcpserver", "pdmigrate.dialects.mcp2_mcpserver", (b"MCPServer", b"FastMCP")),
)


def gates() -> tuple[bytes, ...]:
    """Every literal of every family: a file with none of them is never parsed."""
    return tuple(dict.fromkeys(gate for entry in DIALECTS for gate in entry.gates))


def firing(raw: bytes) -> Iterator[Family]:
    """The families that a file may declare servers of."""
    return (entry for entry in DIALECTS if any(gate in raw for gate in entry.gates))


def by_id(name: str) -> Dialect:
    """The family called ``name``.

    Raises:
        KeyError: there is none.
    """
    return {entry.id: entry for entry in DIALECTS}[name].load()
