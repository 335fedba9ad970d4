"""An audit, for people and for programs to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from textwrap import wrap

from pdmigrate.audit import Audit, Catalogue, Verdict, leaving
from pdmigrate.audit.budget import Budget, Comparison, listed
from pdmigrate.audit.economics import ToolCost
from pdmigrate.audit.hosts import Remark, deferring, remarks
from pdmigrate.counting import plural, some
from pdmigrate.escaping import name as shown_name
from pdmigrate.escaping import one_line, place
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, JsonObject, JsonValue
from pdmigrate.report.text import Colours, added

VERSION = 1
SHOWN = 10
"""How many tools are shown to people."""
LOST = 160
"""How many characters of the text that a host cuts off are shown to people."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An audit, the verdict on it, and what became of its budget and its comparison, where these were asked for."""

    audit: Audit
    verdict: Verdict
    budget: Budget | None = None
    comparison: Comparison | None = None


WORDS = {"migrate": "migrate", "some": "migrate these tools", "not-worth-it": "not worth it", "unknown": "not known"}


def audit_json(judged: Sequence[Judged], counter: str) -> JsonObject:
    """The contract of ``audit --format json``; ``docs/audit.md`` describes its fields."""
    tokenizer = "o200k_base" if counter == "o200k" else "estimated"
    servers: list[JsonValue] = [{**_server_json(one), **_account_json(one)} for one in judged]
    return {"version": VERSION, "tokenizer": tokenizer, "servers": servers}


PARTS = ("now", "after", "bridge", "guidance", "instructions", "output_schemas")
PARTS_OF_TOOLS = ("name", "now", "after", "description", "schema")


def _server_json(judged: Judged) -> JsonObject:
    audit, verdict = judged.audit, judged.verdict
    catalogue = audit.catalogue
    return {
        "name": catalogue.name,
        **({"file": catalogue.file} if catalogue.file is not None else {}),
        "tokens": {part: getattr(audit, part) for part in PARTS},
        "description_cost": round(audit.description_cost),
        "refusal_cost": round(audit.refusal_cost),
        "break_even": {
            "at_once": _rounded(audit.break_even_at_once),
            "refused_first": _rounded(audit.break_even_refused_first),
        },
        "verdict": verdict.word,
        "reason": verdict.reason,
        "curve": [{key: round(value, 3) for key, value in asdict(point).items()} for point in audit.curve()],
        "tools": [
            {**{part: getattr(tool, part) for part in PARTS_OF_TOOLS}, "take": tool.name in verdict.take}
            for tool in audit.tools
        ],
        "uncounted": list(catalogue.uncounted),
        "migrated": catalogue.migrated,
        "hosts": [_remark(remark) for remark in remarks(catalogue)],
    }


def _remark(remark: Remark) -> JsonValue:
    told: JsonObject = {"code": remark.code, "tool": remark.tool, "message": remark.message, "source": remark.source}
    return {**told, "lost": remark.lost} if remark.lost else told


def audit_findings(judged: Sequence[Judged]) -> Iterator[Finding]:
    """The verdicts of an audit, its remarks on hosts, and what became of budgets, as findings."""
    for one in judged:
        audit, verdict = one.audit, one.verdict
        yield from _account_findings(one)
        told = f"{_name(audit)}: {WORDS[verdict.word]}: {verdict.reason}"
        yield finding("PD630", told, hint="see `pdmigrate audit --html FILE`", site=audit.catalogue.site)
        sites = audit.catalogue.sites
        for remark in remarks(audit.catalogue):
            site = sites.get(remark.tool or "", audit.catalogue.site)
            told = f"{remark.tool}: {remark.message}" if remark.tool else remark.message
            hint = f"{CODES[remark.code].hint} (see {remark.source})"
            yield finding(remark.code, told, hint=hint, site=site, tool=remark.tool)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def audit_text(judged: Sequence[Judged], counter: str, style: Colours) -> str:
    """The verdicts first, then the figures of each server, in lines of at most 80 columns."""
    blocks = ["\n".join([*_server(one, style), *_account_text(one, style)]) for one in judged]
    if len(judged) > 1:
        blocks.insert(0, "\n".join(_overview(judged, style)))
    counted = f"tokens of {counter}, of what a model sees: name, description, schema"
    return "\n\n".join([*blocks, counted])


def _overview(judged: Sequence[Judged], style: Colours) -> Iterator[str]:
    width = min(36, max(len(_name(one.audit)) for one in judged))
    yield style.dim(f"{'server':<{width}}  tools      now    after  break-even  verdict")
    for one in sorted(judged, key=lambda one: -one.audit.now):
        audit, word = one.audit, _word(one.verdict, style)
        name = f"{_name(audit)[:width]:<{width}}"
        even = number(audit.break_even_at_once)
        yield f"{name}  {len(audit.tools):>5} {audit.now:>8,} {audit.after:>8,}  {even:>10}  {word}"


def _server(judged: Judged, style: Colours) -> Iterator[str]:
    audit, verdict = judged.audit, judged.verdict
    catalogue = audit.catalogue
    yield f"{style.bold(_name(audit))}  {style.dim(shown_name(catalogue.file) if catalogue.file else '')}".rstrip()
    if catalogue.migrated:
        yield "this server is already migrated: `listing now` is what it would list unmigrated"
    first, *rest = wrap(f"verdict: {WORDS[verdict.word]}: {one_line(verdict.reason)}", 80)
    yield first.replace(WORDS[verdict.word], _word(verdict, style), 1)
    yield from rest
    if verdict.take:
        yield from wrap(f"but {deferring().message} (PD635)", 80)
    if catalogue.uncounted:
        names = some([*map(shown_name, catalogue.uncounted)], last=", and ")
        yield from wrap(f"not counted, since source does not settle what they list: {names}", 80)
        if named := next((one for one in catalogue.uncounted if one in catalogue.sites), None):
            yield f"`pdmigrate explain {shown_name(named)}` says why; --live asks the running server"
    if catalogue.incomplete:
        yield from wrap(f"it may list more than source shows: {one_line(catalogue.incomplete)}", 80)
    if not audit.tools:
        return
    if verdict.word == "unknown":
        # A curve of some of the tools would be taken for the curve of the whole server.
        yield f"{plural(len(audit.tools), 'tool')} that source settles: {audit.now:,} tokens"
        return
    yield ""
    for what, figure, note in facts(audit):
        yield from wrap(note, 80, initial_indent=f"  {what:<17} {figure:>8}  ", subsequent_indent=" " * 30)
    yield ""
    yield from _curve(audit, style)
    yield ""
    yield from _tools(audit, verdict, style)
    yield from ("", style.dim("  what hosts do to it today"))
    yield from _hosts(catalogue)


def facts(audit: Audit) -> Iterator[tuple[str, str, str]]:
    """What is said of a whole server: each figure with its name before it and a note after it."""
    saved = change(audit.after / audit.now - 1) if audit.now else ""
    yield "listing now", f"{audit.now:,}", plural(len(audit.tools), "tool")
    yield "listing after", f"{audit.after:,}", ", ".join(filter(None, (saved, added(audit.bridge, audit.guidance))))
    yield "one description", f"{round(audit.description_cost):,}", "fetched before a call"
    yield "refused call", f"{round(audit.delivered_cost):,}", "description included"
    at_once, refused = number(audit.break_even_at_once), number(audit.break_even_refused_first)
    yield "break-even", at_once, f"tools if fetched first, {refused} if refused first"
    if audit.output_schemas:
        yield "output schemas", f"{audit.output_schemas:,}", "not shown to models, kept as they are"


def _curve(audit: Audit, style: Colours) -> Iterator[str]:
    points = [*audit.curve()]
    yield style.dim("  change in tokens per session, by tools used")
    yield style.dim("  tools used        " + "".join(f"{point.described:>8}" for point in points))
    yield "  fetched before    " + "".join(f"{change(point.at_once):>8}" for point in points)
    yield "  refused first     " + "".join(f"{change(point.refused_first):>8}" for point in points)


def _tools(audit: Audit, verdict: Verdict, style: Colours) -> Iterator[str]:
    heaviest = sorted(audit.tools, key=lambda tool: -tool.now)
    shown = heaviest[:SHOWN]
    width = min(28, max(len(shown_name(tool.name)) for tool in shown))
    yield style.dim(f"  {'heaviest tools':<{width}}      now    after  description  schema")
    yield from (_tool(tool, width, verdict) for tool in shown)
    if rest := len(heaviest) - len(shown):
        yield f"  ... and {plural(rest, 'tool')} more"


def _tool(tool: ToolCost, width: int, verdict: Verdict) -> str:
    left = "  left out" if verdict.word == "some" and tool.name not in verdict.take else ""
    name = f"{shown_name(tool.name)[:width]:<{width}}"
    return f"  {name} {tool.now:>8,} {tool.after:>8,} {tool.description:>12,} {tool.schema:>7,}{left}"


def _hosts(catalogue: Catalogue) -> Iterator[str]:
    """A paragraph for each kind of remark, with the names of a few tools."""
    for (code, kind), group in groupby(sorted(remarks(catalogue), key=_kind), _kind):
        same = list(group)
        first = same[0]
        line = f"{shown_name(first.tool)}: {first.message}" if first.tool else first.message
        if same[1:]:
            named = ", ".join(shown_name(one.tool) for one in same[:3] if one.tool)
            line = f"{plural(len(same), 'tool')}: {kind} ({named}{', ...' if same[3:] else ''})"
        yield from wrap(f"{code} {one_line(line)}", 78, initial_indent="  ", subsequent_indent="    ")
        if lost := next((one.lost for one in same if one.lost), ""):
            yield from wrap(f"lost: {one_line(lost[:LOST])}", 78, initial_indent="    ", subsequent_indent="    ")
        yield from (f"    {source}" for source in same[0].source.split("; "))


def _kind(remark: Remark) -> tuple[str, str]:
    return remark.code, remark.kind


def _word(verdict: Verdict, style: Colours) -> str:
    word = WORDS[verdict.word]
    return style.good(word) if verdict.word in ("migrate", "some") else style.bad(word)


def _name(audit: Audit) -> str:
    return shown_name(audit.catalogue.name)


def number(value: float | None) -> str:
    """A break-even, for people to read."""
    return "never" if value is None else f"{value:.1f}"


def change(share: float) -> str:
    """A change, for people to read: ``-40 %``."""
    return f"{round(100 * share):+d} %"


def verdicts_text(found: Sequence[leaving.Judged]) -> str:
    """One verdict for each server, then the servers and tools left out, in lines of at most 80 columns."""
    lines: list[str] = []
    for one in found:
        whose = f"{shown_name(one.audit.catalogue.name)}: " if len(found) > 1 else "verdict: "
        told = f"{whose}{WORDS[one.verdict.word]}: {one_line(one.verdict.reason)}"
        lines += wrap(told, 80, subsequent_indent="  ")
        if one.excluded_tools:
            tools = [f"{shown_name(tool.name)} ({tool.now:,} -> {tool.after:,})" for tool in one.excluded_tools]
            lines += _left_out("tool", tools)
    if left := [f"{shown_name(one.audit.catalogue.name)} ({place(one.server.site)})" for one in found if one.excluded]:
        lines += _left_out("server", left)
    return "\n".join(lines)


def _left_out(what: str, names: Sequence[str]) -> list[str]:
    told = f"left out: {plural(len(names), what)}; --all takes {'them' if names[1:] else 'it'}: {', '.join(names)}"
    return wrap(told, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def verdicts_json(found: Sequence[leaving.Judged]) -> list[JsonValue]:
    """The verdicts, for scripts."""
    return [
        {
            "name": one.audit.catalogue.name,
            "file": one.server.site.file,
            "verdict": one.verdict.word,
            "reason": one.verdict.reason,
            "left_out": one.excluded,
            "tools_left_out": [tool.name for tool in one.excluded_tools],
        }
        for one in found
    ]


def _account_text(judged: Judged, style: Colours) -> Iterator[str]:
    """The difference from the earlier audit, then the budget; nothing that was not asked for."""
    if judged.comparison is not None:
        yield ""
        yield from _difference(judged.comparison, style)
    if judged.budget is not None:
        first, *rest = wrap(_budget_told(judged, judged.budget), 80)
        yield from ("", style.good(first) if judged.budget.kept else style.bad(first), *rest)


def _difference(comparison: Comparison, style: Colours) -> Iterator[str]:
    if comparison.before is None:
        yield f"the earlier audit has no such server: all its {comparison.now:,} tokens are new"
        return
    yield f"since the earlier audit: {comparison.before:,} -> {comparison.now:,} tokens ({comparison.growth:+,})"
    if not comparison.changes:
        return
    shown = comparison.changes[:SHOWN]
    width = min(28, max(len(shown_name(change.name)) for change in shown))
    yield style.dim(f"  {'tool':<{width}}   before      now   change")
    for change in shown:
        counts = f"{_count(change.before):>8} {_count(change.now):>8} {change.growth:>+8,}"
        yield f"  {shown_name(change.name)[:width]:<{width}} {counts}"
    if rest := len(comparison.changes) - len(shown):
        yield f"  ... and {plural(rest, 'tool')} more"


def _budget_told(judged: Judged, budget: Budget) -> str:
    """Whether a server keeps its budget, in a sentence that names the tools which grew, or the heaviest."""
    told = f"budget: {budget.listed:,} of {budget.tokens:,} tokens"
    if budget.over:
        return f"{told}, {budget.over:,} too many; {_to_blame(judged)}"
    if budget.uncounted:
        names = some([*map(shown_name, budget.uncounted)], last=", and ")
        return f"{told}, and not counted: {names}; ask the server with --live"
    return told


def _to_blame(judged: Judged) -> str:
    if judged.comparison is not None and judged.comparison.grown:
        grown = [f"{shown_name(change.name)} ({change.growth:+,})" for change in judged.comparison.grown]
        return f"grown: {some(grown, SHOWN)}"
    heaviest = sorted(listed(judged.audit).items(), key=lambda one: -one[1])
    named = [f"{shown_name(tool)} ({tokens:,})" for tool, tokens in heaviest[:3]]
    hint = "" if judged.comparison is not None else "; --against FILE names what grew"
    return f"the heaviest are {some(named, last=' and ')}{hint}"


def _account_json(judged: Judged) -> JsonObject:
    """The fields that a budget and a comparison add to a server of the contract."""
    told: JsonObject = {}
    if (budget := judged.budget) is not None:
        uncounted: list[JsonValue] = [*budget.uncounted]
        counted: JsonObject = {"tokens": budget.tokens, "listed": budget.listed, "over": budget.over}
        told["budget"] = {**counted, "uncounted": uncounted, "kept": budget.kept}
    if (comparison := judged.comparison) is not None:
        changes: list[JsonValue] = [asdict(change) for change in comparison.changes]
        told["against"] = {"before": comparison.before, "now": comparison.now, "tools": changes}
    return told


def _account_findings(judged: Judged) -> Iterator[Finding]:
    """A broken budget as an error at the server, and each tool that grew as a warning at the tool."""
    catalogue = judged.audit.catalogue
    if judged.budget is not None and not judged.budget.kept:
        told = f"{shown_name(catalogue.name)}: {_budget_told(judged, judged.budget)}"
        yield finding("PD636", told, site=catalogue.site)
    for change in judged.comparison.grown if judged.comparison is not None else ():
        before = "new" if change.before is None else f"{change.before:,} tokens before"
        told = f"{change.name}: {change.now or 0:,} tokens, {before} ({change.growth:+,})"
        yield finding("PD637", told, site=catalogue.sites.get(change.name, catalogue.site), tool=change.name)


def _count(tokens: int | None) -> str:
    return "-" if tokens is None else f"{tokens:,}"
