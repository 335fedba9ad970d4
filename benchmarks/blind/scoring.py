"""What source shows of one server against what the server itself lists, tool by tool."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pdmigrate.model import JsonObject, JsonValue

STATES = ("exact", "partial", "missed", "wrong", "phantom", "conditional")
_WORST = ("exact", "partial", "wrong")


@dataclass(frozen=True, slots=True)
class Miss:
    """A tool that is not exact, and the fields that make it so, with the first reason that was given."""

    tool: str
    state: str
    fields: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How many tools are in each of ``STATES``.

    ``exact``: every field that is sent is reported, is equal, and none is unknown.  ``partial``: no claim is wrong,
    and a field is said to be unknown.  ``wrong``: a claim differs from the wire, or a tool is missing of a server that
    was called complete.  ``missed``: not reported, of a server that was not called complete.  ``phantom``: reported
    without a condition, and not listed; ``conditional``: the same with a condition.
    """

    counts: Mapping[str, int]
    misses: tuple[Miss, ...] = field(default=())


def score(listed: Sequence[JsonObject], report: Mapping[str, Any]) -> Score:
    """Compare with the server of a report that has most names in common with what is listed."""
    truth = {str(tool["name"]): tool for tool in listed}
    nothing: Mapping[str, Any] = {"tools": [], "complete": False}
    server = max(report["servers"], key=lambda each: _likeness(each, truth), default=nothing)
    misses: list[Miss] = []
    counts: Counter[str] = Counter()
    for name, tool in truth.items():
        reported = [each for each in server["tools"] if each["definition"].get("name") == name]
        miss = _judged(name, tool, reported, complete=server["complete"] is True)
        counts[miss.state] += 1
        misses += [miss] if miss.state != "exact" else []
    for name in sorted(_names(server) - set(truth)):
        conditions = [each["conditional"] for each in server["tools"] if each["definition"].get("name") == name]
        miss = Miss(name, "conditional" if all(conditions) else "phantom", reason=conditions[0] or "")
        counts[miss.state] += 1
        misses += [miss] if miss.state == "phantom" else []
    return Score({state: counts[state] for state in STATES}, tuple(misses))


def same(one: JsonValue, other: JsonValue) -> bool:
    """Equal as JSON: the order of keys is free, and 0 is neither ``false`` nor ``0.0``."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _likeness(server: Mapping[str, Any], truth: Mapping[str, JsonObject]) -> tuple[int, bool, int]:
    """Where no name is shared, a server that admits to be incomplete; of two that share as many, the smaller."""
    return len(_names(server) & set(truth)), server["complete"] is not True, -len(_names(server))


def _names(server: Mapping[str, Any]) -> set[str]:
    return {tool["definition"]["name"] for tool in server["tools"] if "name" in tool["definition"]}


def _judged(name: str, truth: JsonObject, reported: Sequence[Mapping[str, Any]], *, complete: bool) -> Miss:
    """The worst of what is reported under one name."""
    if not reported:
        return Miss(name, "wrong", reason="missing of a complete server") if complete else Miss(name, "missed")
    return max((_compared(name, truth, each) for each in reported), key=lambda miss: _WORST.index(miss.state))


def _compared(name: str, truth: JsonObject, tool: Mapping[str, Any]) -> Miss:
    claimed, unknown = tool["definition"], {each["field"]: each["reason"] for each in tool["unknown"]}
    wrong = [key for key, value in claimed.items() if key not in truth or not same(value, truth[key])]
    wrong += [key for key in truth if key not in claimed and key not in unknown]
    if wrong:
        return Miss(name, "wrong", tuple(wrong))
    return Miss(name, "partial", tuple(unknown), next(iter(unknown.values()))) if unknown else Miss(name, "exact")
