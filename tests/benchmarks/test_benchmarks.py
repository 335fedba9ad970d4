"""The pure parts of the benchmarks: a comparison that cannot find anything would make every server a success."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from benchmarks.blind.scoring import STATES, score
from benchmarks.conformance import Row, Verdicts, counted, differences, table
from benchmarks.findability import hit, interval
from benchmarks.migrate.comparing import compare
from benchmarks.migrate.recording import Migrated, Recording
from benchmarks.migrate.running import Result
from benchmarks.migrate.table import totals

Json = dict[str, Any]

FULL: Json = {
    "name": "lend",
    "description": "Lend a book.\n\nArgs:\n  isbn: the number on its back",
    "inputSchema": {
        "type": "object",
        "properties": {"isbn": {"type": "string", "description": "the number on its back"}},
        "required": ["isbn"],
    },
    "annotations": {"readOnlyHint": False},
}
STUB: Json = {
    **FULL,
    "description": "Lend a book.",
    "inputSchema": {"type": "object", "properties": {"isbn": {"type": "string"}}, "required": ["isbn"]},
}
BRIDGE: Json = {"name": "desk_describe_tools", "description": "Full descriptions.", "inputSchema": {"type": "object"}}
ANSWER: Json = {"isError": True, "content": [{"type": "text", "text": "'isbn' is a required property"}]}
REFUSAL: Json = {
    "isError": True,
    "content": [{"type": "text", "text": '{"error": {"code": "TOOL_DESCRIPTION_REQUIRED"}}'}],
}
OURS: Json = {"uri": "resource:///tool_descriptions", "name": "tool_descriptions"}

BEFORE = Recording(
    server={"serverInfo": {"name": "desk"}, "capabilities": {"tools": {}}, "instructions": "A desk."},
    tools=(FULL,),
    resources=(),
    templates=(),
    prompts=(),
    unknown=ANSWER,
    answers={"lend": ANSWER},
)
LISTED = Recording(
    server={
        "serverInfo": {"name": "desk"},
        "capabilities": {"tools": {}, "resources": {}},
        "instructions": "A desk.\n\nFetch first.",
    },
    tools=(STUB, BRIDGE),
    resources=(OURS,),
    templates=(),
    prompts=(),
    unknown=ANSWER,
    answers={"lend": ANSWER},
)
# The order of keys means nothing.
TURNED = {**FULL, "examples": [], "inputSchema": dict(reversed(FULL["inputSchema"].items()))}
AFTER = Migrated(LISTED, {"lend": REFUSAL}, {"lend": TURNED}, {"lend": ANSWER})


def _listed(**changes: Any) -> Migrated:
    return dataclasses.replace(AFTER, listed=dataclasses.replace(LISTED, **changes))


def _stub(**changes: Any) -> Migrated:
    return _listed(tools=({**STUB, **changes}, BRIDGE))


def _entry(**changes: Any) -> Migrated:
    return dataclasses.replace(AFTER, entries={"lend": {**FULL, **changes}})


def test_a_good_migration_has_no_problems() -> None:
    found = compare(BEFORE, BEFORE, AFTER)
    assert found.problems == ()
    assert (found.tools, found.stubbed, found.definitions, found.invalid, found.invalid_equal) == (1, 1, 1, 1, 1)
    assert found.unsettled == ()
    assert found.bytes_before == len(json.dumps([FULL], separators=(",", ":")))
    assert found.bytes_after == len(json.dumps([STUB, BRIDGE], separators=(",", ":")))


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        pytest.param(_listed(tools=(BRIDGE, STUB)), "names", id="order"),
        pytest.param(_listed(tools=(STUB,)), "names", id="no bridge"),
        pytest.param(_listed(tools=(BRIDGE,)), "names", id="a tool is gone"),
        pytest.param(_listed(tools=()), "names", id="no tools"),
        pytest.param(_stub(annotations={"readOnlyHint": True}), "lend.annotations", id="annotations"),
        pytest.param(_stub(annotations={"readOnlyHint": 0}), "lend.annotations", id="0 is not false"),
        pytest.param(_stub(title="Lend"), "lend.title", id="a field more"),
        pytest.param(_stub(inputSchema=FULL["inputSchema"]), "lend.inputSchema", id="schema not shortened"),
        pytest.param(_stub(description=FULL["description"] + "."), "lend.description", id="longer"),
        pytest.param(_stub(description=" "), "lend.description", id="no description"),
        pytest.param(_stub(outputSchema={}), "lend.outputSchema", id="an output schema that was not there"),
        pytest.param(_entry(description="Lend a book."), "lend.description", id="a stub as definition"),
        pytest.param(_entry(inputSchema=STUB["inputSchema"]), "lend.inputSchema", id="a stub's schema"),
        pytest.param(_entry(outputSchema={}), "lend.outputSchema", id="an invented field"),
        pytest.param(_entry(annotations={}), "lend.annotations", id="a changed copy"),
        pytest.param(dataclasses.replace(AFTER, entries={}), "lend", id="not served"),
        pytest.param(dataclasses.replace(AFTER, entries={"lend": {"error": "x"}}), "lend", id="an error"),
        pytest.param(dataclasses.replace(AFTER, refusals={"lend": ANSWER}), "gate lend", id="no gate"),
        pytest.param(dataclasses.replace(AFTER, unlisted={"lend": REFUSAL}), "call lend", id="never opened"),
        pytest.param(_listed(answers={"lend": {"isError": False}}), "call lend", id="not validated"),
        pytest.param(_listed(unknown=REFUSAL), "unknown", id="unknown name refused"),
        pytest.param(_listed(prompts=({"name": "x"},)), "prompts", id="prompts"),
        pytest.param(_listed(resources=(OURS, {"uri": "book:///1"})), "resources", id="a resource more"),
        pytest.param(_listed(server={**LISTED.server, "instructions": "Fetch."}), "instructions", id="lost"),
        pytest.param(_listed(server={**LISTED.server, "serverInfo": {}}), "server", id="server info"),
    ],
)
def test_every_other_difference_is_a_problem(after: Migrated, problem: str) -> None:
    assert [text.partition(":")[0] for text in compare(BEFORE, BEFORE, after).problems] == [problem]


@pytest.mark.parametrize("text", [None, "", " "])
def test_a_tool_that_had_no_description_gets_none(text: str | None) -> None:
    bare = dataclasses.replace(BEFORE, tools=({**FULL, "description": text},))
    after = dataclasses.replace(_stub(description=text), entries={"lend": {**FULL, "description": "lend"}})
    assert compare(bare, bare, after).problems == ()
    invented = dataclasses.replace(_stub(description="Lend."), entries=after.entries)
    assert [problem.partition(":")[0] for problem in compare(bare, bare, invented).problems] == ["lend.description"]


@pytest.mark.parametrize(
    ("again", "name", "after"),
    [
        ({"tools": ({**FULL, "description": "now"},)}, "lend.description", _entry(description="then")),
        ({"answers": {"lend": {"isError": True}}}, "call lend", _listed(answers={"lend": {}})),
        ({"prompts": ({"name": "x"},)}, "prompts", _listed(prompts=({"name": "y"},))),
    ],
)
def test_what_changes_from_start_to_start_is_listed_and_not_compared(
    again: dict[str, Any], name: str, after: Migrated
) -> None:
    found = compare(BEFORE, dataclasses.replace(BEFORE, **again), after)
    assert found.unsettled == (name,)
    assert found.problems == ()


def test_two_silences_are_not_an_equal_answer() -> None:
    silent: Json = {"no answer": "the server ended"}
    before = dataclasses.replace(BEFORE, answers={"lend": silent})
    after = dataclasses.replace(_listed(answers={"lend": silent}), unlisted={"lend": silent})
    found = compare(before, before, after)
    assert (found.unsettled, found.invalid) == (("call lend",), 0)


def _result(**changes: Any) -> Result:
    whole: dict[str, Any] = {
        "dialect": "mcp1-lowlevel",
        "fates": {"moved": 1},
        "applied": True,
        "comparison": compare(BEFORE, BEFORE, AFTER),
    }
    return Result("desk", "1.0", tools=1, **{**whole, **changes})


def test_refusals_count_against_both_shares() -> None:
    refused = _result(applied=False, comparison=None, problems=["no place"], fates={"skipped": 1})
    text = totals([_result(), refused, _result(not_run="no interpreter")])
    assert "servers migrated with no edit by hand: 1 of 2 (50.0%)" in text
    assert "tools listed as stubs: 1 of 2 (50.0%)" in text
    assert "moved 1, stubbed 0, skipped 1, failed 0" in text
    assert "not run: 1" in text


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
