"""What the benchmark of frameworks calls wrong: each check on reports that differ in one thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.hosts.frameworks import FRAMEWORKS, KEPT, PER_CALL, PER_COMMAND, REFUSAL, WITHOUT, Framework
from benchmarks.hosts.judging import Verdict, judge
from benchmarks.hosts.running import Report, each_refused_once
from benchmarks.hosts.servers import Server
from benchmarks.hosts.table import HEAD, page, problems, row

SERVER = Server("desk", (), ("find", {}), (("lend", {"copy": 1}),), (("find", {"kind": None}),))
FIND = {"kind": {"type": "string"}, "limit": {"type": "integer", "default": 10}}
NONE = {"anyOf": [{"type": "string"}, {"type": "null"}]}
CLOSED = {"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": False}}
REFUSED = '{"error": {"code": "TOOL_DESCRIPTION_REQUIRED"}}'


def tool(name: str, properties: dict[str, Any] = FIND, *required: str, strict: bool = False) -> dict[str, Any]:
    return {"name": name, "parameters": {"properties": properties, "required": list(required)}, "strict": strict}


def session(*methods: str) -> tuple[dict[str, Any], ...]:
    """What a session sends; its calls are all of the tool that is called first."""
    params = {"tools/call": {"name": "find"}}
    return tuple({"method": method, "params": params.get(method)} for method in methods)


ONE = (session("initialize", "tools/list", *["tools/call"] * 6),)
MANY = (session("initialize", "tools/list"), *[session("initialize", "tools/call")] * 6)
COMMANDS = (*[session("initialize", "tools/list", "tools/call")] * 6,)
ANSWERS = ("two", "two", "lent", "none", "two")

BEFORE = Report(tools=(tool("find"), tool("lend", {"copy": {"type": "integer"}}, "copy")), results=ANSWERS, sent=ONE)
AFTER = replace(
    BEFORE,
    tools=(*BEFORE.tools, tool("desk_describe_tools", {"names": {"type": "array"}}, "names")),
    results=(REFUSED, *ANSWERS[1:]),
    fetched='{"find": {"inputSchema": {}}, "lend": {"inputSchema": {}}}',
)
APART = replace(AFTER, results=ANSWERS, sent=MANY)


CLERK = Framework("clerk", "Clerk", "clerk.py", ("clerk==1.2",), session=KEPT)


def judged(after: Report, session: str = KEPT, before: Report = BEFORE) -> Verdict:
    return judge(replace(CLERK, session=session), SERVER, before, after)


def test_all_is_well_in_a_kept_session() -> None:
    verdict = judged(AFTER)
    assert verdict.problems == {}
    assert set(verdict.checks) == {"list", "first call", "fetch", "required only", "nulls", "grant", "session"}


def test_a_call_that_the_framework_turns_away_itself_is_as_before() -> None:
    away = session("initialize", "tools/list")
    before = replace(BEFORE, results=("not an integer", *ANSWERS[1:]))
    after = replace(AFTER, results=("not an integer", *ANSWERS[1:]))
    assert judged(after, before=before).problems == {"first call": "not refused: not an integer"}
    assert "first call" not in judged(replace(after, sent=(away,)), before=before).problems
    assert "first call" in judged(replace(after, sent=(away,))).problems


def test_an_answer_may_name_another_place_of_the_frameworks_files() -> None:
    before = replace(BEFORE, results=(*ANSWERS[:3], 'File "/a/tools.py", line 3: none', "two"))
    for frame, wrong in (('File "/b/tools.py", line 3', set()), ('File "/b/tools.py", line 4', {"nulls"})):
        after = replace(AFTER, results=(*AFTER.results[:3], f"{frame}: none", "two"))
        assert set(judged(after, before=before).problems) == wrong


def test_all_is_well_with_a_session_for_each_call_which_has_no_grant_to_keep() -> None:
    verdict = judged(APART, PER_CALL)
    assert verdict.problems == {}
    assert set(verdict.checks) == {"list", "first call", "fetch", "required only", "nulls", "session"}


def answered(number: int, text: str, report: Report = AFTER) -> Report:
    results = list(report.results)
    results[number] = text
    return replace(report, results=tuple(results))


def listed(*tools: dict[str, Any]) -> Report:
    return replace(AFTER, tools=(*tools, AFTER.tools[-1]))


LEND = AFTER.tools[1]


@pytest.mark.parametrize(
    ("after", "check", "problem"),
    [
        (replace(AFTER, error="boom", results=()), "list", "after the migration: boom"),
        (replace(AFTER, tools=AFTER.tools[:-1]), "list", "the bridge is not among the tools"),
        (listed(LEND), "list", "find is gone"),
        (
            listed(tool("find", FIND, "kind", "limit", strict=True), LEND),
            "list",
            "find is strict now, and kind has to be invented",
        ),
        (
            listed(tool("find", {**FIND, "kind": NONE, "limit": CLOSED}, strict=True), LEND),
            "list",
            "find is strict now, and limit can only be empty",
        ),
        (listed(tool("find", FIND, "kind"), LEND), "list", "find requires ['kind'] instead of []"),
        (listed(tool("find", {"kind": {"type": "string"}}), LEND), "list", "find takes kind instead of kind, limit"),
        (listed(tool("find", {**FIND, "limit": {"default": 10}}), LEND), "list", "find.limit has no type"),
        (answered(0, "two"), "first call", "not refused: two"),
        (replace(AFTER, fetched="no such tool"), "fetch", "no definition in no such tool"),
        (answered(2, REFUSED), "required only", f"lend: {REFUSED} instead of lent"),
        (replace(AFTER, invented=("lend.note",)), "required only", "a strict decoder has to invent lend.note"),
        (answered(3, "not an integer"), "nulls", "find: not an integer instead of none"),
        (answered(4, REFUSED), "grant", f"find: {REFUSED} instead of two"),
        (replace(AFTER, sent=MANY), "session", "6 sessions with calls"),
    ],
)
def test_one_thing_is_wrong(after: Report, check: str, problem: str) -> None:
    assert judged(after).problems == {check: problem}


def test_a_tool_may_become_strict_if_nothing_is_lost_and_may_cease_to_be() -> None:
    strict = tool("find", {**FIND, "kind": NONE}, "kind", "limit", strict=True)
    assert judged(listed(strict, LEND)).problems == {}
    assert judged(AFTER, before=replace(BEFORE, tools=(strict, LEND))).problems == {}


def test_a_refusal_locks_out_who_opens_a_session_for_each_call() -> None:
    assert set(judged(answered(0, REFUSED, APART), PER_CALL).problems) == {"first call"}


def test_who_lists_before_each_call_is_not_taken_for_one_who_does_not() -> None:
    assert set(judged(replace(APART, sent=COMMANDS), PER_CALL).problems) == {"session"}
    assert judged(replace(AFTER, sent=COMMANDS), PER_COMMAND).problems == {}


def test_what_had_to_be_invented_before_is_no_news() -> None:
    invented = ("lend.note",)
    assert judged(replace(AFTER, invented=invented), before=replace(BEFORE, invented=invented)).problems == {}


FULL = {name: f"{REFUSED}: {name} was not called ... Reply with your call of {name}, ..." for name in ("find", "lend")}
FILTERED = replace(AFTER, tools=BEFORE.tools, results=(FULL["find"], *ANSWERS[1:]), fetched=FULL["lend"])


@pytest.mark.parametrize(
    ("after", "check", "problem"),
    [
        pytest.param(FILTERED, None, "", id="each refused once"),
        pytest.param(replace(FILTERED, tools=AFTER.tools), "list", "the bridge is let through", id="not filtered"),
        pytest.param(replace(FILTERED, fetched=REFUSED), "fetch", "no refusal brings that of lend: ", id="locked out"),
        pytest.param(
            replace(FILTERED, results=(*FILTERED.results[:2], FULL["lend"], *ANSWERS[3:])),
            "required only",
            f"lend: {FULL['lend']} instead of lent",
            id="refused twice",
        ),
    ],
)
def test_where_neither_bridge_nor_resource_is_let_through_refusals_deliver(
    after: Report, check: str | None, problem: str
) -> None:
    found = judge(replace(CLERK, fetch=REFUSAL), SERVER, BEFORE, after).problems
    assert [*found] == ([check] if check else [])
    assert check is None or found[check].startswith(problem)


def test_each_tool_is_called_once_more_where_only_refusals_deliver() -> None:
    calls = [{"tool": tool} for tool in ("find", "find", "lend", "find", "lend", "read")]
    steps, fetching = each_refused_once(calls, ["lend", "read"])
    assert [step["tool"] for step in steps] == ["find", "find", "lend", "lend", "find", "lend", "read", "read"]
    assert fetching == {2, 6}


def test_without_sessions_a_call_runs_and_none_are_counted() -> None:
    open_ = replace(APART, sent=())
    verdict = judged(open_, WITHOUT)
    assert verdict.problems == {}
    assert "grant" not in verdict.checks


def test_a_name_that_providers_refuse_is_wrong() -> None:
    found = judged(replace(AFTER, tools=(*AFTER.tools, tool("Tool descriptions (full)")))).problems
    assert found == {"list": "'Tool descriptions (full)' is no name that providers accept"}
    twice = judged(replace(AFTER, tools=(*AFTER.tools, tool("manual"), tool("manual")))).problems
    assert twice == {"list": "2 tools are called manual"}


@pytest.mark.parametrize(
    ("framework", "server", "expected"),
    [
        (CLERK, {"both_eras": False, "odd": False}, True),
        (CLERK, {"both_eras": True, "odd": True}, False),
        (replace(CLERK, on=("desk",)), {"both_eras": True, "odd": True}, True),
        (replace(CLERK, on=("shop",)), {"both_eras": True, "odd": False}, False),
        (replace(CLERK, era="2026-07-28"), {"both_eras": False, "odd": False}, False),
        (replace(CLERK, era="2026-07-28"), {"both_eras": True, "odd": False}, True),
    ],
)
def test_which_servers_a_framework_is_tried_on(framework: Framework, server: dict[str, bool], expected: bool) -> None:
    assert framework.is_for("desk", **server) is expected


def test_a_row_counts_servers() -> None:
    well, ill = judged(AFTER), judged(answered(4, REFUSED))
    counts = ("2/2", "2/2", "2/2", "2/2", "2/2", "1/2")
    assert row(CLERK, [well, ill]) == ("Clerk", "1.2", "kept", *counts, "**fails**")
    assert row(CLERK, [well])[-1] == "as before"
    assert row(replace(CLERK, session=PER_CALL), [judged(APART, PER_CALL)])[-2:] == ("-", "as before")
    assert problems([well, ill]) == f"* clerk, desk, grant: find: {REFUSED} instead of two"


def test_what_a_framework_does_itself_is_excused_and_nothing_else() -> None:
    hides = replace(CLERK, excused=("first call",), because="it hides errors")
    excused = judge(hides, SERVER, BEFORE, answered(0, "failed"))
    assert (excused.problems, row(hides, [excused])[-1]) == ({}, "see below")
    assert row(hides, [excused])[4] == "0/1"
    assert set(judge(hides, SERVER, BEFORE, answered(4, "failed")).problems) == {"grant"}


def test_a_list_that_could_not_be_taken_before_is_named_and_counts_nowhere() -> None:
    poor = replace(CLERK, unable=("desk",))
    broken = Report(error="Traceback\n  in convert\nSomeError: 'Column' is not defined\n\nsee there")
    verdict = judge(poor, SERVER, broken, AFTER)
    assert (verdict.checks, verdict.problems) == ({}, {})
    assert verdict.note.startswith("cannot take the list before the migration (SomeError: 'Column' is not defined)")
    assert verdict.note.endswith("takes it after it, and calls all that is called here")
    assert verdict.note in page([verdict], "abc1234", "2026-01-02")
    assert set(judged(AFTER, before=broken).problems) == {"list"}
    assert judge(poor, SERVER, BEFORE, AFTER).problems == {}


def test_the_page_has_rows_for_what_was_measured_and_says_what_is_wrong() -> None:
    first, last = FRAMEWORKS[0], FRAMEWORKS[-1]
    well, excused = judge(first, SERVER, BEFORE, AFTER), judge(last, SERVER, BEFORE, replace(AFTER, sent=COMMANDS))
    text = page([well, excused], "abc1234", "2026-01-02")
    measured = [line for line in text.splitlines() if line.count("|") == len(HEAD) + 1 and "--" not in line[:9]]
    assert [line.split("|")[1].strip() for line in measured] == ["framework", first.title, last.title]
    assert last.because in text
    assert "What is wrong" not in text
    assert f"{first.name}, desk, grant" in page(
        [judge(first, SERVER, BEFORE, answered(4, "no"))], "abc1234", "2026-01-02"
    )
