"""The benchmark of verdicts: its table and its totals are those of the audits."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.verdicts import HEADING, audits, summary, table, updated
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


def test_a_page_gets_both_and_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "big.json").write_text(json.dumps({"tools": heavy(20)}), encoding="utf-8")
    rows = audits(tmp_path)
    old = "Old words.\n\nHow it was counted.\n\n| server | x |\n| old | 1 |"
    page = f"before\n\n{HEADING}\n\n{old}\n\n## Next\n\n| server | y |\n"
    after = (
        f"before\n\n{HEADING}\n\n{summary(rows)}\n\nHow it was counted.\n\n{table(rows)}\n\n## Next\n\n| server | y |\n"
    )
    assert updated(page, rows) == after
    assert updated(after, rows) == after
