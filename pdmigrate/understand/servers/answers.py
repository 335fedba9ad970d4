"""The answer of a server to ``tools/list``."""

from __future__ import annotations

from dataclasses import dataclass, field

from pdmigrate.model import Field, Site
from pdmigrate.understand.values.core import SdkObject, Value


@dataclass
class Listed:
    """One tool of an answer."""

    fields: dict[str, Field]
    site: Site | None
    conditions: tuple[str, ...] = ()
    doc: str | None = None
    tags: frozenset[str] | None = frozenset()
    source: SdkObject | None = None
    """The object of the SDK that is listed, if the program makes it."""

    @property
    def name(self) -> str | None:
        known = self.fields.get("name")
        return known.text if known is not None else None


@dataclass
class Answer:
    """All tools that a server lists; ``incomplete`` says why there may be more."""

    tools: list[Listed] = field(default_factory=list)
    incomplete: str | None = None
    handler: Value | None = None
    """The handler of a low-level server that gives the answer."""
