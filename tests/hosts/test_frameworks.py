"""Frameworks that behave differently, each on a server before its migration and after it.

``python -m benchmarks.hosts`` does the same with all of them, on all samples and on published servers.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.hosts.frameworks import FRAMEWORKS, KEPT, PER_CALL, REFUSAL, WITHOUT, Framework
from benchmarks.hosts.judging import Verdict, judge
from benchmarks.hosts.running import Report, drive
from benchmarks.hosts.servers import ODD, SERVERS, Server
from benchmarks.hosts.staging import stage
from tests.runtime.nurseries import planted
from tests.support import npm

NAMED = {framework.name: framework for framework in FRAMEWORKS}
SAMPLES = {server.name: server for server in (*SERVERS, *ODD)}
ALWAYS = {"list", "first call", "fetch", "required only", "session"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("framework", "server", "checks"),
    [
        pytest.param("mcp1", "mcp1_lowlevel", {*ALWAYS, "nulls", "grant"}, id="a client of mcp 1.x"),
        pytest.param("mcp2-2026", "mcp2_mcpserver", {*ALWAYS, "grant"}, id="a client without handshake"),
        pytest.param("pydantic-ai", "fastmcp3", {*ALWAYS, "nulls", "grant"}, id="a list that changes"),
        pytest.param("openai-agents-strict", "mcp1_fastmcp", {*ALWAYS, "nulls", "grant"}, id="strict schemas"),
        pytest.param("mcp-use", "mcp1_lowlevel", {*ALWAYS, "nulls", "grant"}, id="models of the arguments"),
        pytest.param("langchain-get-tools", "mcp1_lowlevel", {*ALWAYS, "nulls"}, id="a session for each call"),
        pytest.param("typescript", "mcp2_mcpserver", {*ALWAYS, "grant"}, id="a client that validates errors"),
        pytest.param("pydantic-ai-filtered", "fastmcp3", {*ALWAYS, "nulls", "grant"}, id="without the bridge"),
        pytest.param("openai-agents-two", "unnamed", {*ALWAYS, "grant"}, id="two servers without a name"),
        pytest.param("mcp1-workers", "unnamed", ALWAYS, id="two workers, without sessions"),
    ],
)
def test_all_is_as_before(tmp_path: Path, framework: str, server: str, checks: set[str]) -> None:
    host, sample = NAMED[framework], SAMPLES[server]
    if host.driver.endswith(".mjs") and (reason := npm.missing()) is not None:
        pytest.skip(reason)
    # Workers are processes that the interpreter starts, so that has to be one of its own.
    staged = stage(sample, tmp_path, () if host.session == WITHOUT else planted(sample.pins))
    before, after = (drive(host, staged, migrated=migrated) for migrated in (False, True))
    verdict = judge(host, staged.server, before, after)
    assert verdict.problems == {}
    assert set(verdict.checks) == checks


# --- what is called wrong ---------------------------------------------------------------------------------------------


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
EMPTY = {**FIND, "kind": NONE, "limit": CLOSED}
STRICT = "find is strict now, and"


@pytest.mark.parametrize(
    ("after", "check", "problem"),
    [
        (replace(AFTER, error="boom", results=()), "list", "after the migration: boom"),
        (replace(AFTER, tools=AFTER.tools[:-1]), "list", "the bridge is not among the tools"),
        (listed(LEND), "list", "find is gone"),
        (listed(tool("find", FIND, "kind", "limit", strict=True), LEND), "list", f"{STRICT} kind has to be invented"),
        (listed(tool("find", EMPTY, strict=True), LEND), "list", f"{STRICT} limit can only be empty"),
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


def test_a_refusal_locks_out_who_opens_a_session_for_each_call() -> None:
    assert set(judged(answered(0, REFUSED, APART), PER_CALL).problems) == {"first call"}


FULL = {name: f"{REFUSED}: {name} was not called ... Reply with your call of {name}, ..." for name in ("find", "lend")}
FILTERED = replace(AFTER, tools=BEFORE.tools, results=(FULL["find"], *ANSWERS[1:]), fetched=FULL["lend"])


TWICE = replace(FILTERED, results=(*FILTERED.results[:2], FULL["lend"], *ANSWERS[3:]))


def test_where_neither_bridge_nor_resource_is_let_through_refusals_deliver() -> None:
    for after, problems in (
        (FILTERED, {}),
        (replace(FILTERED, tools=AFTER.tools), {"list": "the bridge is let through"}),
        (replace(FILTERED, fetched=REFUSED), {"fetch": "no refusal brings that of lend: "}),
        (TWICE, {"required only": f"lend: {FULL['lend']} instead of lent"}),
    ):
        found = judge(replace(CLERK, fetch=REFUSAL), SERVER, BEFORE, after).problems
        assert [*found] == [*problems]
        assert all(found[check].startswith(problem) for check, problem in problems.items())
