"""The pure parts of small benchmarks: what counts as exact, worse or found, and what their tables say."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.blind.scoring import STATES, score
from benchmarks.conformance import Row, Verdicts, counted, differences, table
from benchmarks.findability import hit, interval

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


OLD: Verdicts = {
    ("ping", "ping"): ("SUCCESS", ""),
    ("tools-list", "names"): ("SUCCESS", ""),
    ("tools-list", "schemas"): ("FAILURE", "none"),
    ("sse", "retry"): ("WARNING", "late"),
}
NEW: Verdicts = {
    ("ping", "ping"): ("SUCCESS", ""),
    ("tools-list", "names"): ("FAILURE", "a name is missing"),
    ("tools-list", "schemas"): ("SUCCESS", ""),
    ("extra", "more"): ("SUCCESS", ""),
}


def test_every_verdict_that_is_not_the_same_is_found_and_only_worse_ones_are_named() -> None:
    found = list(differences(OLD, NEW))
    assert [(d.scenario, d.check, d.before, d.after, d.is_worse) for d in found] == [
        ("tools-list", "names", "SUCCESS", "FAILURE", True),
        ("tools-list", "schemas", "FAILURE", "SUCCESS", False),
        ("sse", "retry", "WARNING", None, False),
        ("extra", "more", None, "SUCCESS", False),
    ]
    row = Row("mcp==1.30.0", "active", counted(OLD), counted(NEW), tuple(found))
    assert table([row]).splitlines()[-1] == (
        "| mcp==1.30.0 | active | 2 passed, 1 failed, 1 warned | 3 passed, 1 failed | `names` |"
    )


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
