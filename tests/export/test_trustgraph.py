"""Tools in a form that knows name, type and description only, and what trustgraph's own commands take of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.model import JsonObject, JsonValue, Site
from pdmigrate.report.export import ExportedTool, Subject
from pdmigrate.report.export.trustgraph import export
from tests.export.test_exports import URL
from tests.export.test_exports import subject as of_sample
from tests.runtime.nurseries import planted
from tests.support.environments import environment
from tests.support.files import executable
from tests.support.listening import Answering, answered_by
from tests.support.processes import run

SITE = Site("server.py", 7)


def subject(*names: str, **properties: Any) -> Subject:
    schema = {"type": "object", "properties": properties, "required": ["needed"], "$defs": DEFS}
    definitions = [
        {"name": name, "description": f"Do {name}: all of it.", "inputSchema": schema} for name in names or ("search",)
    ]
    return Subject("notes", SITE, tuple(ExportedTool(each, "Do it.", SITE) for each in definitions))


DEFS = {"Kind": {"enum": ["a", "b"], "type": "string"}, "Loop": {"$ref": "#/$defs/Loop"}}


@pytest.mark.parametrize(
    ("schema", "kind", "description", "lost"),
    [
        ({"type": "string", "description": "Words."}, "string", "Words.", ""),
        ({"type": "number"}, "number", "", ""),
        ({"type": "integer", "minimum": 1}, "number", "(integer; minimum 1)", "the type integer, its minimum"),
        ({"type": "boolean", "default": False}, "string", "(boolean; default false)", "the type boolean, its default"),
        ({"enum": ["a", 2], "type": "string"}, "string", '(enum ["a", 2])', "its enum"),
        ({"const": "x", "type": "string"}, "string", "(const x)", "its const"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string", "(may be null)", "that it may be null"),
        ({"type": "string", "maxLength": 9}, "string", "(maxLength 9)", "its maxLength"),
        ({"type": ["integer", "null"]}, "number", "(integer; may be null)", "the type integer, that it may be null"),
        (
            {"type": "string", "x-mcp-header": "R", "examples": ["n"]},
            "string",
            '(x-mcp-header R; examples ["n"])',
            "its x-mcp-header, its examples",
        ),
        ({"$ref": "#/$defs/Kind", "description": "K."}, "string", 'K. (enum ["a", "b"])', "its enum"),
        ({"type": "array", "items": {"type": "string"}}, "string", "(JSON array of string)", "the type array"),
        (
            {"type": "object", "properties": {"x": {"type": "integer"}}},
            "string",
            '(JSON matching {"type": "object", "properties": {"x": {"type": "integer"}}})',
            "the type object",
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "string",
            '(JSON matching {"anyOf": [{"type": "string"}, {"type": "integer"}]})',
            "the type JSON",
        ),
        ({}, "string", "(JSON)", "the type JSON"),
    ],
)
def test_what_the_form_has_no_field_for_is_said_in_words_and_as_a_finding(
    schema: dict[str, Any], kind: str, description: str, lost: str
) -> None:
    exported = export(subject(needed=schema), "tools", URL)
    (tool,) = json.loads(exported.files["trustgraph.json"])
    assert tool["arguments"] == [{"name": "needed", "type": kind, "description": description}]
    said = [found.message for found in exported.findings]
    assert said == ([f'"needed" of "search": its description says {lost}'] if lost else [])


def test_what_may_be_left_out_is_said_and_a_circle_of_references_has_an_end() -> None:
    exported = export(subject(extra={"type": "string"}, loop={"$ref": "#/$defs/Loop"}), "tools", URL)
    (tool,) = json.loads(exported.files["trustgraph.json"])
    assert [argument["description"][:9] for argument in tool["arguments"]] == ["(optional", "(JSON mat"]


def test_the_objects_are_those_of_the_specification() -> None:
    (tool,) = json.loads(export(subject(needed={"type": "string"}), "tools", URL).files["trustgraph.json"])
    assert tool == {
        "type": "mcp-tool",
        "name": "search",
        "description": "Do search: all of it.",
        "mcp-tool": "search",
        "arguments": [{"name": "needed", "type": "string", "description": ""}],
    }


def test_today_each_tool_is_two_entries_whose_values_are_json_in_a_text() -> None:
    entries = json.loads(export(subject("get-all", "get_all"), "entries", URL).files["trustgraph.json"])
    kinds = [(kind, key) for key in ("get_all_", "get_all") for kind in ("mcp", "tool")]
    assert [(entry["type"], entry["key"]) for entry in entries] == kinds
    remote, agent = (json.loads(entry["value"]) for entry in entries[:2])
    assert remote == {"remote-name": "get-all", "url": URL}
    assert (agent["type"], agent["name"], agent["mcp-tool"]) == ("mcp-tool", "get_all_", "get_all_")


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (("list-boats.v2", "list_boats_v2"), ["list_boats_v2_", "list_boats_v2"]),
        (("list_boats_v2", "list-boats.v2"), ["list_boats_v2", "list_boats_v2_"]),
        (("a-b", "a.b", "a_b", "a_b_"), ["a_b__", "a_b___", "a_b", "a_b_"]),
        (("2x", "_2x"), ["_2x_", "_2x"]),
        (("é", "è"), ["_", "__"]),
    ],
)
def test_a_name_that_an_agent_can_call_stays_whatever_the_others_become(names: Any, wanted: Any) -> None:
    tools = json.loads(export(subject(*names), "tools", URL).files["trustgraph.json"])
    assert [tool["name"] for tool in tools] == [tool["mcp-tool"] for tool in tools] == wanted
    renamed = [one.message for one in export(subject(*names), "tools", URL).findings if "not a name" in one.message]
    assert len(renamed) == sum(name != made for name, made in zip(names, wanted, strict=True))


def test_whatever_else_a_tool_has_is_named_as_left_out() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False, "minProperties": 1}
    definition = {"name": "x", "inputSchema": schema, "title": "X", "annotations": {}, "outputSchema": {}}
    tool = ExportedTool(definition, "X.", SITE, {"examples": [{"input": {}}]})
    said = [found.message for found in export(Subject("notes", SITE, (tool,)), "entries", URL).findings]
    assert said == [
        'title, annotations, outputSchema, examples of "x": left out',
        'additionalProperties, minProperties of the input schema of "x": left out',
    ]


def test_a_tool_without_arguments_is_configured_as_before_and_one_with_grows_by_them_alone() -> None:
    """The specification asks that tools without them go on working: the list is empty."""
    arguments = {"needed": {"type": "string", "description": "Words."}, "limit": {"type": "number"}}
    made = []
    for names in ([], ["needed"], ["needed", "limit"]):
        exported = export(subject(**{name: arguments[name] for name in names}), "tools", URL)
        made += json.loads(exported.files["trustgraph.json"])
    assert [len(tool.pop("arguments")) for tool in made] == [0, 1, 2]
    assert made[0] == made[1] == made[2]


@contextmanager
def configuration() -> Iterator[tuple[str, list[Any]]]:
    """The address of a service that takes configuration, and what it was told to keep."""
    kept: list[Any] = []

    class Service(Answering):
        def post(self, asked: Any) -> None:
            kept.extend(asked.get("values", ()))
            self.answer(200, {"values": []})

    with answered_by(Service) as address:
        yield f"{address}/", kept


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command, which a script starts for each entry, as forks of what has imported it.

    It looks for the address in the environment when it is imported, so it is said to it once more.
    """
    pins = ("trustgraph-cli==2.11.1",)
    script, folder = environment(pins).with_name("tg-put-config-item"), tmp_path_factory.mktemp("commands")
    started = shlex.join(planted(pins, str(script), modules=("trustgraph.cli.put_config_item",)))
    executable(folder / script.name, f'exec {started} "$@" --api-url "$TRUSTGRAPH_URL"')
    return folder


@pytest.mark.parametrize("name", ["mcp1_lowlevel", "fastmcp3"])
def test_the_published_commands_take_what_is_exported(name: str, commands: Path) -> None:
    """Run by trustgraph's own commands, the script sets what the entries say, word for word."""
    sets_the_same(of_sample(name), commands)


def test_names_and_texts_that_the_command_would_split_arrive_whole(commands: Path) -> None:
    """Colons, dashes in front, JSON, quotes, lines: nothing is lost, least of all a required argument."""
    properties: dict[str, JsonValue] = {
        "-kind": {"type": ["string", "null"], "description": "-v: a kind,\nas \\t it's called", "enum": ["a b", None]},
        "at:time": {"type": "string", "format": "date-time"},
        "filter": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    }
    schema: JsonObject = {"type": "object", "properties": properties, "required": ["at:time"]}
    described = "- List: all (100%).\n$HOME `id` \\n 'x' \"y\""
    odd = ExportedTool({"name": "list-boats.v2", "description": described, "inputSchema": schema}, "List.", SITE)
    plain = ExportedTool({"name": "list_boats_v2", "description": "Other.", "inputSchema": {}}, "Other.", SITE)
    sets_the_same(Subject("odd", SITE, (odd, plain)), commands)


def sets_the_same(exported: Subject, commands: Path) -> None:
    script = export(exported, "cli", URL).files["trustgraph.sh"]
    entries = json.loads(export(exported, "entries", URL).files["trustgraph.json"])
    with configuration() as (address, kept):
        variables = {"PATH": f"{commands}:/usr/bin:/bin", "TRUSTGRAPH_URL": address}
        said = run("sh", given=script, env=variables, timeout=200)
    assert "Exception" not in said, said
    assert kept == entries
