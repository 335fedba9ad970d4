"""The pure parts of the benchmark of servers chosen blindly: what counts as exact, and how a choice is made."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.blind.__main__ import LISTS
from benchmarks.blind.drawing import entry, order
from benchmarks.blind.scoring import STATES, score
from benchmarks.migrate.servers import DATA, load

LENT: dict[str, Any] = {"name": "lend", "description": "Lend.", "inputSchema": {"type": "object"}}


def _reported(definition: dict[str, Any], unknown: tuple[str, ...] = (), conditional: str | None = None) -> Any:
    reasons = [{"field": field, "reason": "because"} for field in unknown]
    return {"definition": definition, "unknown": reasons, "conditional": conditional}


def _report(*tools: Any, complete: Any = True) -> dict[str, Any]:
    return {"servers": [{"tools": list(tools), "complete": complete}]}


@pytest.mark.parametrize(
    ("report", "state"),
    [
        pytest.param(_report(_reported(LENT)), "exact", id="all fields"),
        pytest.param(_report(_reported({"name": "lend"}, ("description", "inputSchema"))), "partial", id="unknown"),
        pytest.param(_report(_reported({**LENT, "description": "Lent."})), "wrong", id="another text"),
        pytest.param(_report(_reported({**LENT, "title": "Lend"})), "wrong", id="a field more"),
        pytest.param(_report(_reported({"name": "lend", "description": "Lend."})), "wrong", id="a field less"),
        pytest.param(_report(_reported(LENT), _reported({**LENT, "title": "x"})), "wrong", id="the worst of two"),
        pytest.param(_report(), "wrong", id="missing of a complete server"),
        pytest.param(_report(complete="it may have more"), "missed", id="missing of another"),
        pytest.param({"servers": []}, "missed", id="no server"),
    ],
)
def test_a_tool_is_in_one_state(report: dict[str, Any], state: str) -> None:
    found = score([LENT], report)
    assert {name: count for name, count in found.counts.items() if count} == {state: 1}
    assert [miss.state for miss in found.misses] == ([] if state == "exact" else [state])


def test_what_is_not_listed_is_a_phantom_unless_a_condition_is_said() -> None:
    more = [_reported({"name": "a"}), _reported({"name": "b"}, conditional="only on Mondays")]
    found = score([LENT], _report(_reported(LENT), *more))
    assert [found.counts[state] for state in STATES] == [1, 0, 0, 0, 1, 1]
    assert [miss.tool for miss in found.misses] == ["a"]


def test_false_is_not_zero() -> None:
    tool = {**LENT, "annotations": {"readOnlyHint": False}}
    assert score([tool], _report(_reported({**tool, "annotations": {"readOnlyHint": 0}}))).counts["wrong"] == 1


def test_the_server_with_most_names_in_common_is_compared() -> None:
    other = {"tools": [_reported({"name": "x"})], "complete": True}
    report = {"servers": [other, *_report(_reported(LENT))["servers"]]}
    assert score([LENT], report).counts["exact"] == 1


def test_a_seed_gives_one_order_without_the_names_that_are_taken() -> None:
    names = ["a-mcp", "B_MCP", "mcp.c", "other", "mcp-d"]
    drawn = order(names, ["Mcp_D"], 7)
    assert sorted(drawn) == ["a-mcp", "b-mcp", "mcp-c"]
    assert drawn == order(reversed(names), ["mcp-d"], 7)


def test_the_lists_share_no_server_and_an_entry_is_read_as_it_was_written() -> None:
    lists = {name: load(DATA / name) for name in LISTS}
    drawn = {server.name for server in lists["blind.json"]}
    assert len(drawn) == 44
    for name, servers in lists.items():
        assert name == "blind.json" or not drawn & {server.name for server in servers}
    first = lists["blind.json"][0]
    assert entry(first)["name"] == first.name
    assert "stand_ins" not in entry(first)
