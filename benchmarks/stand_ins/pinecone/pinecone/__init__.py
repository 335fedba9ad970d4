"""In place of pinecone, which asks its service as soon as a client is made: an account with no index in it."""

from __future__ import annotations

from types import SimpleNamespace


class ServerlessSpec(SimpleNamespace):
    pass


class FetchResponse(SimpleNamespace):
    pass


class UpsertResponse(SimpleNamespace):
    pass


class Pinecone:
    def __init__(self, **_options: object) -> None:
        self.inference = SimpleNamespace()

    def list_indexes(self) -> list[dict[str, str]]:
        return []

    def create_index(self, **_options: object) -> None:
        return None

    def describe_index(self, _name: str) -> SimpleNamespace:
        return SimpleNamespace(host="127.0.0.1")

    def Index(self, **_options: object) -> SimpleNamespace:  # noqa: N802 - the name that clients call
        return SimpleNamespace()
