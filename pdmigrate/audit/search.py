"""Keyword search over a catalogue of tools, as in hosts that show a model only the tools that it asks for.

A document is what the host sees of a tool: its name, its description, and the names and descriptions of its parameters.
BM25 (Robertson and Zaragoza, 2009) ranks documents; k1 and b are the customary values.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pdmigrate.model import JsonObject, JsonValue

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\d_]+|\d+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_SHORTEST_QUERY = 3
"""The fewest words of a query: a shorter sentence asks for nothing in particular."""

_K1, _B = 1.2, 0.75


def words(text: str) -> list[str]:
    """The words of a text or an identifier, in lower case; an ideograph is a word."""
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", text).replace("_", " "))]


def document(tool: JsonObject) -> list[str]:
    """The words by which a listed tool can be found."""
    texts = [str(tool.get("name", "")), str(tool.get("description") or "")]
    for name, schema in _parameters(tool.get("inputSchema")):
        texts += [name, _description(schema)]
    return words(" ".join(texts))


def texts_of(tool: JsonObject) -> list[str]:
    """The texts of a definition: the sentences of its description, and the descriptions of its parameters."""
    description = tool.get("description")
    sentences = _SENTENCE.split(description) if isinstance(description, str) else []
    texts = [*sentences, *(_description(schema) for _, schema in _parameters(tool.get("inputSchema")))]
    return [text.strip() for text in texts if len(words(text)) >= _SHORTEST_QUERY]


def texts_missing_from(tool: JsonObject, summary: str) -> list[str]:
    """The texts of ``tool`` that its summary does not repeat: queries for which the stub must still be found."""
    kept = " ".join(words(summary))
    return [text for text in texts_of(tool) if " ".join(words(text)) not in kept]


def _parameters(schema: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The properties of a schema and of every schema inside it."""
    if isinstance(schema, list):
        for item in schema:
            yield from _parameters(item)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from properties.items()
    for key, value in schema.items():
        inner = list(value.values()) if key in ("properties", "$defs") and isinstance(value, dict) else value
        yield from _parameters(inner)


def _description(schema: JsonValue) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return text if isinstance(text, str) else ""


class SearchIndex:
    """A catalogue that can be searched; documents are identified by their number."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._size = len(documents)
        lengths = [len(words) for words in documents]
        average = sum(lengths) / max(1, len(lengths)) or 1.0
        self._norms = [_K1 * (1 - _B + _B * length / average) for length in lengths]
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, document in enumerate(documents):
            for word, count in Counter(document).items():
                self._postings[word].append((number, count))

    def frequency(self, word: str) -> int:
        """The number of documents that hold a word."""
        return len(self._postings.get(word, ()))

    def weight(self, word: str) -> float:
        """How well a word distinguishes documents; 0 for a word that no document holds."""
        found = len(self._postings.get(word, ()))
        return math.log(1 + (self._size - found + 0.5) / (found + 0.5)) if found else 0.0

    def scores(self, query: Sequence[str]) -> list[float]:
        """The score of every document."""
        scores = [0.0] * self._size
        for word in dict.fromkeys(query):
            weight = self.weight(word)
            for number, count in self._postings.get(word, ()):
                scores[number] += weight * count * (_K1 + 1) / (count + self._norms[number])
        return scores

    def place(self, query: Sequence[str], number: int) -> int:
        """The rank of a document, from 1: the last among equal scores, and the last of all if nothing matches."""
        scores = self.scores(query)
        return sum(score >= scores[number] for score in scores) if scores[number] > 0 else self._size

    def share_in_top(self, query: Sequence[str], number: int, top: int = 5) -> float:
        """The probability that a document is among the first ``top`` if equal scores come in random order."""
        scores = self.scores(query)
        own = scores[number]
        before, equal = sum(score > own for score in scores), sum(score == own for score in scores)
        return min(1.0, max(0, top - before) / equal) if own > 0 else 0.0
