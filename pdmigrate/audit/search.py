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

_K1, _B = 1.2, 0.75


def words(text: str) -> list[str]:
    """The words of a text or an identifier, in lower case; an ideograph is a word."""
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", text).replace("_", " "))]


def document(tool: JsonObject) -> list[str]:
    """The words by which a listed tool can be found."""
    texts = [str(tool.get("name", "")), str(tool.get("description") or "")]
    for name, schema in parameters(tool.get("inputSchema")):
        texts += [name, description_of(schema)]
    return words(" ".join(texts))


def parameters(schema: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The properties of a schema and of every schema inside it."""
    if isinstance(schema, list):
        for item in schema:
            yield from parameters(item)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from properties.items()
    for key, value in schema.items():
        inner = list(value.values()) if key in ("properties", "$defs") and isinstance(value, dict) else value
        yield from parameters(inner)


def description_of(schema: JsonValue) -> str:
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

    def scores(self, query: Sequence[str]) -> list[float]:
        """The score of every document."""
        scores = [0.0] * self._size
        for word in dict.fromkeys(query):
            found = self.frequency(word)
            weight = math.log(1 + (self._size - found + 0.5) / (found + 0.5))
            for number, count in self._postings.get(word, ()):
                scores[number] += weight * count * (_K1 + 1) / (count + self._norms[number])
        return scores
