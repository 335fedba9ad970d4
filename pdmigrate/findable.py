"""Summaries by which a tool is still found: the first sentence, and a few words more where it would be lost.

Hosts that show a model only some tools find them by searching names and descriptions.  What a stub leaves out must
still lead to it: the sentences and parameter texts that are removed from a tool are put as a question to the catalogue
of stubs.  A tool that is not among the first of the answers, though its full definition would be, gets the most
distinctive of its own removed words, one after the other, until it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pdmigrate.model import JsonObject
from pdmigrate.search import Index, document, removed, words
from pdmigrate.stubs import stub_schema
from pdmigrate.summaries import summarise

FIRST = 3
"""Among how many of the answers a tool must be: hosts show five."""

MOST_WORDS = 8

_NOTHING = """
    about above after all also and any are array based been before being below between bool boolean both but can
    containing contains could default defaults details dict does each either error every example examples false field
    fields for format from given has have here how include includes including instead integer into its json like list
    make may more most must need needs none not note null number object one only optional option options other output
    over parameter parameters per please provide provided provides required result results return returned returns same
    see set should show some specific specified specify string such than that the their them then there these they this
    those through tool true two type types under until use used uses using value values via want was were what when
    where whether which while who will with within without would you your
"""
_SAY_NOTHING = frozenset(_NOTHING.split())
"""Words of every description: they may tell two tools apart by chance, but not to a reader."""


@dataclass
class _Entry:
    """One tool while its summary grows."""

    tool: JsonObject
    sentence: str
    question: list[str]
    """The words of what the stub leaves out."""
    rank: int = 1
    """Its place when the full definitions are asked."""
    candidates: list[str] = field(default_factory=list)
    chosen: int = 0

    @property
    def summary(self) -> str:
        if not self.chosen:
            return self.sentence
        stop = "" if self.sentence[-1] in ".!?…。！？" else "."
        return f"{self.sentence}{stop} Keywords: {', '.join(self.candidates[: self.chosen])}."


class Summaries:
    """The generated summaries of one catalogue, made when the first of them is asked for."""

    def __init__(self, tools: Sequence[JsonObject], kind: str) -> None:
        self._tools, self._kind = tools, kind
        self._made: dict[str, str] | None = None

    def of(self, name: str) -> str:
        """The summary of a tool of the catalogue; of another one it is made from its name alone."""
        if self._made is None:
            self._made = summaries(self._tools, self._kind)
        return self._made.get(name) or summarise(name, None)


def summaries(tools: Sequence[JsonObject], kind: str) -> dict[str, str]:
    """The summary of every tool of one catalogue, by name; ``kind`` is the stub schema that is listed with it.

    Raises:
        ValueError: ``kind`` is not one of ``STUB_SCHEMAS``.
    """
    full = Index([document(tool) for tool in tools])
    entries = [_entry(number, tool, full, kind) for number, tool in enumerate(tools)]
    for _ in range(MOST_WORDS):
        stubs = Index([document(_stub(entry, kind)) for entry in entries])
        lost = [entry for number, entry in enumerate(entries) if _is_lost(entry, number, stubs)]
        if not lost:
            break
        for entry in lost:
            entry.chosen += 1
    return {str(entry.tool["name"]): entry.summary for entry in entries}


def _is_lost(entry: _Entry, number: int, stubs: Index) -> bool:
    if not entry.question or entry.chosen == len(entry.candidates):
        return False
    return stubs.place(entry.question, number) > max(FIRST, entry.rank)


def _entry(number: int, tool: JsonObject, full: Index, kind: str) -> _Entry:
    description = tool.get("description")
    sentence = summarise(str(tool["name"]), description if isinstance(description, str) else None)
    entry = _Entry(tool, sentence, words(" ".join(removed(tool, sentence))))
    entry.rank = full.place(entry.question, number)
    entry.candidates = _distinctive(entry, set(document(_stub(entry, kind))), full)
    return entry


def _distinctive(entry: _Entry, listed: set[str], full: Index) -> list[str]:
    """The removed words that tell this tool from the others, best first, but for those that its stub says anyway."""
    said = listed | _SAY_NOTHING
    counts = Counter(word for word in entry.question if len(word) > 2 and word.isalpha() and word not in said)
    return sorted(counts, key=lambda word: (-counts[word] * full.weight(word), word))[:MOST_WORDS]


def _stub(entry: _Entry, kind: str) -> JsonObject:
    schema = entry.tool.get("inputSchema")
    return {
        "name": entry.tool["name"],
        "description": entry.summary,
        "inputSchema": stub_schema(kind, schema if isinstance(schema, dict) else {}),
    }
