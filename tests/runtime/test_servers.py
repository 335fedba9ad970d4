"""Servers of mcp 1.x written in many ways, each enabled in one process and asked over a pipe."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.runtime import test_labs
from tests.runtime.harness import Bench, build, spec
from tests.runtime.programs.definitions import FULL
from tests.runtime.test_stdio import BRIDGE
from tests.support.environments import MCP1
from tests.support.files import write

EXPECTED = {**test_labs.EXPECTED, "bad": "Input validation error: 't' is too short"}
MISSING = {
    "code": "MISSING_TOOL_SELECTION",
    "message": "You must specify one or more tool names in the 'names' parameter.",
    "examples": [{"names": ["find"]}, {"names": ["find", "lend"]}],
    "available_tools": ["find", "lend", "plain", BRIDGE],
}
FOUND: dict[str, Any] = {
    # Without the decorators, arguments are not validated, as before.
    "handlers_put_into_the_table": {**EXPECTED, "bad": 'find {"words": "t"}'},
    "cache_after_a_refresh_by_the_sdk": {
        "cache": {name: FULL[name] for name in ("find", "lend", "plain")},
        "first": EXPECTED["bad"],
    },
    # A failing listing does not hide the error of a tool.
    "a_tool_and_a_listing_that_fail": [["the tool's own error"]] * 2,
    "listed_objects_are_never_changed": True,
    "outside_a_request": 'find {"words": "ab"}',
    "a_server_without_tools": [[], "MISSING_TOOL_SELECTION", "Tool 'a' not found"],
    "tools_without_a_description": {
        "lend_book": [None, "lend_book"],
        "take_back": ["", "take_back"],
        "found": ["Find it.", "Find it. More."],
        "shut_desk": ["shut_desk", "Args:\n    desk: Which one. From 1."],  # a list is no summary
    },
    "a_server_that_overrides_run": [1, True, True, False],
    "a_module_that_is_reloaded": [["find", "lend", "plain", BRIDGE], True, False],
    "names_that_arrive_as_text": {
        **{names: ["find", "lend"] for names in ('"[\\"find\\",\\"lend\\"]"', '"find, lend"')},
        **{names: ["find"] for names in ('" [\\"find\\"]"', "\"['find']\"", '"\\"find\\""', '["find"]')},
        **dict.fromkeys(("null", "[]"), MISSING),
    },
    "a_grant_that_comes_while_the_gate_lists": [True, 'find {"words": "ab"}'],
    "a_second_transport_that_a_tool_starts": ["started", ["find", BRIDGE], True],
    "logging_to_stdout": ["", "a line of ours\n", True],
    "names_with_blanks_at_an_end": [[" a", "b ", "c"], ["c", "b ", " a", "größe"]],
}
"""What each experiment finds that needs no process of its own."""


@pytest.fixture(scope="module")
def lab(bench: Bench) -> dict[str, Any]:
    return bench.experiments(*FOUND, "odd_names")


@pytest.mark.parametrize("name", FOUND)
def test_an_odd_server_is_served_well(lab: dict[str, Any], name: str) -> None:
    assert lab[name] == FOUND[name]


# --- names ------------------------------------------------------------------------------------------------------------


def test_a_tool_of_any_name_can_be_fetched_by_the_address_that_its_refusal_gives(lab: dict[str, Any]) -> None:
    answers, ways = lab["odd_names"]
    assert len(answers) == 9
    assert ways == {
        "c++": [],
        "c%2B%2B": ["c++"],
        "a,c%2B%2B": ["a", "c++"],
        "c%2B%2B%2Ca": ["c++", "a"],
        "a+b": ["a b"],
        "a%20b,c%2B%2B": ["a b", "c++"],
    }
    assert answers == {name: [[name], f"{name} {{}}"] for name in answers}


def test_the_receipt_takes_a_name_that_the_tool_has_not(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(receipt=True)))
    name, stub, full, schema = bench.experiment("a_tool_that_has_an_argument_of_the_receipts_name")
    own = {"description_receipt": {"type": "integer"}}
    assert name == "description_receipt_"
    assert stub == {"type": "object", "properties": {**own, name: {"type": "string"}}, "required": []}
    assert (full["required"], full["properties"][name]["enum"]) == ([name], ["abcd"])
    assert schema == {"type": "object", "properties": own, "required": []}


# --- files ------------------------------------------------------------------------------------------------------------


def test_edited_files_are_read_again_and_invalid_ones_leave_what_was(own_bench: Bench) -> None:
    answer = own_bench.experiment("edited_files")
    seen = answer["seen"]
    assert {text for _, text in seen.values()} == {EXPECTED["bad"]}
    original = ("nothing", "restored", "a second file for the tool", "a file for a tool of the code")
    texts = {change: "Find books b" if change in original else "Find books. " for change in seen}
    assert {change: text for change, (text, _) in seen.items()} == texts
    assert "usage_guidance" in answer["plain"]
    assert not {"examples", "summary", "owner", "$schema"} & set(answer["plain"])
    assert answer["summary"] == "Plainly."
    assert "Seek books" in answer["told"]["by the bridge"]
    assert "Hunt books" in answer["told"]["by a refusal"]


def test_a_server_does_not_start_without_the_definition_of_a_moved_tool(own_bench: Bench) -> None:
    messages = own_bench.experiment("broken_files")
    assert len(messages) == 9
    for case, message in messages.items():
        assert (message or "").startswith("RuntimeError: "), case
        assert str(own_bench.folder / "tool_descriptions") in message
        assert "no valid file for ['find']; restore it" in message
        assert "package data" in message


def test_a_server_does_not_start_without_the_folder_or_when_off(own_bench: Bench) -> None:
    for file in (own_bench.folder / "tool_descriptions").iterdir():
        file.unlink()
    (own_bench.folder / "tool_descriptions").rmdir()
    for variables in ({}, {"PROGRESSIVE_DISCLOSURE": "off"}):
        message = own_bench.experiment("start", **variables)[0]
        assert message.startswith("RuntimeError: ")
        assert f"{own_bench.folder / 'tool_descriptions'}: no valid file for ['_server.json']" in message


def test_what_only_looks_like_a_description_file_is_ignored_and_named(own_bench: Bench) -> None:
    """Above all it must not be waited for: a pipe has no end, and nor has a device."""
    folder = own_bench.folder / "tool_descriptions"
    os.mkfifo(folder / "pipe.json")
    (folder / "device.json").symlink_to("/dev/zero")
    (folder / "gone.json").symlink_to(folder / "nothing")
    (folder / "folder.json").mkdir()
    write(folder, {"deep.json": "[" * 100_000, "list.json": "[1]"})
    mistyped = {"description": 1, "inputSchema": "x"}
    for key, value in mistyped.items():
        (folder / f"{key}.json").write_text(json.dumps({"name": f"plain {key}", key: value}))
    # The first of two files for one tool counts: that after it says something else.
    (folder / "twice.json").write_text(json.dumps({"name": "find", "inputSchema": {}}))
    answer = own_bench.experiment("what_is_said_of_files")
    assert answer["tour"] == EXPECTED
    said = dict(line.removeprefix(f"{folder}/").split(".json is ignored: ", 1) for line in answer["said"])
    assert "recursion" in said.pop("deep")
    assert "list" in said.pop("list")
    assert said == {key: f"it has no valid {key}" for key in mistyped}


def test_a_setting_that_does_not_exist_is_refused(bench: Bench) -> None:
    start, *refused = bench.experiment("start")
    assert start is None
    assert len(refused) == 4
    for message in refused:
        assert message.startswith("ValueError: ")
        assert "('enforce', 'strict', 'advise', 'off')" in message


def test_grants_refusals_and_mismatches_are_logged(bench: Bench) -> None:
    lines = bench.experiment("log")
    labels = [re.findall(r"session [0-9a-f]+", line)[0] for line in (lines[0], lines[3])]
    assert labels[0] != labels[1]
    assert len(set(lines[5:])) == 20, "a label is one session's"
    assert all(line.endswith("refused 'lend', which was not fetched") for line in lines[5:])
    assert lines[:5] == [
        f"INFO {labels[0]}: refused 'find', which was not fetched",
        f"INFO {labels[0]}: described ['find'] of ['find', 'nonsense']",
        "WARNING a call with no listing before it in its session is not refused",
        f"INFO {labels[1]}: described ['plain'] of ['plain']",
        f"WARNING {labels[1]}: fetches too often",
    ]
