"""The benchmark of verdicts: its table and its totals are those of the audits."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.verdicts import audits, summary, table
from tests.audit.listings import heavy, light


def test_every_listing_has_its_row_and_counts_in_the_totals(tmp_path: Path) -> None:
    for name, tools in (("big", heavy(20)), ("small", light(3)), ("mixed", [*heavy(4), *light(30)])):
        (tmp_path / f"{name}.json").write_text(json.dumps({"tools": tools}), encoding="utf-8")
    rows = audits(tmp_path)
    assert [(name, verdict.word) for name, _, verdict in rows] == [
        ("big", "migrate"),
        ("mixed", "some"),
        ("small", "not-worth-it"),
    ]
    lines = table(rows).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| big", "| mixed", "| small"]
    assert f"| 20 | {rows[0][1].now:,} | {rows[0][1].after:,} |" in lines[2]
    said = " ".join(summary(rows).split())
    assert "What 3 published servers list, 57 tools" in said
    assert (
        "1 should migrate, 1 with some of their tools (mixed 4 of 34), and for 1 it is not worth it; 1 list more"
        in said
    )
    assert f"the 2 alone from {rows[0][1].now + rows[1][1].now:,} to" in said
