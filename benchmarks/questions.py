"""Queries for which a tool must be found, and how surely a keyword search finds it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pdmigrate.audit.search import SearchIndex, description_of, parameters, words
from pdmigrate.model import JsonObject

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_SHORTEST_QUERY = 3
"""The fewest words of a query: a shorter sentence asks for nothing in particular."""


def texts_of(tool: JsonObject) -> list[str]:
    """The texts of a definition: the sentences of its description, and the descriptions of its parameters."""
    description = tool.get("description")
    sentences = _SENTENCE.split(description) if isinstance(description, str) else []
    texts = [*sentences, *(description_of(schema) for _, schema in parameters(tool.get("inputSchema")))]
    return [text.strip() for text in texts if len(words(text)) >= _SHORTEST_QUERY]


def texts_missing_from(tool: JsonObject, summary: str) -> list[str]:
    """The texts of ``tool`` that its summary does not repeat: queries for which the stub must still be found."""
    kept = " ".join(words(summary))
    return [text for text in texts_of(tool) if " ".join(words(text)) not in kept]


def share_in_top(index: SearchIndex, query: Sequence[str], number: int, top: int = 5) -> float:
    """The probability that a document is among the first ``top`` if equal scores come in random order."""
    scores = index.scores(query)
    own = scores[number]
    before, equal = sum(score > own for score in scores), sum(score == own for score in scores)
    return min(1.0, max(0, top - before) / equal) if own > 0 else 0.0
