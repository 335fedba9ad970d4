"""The figures of what was played: how they are recorded, and the tables of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.model.playing import OUTCOMES
from benchmarks.model.tasks import HELD_OUT, PAYING, servers

Json = dict[str, Any]
FILE = Path(__file__).with_name("figures.json")
FIELDS = ("server", "condition", "task", "key", "outcome", "turns", "prompt", "uncached", "written")
GROUPS = {
    "audit says to migrate": PAYING,
    "not worth it": frozenset(servers()) - PAYING,
    "nothing was tuned on": HELD_OUT,
}


def read() -> list[Json]:
    """The recorded results, without what was said."""
    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    return [dict(zip(FIELDS, row, strict=True)) for row in rows]


def record(rows: Iterable[Json]) -> None:
    """Write the results, a line each; of two results of a task under a condition the later counts."""
    newest = {tuple(row[key] for key in FIELDS[:3]): [row[key] for key in FIELDS] for row in rows}
    lines = (json.dumps(newest[key], ensure_ascii=False) for key in sorted(newest))
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def tables(rows: Sequence[Json], conditions: Sequence[str]) -> str:
    """The figures by condition, then what was solved by server and by group of servers.

    A task counts if it was played under each condition that anything was played under.
    """
    played = [condition for condition in conditions if any(row["condition"] == condition for row in rows)]
    under = Counter((row["server"], row["task"]) for row in rows if row["condition"] in played)
    same = [row for row in rows if under[row["server"], row["task"]] == len(played)]
    return f"{_by_condition(same, played)}\n\n{_by_server(same, played)}"


def _by_condition(rows: Sequence[Json], conditions: Sequence[str]) -> str:
    lines = ["| condition | tasks | " + " | ".join(OUTCOMES) + " | turns | prompt tokens | uncached | written |"]
    lines.append("|" + "---|" * (len(OUTCOMES) + 6))
    for condition in conditions:
        own = [row for row in rows if row["condition"] == condition]
        counts = Counter(row["outcome"] for row in own)
        sums = [sum(row[key] for row in own) for key in ("turns", "prompt", "uncached", "written")]
        cells = [str(counts[outcome]) for outcome in OUTCOMES] + [f"{total:,}" for total in sums]
        lines.append(f"| {condition} | {len(own)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _by_server(rows: Sequence[Json], conditions: Sequence[str]) -> str:
    lines = ["| server | " + " | ".join(conditions) + " |", "|---|" + "---|" * len(conditions)]
    names = sorted({row["server"] for row in rows})
    groups = {name: [name] for name in names}
    groups |= {f"*{title}*": [name for name in names if name in group] for title, group in GROUPS.items()}
    groups["*all*"] = names
    for title, members in groups.items():
        own = [[row for row in rows if row["server"] in members and row["condition"] == one] for one in conditions]
        lines.append(f"| {title} | " + " | ".join(_solved(those, own[0]) for those in own) + " |")
    return "\n".join(lines)


def _solved(rows: Sequence[Json], first: Sequence[Json]) -> str:
    """How many tasks are solved, and the share of the prompt tokens that the first condition takes for them."""
    told = f"{sum(row['outcome'] == 'solved' for row in rows)}/{len(rows)}"
    if rows is first or not rows:
        return told
    return f"{told}, {sum(row['prompt'] for row in rows) / sum(row['prompt'] for row in first):.0%}"
