"""What to talk to: a command that speaks over its standard streams, or a URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class StdioTarget:
    """A server to start.  ``command`` is run without a shell, ``env`` is laid over the environment of this process."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None

    def __str__(self) -> str:
        return " ".join(self.command)


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """A running server that speaks streamable HTTP at ``url``; ``headers`` go with every request."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.url


Target: TypeAlias = StdioTarget | HttpTarget
