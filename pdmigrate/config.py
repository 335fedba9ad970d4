"""Settings: what ``[tool.pdmigrate]`` of ``pyproject.toml`` and the command line can say, as one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOVES = ("literal", "all", "none")
STDIO_POLICIES = ("enforce", "advise", "off")
HTTP_POLICIES = ("enforce", "advise", "receipt", "off")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every option of every command, with its default."""

    move: str = "literal"
    """Which definitions go to files: ``literal``, ``all`` or ``none``."""
    stub_schema: str = "skeleton"
    """The input schema of a stub: ``skeleton``, ``open`` or ``full``."""
    bridge: bool = True
    """Whether the server offers ``<server>_describe_tools`` for hosts whose model cannot read resources."""
    keep_output_schema: bool = False
    """Whether stubs keep ``outputSchema``, for programmatic clients."""
    stdio: str = "enforce"
    http: str = "advise"
    select: tuple[str, ...] = ()
    """Tool names, or patterns with ``*``; empty means all."""
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    """Finding codes that are not reported."""
    exclude_paths: tuple[str, ...] = ()
    """Patterns, as in ``.gitignore``, of paths that are not looked at."""
    sdk: Mapping[str, str] = field(default_factory=dict)
    """Versions of SDK packages, where they are given rather than found."""
    given: frozenset[str] = frozenset()
    """Names of the options that the user gave, in the configuration or on the command line; the rest are defaults."""
