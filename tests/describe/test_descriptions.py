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
from pdmigrate.model import Finding, Fixed, JsonObject, JsonValue, Known, Site, Tool

SCHEMA: JsonObject = json.loads((Path(__file__).parents[2] / "templates" / "description.schema.json").read_text())
ONE: JsonObject = {"type": "object", "properties": {"a": {"type": "integer"}}}
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


def test_of_two_files_for_one_tool_the_first_counts_and_the_other_is_named() -> None:
    raw = json.dumps(GOOD).encode()
    found, findings = descriptions.load_all([("b.json", raw), ("a.json", raw), ("c.json", b"[]")])
    assert found["add"].path == "a.json"
    assert [(f.code, f.site and f.site.file) for f in findings] == [("PD403", "b.json"), ("PD401", "c.json")]


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
        pytest.param({"dashdash": {"catagory": "notes"}}, ["PD414"], id="a misspelt field of the metadata"),
        pytest.param({"usage_guidence": "x"}, ["PD414"], id="a misspelt field of the file"),
        pytest.param(
            {"inputSchema": ONE, "dashdash": {"cliEquivalent": "acme add {a} {b}"}},
            ["PD414"],
            id="a placeholder too many",
        ),
        pytest.param({"dashdash": {"reverseMethod": "subtract"}}, ["PD414"], id="no tool that would undo it"),
        pytest.param({"dashdash": {"reverseMethod": "remove"}}, [], id="a tool that undoes it"),
        pytest.param({"dashdash": {"idempotentWithKey": "yes"}}, ["PD404"], id="a yes in words"),
        pytest.param({"dashdash": {"sideEffects": "sends mail"}}, ["PD404"], id="effects that are no list"),
        pytest.param({"dashdash": {"reversible": "no"}}, ["PD404"], id="a no in words"),
        pytest.param({"dashdash": {"reverseMethod": ["remove"]}}, ["PD404"], id="a list of tools that undo it"),
        pytest.param({"dashdash": {"rateLimit": 100}}, ["PD404"], id="a limit in numbers"),
        pytest.param({"dashdash": {"cliEquivalent": ["acme"]}}, ["PD404"], id="a command that is a list"),
        pytest.param({"dashdash": {"idempotent": 1}}, ["PD404"], id="a yes as a number"),
        pytest.param({"examples": [{"input": {}, "explanation": 3}]}, ["PD404"], id="an explanation that is no text"),
        pytest.param({"usage_guidance": {"common_patterns": 3}}, ["PD404"], id="patterns that are no text"),
        pytest.param({"usage_guidance": {"important_notes": [3]}}, ["PD404"], id="notes that are no text"),
        pytest.param(
            {
                "examples": [{"input": {}, "explanation": "why"}],
                "usage_guidance": {"common_patterns": ["small ones"], "important_notes": "capitals"},
            },
            [],
            id="the shapes of the guide",
        ),
        pytest.param({"description": "in /home/alice/notes"}, ["PD408"], id="somebody's folder"),
        pytest.param(
            {"inputSchema": {"type": "object", "properties": {"p": {"description": "/Users/ann/x"}}}},
            ["PD408"],
            id="deep",
        ),
        pytest.param({"description": r"on \\files\accounts"}, ["PD408"], id="a share"),
        pytest.param({"description": "in /srv/acme/data"}, ["PD408"], id="a folder of a server"),
        pytest.param({"description": "Asks http://db.corp.internal/x."}, ["PD408"], id="an inner host"),
        pytest.param({"description": "Asks `wiki.acme.lan`."}, ["PD408"], id="an inner host in a sentence"),
        pytest.param({"description": "Asks 192.168.1.20:8080"}, ["PD408"], id="an inner address"),
        pytest.param(
            {"description": "Asks postgres://shop:hunter2@db.example/x"}, ["PD407"], id="a password in an address"
        ),
        pytest.param({"description": "use glpat-" + "a1" * 10}, ["PD407"], id="a token of another kind"),
        pytest.param({"description": "use AIza" + "a1" * 17 + "b"}, ["PD407"], id="a key"),
        pytest.param({"description": "use sk_live_" + "a1" * 10}, ["PD407"], id="a key that is live"),
        pytest.param(
            {
                "description": "postgres://user:password@host/x, https://<user>:<secret>@<host>, "
                "http://localhost:8000, 10.0.0.0/16, cdb 10.0.29661.1004, /home/user/x, example.org, a.local.example, "
                "Details:\\n_____\\n"
            },
            [],
            id="placeholders, this machine, blocks of addresses, versions",
        ),
    ],
)
def test_what_is_wrong_inside_a_file(change: Mapping[str, JsonValue], codes: list[str]) -> None:
    file = DescriptionFile("add.json", {**GOOD, **change})
    assert [f.code for f in descriptions.check(file, SCHEMA, {"add", "remove"})] == codes


def test_a_tool_that_undoes_another_is_looked_for_only_where_all_tools_are_known() -> None:
    file = DescriptionFile("add.json", {**GOOD, "dashdash": {"reverseMethod": "subtract"}})
    assert [*descriptions.check(file, SCHEMA)] == []


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


@pytest.mark.parametrize(
    ("described", "codes"),
    [
        ("Find notes.", []),
        ("Find notes of http://wiki.corp.internal/x.", ["PD408"]),
        ("Find notes below /home/alice.", ["PD408"]),
        ("Find notes with ghp_" + "a1" * 18, ["PD407"]),
        ("Find notes of postgres://shop:hunter2@db.acme.lan/x", ["PD407", "PD408"]),
    ],
)
def test_what_a_definition_in_the_code_gives_away_is_found_at_its_declaration(described: str, codes: list[str]) -> None:
    site = Site("server.py", 7)
    tool = Tool({"name": Known("find"), "description": Known(described)}, site, Fixed("", "PD320"))
    found = [*descriptions.check_definition(tool)]
    assert [one.code for one in found] == codes
    assert {one.site for one in found} <= {site}
    assert all('"find"' in one.message for one in found)
