"""The tokens of one server before and after a migration, and what a session costs by the number of tools that it uses.

The count covers what hosts put before a model: name, description and input schema of each listed tool.  A migrated
server adds the bridge and the guidance; a fetch adds one full description, and so does a call that comes before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from pdmigrate.audit.catalogue import Catalogue
from pdmigrate.audit.tokens import NAMELESS, Counter, compact, overhead, seen_tokens
from pdmigrate.describe.summaries import summaries
from pdmigrate.model import JsonObject, mapping
from pdmigrate.runtime.guidance import description_text, refusal_text
from pdmigrate.runtime.stubs import stub_schema

CURVE = (1, 2, 3, 5, 10, 20)
"""The numbers of described tools that a curve shows if the server has more; its last point is all tools."""


@dataclass(frozen=True, slots=True)
class ToolCost:
    """The tokens of one tool.

    ``now`` and ``after`` are those of its entry in the listing, ``description`` and ``schema`` parts of ``now``;
    ``fetched`` is what a fetch of the tool adds to the conversation, ``refused`` a refusal that brings its description.
    """

    name: str
    now: int
    after: int
    description: int
    schema: int
    fetched: int
    refused: int

    @property
    def gain(self) -> int:
        return self.now - self.after


@dataclass(frozen=True, slots=True)
class Point:
    """What a session with ``described`` tools costs, as a change against the present listing (-0.4: 40 % less)."""

    described: int
    at_once: float
    refused_first: float


@dataclass(frozen=True)
class Audit:
    """Every figure of one server; ``bridge`` and ``guidance`` are what a migration adds to the listing."""

    catalogue: Catalogue
    tools: tuple[ToolCost, ...]
    bridge: int
    guidance: int
    instructions: int
    output_schemas: int
    stubs: tuple[JsonObject, ...]
    """What the migrated server lists for each tool."""

    @cached_property
    def now(self) -> int:
        return sum(tool.now for tool in self.tools)

    @cached_property
    def after(self) -> int:
        return sum(tool.after for tool in self.tools) + self.bridge + self.guidance

    @cached_property
    def description_cost(self) -> float:
        """What one fetched description adds to the conversation, on average over the tools."""
        return fmean(tool.fetched for tool in self.tools) if self.tools else 0.0

    @cached_property
    def refusal_cost(self) -> float:
        """What a refusal that brings the description costs more than the fetch of it; it may be less than nothing."""
        return self.delivered_cost - self.description_cost

    @cached_property
    def delivered_cost(self) -> float:
        """What one refusal adds to the conversation, with the description that it brings."""
        return fmean(tool.refused for tool in self.tools) if self.tools else 0.0

    @property
    def break_even_at_once(self) -> float | None:
        """The number of described tools above which a migrated server costs more; ``None`` if a fetch is free."""
        return self._break_even(self.description_cost)

    @property
    def break_even_refused_first(self) -> float | None:
        """The same if the model calls every tool before it fetches the description."""
        return self._break_even(self.delivered_cost)

    def _break_even(self, cost: float) -> float | None:
        if self.now <= self.after:
            return 0.0
        return (self.now - self.after) / cost if cost else None

    def curve(self) -> Iterator[Point]:
        """The change in what a session is sent, for several numbers of described tools; each text counts once."""
        for described in (*(k for k in CURVE if k < len(self.tools)), *([len(self.tools)] if self.tools else [])):
            costs = (self.description_cost, self.delivered_cost)
            yield Point(described, *((self.after + described * cost) / self.now - 1 for cost in costs))


def audited(catalogue: Catalogue, counter: Counter, *, kind: str = "skeleton", bridge: bool = True) -> Audit:
    """Count the tokens of one server as it would be migrated with stubs of ``kind``, one of ``stubs.STUB_SCHEMAS``."""
    tools, instructions = catalogue.tools, catalogue.instructions
    names = [str(tool["name"]) for tool in tools]
    short = summaries({name: tool.get("description") for name, tool in zip(names, tools, strict=True)})
    stubs = tuple(_stub(tool, short.get(name), kind) for name, tool in zip(names, tools, strict=True))
    costs = tuple(
        _cost(tool, stub, catalogue.words.get(name), counter)
        for name, tool, stub in zip(names, tools, stubs, strict=True)
    )
    called = NAMELESS if catalogue.nameless else catalogue.name
    # Of the tools that are not counted, the bridge names those that have a name in source.
    listed = [*names, *(name for name in catalogue.uncounted if name in catalogue.sites)] if names else []
    added = overhead(called, listed, counter, bridge=bridge, instructions=instructions)
    outputs = [compact(schema) for tool in tools if (schema := tool.get("outputSchema")) is not None]
    told = counter.count(instructions or ""), sum(map(counter.count, outputs))
    return Audit(catalogue, costs, added.bridge, added.guidance, *told, stubs)


def _stub(tool: JsonObject, summary: str | None, kind: str) -> JsonObject:
    stub: JsonObject = {**tool, "inputSchema": stub_schema(kind, mapping(tool.get("inputSchema")))}
    return stub if summary is None else {**stub, "description": summary}


def _cost(tool: JsonObject, stub: JsonObject, words: JsonObject | None, counter: Counter) -> ToolCost:
    name, description = str(tool["name"]), tool.get("description")
    return ToolCost(
        name,
        seen_tokens(tool, counter),
        seen_tokens(stub, counter),
        counter.count(description) if isinstance(description, str) else 0,
        counter.count(compact(mapping(tool.get("inputSchema")))),
        counter.count(description_text(tool, words)),
        counter.count(refusal_text(tool, words)),
    )
