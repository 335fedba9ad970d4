"""Every command ends, with what is known by then: whatever the program computes, and however new its syntax is."""

from __future__ import annotations

import json
from dataclasses import replace
from os import times
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.errors import PdmigrateError
from pdmigrate.migrate.plan.build import plan_extraction, plan_migration
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from pdmigrate.understand.inventory.extract import extract
from pdmigrate.understand.inventory.side_by_side import at_work, note
from tests.soundness.sources import in_words_of, server
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

GROWING = """
import os
rows = []
for name in ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"):
    if os.environ.get(name):
        rows = [name, *rows[:-1]]
        rows.append(rows[0])
    else:
        rows = rows[::-1] + [name]
"""
TURNING = """
import os
table = {}
for name in "abcdefghijklmnopqrstuvwxyz":
    if os.environ.get(name):
        table = {name: list(table.values()), **table}
    else:
        table = {**table, name: [table]}
"""
HOLDING = """
import os
table = {"a": 1}
try:
    for number in [each for each in map(str, os.listdir("."))]:
        if number > number: break
        table = dict(a=sum(table.values()), **{"b": 2})
except Exception:
    pass
"""
ENDLESS = {
    "lists in two orders": GROWING,
    "dicts in two orders": TURNING,
    "sets of lists": TURNING.replace("[table]", "sorted(table)").replace("list(table.values())", "list(table)[::-1]"),
    "lists of lists": GROWING.replace("+ [name]", "+ [rows]").replace("[name, *", "[rows, *"),
}  # fmt: skip


def tools(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    write(folder, {path: in_words_of("mcp1-fastmcp", text) for path, text in files.items()})
    ran = pdmigrate("extract", folder, "--format", "json", "--no-write", *VERSIONS)
    assert ran.status in (0, 1), ran.stderr
    (found,) = json.loads(ran.stdout)["servers"]
    return {tool["definition"]["name"]: tool for tool in found["tools"]}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ENDLESS)
def test_joined_lists_do_not_grow_for_ever(tmp_path: Path, name: str) -> None:
    found = tools(tmp_path, server(before=ENDLESS[name]))
    assert [tool["unknown"] for tool in found.values()] == [[], []]


@pytest.mark.timeout(20)
def test_a_loop_whose_rounds_hold_what_the_one_before_made_is_given_up(tmp_path: Path) -> None:
    """Half a minute before, for one tool."""
    grown = "@mcp.tool(description=str(table))\ndef grown() -> str: ..."
    found = tools(tmp_path, server(before=HOLDING, between=grown))
    assert [each["field"] for each in found.pop("grown")["unknown"]] == ["description"]
    assert [tool["unknown"] for tool in found.values()] == [[], []]


HEAVY = """
def total(rows):
    found = 0
    for row in rows:
        for other in rows:
            found = found + len(str(row) + str(other))
    return found

SUMS = [total(list(range(number))) for number in range(60)]
"""


@pytest.mark.timeout(60)
def test_a_program_that_takes_too_long_is_left_with_what_is_known(tmp_path: Path) -> None:
    files = {
        "slow.py": in_words_of("mcp1-fastmcp", server(before=HEAVY, options=", instructions=str(SUMS)")["server.py"]),
        "quick.py": in_words_of("mcp1-fastmcp", server()["server.py"]),
    }
    write(tmp_path, files)
    found = extract(tmp_path, sdk={"mcp": "1.30.0", "pydantic": "2.14.3"}, seconds=0.2)
    assert [
        (server.site.file, [tool.name for tool in server.tools], server.incomplete) for server in found.servers
    ] == [
        ("quick.py", ["alpha", "beta"], None),
        ("slow.py", [], "evaluating it takes more than 0.2 s of processor time"),
    ]
    assert [said.message for said in found.findings if said.code == "PD201"] == [
        "slow.py is not evaluated to its end: evaluating it takes more than 0.2 s of processor time"
    ]
    again = extract(tmp_path, sdk={"mcp": "1.30.0", "pydantic": "2.14.3"})
    assert [(server.site.file, len(server.tools)) for server in again.servers] == [("quick.py", 2), ("slow.py", 2)]


def test_many_programs_take_no_more_than_each_its_time(tmp_path: Path) -> None:
    heavy = in_words_of("mcp1-fastmcp", server(before=HEAVY, options=", instructions=str(SUMS)")["server.py"])
    write(tmp_path, {f"slow{number}.py": heavy for number in range(12)})
    begun = times()
    found = extract(tmp_path, sdk={"mcp": "1.30.0", "pydantic": "2.14.3"}, seconds=0.2)
    ended = times()
    assert [(server.site.file, server.tools) for server in found.servers] == [
        (path, ()) for path in sorted(f"slow{number}.py" for number in range(12))
    ]
    assert [said.code for said in found.findings].count("PD201") == 12
    spent = ended.user + ended.children_user - begun.user - begun.children_user
    assert spent < 12 * 0.2 + 6


MANY = "\n\n".join(
    f"@mcp.tool()\ndef t{number}(a: str) -> str:\n    '''Do the thing number {number}. Call it.'''\n    return a"
    for number in range(1500)
)


@pytest.mark.timeout(250)
def test_planning_ends_in_its_time_and_writes_nothing(tmp_path: Path) -> None:
    text = f"from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('many')\n\n\n{MANY}\n"
    write(tmp_path, {"server.py": text})
    settings = Settings(sdk={"mcp": "1.30.0", "pydantic": "2.14.3"}, copies=True)
    project = load_project(tmp_path, ".", settings)
    assert len(project.inventory.servers[0].tools) == 1500
    with pytest.raises(PdmigrateError, match="planning for 1,500 tools takes more than 1 s of processor time"):
        plan_migration(project, replace(settings, seconds=1))
    assert plan_extraction(project, settings).changes


FORMS = ("[{}]", "({},)", "{{'a': {}}}", "A(b={})", "[a, {}, c]")


@pytest.mark.timeout(100)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("depth", [30, 400])
@pytest.mark.parametrize("command", [("extract",), ("audit",), ("apply", "--write")])
def test_a_pattern_nested_deeply_takes_no_time(tmp_path: Path, form: str, depth: int, command: tuple[str, ...]) -> None:
    pattern = "x"
    for _ in range(depth):
        pattern = form.format(pattern)
    odd = f"def pick(value):\n    match value:\n        case {pattern}:\n            return 1\n\n\n"
    own = in_words_of("mcp1-fastmcp", server()["server.py"])
    write(tmp_path, {"server.py": own.replace("if __name__", f"{odd}if __name__")})
    ran = pdmigrate(command[0], tmp_path, *command[1:], *VERSIONS)
    refused = depth == 400 or command[0] == "apply"  # libcst reads what is edited
    assert (ran.status, "server.py is nested too deeply to be parsed" in ran.stderr) == (int(refused), refused)


def test_the_file_at_work_is_named() -> None:
    for paths, said in (((), ""), (("a.py",), "a.py"), (("a.py", "b.py", "c.py"), "a.py and 2 more")):
        note(*paths)
        assert at_work() == said
