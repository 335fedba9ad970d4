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
        {"getUser": "getUser.json", "get-user_2": "get-user_2.json"},  # portable names stay as they are
        {"Add": "Add.json", "add": "add-7e9e5ac3.json"},  # names that differ only in case
        {"../etc": "etc-f7f9121f.json", "a/b": "a-b-c14cddc0.json"},  # separators never reach a path
        {"nul": "nul-99e62427.json", "Com1": "com1-5bb25012.json"},  # names that a system reserves
        {"🌍": "tool-8cba3282.json"},  # nothing readable is left
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
        *((raw, "PD401") for raw in (b"{", b"[1]", b"\xff\xfe", b"<<<<<<< ours\n{}\n", b"[" * 100_000)),
        *((raw, "PD402") for raw in (b"{}", b'{"name": 3}')),
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


TOKEN = "ghp_" + "a1" * 18


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"summary": 3, "owner": "me", "lifted": ["summary"]}, ["PD404"] * 3),
        ({"inputSchema": {"type": "strnig"}}, ["PD405"]),
        ({"inputSchema": {"type": "object", "required": ["a"]}, "examples": [{"input": {"b": 1}}]}, ["PD406"]),
        ({"outputSchema": {"required": ["n"]}, "examples": [{"input": {}, "output": {"m": 1}}]}, ["PD406"]),
        ({"examples": [{"explanation": "no input"}, {"input": {}, "explanation": 3}]}, ["PD404"] * 2),
        ({"usage_guidance": {"when_to_use": 3, "common_patterns": 3, "important_notes": [3]}}, ["PD404"] * 3),
        ({"error_guidance": {"common_errors": [{"cause": "no name"}]}}, ["PD404"]),
        (
            {
                "examples": [{"input": {}, "explanation": "why"}],
                "usage_guidance": {"when_to_use": ["often"], "common_patterns": ["small ones"], "season": "spring"},
                "error_guidance": "Try again.",
                "dashdash": {"category": "notes", "operationType": "read", "reverseMethod": "remove", "season": 1},
            },
            [],
        ),
        ({"dashdash": {"operationType": "look", "idempotent": 1, "idempotentWithKey": "yes"}}, ["PD404"] * 3),
        ({"dashdash": {"reversible": "no", "reverseMethod": ["remove"], "sideEffects": "mail"}}, ["PD404"] * 3),
        ({"dashdash": {"rateLimit": 100, "cliEquivalent": ["acme"]}}, ["PD404"] * 2),
        ({"dashdash": {"rateLimit": f"token {TOKEN}"}}, ["PD411"]),
        ({"dashdash": {"apiEquivalent": "GET http://db.corp.internal/x"}}, ["PD411"]),
        ({"usage_guidence": "x", "dashdash": {"catagory": "notes"}}, ["PD414"] * 2),
        ({"inputSchema": ONE, "dashdash": {"cliEquivalent": "acme add {a} {b}"}}, ["PD414"]),
        ({"dashdash": {"reverseMethod": "subtract"}}, ["PD414"]),
        ({"description": f"use {TOKEN}"}, ["PD407"]),
        ({"inputSchema": {"type": "object", "properties": {"p": {"description": "/Users/ann/x"}}}}, ["PD408"]),
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
        ({"summary": "Add two.", "examples": []}, False),  # the generated summary
        ({"summary": "Sum."}, True),
        ({"summary": "Add two.", "examples": [{"input": {}}]}, True),
        ({"summary": "Add two.", "usage_guidance": "often"}, True),
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
        *((f"Find notes with {kind}", ["PD407"]) for kind in (TOKEN, "glpat-" + "a1" * 10, "sk_live_" + "a1" * 10)),
        ("Find notes with AIza" + "a1" * 17 + "b", ["PD407"]),
        ("Find notes of postgres://shop:hunter2@db.example/x", ["PD407"]),
        ("Find notes of postgres://shop:hunter2@db.acme.lan/x", ["PD407", "PD408"]),
        ("Find notes below /home/alice.", ["PD408"]),
        ("Find notes in /srv/acme/data", ["PD408"]),
        (r"Find notes on \\files\accounts", ["PD408"]),
        ("Find notes of http://wiki.corp.internal/x.", ["PD408"]),
        ("Find notes of `wiki.acme.lan`.", ["PD408"]),
        ("Find notes of 192.168.1.20:8080", ["PD408"]),
        # placeholders, this machine, blocks of addresses, versions
        ("postgres://user:password@host/x, https://<user>:<secret>@<host>, http://localhost:8000, /home/user/x", []),
        ("10.0.0.0/16, cdb 10.0.29661.1004, example.org, a.local.example, Details:\\n_____\\n", []),
    ],
)
def test_what_a_definition_in_the_code_gives_away_is_found_at_its_declaration(described: str, codes: list[str]) -> None:
    site = Site("server.py", 7)
    tool = Tool({"name": Known("find"), "description": Known(described)}, site, Fixed("", "PD320"))
    found = [*descriptions.check_definition(tool)]
    assert [one.code for one in found] == codes
    assert {one.site for one in found} <= {site}
    assert all('"find"' in one.message for one in found)
