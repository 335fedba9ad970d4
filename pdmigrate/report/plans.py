"""Plans and refusals as JSON, for scripts: ``--format json`` of the commands that change files."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence

from pdmigrate.audit.tokens import Counter
from pdmigrate.model import Fate, FileChange, Finding, JsonObject, JsonValue, Outcome, Plan
from pdmigrate.report.accounting import action, overhead_of, tokens_of
from pdmigrate.report.contract import finding_json

VERSION = 1


def changes_json(plan: Plan, *, written: bool) -> JsonObject:
    """What a plan does to files, whether it was carried out, and its findings."""
    return {
        "version": VERSION,
        "written": written,
        "changes": _changes(plan.effective),
        "findings": [_finding(finding) for finding in plan.findings],
        "notes": list(plan.notes),
    }


def plan_json(plan: Plan, counter: Counter, *, written: bool, hidden: int = 0) -> JsonObject:
    """A plan with what becomes of every tool; ``hidden`` counts the findings that the user suppressed."""
    before, after, known = tokens_of(plan.outcomes)
    added = overhead_of(plan)
    fates = collections.Counter(outcome.fate for outcome in plan.outcomes)
    counted: JsonObject = {fate.name.lower(): fates[fate] for fate in Fate}
    return {
        **changes_json(plan, written=written),
        "tools": [_outcome(outcome) for outcome in plan.outcomes],
        "found": len(plan.outcomes),
        **counted,
        "tokens": {
            "before": before,
            "after": after,
            "bridge": added.bridge,
            "guidance": added.guidance,
            "tools": known,
            "counter": counter.name,
        },
        "suppressed": hidden,
    }


def _outcome(outcome: Outcome) -> JsonObject:
    return {
        "server": outcome.server,
        "tool": outcome.tool,
        "fate": outcome.fate.name.lower(),
        "reason": outcome.reason,
        "tokens": {"before": outcome.tokens_before, "after": outcome.tokens_after},
    }


def _finding(finding: Finding) -> JsonObject:
    return {**finding_json(finding), "tool": finding.tool}


def to_json(
    agrees: bool, tools: int, findings: Iterable[Finding], planned: Iterable[FileChange], written: Iterable[FileChange]
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
