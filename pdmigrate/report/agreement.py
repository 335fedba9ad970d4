"""What ``check`` and ``sync`` print besides findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pdmigrate.model import FileChange, Finding, JsonObject, JsonValue
from pdmigrate.report.accounting import action
from pdmigrate.report.contract import finding_json

VERSION = 1


def to_json(
    agrees: bool,
    tools: int,
    findings: Iterable[Finding],
    planned: Iterable[FileChange],
    written: Iterable[FileChange],
) -> JsonObject:
    """A comparison for scripts; ``changes`` are those that ``sync`` would still make, ``written`` those it has made."""
    said: list[JsonValue] = [
        {**finding_json(found), "tool": found.tool, "detail": found.detail or None} for found in findings
    ]
    return {
        "version": VERSION,
        "agrees": agrees,
        "tools": tools,
        "findings": said,
        "changes": _changes(planned),
        "written": _changes(written),
    }


def _changes(changes: Iterable[FileChange]) -> list[JsonValue]:
    return [
        {"path": change.path, "action": action(change), "kind": change.kind.value, "reason": change.reason}
        for change in changes
    ]


def commands_text(commands: Sequence[str]) -> str:
    """Commands to copy, each on a line of its own."""
    return "\n".join(f"    {command}" for command in commands)
