"""What was asked of a server, and what came back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pdmigrate.model import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Result:
    """The ``result`` of an answer."""

    value: JsonObject


@dataclass(frozen=True, slots=True)
class Refused:
    """The ``error`` of an answer, as JSON-RPC defines it."""

    number: int
    text: str
    data: JsonValue = None


@dataclass(frozen=True, slots=True)
class Broken:
    """No valid answer came: it was too late, the server was gone, or the answer broke the protocol."""

    reason: str


Answer: TypeAlias = Result | Refused | Broken


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer.

    ``session`` names the connection: ``first``, ``second``, ``fresh`` (fetches before any call), ``unlisted`` (never
    asked for its tools) or ``before``.
    """

    session: str
    method: str
    params: JsonObject
    answer: Answer


@dataclass(frozen=True, slots=True)
class NotAsked:
    """An exchange that was not made, and why."""

    reason: str
