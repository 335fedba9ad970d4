"""A migrated server next to the one it was made from, over the wire and difference by difference."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.errors import UsageError
from pdmigrate.live.verify import verify
from pdmigrate.live.verify.comparison import differences
from pdmigrate.live.verify.model import CheckResult, Status
from pdmigrate.live.wire import StdioTarget
from pdmigrate.model import JsonValue
from tests.verify.conftest import At

TAGS = '{"type": "array", "items": {"type": "string"}, "description": "Words to find it by."}'
WRONG = "search_notes.content[0].text"
TITLE = "create_note.inputSchema.properties.title.description"
CHANGED: dict[str, list[str]] = {
    "spec": [],
    "loses-tool": [
        'names: tools[1].name: before "list_folders", after "create_note"',
        'names: tools[2].name: before "create_note", after "delete_note"',
        'names: tools[3].name: before "delete_note", after (absent)',
        'definitions: list_folders: before "a tool", after "no definition is served"',
    ],
    "drops-annotations": [
        'fields: tools[0].annotations: before {"readOnlyHint": true, "title": "Search"}, after (absent)',
        'fields: tools[3].annotations: before {"destructiveHint": true}, after (absent)',
    ],
    "changes-meta": ['fields: tools[0]._meta.example.org/group: before "reading", after "writing"'],
    "entry-changed": [f'definitions: {TITLE}: before "A line without markup.", after "A title."'],
    "entry-incomplete": [f"definitions: create_note.inputSchema.properties.tags: before {TAGS}, after (absent)"],
    "loses-resource": ['resources: resources[0]: before {"uri": "notes://readme", "name": "readme"}, after (absent)'],
    "other-prompts": ['prompts: prompts[0].name: before "daily", after "monthly"'],
    "other-instructions": [
        'server: instructions: before "Notes of one person.", after "Fetch from resource:///tool_descriptions."'
    ],
    "other-validation": [
        f'validation: {WRONG}: before "query is missing (File \\"…\\", line …, in call)", after "bad input"',
    ],
}


def compared(results: tuple[CheckResult, ...]) -> list[str]:
    failed = [c for c in results if c.clause == "before" and c.status is Status.FAILED]
    return [f"{c.id.removeprefix('before-')}: {c.detail}" for c in failed]


@pytest.mark.parametrize("variant", CHANGED)
def test_each_difference_is_one_failed_check_with_its_path(http: At, variant: str) -> None:
    report = verify(http(variant), before=http("plain"))
    assert compared(report.checks) == CHANGED[variant]
    assert report.ok is not bool(CHANGED[variant])
    aspects = {told.partition(": ")[0] for told in CHANGED[variant]}
    equal = [c for c in report.checks if c.clause == "before" and c.status is Status.PASSED]
    assert len(equal) == 8 - len(aspects)


@pytest.mark.parametrize("variant", ["spec", "advises"])
def test_a_server_of_before_that_is_migrated_is_refused(http: At, variant: str) -> None:
    with pytest.raises(UsageError, match="the server of --before is migrated, too") as caught:
        verify(http("spec"), before=http(variant))
    assert "git worktree add" in caught.value.hint


@pytest.mark.parametrize("variant", ["advises", "receipts"])
def test_advice_and_receipts_are_no_difference_over_http(http: At, stateless: At, variant: str) -> None:
    for at in (http, stateless):
        report = verify(at(variant), before=at("plain"))
        assert (compared(report.checks), report.ok) == ([], True)


def test_advice_on_a_granted_call_is_a_difference_over_stdio(stdio: Callable[[str], StdioTarget]) -> None:
    report = verify(stdio("advises-always"), before=stdio("plain"))
    assert {told.partition(": ")[0] for told in compared(report.checks)} == {"validation"}


def test_resources_that_were_not_declared_are_no_difference(http: At) -> None:
    report = verify(http("spec"), before=http("plain-silent"))
    assert (compared(report.checks), report.ok) == ([], True)


_VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(_VALUES, _VALUES)
def test_values_without_differences_are_equal(left: JsonValue, right: JsonValue) -> None:
    assert list(differences(left, left, "x")) == []
    if not list(differences(left, right, "x")):
        assert left == right


PATHS: dict[str, tuple[JsonValue, JsonValue, list[str]]] = {
    "true is not one": (True, 1, ["$"]),
    "JSON has one kind of number": (1, 1.0, []),
    "null is not absent": ({"a": None}, {}, ["a"]),
    "items by index": ({"a": [1, 2]}, {"a": [1, 3, 4]}, ["a[1]", "a[2]"]),
    "the deepest place": ({"a": {"b": 1}, "c": 2}, {"a": {"b": 2}, "d": 3}, ["a.b", "c", "d"]),
    "a list is no object": ([1], {"0": 1}, ["$"]),
}


@pytest.mark.parametrize("case", PATHS)
def test_paths_lead_to_the_difference(case: str) -> None:
    before, after, paths = PATHS[case]
    assert [told.partition(":")[0] for told in differences(before, after, "")] == paths


def test_of_two_long_texts_the_place_is_shown_where_they_differ() -> None:
    (told,) = differences("a" * 300 + " one day", "a" * 300 + " one night", "text")
    assert told == f'text: before "…{"a" * 55} one day", after "…{"a" * 55} one night"'
