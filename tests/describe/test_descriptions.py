"""Description files: names, canonical form, and what is found wrong in them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import DescriptionFile, file_names
from pdmigrate.model import Finding, JsonObject, JsonValue

SCHEMA: JsonObject = json.loads((Path(__file__).parents[2] / "templates" / "description.schema.json").read_text())
GOOD: dict[str, JsonValue] = {"name": "add", "owner": "file", "summary": "Add two numbers."}


@pytest.mark.parametrize(
    "expected",
    [
        pytest.param({"add": "add.json"}, id="its own name"),
        pytest.param(
            {"getUser": "getUser.json", "get-user_2": "get-user_2.json"}, id="portable names stay as they are"
        ),
        pytest.param({"Add": "Add.json", "add": "add-7e9e5ac3.json"}, id="names that differ only in case"),
        pytest.param({"../etc": "etc-f7f9121f.json", "a/b": "a-b-c14cddc0.json"}, id="separators never reach a path"),
        pytest.param({"nul": "nul-99e62427.json", "Com1": "com1-5bb25012.json"}, id="names that a system reserves"),
        pytest.param({"🌍": "tool-8cba3282.json"}, id="nothing readable is left"),
    ],
)
def test_file_names_are_portable(expected: dict[str, str]) -> None:
    assert file_names(expected, {}) == expected


@given(st.sets(st.text(min_size=1, max_size=300), max_size=20))
def test_no_two_tools_share_a_file_on_any_disk(names: set[str]) -> None:
    files = file_names(names, {})
    assert set(files) == names
    assert len({file.casefold() for file in files.values()}) == len(names)
    for file in files.values():
        assert len(file) <= 110
        assert "/" not in file
        assert file.isascii()
        assert not file.startswith(".")


def test_a_tool_keeps_the_file_that_it_has() -> None:
    assert file_names(["b", "B"], {"b": "old.json"}) == {"b": "old.json", "B": "B.json"}


def test_the_canonical_form_has_a_fixed_order_and_keeps_the_order_inside() -> None:
    content = descriptions.compose(
        {"inputSchema": {"z": 1, "a": 2}, "name": "add", "x-extra": 1, "description": "d"},
        owner="code",
        summary="s",
        schema="../s.json",
        words={"usage_guidance": {"k": "ü"}},
    )
    assert list(content) == [
        "$schema", "name", "owner", "summary", "description", "inputSchema", "x-extra", "examples", "usage_guidance",
    ]  # fmt: skip
    text = descriptions.dump(content).decode()
    assert text.endswith("}\n")
    assert '"z": 1,\n    "a": 2' in text
    assert "ü" in text


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        pytest.param(b"{", "PD401", id="cut off"),
        pytest.param(b"[1]", "PD401", id="not an object"),
        pytest.param(b"\xff\xfe", "PD401", id="not UTF-8"),
        pytest.param(b"<<<<<<< ours\n{}\n", "PD401", id="a merge conflict"),
        pytest.param(b"[" * 100_000, "PD401", id="nested without end"),
        pytest.param(b"{}", "PD402", id="no name"),
        pytest.param(b'{"name": 3}', "PD402", id="a name that is no string"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(raw: bytes, code: str) -> None:
    found = descriptions.load("tool_descriptions/add.json", raw)
    assert isinstance(found, Finding)
    assert (found.code, found.site and found.site.file) == (code, "tool_descriptions/add.json")


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert isinstance(descriptions.load("a.json", b'\xef\xbb\xbf{"name": "add"}'), DescriptionFile)


def test_of_two_files_for_one_tool_the_first_counts_and_the_other_is_named() -> None:
    raw = json.dumps(GOOD).encode()
    found, findings = descriptions.load_all([("b.json", raw), ("a.json", raw), ("c.json", b"[]")])
    assert found["add"].path == "a.json"
    assert [(f.code, f.site and f.site.file) for f in findings] == [("PD401", "c.json"), ("PD403", "b.json")]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        pytest.param({}, [], id="nothing is wrong"),
        pytest.param({"summary": 3}, ["PD404"], id="a summary that is no text"),
        pytest.param({"owner": "me"}, ["PD404"], id="an unknown owner"),
        pytest.param({"examples": [{"explanation": "x"}]}, ["PD404"], id="an example without input"),
        pytest.param({"inputSchema": {"type": "strnig"}}, ["PD405"], id="a schema that is none"),
        pytest.param(
            {"inputSchema": {"type": "object", "required": ["a"]}, "examples": [{"input": {"b": 1}}]},
            ["PD406"],
            id="an example that the tool would reject",
        ),
        pytest.param(
            {"inputSchema": {"type": "object", "required": ["a"]}, "examples": [{"input": {"a": 1}}]}, [], id="good one"
        ),
        pytest.param(
            {"outputSchema": {"type": "object", "required": ["n"]}, "examples": [{"input": {}, "output": {"m": 1}}]},
            ["PD406"],
            id="an answer that the tool would not give",
        ),
        pytest.param({"lifted": ["summary"]}, ["PD404"], id="a mark of what is never lifted"),
        pytest.param({"usage_guidance": {"when_to_use": 3}}, ["PD404"], id="guidance in another form"),
        pytest.param(
            {"usage_guidance": {"when_to_use": ["often"], "season": "spring"}}, [], id="guidance of one's own"
        ),
        pytest.param({"error_guidance": {"common_errors": [{"cause": "x"}]}}, ["PD404"], id="an error without a name"),
        pytest.param({"error_guidance": "Try again."}, [], id="errors in words"),
        pytest.param({"dashdash": {"operationType": "look"}}, ["PD404"], id="dashdash metadata in another form"),
        pytest.param(
            {"dashdash": {"category": "notes", "operationType": "read", "season": 1}}, [], id="dashdash metadata"
        ),
        pytest.param({"dashdash": {"rateLimit": "token ghp_" + "a1" * 18}}, ["PD411"], id="a token in the metadata"),
        pytest.param({"dashdash": {"apiEquivalent": "GET http://db.corp.internal/x"}}, ["PD411"], id="an inner host"),
        pytest.param({"description": "use ghp_" + "a1" * 18}, ["PD407"], id="a token"),
        pytest.param({"description": "in /home/alice/notes"}, ["PD408"], id="somebody's folder"),
        pytest.param({"description": "the path /homework/x"}, [], id="a word that starts like a folder"),
        pytest.param({"summary": "Add.\nArgs:\n  a: one"}, ["PD409"], id="parameters in the summary"),
        pytest.param({"summary": "Add arguments to a case."}, [], id="a word that is also a heading"),
    ],
)
def test_what_is_wrong_inside_a_file(change: Mapping[str, JsonValue], codes: list[str]) -> None:
    assert [f.code for f in descriptions.check(DescriptionFile("add.json", {**GOOD, **change}), SCHEMA)] == codes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"summary": "Add two."}, False, id="the generated summary"),
        pytest.param({"summary": "Add two.", "examples": []}, False, id="an empty list"),
        pytest.param({"summary": "Sum."}, True, id="a summary of somebody's own"),
        pytest.param({"summary": "Add two.", "examples": [{"input": {}}]}, True, id="an example"),
        pytest.param({"summary": "Add two.", "usage_guidance": "often"}, True, id="guidance"),
    ],
)
def test_a_persons_words_are_recognised(change: Mapping[str, JsonValue], words: bool) -> None:
    data = {"name": "add", "owner": "code", "description": "Add two. Really.", **change}
    assert descriptions.holds_words(json.dumps(data).encode()) is words


def test_a_summary_that_was_generated_from_an_older_text_is_no_word_of_a_person() -> None:
    raw = json.dumps({"name": "add", "summary": "Old.", "description": "New."}).encode()
    assert descriptions.holds_words(raw)
    assert not descriptions.holds_words(raw, descriptions.digest("Old."))
    assert descriptions.holds_words(b"not JSON")


def test_the_schema_is_found_from_the_file() -> None:
    found = descriptions.schema_reference("pkg/tool_descriptions/add.json", ".pdmigrate/description.schema.json")
    assert found == "../../.pdmigrate/description.schema.json"


@pytest.mark.parametrize("where", [("type",), ("properties", "a", "type"), ("$defs", "x", "items", "type")])
def test_a_type_of_very_many_parts_is_refused_unread(where: tuple[str, ...]) -> None:
    schema: JsonValue = [1] * 200_000
    for key in reversed(where):
        schema = {key: schema}
    started = time.process_time()
    found = [one.code for one in descriptions.check(DescriptionFile("a.json", {**GOOD, "inputSchema": schema}), SCHEMA)]
    assert "PD405" in found
    assert time.process_time() - started < 3
