"""Plans and refusals as JSON, for scripts: ``--format json`` of the commands that change files."""

from __future__ import annotations

from collections import Counter

from pdmigrate.model import Fate, Finding, JsonObject, JsonValue, Outcome, Plan
from pdmigrate.report.accounting import action, tokens_of
from pdmigrate.report.contract import finding_json

VERSION = 1


def plan_json(plan: Plan, counter: str, *, written: bool, hidden: int = 0) -> JsonObject:
    """A plan and whether it was carried out; ``hidden`` counts the findings that the user suppressed."""
    before, after, known = tokens_of(plan.outcomes)
    fates = Counter(outcome.fate for outcome in plan.outcomes)
    counted: JsonObject = {fate.name.lower(): fates[fate] for fate in Fate}
    changes: list[JsonValue] = [
        {"path": change.path, "action": action(change), "kind": change.kind.value, "reason": change.reason}
        for change in plan.effective
    ]
    return {
        "version": VERSION,
        "written": written,
        "changes": changes,
        "tools": [_outcome(outcome) for outcome in plan.outcomes],
        "found": len(plan.outcomes),
        **counted,
        "tokens": {"before": before, "after": after, "tools": known, "counter": counter},
        "findings": [_finding(finding) for finding in plan.findings],
        "suppressed": hidden,
        "notes": list(plan.notes),
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
