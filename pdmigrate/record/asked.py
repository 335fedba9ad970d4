"""What running servers said, as ``.pdmigrate/lock.json`` remembers it: a line for each tool, so that git can merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.record.undo import marked, unmarked


@dataclass(frozen=True, slots=True)
class Asked:
    """What a running server said, as far as its source does not say the same."""

    date: str
    """The day on which it was asked, as ``2026-11-27``."""
    sdk: str
    """The SDK that the source was read for then."""
    sources: Mapping[str, str]
    """Digests (``project/depending.py``) of the files that the answer depends on."""
    order: tuple[str, ...]
    """The names of all tools that it listed, in its order."""
    missing: tuple[str, ...] = ()
    """The tools that source shows without a condition, and that it did not list."""
    fields: Mapping[str, JsonObject] = field(default_factory=dict)
    """By tool, the fields that source does not settle, does not show or says differently."""
    absent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool, the fields that source shows or leaves open, and that it did not send."""

    @property
    def says_more(self) -> bool:
        """Whether the answer differs from what source shows."""
        return bool(self.missing or self.fields or self.absent)


def dump_asked(asked: Mapping[str, Asked]) -> JsonObject:
    """The entries of the lock: ``asked`` by folder, and ``listed`` by ``folder#tool`` where source needs more."""
    heads: JsonObject = {}
    tools: JsonObject = {}
    for folder, one in asked.items():
        head: JsonObject = {"date": one.date, "sdk": one.sdk, "order": list(one.order)}
        head["sources"] = {path: marked(digest) for path, digest in one.sources.items()}
        heads[folder] = {**head, **({"missing": list(one.missing)} if one.missing else {})}
        for name in {**one.fields, **one.absent}:
            entry: JsonObject = {"fields": one.fields[name]} if one.fields.get(name) else {}
            entry |= {"absent": list(one.absent[name])} if one.absent.get(name) else {}
            if entry:
                tools[f"{folder}#{name}"] = entry
    return {**({"asked": heads} if heads else {}), **({"listed": tools} if tools else {})}


def load_asked(heads: JsonObject, tools: JsonObject) -> dict[str, Asked]:
    """What ``dump_asked`` has written; entries of another form count as absent."""
    result = {}
    for folder, head in heads.items():
        if isinstance(head, dict):
            order = _names(head.get("order"))
            entries = {name: entry for name in order if isinstance(entry := tools.get(f"{folder}#{name}"), dict)}
            result[folder] = Asked(
                date=str(head.get("date", "")),
                sdk=str(head.get("sdk", "")),
                sources={path: unmarked(str(digest)) for path, digest in _object(head.get("sources")).items()},
                order=order,
                missing=_names(head.get("missing")),
                fields={name: found for name, entry in entries.items() if (found := _object(entry.get("fields")))},
                absent={name: gone for name, entry in entries.items() if (gone := _names(entry.get("absent")))},
            )
    return result


def _names(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
