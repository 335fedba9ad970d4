"""What ``check`` and ``sync`` are asked, and what they found in one project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pdmigrate.cli.live import LiveOptions
from pdmigrate.model import FileChange, Finding


@dataclass(frozen=True, slots=True)
class Request:
    """One ``check`` or ``sync`` of ``paths``; ``fix`` makes them agree."""

    paths: tuple[str, ...] = ()
    fix: bool = False
    prune: bool = False
    hook: bool = False
    output: str = "text"
    sdk: Mapping[str, str] | None = None
    exclude_paths: tuple[str, ...] = ()
    allow_dirty: bool = False
    live: LiveOptions | None = None
    """How to reach the running server, which is asked for what source does not settle."""

    @property
    def usual(self) -> bool:
        """Whether the record of an earlier comparison can answer this request."""
        return not (self.sdk or self.exclude_paths or self.prune or self.live)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """What was found in one project, and what was done to it."""

    root: str
    tools: int
    findings: tuple[Finding, ...] = ()
    planned: tuple[FileChange, ...] = ()
    """The changes that ``sync`` would still make."""
    written: tuple[FileChange, ...] = ()
    hidden: int = 0
    agrees: bool = True
    assumed: tuple[str, ...] = ()
    """The SDK versions that nothing in the project settles: with another version the listing may differ."""
    partly: int = 0
    """How many of the tools have a field that source does not settle."""
