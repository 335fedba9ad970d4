"""What a plan does, for people and for scripts: no tool that was found goes without a line."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple
from itertools import groupby

from pdmigrate.audit.tokens import Counter
from pdmigrate.counting import plural, some
from pdmigrate.escaping import name, one_line
from pdmigrate.model import Fate, FileChange, Finding, JsonObject, JsonValue, Outcome, Plan
from pdmigrate.report.inventory import finding_json
from pdmigrate.report.text import PLAIN, Colours, added

VERSION = 1
"""Of the JSON that the commands print which change files."""

_NAMES = 32
"""Columns for the names of tools beside a reason; a longer name widens only its own line."""


def accounting_text(plan: Plan, counter: Counter, style: Colours = PLAIN) -> str:
    """One line per tool under its server, the total, the tokens with the name of their ``counter``, the notes."""
    lines: list[str] = []
    for server, group in groupby(sorted(plan.outcomes, key=lambda one: one.server), lambda one: one.server):
        lines += [style.bold(name(server)), *_tools([*group], style)]
    lines += [identity(plan.outcomes), *_tokens(plan, counter)]
    return "\n".join([*lines, *map(one_line, plan.notes)])


def identity(outcomes: Iterable[Outcome]) -> str:
    """``found 6 = moved 4 + stubbed 1 + skipped 1 + failed 0``."""
    counts = collections.Counter(outcome.fate for outcome in outcomes)
    return f"found {counts.total()} = " + " + ".join(f"{fate.name.lower()} {counts[fate]}" for fate in Fate)


def without_file(plan: Plan) -> str:
    """Which tools get no description file because it would be empty, and why; empty if there are none."""
    from pdmigrate.migrate.plan.drafts import UNSETTLED

    names = [name(one.tool) for one in plan.outcomes if one.reason == UNSETTLED]
    return f"no file for {plural(len(names), 'tool')}, as {UNSETTLED}: {some(names)}" if names else ""


def changes_text(changes: Iterable[FileChange], style: Colours = PLAIN) -> str:
    """One line per file: what is done to it, and why."""
    told = (f"{action(one):<6}  {name(one.path)}  {style.dim(one_line(one.reason))}".rstrip() for one in changes)
    return "\n".join(told)


def action(change: FileChange) -> str:
    if change.before is None:
        return "add"
    return "remove" if change.after is None else "change"


def tokens_of(outcomes: Iterable[Outcome]) -> tuple[int, int, int]:
    """The tokens of the listing before and after, and the number of tools counted: those with both sizes known."""
    sizes = [(one.tokens_before, one.tokens_after) for one in outcomes]
    known = [(before, after) for before, after in sizes if before is not None and after is not None]
    return sum(before for before, _ in known), sum(after for _, after in known), len(known)


def _tools(outcomes: Sequence[Outcome], style: Colours) -> Iterator[str]:
    """A line for each tool; a reason that most of them share is said once, above them."""
    width = max(len(name(outcome.tool)) for outcome in outcomes)
    fates = [_fate(outcome, style) for outcome in outcomes]
    ((usual, sharing),) = collections.Counter(fates).most_common(1)
    if usual.endswith(")") and sharing > max(1, len(fates) / 2):
        stays = "; its definition stays in your code" if usual.startswith(Fate.STUBBED.value) else ""
        yield f"  {'each' if sharing == len(fates) else 'unless stated otherwise'}: {usual}{stays}"
        fates = ["" if fate == usual else fate for fate in fates]
    if any(fates):
        width = min(_NAMES, width)
    for outcome, fate in zip(outcomes, fates, strict=True):
        yield f"  {name(outcome.tool):<{width}}  {_size(outcome):>16}  {fate}".rstrip()


def _fate(outcome: Outcome, style: Colours) -> str:
    fate = style.bad(outcome.fate.value) if outcome.fate is Fate.FAILED else outcome.fate.value
    return f"{fate} ({one_line(outcome.reason)})" if outcome.reason else fate


def _size(outcome: Outcome) -> str:
    if outcome.tokens_before is None or outcome.tokens_after is None:
        return "? tokens"
    return f"{outcome.tokens_before:,} -> {outcome.tokens_after:,}"


def _tokens(plan: Plan, counter: Counter) -> Iterator[str]:
    before, after, known = tokens_of(plan.outcomes)
    if not before:
        return
    rest = len(plan.outcomes) - known
    if rest > known:
        yield f"tokens in the listing: not known, as the size of {plural(rest, 'tool')} is not"
        yield "`pdmigrate audit --live` asks the running server, and says whether it pays"
        return
    missing = f"; {plural(rest, 'tool')} of unknown size not counted" if rest else ""
    bridge, guidance = astuple(plan.overhead)
    total = after + bridge + guidance
    parts = ", ".join(filter(None, (f"{total:,}", added(bridge, guidance))))
    share = round(100 * (total - before) / before)
    yield f"tokens in the listing: {before:,} -> {parts} ({share:+d} %; {counter.name}{missing})"
    if total >= before:
        way_out = "; --no-bridge leaves that tool out" if bridge and total - bridge < before else ""
        yield f"the listing does not shrink{way_out}"


def changes_json(plan: Plan, *, written: bool) -> JsonObject:
    """What a plan does to files, whether it was carried out, and its findings."""
    return {
        "version": VERSION,
        "written": written,
        "changes": _changes(plan.effective),
        "findings": [_finding(finding) for finding in plan.findings],
        "notes": list(plan.notes),
    }


def plan_json(plan: Plan, counter: Counter, *, written: bool) -> JsonObject:
    """A plan with what becomes of every tool."""
    before, after, known = tokens_of(plan.outcomes)
    added = plan.overhead
    fates = collections.Counter(outcome.fate for outcome in plan.outcomes)
    counted: JsonObject = {fate.name.lower(): fates[fate] for fate in Fate}
    return {
        **changes_json(plan, written=written),
        "tools": [_outcome(outcome) for outcome in plan.outcomes],
        "found": len(plan.outcomes),
        **counted,
        "tokens": {"before": before, "after": after, **asdict(added), "tools": known, "counter": counter.name},
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
    said: list[JsonValue] = [{**_finding(found), "detail": found.detail or None} for found in findings]
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
