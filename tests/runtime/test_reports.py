"""What public reports tell of hosts and servers, on the generated module for mcp 1.x."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.harness import Bench
from tests.runtime.test_stdio import BRIDGE

MISSING = {
    "code": "MISSING_TOOL_SELECTION",
    "message": "You must specify one or more tool names in the 'names' parameter.",
    "examples": [{"names": ["find"]}, {"names": ["find", "lend"]}],
    "available_tools": ["find", "lend", "plain", BRIDGE],
}
FOUND: dict[str, Any] = {
    "servers_that_override_run": {name: [1, True, True, False] for name in ("Transported", "Anything", "Keywords")},
    "a_module_that_is_reloaded": [["find", "lend", "plain", BRIDGE], True, False],
    "names_that_arrive_as_text": {
        '"[\\"find\\",\\"lend\\"]"': ["find", "lend"],
        '" [\\"find\\"]"': ["find"],
        "\"['find']\"": ["find"],
        '"\\"find\\""': ["find"],
        '"find, lend"': ["find", "lend"],
        '["find"]': ["find"],
        "null": MISSING,
        "[]": MISSING,
    },
    "listings_of_each_request": {"a listing": 1, "a bridge call": 1, "a read": 1, "a refusal": 1, "advice": 1},
    "a_grant_that_comes_while_the_gate_lists": ["ran find"],
    "a_second_transport_that_a_tool_starts": ["started", ["find", BRIDGE], True],
    "logging_to_stdout": ["", "a line of ours\n", True],
    "names_with_blanks_at_an_end": [[" a", "b ", "c"], ["c", "b ", " a", "größe"]],
    "a_long_list": {"type": "string"},
}
"""What each experiment finds; on the module of before, each found something else or did not run."""


@pytest.fixture(scope="module")
def reports(bench: Bench) -> Any:
    return bench.program("reports.py", ",".join(FOUND))


@pytest.mark.parametrize("name", FOUND)
def test_a_report_is_met(reports: Any, name: str) -> None:
    assert reports[name] == FOUND[name]
