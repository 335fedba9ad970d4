"""The pure parts of the benchmarks: a comparison that cannot find anything would make every server a success."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchmarks.checks import Result as Checked
from benchmarks.checks import _configured
from benchmarks.checks import table as table_of_checks
from benchmarks.migrate.comparing import compare, copies, first_difference, same
from benchmarks.migrate.recording import Migrated, Recording
from benchmarks.migrate.running import Result
from benchmarks.migrate.servers import load
from benchmarks.migrate.table import families, reasons, report, row, table, totals
from benchmarks.migrate.workshop import STAND_INS, Workshop, start_of

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
AFTER = Migrated(LISTED, {"lend": REFUSAL}, {"lend": {**FULL, "examples": []}}, {"lend": ANSWER})


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


def test_a_resources_capability_that_was_there_stays_as_it_was() -> None:
    had: dict[str, Any] = {**BEFORE.server, "capabilities": {"tools": {}, "resources": {"subscribe": True}}}
    before = dataclasses.replace(BEFORE, server=had)
    found = compare(before, before, AFTER)
    assert [text.partition(":")[0] for text in found.problems] == ["server"]


MISSING: Json = {"error": {"code": -32601, "message": "Method not found", "data": None}}
MISSING_IN_2: Json = {"error": {"code": -32601, "message": "Method not found", "data": "resources/list"}}
BROKEN: Json = {"error": {"code": 0, "message": "no connection", "data": None}}


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        ((MISSING,), (OURS,), []),
        ((MISSING_IN_2,), (OURS,), []),
        ((BROKEN,), (BROKEN,), []),
        ((BROKEN,), (OURS,), ["resources"]),
        ((), (OURS, BROKEN), ["resources"]),
    ],
)
def test_a_list_that_fails_must_fail_as_before(old: Any, new: Any, problems: list[str]) -> None:
    before = dataclasses.replace(BEFORE, resources=old)
    assert [text.partition(":")[0] for text in compare(before, before, _listed(resources=new)).problems] == problems


@pytest.mark.parametrize(
    ("text", "equal"),
    [
        ('Traceback\n  File "desk.py", line 13, in lend', True),
        ('Traceback\n  File "desk.py", line 13, in give', False),
        ('File "desk.py", line 13, in lend', False),
    ],
)
def test_a_traceback_may_have_other_lines(text: str, equal: bool) -> None:
    def answer(line: str) -> Json:
        return {"isError": True, "content": [{"type": "text", "text": line}]}

    old = text.replace("line 13", "line 10").replace("give", "lend")
    before = dataclasses.replace(BEFORE, answers={"lend": answer(old)})
    after = dataclasses.replace(_listed(answers={"lend": answer(text)}), unlisted={"lend": answer(text)})
    assert (compare(before, before, after).problems == ()) is equal


@pytest.mark.parametrize(
    ("files", "counts", "problems"),
    [
        ([FULL], {"whole": 1, "part": 0, "none": 0}, []),
        ([{**FULL, "summary": "Lend a book.", "owner": "code"}], {"whole": 1, "part": 0, "none": 0}, []),
        ([{"name": "lend", "description": FULL["description"]}], {"whole": 0, "part": 1, "none": 0}, []),
        ([{"name": "give"}], {"whole": 0, "part": 0, "none": 1}, []),
        ([], {"whole": 0, "part": 0, "none": 1}, []),
        ([STUB], {"whole": 1, "part": 0, "none": 0}, ["lend.description", "lend.inputSchema"]),
        ([STUB, FULL], {"whole": 1, "part": 0, "none": 0}, []),
        ([{**FULL, "outputSchema": {}}], {"whole": 1, "part": 0, "none": 0}, ["lend.outputSchema"]),
    ],
)
def test_what_description_files_say_is_counted_and_compared(
    files: list[Json], counts: dict[str, int], problems: list[str]
) -> None:
    counted, found = copies(BEFORE, BEFORE, files)
    assert counted == counts
    assert [text.partition(":")[0] for text in found] == problems


def test_a_copy_of_what_changes_from_start_to_start_is_not_compared() -> None:
    again = dataclasses.replace(BEFORE, tools=({**FULL, "description": "now"},))
    assert copies(BEFORE, again, [{**FULL, "description": "then"}])[1] == ()


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [(1, True, False), (1, 1, True), ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ([1, 2], [2, 1], False)],
)
def test_equality_is_that_of_json(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal


def test_the_first_difference_has_a_path() -> None:
    assert first_difference({"a": [{"b": 1}]}, {"a": [{"b": 2}]}) == "a[0].b was 1, is 2"
    assert first_difference({"a": None}, {}) == "a was null, is null"


@pytest.mark.parametrize(
    ("entry", "end"),
    [
        ("pkg.server:main", "from pkg.server import main; sys.exit(main())"),
        ("pkg:app.run", "from pkg import app; sys.exit(app.run())"),
        ("pkg:main [extra]", "from pkg import main; sys.exit(main())"),
    ],
)
def test_a_script_is_its_entry_point(entry: str, end: str) -> None:
    assert start_of("it", entry) == f"import sys; sys.argv[0] = 'it'; {end}"


def test_the_list_is_pinned_throughout() -> None:
    servers = load()
    assert len({(server.name, server.version) for server in servers}) == len(servers) >= 80
    for server in servers:
        assert len(server.sha256) == 64
        assert server.wheel.startswith(server.name.replace("-", "_").replace(".", "_"))
        assert all(pin.count("==") == 1 for pin in server.pins)
        assert all((STAND_INS / name).is_dir() for name in server.stand_ins)


def test_a_list_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    entry = {"name": "a", "version": "1", "wheel": "a.whl", "sha256": "0", "python": "3.11", "sdk": {}, "tools": 1}
    path = tmp_path / "list.json"

    def write(**more: object) -> None:
        path.write_text(
            json.dumps({"as_of": "2026-01-01", "dialect": "d", "servers": [{**entry, "command": ["a"], **more}]})
        )

    write()
    [server] = load(path)
    assert (server.command, server.dialect, server.as_of) == (("a",), "d", "2026-01-01")
    write(dialect="fastmcp4", as_of="2026-02-02")
    [server] = load(path)
    assert (server.dialect, server.as_of) == ("fastmcp4", "2026-02-02")
    write(comand=["a"])
    with pytest.raises(ValidationError):
        load(path)


def _result(**changes: Any) -> Result:
    whole: dict[str, Any] = {
        "dialect": "mcp1-lowlevel",
        "fates": {"moved": 1},
        "applied": True,
        "comparison": compare(BEFORE, BEFORE, AFTER),
    }
    return Result("desk", "1.0", tools=1, **{**whole, **changes})


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "migrated"),
        ({"problems": ["names: x"]}, "failed"),
        ({"applied": False, "problems": ["no place"]}, "refused"),
        ({"not_run": "no interpreter"}, "not run"),
    ],
)
def test_verdicts(change: dict[str, Any], verdict: str) -> None:
    assert _result(**change).verdict == verdict
    assert row(_result(**change))[-1] == verdict


def test_refusals_count_against_both_shares() -> None:
    refused = _result(applied=False, comparison=None, problems=["no place"], fates={"skipped": 1})
    text = totals([_result(), refused, _result(not_run="no interpreter")])
    assert "servers migrated with no edit by hand: 1 of 2 (50.0%)" in text
    assert "tools listed as stubs: 1 of 2 (50.0%)" in text
    assert "moved 1, stubbed 0, skipped 1, failed 0" in text
    assert "not run: 1" in text


def test_the_table_is_aligned_and_the_reasons_are_named() -> None:
    results = [_result(), _result(problems=["names: x"])]
    lines = table(results).splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert reasons(results) == "desk: failed\n  names: x"
    assert reasons([_result(excepted=["prompts: x"])]) == "desk: not judged: prompts: x"


def test_every_dialect_has_a_table_of_its_own() -> None:
    assert "##" not in report([_result(), _result()])
    text = report([_result(), _result(dialect="fastmcp4", problems=["names: x"])])
    _, first, second = re.split("## mcp1-lowlevel|## fastmcp4", text)
    assert first.startswith("\n\n| server")
    for part, migrated in ((first, "1 of 1"), (second, "0 of 1")):
        assert f"servers migrated with no edit by hand: {migrated}" in part


def test_families_are_added_up() -> None:
    results = [
        _result(copied={"whole": 1, "part": 0, "none": 0}),
        _result(dialect="fastmcp4", live=True, copied={"whole": 0, "part": 1, "none": 0}),
        _result(dialect="fastmcp4", applied=False, comparison=None, problems=["no place"]),
        _result(dialect="fastmcp4", not_run="no interpreter"),
    ]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in families(results).splitlines()]
    sizes = (results[0].comparison, results[1].comparison)
    listed = [sum(getattr(one, key) for one in sizes if one) for key in ("bytes_before", "bytes_after")]
    assert lines[2][:9] == ["mcp1-lowlevel", "1", "1", "0", "1", "1", "1", "1/0/0", "1/1"]
    assert lines[3][:9] == ["fastmcp4", "2", "1", "1", "2", "1", "1", "0/1/0", "1/1"]
    assert lines[4] == ["all", "3", "2", "1", "3", "2", "2", "1/1/0", "2/2", f"{listed[0]} -> {listed[1]}"]
    assert report(results).startswith(families(results))


def test_a_second_try_is_named() -> None:
    result = _result(live=True, without_live=["no server was found"])
    assert row(result)[-1] == "migrated with --live"
    assert reasons([result]) == "desk: from source alone: no server was found"


def test_an_environment_is_kept_while_what_is_installed_stays() -> None:
    server = load()[0]
    started = dataclasses.replace(server, env={"A": "b"}, command=("python",), tools=server.tools + 1)
    assert started.installed == server.installed
    for change in ({"extras": ("x",)}, {"python": "3.9"}, {"requires": ("x",)}, {"sdk": {"mcp": "1.0"}}):
        assert dataclasses.replace(server, **change).installed != server.installed


def test_files_stand_where_the_server_is_started(tmp_path: Path) -> None:
    files = {"accounts.json": [{"id": 1}], ".desk/config": "[default]\nroom = 7\n"}
    server = dataclasses.replace(load()[0], files=files, command=("python", "{cwd}/x"), env={"ROOM": "{cwd}"})
    workshop = Workshop(server, tmp_path)
    target = workshop.target()
    assert (workshop.scratch / "accounts.json").read_text() == '[{"id": 1}]'
    assert (workshop.scratch / ".desk/config").read_text() == files[".desk/config"]
    assert target.command[-1] == f"{workshop.scratch}/x"
    assert f"ROOM={workshop.scratch}" in target.command


def test_the_checks_of_a_repository_are_those_that_it_names(tmp_path: Path) -> None:
    assert [*_configured(tmp_path)] == []
    (tmp_path / "pyproject.toml").write_text("[tool.ruff.lint]\nselect = ['E']\n[tool.mypy]\nstrict = true\n")
    (tmp_path / ".pre-commit-config.yaml").write_text("- hooks:\n    -   id: ruff-format\n    - id: blacken-docs\n")
    assert [*_configured(tmp_path)] == ["ruff check", "ruff format", "mypy"]


def test_the_table_of_checks_counts_what_is_new() -> None:
    found = ["ruff check: a/progressive_disclosure.py: E501 long"] * 2
    result = Checked("a/b", 1, 3, ("ruff check",), {"ruff check": 7}, ["black: a.py: would be changed"], found)
    rows = table_of_checks([result, Checked("c", failed="not migrated: why")]).splitlines()
    assert rows[2:4] == ["| a/b | ruff check (7) | 1 | 3 | 1 | 2 |", "| c | none | 0 | 0 | - | - |"]
    assert rows[5:] == ["a/b: black: a.py: would be changed", f"a/b: {found[0]} (2 times)", "c: not migrated: why"]
