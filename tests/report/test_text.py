"""Reports as people read them, and ``explain``: pages of codes, and the way of every field of a tool."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.findings import finding
from pdmigrate.model import (
    Fate,
    Finding,
    Fixed,
    Inventory,
    Known,
    Outcome,
    Plan,
    Sdk,
    Server,
    Site,
    Tool,
)
from pdmigrate.report.explain import code_page, tool_text, tools_named
from pdmigrate.report.inventory import inventory_text, inventory_total
from pdmigrate.report.plans import accounting_text, changes_text, plan_json
from pdmigrate.report.text import Colours, findings_text, in_inventory, in_plan, tally
from tests.audit.listings import Characters
from tests.report.samples import EXACT, HERE, INVENTORY, NOWHERE, PLAN, SERVER, UNSETTLED

COLOUR = Colours(colour=True)
COUNTER = Characters()


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


@pytest.mark.parametrize("count", [2, 3, 4, 122])
def test_what_is_said_alike_of_many_tools_is_one_line(count: int) -> None:
    """Each tool is named once, whatever else is said between."""
    tools = [f"tool_{number:03}" for number in range(count)]
    same = [
        finding("PD101", f'"{tool}" is odd', site=Site("a.py", line), tool=tool) for line, tool in enumerate(tools, 1)
    ]
    other = finding("PD101", "odd", site=Site("a.py", 2))
    lines = findings_text([*same, other]).splitlines()
    assert sum("is odd" in line for line in lines) == (count if count < 4 else 1)
    assert sum("the same of" in line for line in lines) == (count > 3)
    assert all(sum(line.count(tool) for line in lines) == 1 for tool in tools)
    assert any(line.startswith("a.py:2: PD101") and line.endswith(": odd") for line in lines)
    apart = [dataclasses.replace(one, detail=f"+ {number}") for number, one in enumerate(same)]
    assert findings_text(apart).count("is odd") == count


def test_findings_come_in_order_of_place_with_their_hints() -> None:
    late = finding("PD106", "deep", site=Site("pkg/a.py", 10), hint="look at line 9")
    early = finding("PD203", "no server", site=Site("pkg/a.py", 9))
    assert findings_text([late, HERE, early, NOWHERE, late]).splitlines() == [
        "PD803 error: pyproject.toml cannot be read",
        "  hint: correct the file and run the command again",
        "pkg/a.py:9: PD203 warning: no server",
        "  hint: make the server by calling the SDK's class, or one derived from it in this project",
        "pkg/a.py:10: PD106 error: deep",
        "  hint: look at line 9",
        "pkg/deep.py:1: PD106 error: pkg/deep.py is nested too deeply",
        "  hint: exclude the file",
    ]


def test_a_hint_is_given_once_for_a_run_of_the_same_findings() -> None:
    same = [finding("PD106", f"deep {line}", site=Site("a.py", line)) for line in (1, 2, 3)]
    assert findings_text(same).count("hint:") == 1
    between = finding("PD203", "no server", site=Site("a.py", 2))
    assert findings_text([same[0], between, same[2]]).count("hint: exclude the file") == 2


def test_the_tool_is_named_unless_the_message_does() -> None:
    assert "tool one: odd" in findings_text([finding("PD101", "odd", tool="one")])
    assert "tool one" not in findings_text([finding("PD101", "one is odd", tool="one")])


def test_colour_adds_nothing_but_colour() -> None:
    assert findings_text([HERE, NOWHERE], COLOUR) != findings_text([HERE, NOWHERE])
    assert without_colour(findings_text([HERE, NOWHERE], COLOUR)) == findings_text([HERE, NOWHERE])
    assert without_colour(inventory_text(INVENTORY, COLOUR)) == inventory_text(INVENTORY)
    assert without_colour(accounting_text(PLAN, COUNTER, COLOUR)) == accounting_text(PLAN, COUNTER)
    assert without_colour(changes_text(PLAN.effective, COLOUR)) == changes_text(PLAN.effective)


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([], ""),
        ([HERE], "1 error"),
        ([HERE, HERE, NOWHERE], "2 errors"),
        ([HERE, finding("PD203", "x"), finding("PD204", "x")], "1 error, 1 warning, 1 note"),
    ],
)
def test_findings_are_counted(findings: list[Finding], expected: str) -> None:
    assert tally(findings) == expected


def test_an_inventory_names_what_is_exact_and_what_is_not() -> None:
    assert inventory_text(INVENTORY).splitlines() == [
        "sqlite  mcp1-lowlevel on mcp 1.30.0 (lock)  pkg/server.py:31",
        "  read_query        exact  pkg/server.py:40",
        "  convert_time      2 fields not settled, may be absent  pkg/server.py:50",
        "  (name not known)  1 field not settled  pkg/server.py:60",
        "    description of convert_time: read from a file (PD101)",
        "    inputSchema at properties.tz.default of convert_time: depends on the platform (PD102)",
        "    name of the tool at pkg/server.py:60: built from the environment (PD103)",
        "    convert_time may be absent: listed only when DEBUG is set",
        "  there may be more tools: add_tool is called with a value that is not known",
    ]
    assert inventory_total(INVENTORY) == "1 server, 3 tools: 1 exact, 2 with fields that source does not settle"


def test_a_reason_is_said_once_with_the_tools_that_it_is_for() -> None:
    (_, doubtful, _) = SERVER.tools
    many = tuple(dataclasses.replace(doubtful, fields={**doubtful.fields, "name": Known(f"t{n}")}) for n in range(6))
    text = inventory_text(Inventory((dataclasses.replace(SERVER, tools=many),), ()))
    assert text.count("PD101") == text.count("PD102") == 1
    assert "    description of t0, t1, t2 and 3 more: read from a file (PD101)\n" in text
    assert "    t0, t1, t2 and 3 more may be absent: listed only when DEBUG is set\n" in text


def test_a_server_without_tools_or_name_says_so() -> None:
    bare = dataclasses.replace(SERVER, name=None, tools=(), incomplete=None)
    assert inventory_text(Inventory((bare,), ())).splitlines() == [
        "unnamed server of pkg/server.py  mcp1-lowlevel on mcp 1.30.0 (lock)  pkg/server.py:31",
        "  no tools",
    ]
    whole = dataclasses.replace(SERVER, tools=(EXACT,), incomplete=None)
    assert inventory_total(Inventory((whole,), ())) == "1 server, 1 tool: 1 exact"


def test_every_tool_is_accounted_for() -> None:
    assert accounting_text(PLAN, COUNTER).splitlines() == [
        "other",
        "  left          ? tokens  skipped (not selected)",
        "sqlite",
        "  read_query        1,200 -> 150  moved",
        "  convert_time        300 -> 100  shortened when listed (its description is computed)",
        "  broken                ? tokens  failed (both sides changed)",
        "found 4 = moved 1 + stubbed 1 + skipped 1 + failed 1",
        "tokens in the listing: 1,500 -> 250 (-83 %; characters; 2 tools of unknown size not counted)",
        "stdio: all eight criteria of the specification hold",
    ]


UNKNOWN, GROWN = Outcome("s", "t", Fate.STUBBED, "x"), Outcome("s", "g", Fate.STUBBED, "", 100, 120)


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ([UNKNOWN], ""),
        ([GROWN], "tokens in the listing: 100 -> 120 (+20 %; characters)\nthe listing does not shrink"),
        # of the smaller part, no total is given
        (
            [UNKNOWN, UNKNOWN, GROWN],
            "tokens in the listing: not known, as the size of 2 tools is not\n`pdmigrate audit",
        ),
    ],
)
def test_the_tokens_of_the_listing_are_said_as_far_as_they_are_known(outcomes: list[Outcome], said: str) -> None:
    text = accounting_text(Plan((), tuple(outcomes)), COUNTER)
    assert said in text
    assert ("tokens in the listing" in text) == bool(said)


def test_changes_name_what_is_done_to_each_file_and_why() -> None:
    assert changes_text(PLAN.effective).splitlines() == [
        "change  pkg/server.py  enable the server",
        "remove  pkg/old.json  no such tool any more",
        "add     pkg/tool_descriptions/read_query.json  describe read_query",
    ]


def test_the_documentation_describes_every_field_of_a_plan_as_json() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    elsewhere = {"code", "severity", "message", "hint", "file", "line"}
    assert {name for name in _names(plan_json(PLAN, COUNTER, written=True)) if f"`{name}`" not in text} <= elsewhere


def _names(value: object) -> set[str]:
    if isinstance(value, list):
        return {name for item in value for name in _names(item)}
    return {*value, *_names(list(value.values()))} if isinstance(value, dict) else set()


def test_a_plan_as_json_says_the_same() -> None:
    document = plan_json(PLAN, COUNTER, written=False)
    assert json.loads(json.dumps(document)) == document
    assert document["found"] == 4
    assert [document[fate.name.lower()] for fate in Fate] == [1, 1, 1, 1]
    sizes = {"before": 1500, "after": 250, "bridge": 0, "guidance": 0}
    assert document["tokens"] == {**sizes, "tools": 2, "counter": "characters"}
    assert document["written"] is False
    actions = zip(("change", "remove", "add"), PLAN.effective, strict=True)
    assert document["changes"] == [
        {"path": one.path, "action": action, "kind": one.kind.value, "reason": one.reason} for action, one in actions
    ]
    unknown = {"before": None, "after": None}
    failed = {"server": "sqlite", "tool": "broken", "fate": "failed", "reason": "both sides changed", "tokens": unknown}
    assert document["tools"][3] == failed


def test_what_is_said_of_most_tools_is_said_once() -> None:
    usual = [Outcome("s", f"tool_{number}", Fate.STUBBED, "it is made from a function", 90, 9) for number in range(3)]
    other = Outcome("s", "other", Fate.SKIPPED, "not selected")
    lines = accounting_text(Plan((), (*usual, other)), COUNTER).splitlines()
    said = "shortened when listed (it is made from a function); its definition stays in your code"
    assert lines[1] == f"  unless stated otherwise: {said}"
    assert [line.split() for line in lines[2:6]] == [
        *(["tool_" + str(number), "90", "->", "9"] for number in range(3)),
        ["other", "?", "tokens", "skipped", "(not", "selected)"],
    ]
    lines = accounting_text(Plan((), tuple(usual)), COUNTER).splitlines()
    assert lines[1] == f"  each: {said}"


def at(line: int, code: str = "PD101", file: str = "server.py") -> Finding:
    return finding(code, f"{code} on {line}", site=Site(file, line))


def test_findings_of_a_plan_come_sorted_by_place_and_once() -> None:
    nowhere = finding("PD801", "nowhere")
    found = (at(9), at(2, "PD102"), at(2), nowhere, at(2), at(3, "PD103"), at(3, "PD103"), at(1, file="a.py"))
    plan = in_plan(Plan((), findings=found), ["PD103"])
    assert plan.findings == (nowhere, at(1, file="a.py"), at(2), at(2, "PD102"), at(9))


def test_an_inventory_loses_the_message_and_keeps_the_tool() -> None:
    tool = Tool({}, Site("server.py", 3), Fixed("it is computed", "PD101"), findings=(at(3), at(4, "PD102")))
    server = Server("d", Site("server.py", 1), "s", Sdk("mcp", "1", "given"), Fixed("x", "PD101"), (tool,))
    result = in_inventory(Inventory((server,), (at(2, "PD106"), at(2, "PD103"))), ["PD101", "PD106"])
    assert result.servers[0].tools[0].findings == (at(4, "PD102"),)
    assert result.findings == (at(2, "PD103"),)


def test_a_page_is_found_in_small_letters_too() -> None:
    assert code_page("pd101") == code_page("PD101")
    assert code_page("PD101").startswith("# PD101: ")


@pytest.mark.parametrize(("word", "hint"), [("PD1010", "did you mean PD101?"), ("pd999", "")])
def test_a_code_that_does_not_exist_is_refused(word: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"there is no finding {word.upper()}") as raised:
        code_page(word)
    assert raised.value.hint.startswith(hint)


def test_a_tool_is_found_in_every_server_that_has_it() -> None:
    other = dataclasses.replace(SERVER, name="other")
    found = tools_named(Inventory((SERVER, other), ()), "read_query")
    assert [server.name for server, _ in found] == ["sqlite", "other"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("read_qery", "did you mean 'read_query'?"), ("zzz", "`pdmigrate extract --no-write` lists the tools")],
)
def test_a_tool_that_is_not_there_is_refused(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match="no server here has a tool") as raised:
        tools_named(INVENTORY, name)
    assert raised.value.hint == hint


def test_every_field_is_shown_with_the_steps_that_led_to_it() -> None:
    assert tool_text(SERVER, EXACT).splitlines() == [
        "read_query",
        "  server    sqlite, mcp1-lowlevel on mcp 1.30.0 (lock)  pkg/server.py:31",
        "  declared  pkg/server.py:40",
        "  listed    always",
        "  owner     code",
        "  can move  yes: literals that only the list handler reads (description)",
        "",
        "name  exact",
        '  "read_query"',
        "",
        "description  exact",
        '  "Run a SELECT."',
        "  1. literal  pkg/server.py:41",
        "  2. dedented by textwrap.dedent  pkg/server.py:40",
        "",
        "inputSchema  exact",
        '  {"type": "object", "properties": {"query": {"type": "string"}}}',
        "  1. literal  pkg/server.py:42",
        "",
        "x-extra  exact",
        "  true",
        "",
        "not sent  title, outputSchema, annotations, icons, _meta, execution",
    ]


def test_a_tool_that_has_moved_says_where_it_is_edited() -> None:
    moved = dataclasses.replace(EXACT, owner="file")
    assert "  owner     file\n  can move  it has moved: " in tool_text(SERVER, moved)


def test_a_tool_with_an_invalid_schema_cannot_move() -> None:
    wrong = dataclasses.replace(EXACT, fields={**EXACT.fields, "inputSchema": Known({"type": "objekt"})})
    told = tool_text(SERVER, wrong)
    assert (
        'no: "read_query": inputSchema is not a valid JSON Schema: $.type: "objekt" is not a JSON Schema type (PD405)'
        in told
    )


def test_what_is_not_settled_says_why_and_where() -> None:
    text = tool_text(SERVER, UNSETTLED)
    assert "  can move  no: its description is computed (PD101)  pkg/server.py:51\n" in text
    assert "  listed    may be absent: listed only when DEBUG is set\n" in text
    assert "description  not settled: read from a file (PD101)  pkg/server.py:51\n" in text
    assert "inputSchema  not settled at properties.tz.default: depends on the platform (PD102)\n" in text


def test_a_long_value_is_cut_and_says_how_long_it_is() -> None:
    long = dataclasses.replace(EXACT, fields={"description": Known("x" * 5000)})
    line = next(line for line in tool_text(SERVER, long).splitlines() if "xxx" in line)
    assert len(line) < 350
    assert line.endswith("... (5,002 characters)")
