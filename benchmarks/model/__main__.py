"""Play tasks on published servers, before and after their migration, with a real model.

    python -m benchmarks.model                                  # every server, the main conditions; hours
    python -m benchmarks.model --subset 24                      # 24 tasks behind stubs, for a change of words
    python -m benchmarks.model --server mcp-gsuite --condition enforce --condition advise
    python -m benchmarks.model --table                          # the figures that are recorded; nothing is played
    MODEL_URL=http://localhost:11434/v1 MODEL_NAME=... python -m benchmarks.model

The model (1.1 GB) is put together from its pieces on the package index and kept in ``.cache/model`` with all that was
said.  A run that was stopped goes on where it was; what was played with other words of the product is played again.
The figures of the model in the file are recorded in ``figures.json`` beside this file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.model import figures
from benchmarks.model.conditions import CONDITIONS, MAIN, Condition
from benchmarks.model.models import CACHE, NAME, Model, model
from benchmarks.model.playing import Offer, opening, play, to_json
from benchmarks.model.staging import offered
from benchmarks.model.tasks import TUNED, Task, servers, subset, tasks

Json = dict[str, Any]
AT_ONCE = 14
"""Conversations at a time: the model writes many answers in little more time than one.

They are all with one server, whose listing the engine reads once.
"""


def main() -> int:
    """Play what the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--server", action="append", choices=servers(), metavar="NAME", help="this one; repeatable")
    parser.add_argument("--condition", action="append", choices=[one.name for one in CONDITIONS], metavar="NAME")
    parser.add_argument("--subset", type=int, metavar="N", help="play N tasks, and record nothing")
    parser.add_argument("--table", action="store_true", help="print the recorded figures, and play nothing")
    given = parser.parse_args()
    if given.subset:
        sys.stdout.write(_first_look(given.server or TUNED, given.condition, given.subset) + "\n")
        return 0
    names = given.server or servers()
    asked = given.condition or ([one.name for one in CONDITIONS] if given.table else MAIN)
    conditions = [one for one in CONDITIONS if one.name in asked]
    recorded = figures.read()
    if given.table:
        rows = [row for row in recorded if row["server"] in names and row["condition"] in asked]
    else:
        chosen = {name: tasks(name) for name in names}
        with model() as playing:
            rows = list(_all_played(chosen, conditions, playing))
        if playing.name == NAME:
            figures.record([*recorded, *rows])
    sys.stdout.write(figures.tables(rows, [one.name for one in conditions]) + "\n")
    return 0


def _first_look(names: Sequence[str], asked: Sequence[str] | None, count: int) -> str:
    """The tables of some tasks of each server, as they are played now, and as they are recorded.

    If no conditions are asked for, only those behind stubs are played: a server before its migration has no word of
    the product.
    """
    with model() as playing:
        known = figures.read() if playing.name == NAME else []
        behind = asked or (MAIN[1:] if known else MAIN)
        rows = list(_all_played(subset(names, count), [one for one in CONDITIONS if one.name in behind], playing))
    played = {(row["server"], row["task"]) for row in rows}
    before = [row for row in known if row["condition"] in MAIN and (row["server"], row["task"]) in played]
    rows += [{**row, "condition": f"{row['condition']}, recorded"} for row in before]
    return figures.tables(rows, [title for one in CONDITIONS for title in (f"{one.name}, recorded", one.name)])


def _all_played(chosen: Mapping[str, Sequence[Task]], behind: Sequence[Condition], playing: Model) -> Iterator[Json]:
    for name, own in chosen.items():
        for condition in behind:
            yield from _played(name, condition, own, playing)


def _played(name: str, condition: Condition, chosen: Sequence[Task], playing: Model) -> Iterator[Json]:
    """The results of one server under one condition; those that are not there yet are played."""
    folder = CACHE / "played" / playing.name.replace("/", "_") / name / condition.name
    with offered(name, condition) as offer:
        with offer() as shown:
            key = _key(shown, condition)
            kept = {task.id: _kept(folder, task, key) for task in chosen}
            missing = [task for task in chosen if not kept[task.id]]
            if missing:
                playing.read(opening(missing[0], shown), list(shown.tools))

        def one(task: Task) -> tuple[str, Json]:
            with offer() as shown:
                result = {"key": key, "say": task.say, **to_json(play(task, shown, playing))}
            file = folder / f"{task.id}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
            sys.stderr.write(f"{name}, {condition.name}, {task.id}: {result['outcome']} in {result['turns']} turns\n")
            return task.id, result

        with ThreadPoolExecutor(AT_ONCE) as pool:
            kept.update(pool.map(one, missing))
    for task in chosen:
        yield {"server": name, "condition": condition.name, "task": task.id, **kept[task.id]}


def _kept(folder: Path, task: Task, key: str) -> Json:
    """What was played before, if nothing that it depends on is another; empty otherwise."""
    file = folder / f"{task.id}.json"
    kept: Json = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return kept if (kept.get("key"), kept.get("say")) == (key, task.say) else {}


def _key(shown: Offer, condition: Condition) -> str:
    """What a result depends on: all that the model is shown, and what refusals and the bridge say."""
    text: list[Any] = [condition.name, shown.instructions, list(shown.tools)]
    strict = next((name for name, one in shown.definitions.items() if one["inputSchema"].get("required")), "")
    if strict and condition.policy:  # without its arguments the tool itself is never run
        text += [shown.call(strict, {}), shown.call(strict, {}), shown.call(shown.bridge, {"names": [strict]})]
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    raise SystemExit(main())
