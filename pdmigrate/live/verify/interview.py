"""What a server was asked and what it answered, as one value; checks judge it and ask nothing themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pdmigrate.live.verify import answers
from pdmigrate.live.verify.answers import Broken, Exchange, NotAsked
from pdmigrate.live.verify.picks import NoPick, Pick
from pdmigrate.model import JsonObject


@dataclass(frozen=True)
class Interview:
    """The listings and the exchanges.  ``asked`` has an entry for every step of the interview, made or not."""

    target: str
    transport: str
    has_session: bool
    server: JsonObject
    tools: tuple[JsonObject, ...]
    resources: tuple[JsonObject, ...]
    templates: tuple[JsonObject, ...]
    prompts: tuple[JsonObject, ...]
    refused: Mapping[str, str]
    """Lists that the server offers and then answers with an error, each with that error."""
    descriptor: JsonObject | None
    """The entry of ``resources/list`` that is the resource of tool descriptions."""
    resource: str
    """The URI of that resource; if it is not listed, the URI in the specification."""
    protocol: str
    """The protocol version that was agreed on."""
    chosen: Pick | NoPick
    other: str | None
    """A second tool, for steps that take two; its description is fetched, and it is not called."""
    bridge: str | None
    """The tool that serves the same definitions as the resource, recognised by its answer."""
    asked: Mapping[str, Exchange | NotAsked]
    fetches: tuple[Exchange | NotAsked, ...]
    """The fetches of all tools, in batches."""
    relisted: tuple[JsonObject, ...] | Broken
    second_listing: tuple[JsonObject, ...] | Broken
    rehearsed: Mapping[str, Exchange | NotAsked] = field(default_factory=dict)
    """Calls without arguments to tools that need some, made after their fetch, for a comparison."""
    originals: Mapping[str, JsonObject] = field(default_factory=dict)
    """The definitions of the unmigrated server, by name, if it was asked too."""
    unanswered: tuple[str, ...] = ()
    """What ended a session early: a request without a valid answer, or a session that could not be opened."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(answers.name_of(tool) for tool in self.tools)

    @property
    def disclosed(self) -> tuple[JsonObject, ...]:
        """The listed tools without the bridge."""
        return tuple(tool for tool in self.tools if answers.name_of(tool) != self.bridge)

    @cached_property
    def entries(self) -> dict[str, JsonObject]:
        """The full definitions that were served, by name; entries that are errors do not count."""
        bodies = [answers.read(fetch).body or {} for fetch in (*self.fetches, self.asked["single"])]
        listed = set(self.names)
        return {
            name: entry
            for body in bodies
            for name, entry in body.items()
            if name in listed and isinstance(entry, dict) and not isinstance(entry.get("error"), str)
        }
