"""The benchmark of public query sets: how sets are read, what counts as found, and what an interval is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.findability import (
    hit,
    interval,
    live_mcp_bench,
    live_mcp_bench_steps,
    mcp_tool_bench,
    texts,
)

ROOT = Path(__file__).parents[2]


def tool(name: str, description: str, **parameters: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties}}


LEND = tool("lend", "Lend a book. Members only. Use it for loans at the desk.", barcode="The number on the back.")
FIND = tool("find", "Find a journal by its title.")


def written(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def live(folder: Path) -> Path:
    servers = {name: {"tools": tools} for name, tools in {"a": [LEND], "b": [FIND, LEND]}.items()}
    written(folder / "tools/LiveMCPTool/tools.json", [{"tools": servers}])
    tasks = [("Lend one.", "1. Lend a book to me.", "1. lend"), ("Do both.", "1. All at once", "1. find\n2. lend")]
    noted = [{"Question": q, "Annotator Metadata": {"Steps": steps, "Tools": tools}} for q, steps, tools in tasks]
    written(
        folder / "annotated_data/all_annotations.json",
        [*noted, {**noted[0], "Annotator Metadata": {"Steps": "", "Tools": "1. gone"}}],
    )
    return folder


def test_a_task_is_answered_by_any_of_its_tools_wherever_they_are(tmp_path: Path) -> None:
    asked = live_mcp_bench(live(tmp_path))
    assert [str(one["name"]) for one in asked.tools] == ["lend", "find", "lend"]
    assert asked.queries == [("Lend one.", frozenset({0, 2})), ("Do both.", frozenset({0, 1, 2}))]


def test_steps_count_where_there_are_as_many_as_tools(tmp_path: Path) -> None:
    assert live_mcp_bench_steps(live(tmp_path)).queries == [("Lend a book to me.", frozenset({0, 2}))]


def test_questions_of_one_category_share_its_tools(tmp_path: Path) -> None:
    entry = {
        "category": "books",
        "tools": [LEND, FIND],
        "query": "Lend one.",
        "function_call_label": [{"name": "lend"}],
    }
    written(tmp_path / "data/books/books_single.json", [entry, entry])
    written(tmp_path / "data/books/books_single_demo.json", [entry])
    asked = mcp_tool_bench(tmp_path)
    assert (len(asked.tools), asked.queries) == (2, [("Lend one.", frozenset({0}))] * 2)


def test_what_each_text_shows(tmp_path: Path) -> None:
    shown = texts(live_mcp_bench(live(tmp_path)))
    assert {text: tools[0]["description"] for text, tools in shown.items()} == {
        "summary": "Lend a book. Use it for loans at the desk.",
        "first sentence": "Lend a book.",
        "first 200 characters": LEND["description"],
        "name alone": "",
        "full text": LEND["description"],
    }
    assert "The number" in json.dumps(shown["full text"])
    assert "The number" not in json.dumps([tools for text, tools in shown.items() if text != "full text"])


def test_a_tie_counts_as_the_chance_to_be_among_the_first() -> None:
    assert hit([3.0, 1.0, 2.0], [0], 1) == 1.0
    assert hit([3.0, 1.0, 2.0], [1, 2], 1) == 0.0
    assert hit([1.0, 1.0, 1.0, 1.0], [2], 1) == 0.25
    assert hit([0.0, 0.0], [0], 5) == 0.0, "what nothing matches is not found"


def test_an_interval_holds_the_difference_and_is_the_same_every_time() -> None:
    one, other = [1.0] * 60 + [0.0] * 40, [1.0] * 50 + [0.0] * 50
    low, high = interval(one, other)
    assert 0 < low < 0.1 < high
    assert interval(one, other) == (low, high)
    assert interval(one, one) == (0.0, 0.0)
