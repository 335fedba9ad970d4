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
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.model.conditions import CONDITIONS, MAIN, Condition
from benchmarks.model.models import CACHE, Model, model
from benchmarks.model.playing import OUTCOMES, Offer, opening, play, to_json
from benchmarks.model.staging import offered
from benchmarks.model.tasks import Task, servers, tasks

AT_ONCE = 14
"""Conversations with a server at a time: the model writes many answers in little more time than one."""
SERVERS_AT_ONCE = 5


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
    with ExitStack() as stack:
        playing: list[Model] = [] if given.table else [stack.enter_context(model())]

        def one(name: str) -> list[dict[str, Any]]:
            return [row for condition in conditions for row in _played(name, condition, chosen[name], playing)]

        with ThreadPoolExecutor(SERVERS_AT_ONCE) as pool:
            rows = [row for found in pool.map(one, names) for row in found]
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
        with offer() as shown:
            key = _key(shown, condition)
            kept = {task.id: _kept(folder, task, key) for task in chosen}
            missing = [task for task in chosen if not kept[task.id]]
            if missing and playing:
                playing[0].read(opening(missing[0], shown), list(shown.tools))

        def one(task: Task) -> tuple[str, dict[str, Any]]:
            with offer() as shown:
                result = {"key": key, "say": task.say, **to_json(play(task, shown, playing[0]))}
            file = folder / f"{task.id}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
            sys.stderr.write(f"{name}, {condition.name}, {task.id}: {result['outcome']} in {result['turns']} turns\n")
            return task.id, result

        if missing and playing:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                kept.update(pool.map(one, missing))
    for task in chosen:
        if found := kept[task.id]:
            yield {"server": name, "condition": condition.name, "task": task.id, "steps": len(task.steps), **found}


def _kept(folder: Path, task: Task, key: str) -> dict[str, Any]:
    """What was played before, if nothing that it depends on is another; empty otherwise."""
    file = folder / f"{task.id}.json"
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return kept if (kept.get("key"), kept.get("say")) == (key, task.say) else {}


def _key(shown: Offer, condition: Condition) -> str:
    """What a result depends on: all that the model is shown, and what refusals and the bridge say."""
    text: list[Any] = [condition.name, shown.instructions, list(shown.tools)]
    strict = next((name for name, one in shown.definitions.items() if one["inputSchema"].get("required")), "")
    if strict and condition.policy:  # without its arguments the tool itself is never run
        text += [shown.call(strict, {}), shown.call(strict, {}), shown.call(shown.bridge, {"names": [strict]})]
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()[:16]


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
