"""Measure recorded listings: ``python -m benchmarks.listing FOLDER``, a folder of ``<server>.json`` with ``tools``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.listing.measuring import FORMS, NOTHING, TEXTS, TOP, Measured, bridge_tokens, measure
from pdmigrate.audit.tokens import counter
from pdmigrate.model import JsonObject


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.listing", description=__doc__)
    parser.add_argument("folder", type=Path, help="one <server>.json per server, an object with its tools")
    folder = parser.parse_args().folder
    listings = {path.stem: json.loads(path.read_bytes())["tools"] for path in sorted(folder.glob("*.json"))}
    if not any(listings.values()):
        sys.stderr.write(f"{folder} holds no listing with tools\n")
        return 2
    sys.stdout.write(report(listings) + "\n")
    return 0


def report(listings: dict[str, list[JsonObject]]) -> str:
    """The totals over all servers as a table in Markdown."""
    using = counter()
    total: dict[tuple[str, str], Measured] = {}
    bridges = 0
    for server, tools in listings.items():
        bridges += bridge_tokens(server, tools, using) if tools else 0
        for key, measured in measure(tools, using).items():
            total[key] = total.get(key, NOTHING) + measured
    heading = (
        f"{sum(map(len, listings.values())):,} tools of {len(listings)} servers, tokens by {using.name}; "
        f"{total['full', ''].questions:,} questions; all bridges together {bridges:,} tokens"
    )
    columns = ("listing", "text", "tokens", "saved", "with bridge", f"found in {TOP}", "of full", "refused")
    return "\n".join([heading, "", *_table(columns, _rows(total, bridges))])


def _rows(total: dict[tuple[str, str], Measured], bridges: int) -> Iterable[tuple[str, ...]]:
    full = total["full", ""]
    for key in [("full", ""), *((form, text) for form in FORMS[1:] for text in TEXTS)]:
        measured = total[key]
        is_full = measured is full
        yield (
            *key,
            f"{measured.tokens:,}",
            "" if is_full else _percent(1 - measured.tokens / full.tokens),
            "" if is_full else _percent(1 - (measured.tokens + bridges) / full.tokens),
            _percent(measured.found / max(1, measured.questions)),
            "" if is_full else _percent(measured.found / (full.found or 1)),
            str(measured.refused),
        )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [columns, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    padded.insert(1, ["-" * width for width in widths])
    return [f"| {' | '.join(line)} |" for line in padded]


if __name__ == "__main__":
    sys.exit(main())
