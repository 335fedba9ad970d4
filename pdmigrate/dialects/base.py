"""The seam between the pipeline and one SDK API family.

A dialect is one module that exports ``DIALECT``; everything that differs between SDK families is behind this
protocol, in its adapter template, and in its sample server.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from pdmigrate.model import Server

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World


class Dialect(Protocol):
    """How one SDK family declares servers and tools."""

    id: str
    """The name in reports and in ``[tool.pdmigrate]``: ``mcp1-lowlevel``."""

    package: str
    """The distribution that provides the SDK (``mcp``), whose version decides what goes on the wire."""

    gates: tuple[bytes, ...]
    """A file that holds none of these bytes declares no server of this dialect; it is not parsed."""

    adapter: str
    """Which template connects the generated core to this SDK: ``mcp1`` for ``adapter_mcp1.py.j2``."""

    def servers(self, path: str, world: World) -> Iterable[Server]:
        """The servers that the file at ``path`` constructs, each with the tools that its list handler returns.

        Must be pure: reads other modules only through ``world``, claims nothing that ``world`` does not know.
        """
        ...
