"""Budgets of tokens, and differences from an earlier audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap

from pdmigrate.audit import Audit
from pdmigrate.audit.budget import Account, Comparison, listed
from pdmigrate.counting import plural, some
from pdmigrate.escaping import name
from pdmigrate.findings import finding
from pdmigrate.model import Finding, JsonObject, JsonValue
from pdmigrate.report.text import PLAIN, Colours

SHOWN = 10
"""How many tools are shown."""


def account_text(audit: Audit, account: Account, style: Colours = PLAIN) -> Iterator[str]:
    """The difference from the earlier audit, then the budget; nothing that was not asked for."""
    if account.comparison is not None:
        yield ""
        yield from _difference(account.comparison, style)
    if account.budget is not None:
        first, *rest = wrap(budget_told(audit, account), 80)
        yield from ("", style.good(first) if account.budget.kept else style.bad(first), *rest)


def _difference(comparison: Comparison, style: Colours) -> Iterator[str]:
    if comparison.before is None:
        yield f"the earlier audit has no such server: {comparison.now:,} tokens more"
        return
    yield f"since the earlier audit: {comparison.before:,} -> {comparison.now:,} tokens ({comparison.growth:+,})"
    if not comparison.changes:
        return
    shown = comparison.changes[:SHOWN]
    width = min(28, max(len(name(change.name)) for change in shown))
    yield style.dim(f"  {'tool':<{width}}   before      now   change")
    for change in shown:
        counts = f"{_count(change.before):>8} {_count(change.now):>8} {change.growth:>+8,}"
        yield f"  {name(change.name)[:width]:<{width}} {counts}"
    if rest := len(comparison.changes) - len(shown):
        yield f"  ... and {plural(rest, 'tool')} more"


def budget_told(audit: Audit, account: Account) -> str:
    """Whether a server keeps its budget, in a sentence that names the tools which grew, or the heaviest."""
    budget = account.budget
    if budget is None:
        return ""
    told = f"budget: {budget.listed:,} of {budget.tokens:,} tokens"
    if budget.over:
        return f"{told}, {budget.over:,} too many; {_to_blame(audit, account)}"
    if budget.uncounted:
        names = some([*map(name, budget.uncounted)], last=", and ")
        return f"{told}, and not counted: {names}; ask the server with --live"
    return told


def _to_blame(audit: Audit, account: Account) -> str:
    if account.comparison is not None and account.comparison.grown:
        grown = [f"{name(change.name)} ({change.growth:+,})" for change in account.comparison.grown]
        return f"grown: {some(grown, SHOWN)}"
    heaviest = sorted(listed(audit).items(), key=lambda one: -one[1])
    named = [f"{name(tool)} ({tokens:,})" for tool, tokens in heaviest[:3]]
    hint = "" if account.comparison is not None else "; --against FILE names what grew"
    return f"the heaviest are {some(named, last=' and ')}{hint}"


def account_json(account: Account) -> JsonObject:
    """The fields that a budget and a comparison add to a server of the contract."""
    told: JsonObject = {}
    if (budget := account.budget) is not None:
        uncounted: list[JsonValue] = [*budget.uncounted]
        counted: JsonObject = {"tokens": budget.tokens, "listed": budget.listed, "over": budget.over}
        told["budget"] = {**counted, "uncounted": uncounted, "kept": budget.kept}
    if (comparison := account.comparison) is not None:
        changes: list[JsonValue] = [asdict(change) for change in comparison.changes]
        told["against"] = {"before": comparison.before, "now": comparison.now, "tools": changes}
    return told


def account_findings(audit: Audit, account: Account) -> Iterator[Finding]:
    """A broken budget as an error at the server, and each tool that grew as a warning at the tool."""
    whose, site, sites = name(audit.catalogue.name), audit.catalogue.site, audit.catalogue.sites
    if account.budget is not None and not account.budget.kept:
        yield finding("PD636", f"{whose}: {budget_told(audit, account)}", site=site)
    if account.comparison is not None:
        for change in account.comparison.grown:
            before = "new" if change.before is None else f"{change.before:,} tokens before"
            told = f"{change.name}: {change.now or 0:,} tokens, {before} ({change.growth:+,})"
            yield finding("PD637", told, site=sites.get(change.name, site), tool=change.name)


def _count(tokens: int | None) -> str:
    return "-" if tokens is None else f"{tokens:,}"
