"""In place of fastembed, which fetches a model when it is used: every text has the same small vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Vector(list[float]):
    def tolist(self) -> list[float]:
        return list(self)


class TextEmbedding:
    def __init__(self, model_name: str, **_options: object) -> None:
        self.model_name = model_name

    def embed(self, documents: Iterable[str], **_options: object) -> Iterator[Vector]:
        return (Vector([1.0, 0.0, 0.0, 0.0]) for _ in documents)

    def query_embed(self, query: str, **_options: object) -> Iterator[Vector]:
        return self.embed([query])
