"""The benchmark of servers chosen blindly: what counts as exact."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.blind.scoring import STATES, score

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
