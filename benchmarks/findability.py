"""Are tools still found by their summaries?  ``python -m benchmarks.findability FOLDER``

FOLDER holds clones of the public query sets, whichever are there: ``LiveMCPBench`` (icip-cas), ``MetaTool``
(HowieHwong) and ``MCPToolBenchPP`` (mcp-tool-bench).  Their queries were written by people and models who never saw a
summary.  Each set is one catalogue; a query finds its tool among the first 1 or 5 of the answers, and a tie counts as
the chance that the tool is among them.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pdmigrate.audit.search import SearchIndex, document, words
from pdmigrate.describe.summaries import LONGEST, summaries, summarise
from pdmigrate.model import JsonObject
from pdmigrate.runtime.stubs import stub_schema

TOPS = (1, 5)
RESAMPLES = 1000
MOST_QUERIES = 3000
SEED = 20261122

Scores = Callable[[str], list[float]]


@dataclass(frozen=True, slots=True)
class QuerySet:
    """A catalogue, server by server, and what was asked: a query with the numbers of the tools that answer it."""

    name: str
    servers: Sequence[Sequence[JsonObject]]
    queries: Sequence[tuple[str, frozenset[int]]]

    @property
    def tools(self) -> list[JsonObject]:
        return [tool for server in self.servers for tool in server]


# --- query sets -------------------------------------------------------------------------------------------------------


def live_mcp_bench(folder: Path) -> QuerySet:
    """Tasks of people, each with the tools that they annotated."""
    listed = _json(folder / "tools/LiveMCPTool/tools.json")
    servers = [server["tools"] for entry in listed for server in entry["tools"].values()]
    numbers = _numbers(servers)
    asked = []
    for task in _json(folder / "annotated_data/all_annotations.json"):
        names = re.findall(r"(?m)^\d+\.\s*(\S+)", task["Annotator Metadata"]["Tools"])
        asked.append((task["Question"], frozenset(number for name in names for number in numbers.get(name, ()))))
    return QuerySet("LiveMCPBench, tasks", servers, [query for query in asked if query[1]])


def live_mcp_bench_steps(folder: Path) -> QuerySet:
    """The steps of the same tasks, where there are as many as tools."""
    tasks = live_mcp_bench(folder)
    numbers = _numbers(tasks.servers)
    asked = []
    for task in _json(folder / "annotated_data/all_annotations.json"):
        steps, names = (re.findall(r"(?m)^\d+\.\s*(.+)", task["Annotator Metadata"][key]) for key in ("Steps", "Tools"))
        if len(steps) == len(names):
            pairs = zip(steps, names, strict=True)
            asked += [(step, frozenset(numbers.get(name.strip(), ()))) for step, name in pairs]
    return QuerySet("LiveMCPBench, steps", tasks.servers, [query for query in asked if query[1]])


def mcp_tool_bench(folder: Path) -> QuerySet:
    """Questions that were made for one tool each; the files that are there of them."""
    servers: dict[str, dict[str, JsonObject]] = {}
    asked: list[tuple[str, str]] = []
    for path in sorted(folder.glob("data/*/*_single*.json")):
        if "demo" in path.name or "forqwen" in path.name or not path.stat().st_size:
            continue
        for entry in _json(path):
            for tool in entry["tools"]:
                listed = {**tool, "inputSchema": tool.get("input_schema", {})}
                servers.setdefault(entry["category"], {}).setdefault(tool["name"], listed)
            asked.append((entry["query"], entry["function_call_label"][0]["name"]))
    catalogue = [list(server.values()) for server in servers.values()]
    numbers = _numbers(catalogue)
    return QuerySet("MCPToolBench++", catalogue, [(q, frozenset(numbers[n])) for q, n in asked if n in numbers])


def meta_tool(folder: Path) -> QuerySet:
    """Requests of users for one of 199 plugins, which have no parameters: a sample."""
    plugins = _json(folder / "dataset/plugin_info.json")
    described = {
        **_json(folder / "dataset/plugin_des.json"),
        **{entry["name_for_model"]: entry["description_for_model"] for entry in plugins},
        **_json(folder / "dataset/big_tool_des.json"),
    }
    with (folder / "dataset/data/all_clean_data.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["Query"], row["Tool"]) for row in csv.DictReader(file)]
    names = sorted({name for _, name in rows})
    catalogue: list[list[JsonObject]] = [[{"name": name, "description": described[name]} for name in names]]
    numbers = _numbers(catalogue)
    sample = random.Random(SEED).sample(rows, min(MOST_QUERIES, len(rows)))
    return QuerySet("MetaTool", catalogue, [(query, frozenset(numbers[name])) for query, name in sample])


SETS: Mapping[str, Sequence[Callable[[Path], QuerySet]]] = {
    "LiveMCPBench": (live_mcp_bench, live_mcp_bench_steps),
    "MCPToolBenchPP": (mcp_tool_bench,),
    "MetaTool": (meta_tool,),
}


def _numbers(servers: Iterable[Iterable[JsonObject]]) -> dict[str, list[int]]:
    """The places of each name in the catalogue; several servers may have a tool of one name."""
    found: dict[str, list[int]] = {}
    for number, tool in enumerate(tool for server in servers for tool in server):
        found.setdefault(str(tool["name"]), []).append(number)
    return found


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# --- what a client sees -----------------------------------------------------------------------------------------------


def texts(asked: QuerySet) -> dict[str, list[JsonObject]]:
    """The catalogue as clients see it: in full, and as stubs of each kind."""
    made = [summaries({str(t["name"]): t.get("description") for t in server}) for server in asked.servers]
    ours = [made[place].get(str(t["name"])) for place, server in enumerate(asked.servers) for t in server]
    full = [str(tool.get("description") or "") for tool in asked.tools]
    return {
        "summary": _stubs(asked.tools, [text or "" for text in ours]),
        "first sentence": _stubs(asked.tools, [summarise(text) or "" for text in full]),
        f"first {LONGEST} characters": _stubs(asked.tools, [text[:LONGEST] for text in full]),
        "name alone": _stubs(asked.tools, [""] * len(full)),
        "full text": asked.tools,
    }


def _stubs(tools: Iterable[JsonObject], said: Iterable[str]) -> list[JsonObject]:
    return [
        {"name": tool["name"], "description": text, "inputSchema": stub_schema("skeleton", _schema(tool))}
        for tool, text in zip(tools, said, strict=True)
    ]


def _schema(tool: JsonObject) -> JsonObject:
    schema = tool.get("inputSchema")
    return schema if isinstance(schema, dict) else {}


# --- searches ---------------------------------------------------------------------------------------------------------


def bm25(tools: Sequence[JsonObject]) -> Scores:
    """The words of the query, weighed as ``pdmigrate.audit.search`` does."""
    index = SearchIndex([document(tool) for tool in tools])
    return lambda query: index.scores(words(query))


def regex(tools: Sequence[JsonObject]) -> Scores:
    """How many words of the query, those of four letters or more, occur somewhere in a tool, as a pattern of them."""
    seen = [" ".join(document(tool)) for tool in tools]

    def scores(query: str) -> list[float]:
        sought = [word for word in dict.fromkeys(words(query)) if len(word) > 3]
        return [float(sum(word in text for word in sought)) for text in seen]

    return scores


def hit(scores: Sequence[float], relevant: Iterable[int], top: int) -> float:
    """How likely the best of the relevant tools is among the first ``top`` when equals come in any order."""
    own = max(scores[number] for number in relevant)
    before, equal = sum(score > own for score in scores), sum(score == own for score in scores)
    return min(1.0, max(0, top - before) / equal) if own > 0 else 0.0


# --- figures ----------------------------------------------------------------------------------------------------------


def measure(asked: QuerySet, search: Callable[[Sequence[JsonObject]], Scores]) -> dict[str, dict[int, list[float]]]:
    """For each text and each of ``TOPS``, how surely each query finds its tool."""
    found: dict[str, dict[int, list[float]]] = {}
    for text, tools in texts(asked).items():
        scored = search(tools)
        answers = [(scored(query), relevant) for query, relevant in asked.queries]
        found[text] = {top: [hit(scores, relevant, top) for scores, relevant in answers] for top in TOPS}
    return found


def interval(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the differences of the means, over resamples of the same queries for both."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    chance = random.Random(SEED)
    means = sorted(fmean(chance.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    return means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975) - 1]


def rows(asked: QuerySet) -> Iterator[tuple[str, ...]]:
    """Table rows: each text's hits, and by how much the summary is ahead of it."""
    for search in (bm25, regex):
        found = measure(asked, search)
        for text, hits in found.items():
            ahead = [_ahead(found["summary"][top], hits[top]) if text != "summary" else "" for top in TOPS]
            yield (asked.name, search.__name__, text, *(f"{100 * fmean(hits[top]):.1f} %" for top in TOPS), *ahead)


def _ahead(one: Sequence[float], other: Sequence[float]) -> str:
    low, high = interval(one, other)
    return f"{100 * (fmean(one) - fmean(other)):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.findability", description=__doc__)
    parser.add_argument("folder", type=Path, help="clones of LiveMCPBench, MetaTool, MCPToolBenchPP")
    folder = parser.parse_args().folder
    present = [(folder / name, readers) for name, readers in SETS.items() if (folder / name).is_dir()]
    if not present:
        sys.stderr.write(f"{folder} holds none of {', '.join(SETS)}\n")
        return 2
    columns = ("queries", "search", "text", "hit@1", "hit@5", "summary ahead @1", "summary ahead @5")
    sys.stdout.write(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n")
    for place, readers in present:
        for reader in readers:
            asked = reader(place)
            sys.stderr.write(f"{asked.name}: {len(asked.queries)} queries, {len(asked.tools)} tools\n")
            for row in rows(asked):
                sys.stdout.write(f"| {' | '.join(row)} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
