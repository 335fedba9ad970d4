"""The audit of recorded listings as a table: ``python -m benchmarks.verdicts FOLDER``.

Each ``<server>.json`` holds what a server answered to ``initialize`` and ``tools/list``, or its ``tools``.
``--page docs/audit.md`` writes both into the page.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from textwrap import fill

from pdmigrate.audit import Audit, Verdict, audited, from_listing
from pdmigrate.audit.tokens import counter
from pdmigrate.audit.verdict import decide
from pdmigrate.report.audit import WORDS, number

HEADING = "## 86 published servers"
COLUMNS = (
    "server", "tools", "now", "after", "one description", "break-even, fetched", "refused",
    "a session saves", "verdict",
)  # fmt: skip

Row = tuple[str, Audit, Verdict]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    rows = audits(given.folder)
    if not rows:
        sys.stderr.write(f"{given.folder} holds no listing\n")
        return 2
    if given.page is None:
        sys.stdout.write(f"{summary(rows)}\n\n{table(rows)}\n")
    else:
        given.page.write_text(updated(given.page.read_text(encoding="utf-8"), rows), encoding="utf-8")
    return 0


def updated(page: str, rows: Sequence[Row]) -> str:
    """The page with today's summary and table; what is written between them stays."""
    section = re.compile(rf"(?ms)(?<=^{HEADING}\n\n).*?(?P<between>\n\n.*?)^\| server \|.*?(?=\n\n)")
    return section.sub(lambda found: f"{summary(rows)}{found['between']}{table(rows)}", page, count=1)


def audits(folder: Path) -> list[Row]:
    """Every recorded listing with its audit and verdict, the heaviest first."""
    rows = []
    for file in folder.glob("*.json"):
        audit = audited(from_listing(file.read_text(encoding="utf-8"), file.stem), counter())
        rows.append((file.stem, audit, decide(audit)))
    return sorted(rows, key=lambda row: (-row[1].now, row[0]))


def summary(rows: Sequence[Row]) -> str:
    """The totals in sentences."""
    words = Counter(verdict.word for _, _, verdict in rows)
    gaining = [audit for _, audit, verdict in rows if verdict.word in ("migrate", "some")]
    some = ", ".join(
        f"{name} {len(verdict.take)} of {len(audit.tools)}" for name, audit, verdict in rows if verdict.word == "some"
    )
    longer = sum(audit.after > audit.now for _, audit, _ in rows if audit.tools)
    everything = [audit for _, audit, _ in rows]
    now, after = (sum(getattr(one, side) for one in everything) for side in ("now", "after"))
    gaining_now, gaining_after = (sum(getattr(one, side) for one in gaining) for side in ("now", "after"))
    return fill(
        f"What {len(rows)} published servers list, {sum(len(one.tools) for one in everything):,} tools, tokens of "
        f"{counter().name}, three tools a session: {words['migrate']} should migrate, {words['some']} with some of "
        f"their tools ({some}), and for {words['not-worth-it']} it is not worth it; {longer} list more afterwards than "
        "before. "
        f"The median lists {round(median(one.now for one in everything)):,} tokens. All of them together go from "
        f"{now:,} to {after:,}; the {len(gaining)} alone from {gaining_now:,} to {gaining_after:,}.",
        118,
    )


def table(rows: Sequence[Row]) -> str:
    """All servers, in Markdown."""
    lines = [_line(COLUMNS), _line(["-"] * len(COLUMNS))]
    for name, audit, verdict in rows:
        figures = (len(audit.tools), audit.now, audit.after, round(audit.description_cost))
        evens = (number(audit.break_even_at_once), number(audit.break_even_refused_first))
        lines.append(_line((name, *(f"{one:,}" for one in figures), *evens, f"{verdict.saved:,}", WORDS[verdict.word])))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
