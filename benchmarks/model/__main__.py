"""Play tasks on published servers, before and after their migration, with a real model.

    python -m benchmarks.model                                  # every server, the main conditions; hours
    python -m benchmarks.model --subset 24                      # 24 tasks of all servers: half an hour
    python -m benchmarks.model --server mcp-gsuite --condition enforce --condition advise
    MODEL_URL=http://localhost:11434/v1 MODEL_NAME=... python -m benchmarks.model

The model (1.1 GB) is put together from its pieces on the package index and kept in ``.cache/model`` with all that was
said.  A run that was stopped goes on where it was; what was played with other words of the product is played again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.model.conditions import CONDITIONS, MAIN, Condition
from benchmarks.model.models import CACHE, Model, model
from benchmarks.model.playing import OUTCOMES, Offer, play, to_json
from benchmarks.model.staging import offered
from benchmarks.model.tasks import Task, servers, tasks


def main() -> int:
    """Play what the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--server", action="append", choices=servers(), metavar="NAME", help="this one; repeatable")
    parser.add_argument("--condition", action="append", choices=[one.name for one in CONDITIONS], metavar="NAME")
    parser.add_argument("--subset", type=int, metavar="N", help="N tasks, spread over the servers")
    parser.add_argument("--table", action="store_true", help="print what was played so far, and play nothing")
    given = parser.parse_args()
    names = given.server or servers()
    conditions = [one for one in CONDITIONS if one.name in (given.condition or MAIN)]
    chosen = {name: _chosen(tasks(name), given.subset, len(names)) for name in names}
    rows = []
    with ExitStack() as stack:
        playing: list[Model] = [] if given.table else [stack.enter_context(model())]
        for name in names:
            for condition in conditions:
                rows += list(_played(name, condition, chosen[name], playing))
    sys.stdout.write(table(rows, conditions) + "\n")
    return 0


def _chosen(all_of_them: Sequence[Task], subset: int | None, servers: int) -> list[Task]:
    if subset is None:
        return list(all_of_them)
    step = max(1, len(all_of_them) * servers // subset)
    return list(all_of_them)[::step]


def _played(
    name: str, condition: Condition, chosen: Sequence[Task], playing: Sequence[Model]
) -> Iterator[dict[str, Any]]:
    """The results of one server under one condition; those that are not there yet are played if there is a model."""
    folder = CACHE / "played" / (playing[0].name if playing else "").replace("/", "_") / name / condition.name
    if not playing:
        folder = next((CACHE / "played").glob(f"*/{name}/{condition.name}"), folder)
    with offered(name, condition) as offer:
        key = _key(offer, condition)
        for task in chosen:
            file = folder / f"{task.id}.json"
            kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
            if kept.get("key") != key or kept.get("say") != task.say:
                if not playing:
                    continue
                kept = {"key": key, "say": task.say, **to_json(play(task, offer(), playing[0]))}
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
                sys.stderr.write(f"{name}, {condition.name}, {task.id}: {kept['outcome']} in {kept['turns']} turns\n")
            yield {"server": name, "condition": condition.name, "task": task.id, "steps": len(task.steps), **kept}


def _key(offer: Any, condition: Condition) -> str:
    """What a result depends on: all that the model is shown, and how refusals are worded."""
    shown: Offer = offer()
    words = Path(__file__).parents[2].glob("templates/core.py.j2")
    text = json.dumps([shown.instructions, list(shown.tools), condition.name], sort_keys=True)
    return hashlib.sha256((text + "".join(path.read_text("utf-8") for path in words)).encode()).hexdigest()[:16]


def table(rows: Sequence[dict[str, Any]], conditions: Sequence[Condition]) -> str:
    """The figures by condition, then what was solved by server."""
    lines = ["| condition | tasks | " + " | ".join(OUTCOMES) + " | turns | prompt tokens | uncached | written |"]
    lines.append("|" + "---|" * (len(OUTCOMES) + 6))
    for condition in conditions:
        own = [row for row in rows if row["condition"] == condition.name]
        if not own:
            continue
        counts = Counter(row["outcome"] for row in own)
        sums = [sum(row[key] for row in own) for key in ("turns", "prompt", "uncached", "written")]
        cells = [str(counts[outcome]) for outcome in OUTCOMES] + [f"{total:,}" for total in sums]
        lines.append(f"| {condition.name} | {len(own)} | " + " | ".join(cells) + " |")
    lines += ["", "| server | " + " | ".join(one.name for one in conditions) + " |", "|---|" + "---|" * len(conditions)]
    for name in dict.fromkeys(row["server"] for row in rows):
        cells = []
        for condition in conditions:
            own = [row for row in rows if row["server"] == name and row["condition"] == condition.name]
            cells.append(f"{sum(row['outcome'] == 'solved' for row in own)}/{len(own)}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
