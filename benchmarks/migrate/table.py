"""Results as a table in Markdown, and their totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.migrate.running import FATES, Result

HEAD = (
    "server", "version", "tools", "moved/stubbed/skipped/failed", "criteria", "definitions", "invalid calls",
    "listing", "again", "revert", "s", "verdict",
)  # fmt: skip

FAMILY_HEAD = (
    "family", "servers", "migrated", "of these with --live", "tools", "stubs", "definitions",
    "copies whole/part/none", "invalid calls", "listing",
)  # fmt: skip
KINDS = ("whole", "part", "none")


def report(results: Sequence[Result]) -> str:
    """Table, totals and reasons; those of each dialect by itself, behind a table of all, where there are several."""
    dialects = list(dict.fromkeys(result.dialect for result in results))
    parts = [families(results), totals(results)] if len(dialects) > 1 else []
    for dialect in dialects:
        own = [result for result in results if result.dialect == dialect]
        parts += [f"## {dialect}"] if len(dialects) > 1 else []
        parts += [part for part in (table(own), totals(own), reasons(own)) if part]
    return "\n\n".join(parts)


def row(result: Result) -> tuple[str, ...]:
    """One line of the table; a dash is what was not got to."""
    compared = result.comparison
    met = sum(value == "met" for value in result.criteria.values())
    return (
        result.server,
        result.version,
        str(result.tools),
        "/".join(str(result.fates.get(fate, 0)) for fate in FATES) if result.fates else "-",
        f"{met}/8" if result.criteria else "-",
        f"{compared.definitions}/{compared.tools}" if compared else "-",
        f"{compared.invalid_equal}/{compared.invalid}" if compared else "-",
        f"{compared.bytes_before} -> {compared.bytes_after}" if compared else "-",
        _said(result.repeatable, "same"),
        _said(None if result.reverted is None else result.reverted and bool(result.reverted_in_clone), "same"),
        f"{result.seconds:.0f}",
        f"{result.verdict} with --live" if result.live else result.verdict,
    )


def family(name: str, results: Sequence[Result]) -> tuple[str, ...]:
    """One line of the table of families; a server that does not start at all counts nowhere."""
    started = [result for result in results if not result.not_run]
    compared = [result.comparison for result in started if result.comparison]
    old, new = sum(one.bytes_before for one in compared), sum(one.bytes_after for one in compared)
    return (
        name,
        str(len(started)),
        str(sum(result.verdict == "migrated" for result in started)),
        str(sum(result.verdict == "migrated" and result.live for result in started)),
        str(sum(result.tools for result in started)),
        str(sum(one.stubbed for one in compared)),
        str(sum(one.definitions for one in compared)),
        "/".join(str(sum(result.copied.get(kind, 0) for result in started)) for kind in KINDS),
        f"{sum(one.invalid_equal for one in compared)}/{sum(one.invalid for one in compared)}",
        f"{old} -> {new}",
    )


def families(results: Sequence[Result]) -> str:
    """A line for each dialect, and one for all."""
    dialects = dict.fromkeys(result.dialect for result in results)
    lines = [family(dialect, [result for result in results if result.dialect == dialect]) for dialect in dialects]
    return _aligned([FAMILY_HEAD, *lines, family("all", results)], (0,))


def table(results: Iterable[Result]) -> str:
    """All rows, aligned, with numbers to the right; the listing is what ``tools/list`` sends, in bytes."""
    return _aligned([HEAD, *(row(result) for result in results)], (0, 1, len(HEAD) - 1))


def _aligned(rows: Sequence[tuple[str, ...]], texts: Sequence[int]) -> str:
    """Rows as Markdown; the columns ``texts`` to the left."""
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    head, *body = ("| " + " | ".join(_cells(line, widths, texts)) + " |" for line in rows)
    return "\n".join((head, rule, *body))


def reasons(results: Iterable[Result]) -> str:
    """What stands behind every verdict that is not ``migrated``, and what could not be judged."""
    lines: list[str] = []
    for result in results:
        found = [result.not_run] if result.not_run else result.problems
        lines += [f"{result.server}: {result.verdict}", *(f"  {text}" for text in found)] if found else []
        lines += [f"{result.server}: from source alone: {text}" for text in result.without_live]
        lines += [f"{result.server}: not judged: {text}" for text in result.excepted]
    return "\n".join(lines)


def totals(results: Sequence[Result]) -> str:
    """The two shares; what was refused or failed counts against both, what does not start at all in neither."""
    started = [result for result in results if not result.not_run]
    migrated = [result for result in started if result.verdict == "migrated"]
    tools = sum(result.tools for result in started)
    compared = [result.comparison for result in started if result.comparison]
    stubbed = sum(one.stubbed for one in compared)
    old, new = sum(one.bytes_before for one in compared), sum(one.bytes_after for one in compared)
    fates = {fate: sum(result.fates.get(fate, 0) for result in started) for fate in FATES}
    return "\n".join(
        (
            f"servers migrated with no edit by hand: {_share(len(migrated), len(started))}",
            f"tools listed as stubs: {_share(stubbed, tools)}",
            "tools accounted for: " + ", ".join(f"{fate} {count}" for fate, count in fates.items()),
            f"bytes in the listings: {old} -> {new}" + (f" ({new / old - 1:+.0%})" if old else ""),
            f"not run: {len(results) - len(started)}",
        )
    )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "0 of 0"


def _said(value: bool | None, yes: str) -> str:
    return "-" if value is None else yes if value else "differs"


def _cells(line: Sequence[str], widths: Sequence[int], texts: Sequence[int]) -> Iterable[str]:
    for column, (text, width) in enumerate(zip(line, widths, strict=True)):
        yield text.ljust(width) if column in texts else text.rjust(width)
