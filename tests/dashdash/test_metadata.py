"""The dashdash enhancements: the form of the metadata, what is inferred, refused, asked for, and made of it."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pdmigrate import settings
from pdmigrate.describe import dashdash
from pdmigrate.describe.dashdash import checklist, of_tools, project_urls, server_metadata, tool_fields
from pdmigrate.describe.leaking import leaks
from pdmigrate.errors import ConfigError
from pdmigrate.model import Site
from pdmigrate.report.export import Subject
from pdmigrate.report.export.dashdash import export
from pdmigrate.runtime.guidance import error_lines, help_as_json, help_sections

PLACE = Site("pyproject.toml", 1)
WHOLE: dict[str, Any] = {
    "specVersion": "0.2.0",
    "identity": {"name": "acme-mcp", "description": "Projects. Use when the user asks for projects.", "emoji": "📊"},
    "accessLevel": "interact",
    "alternativeAccess": {"cliUrl": "https://acme.example/cli", "apiUrl": "https://api.acme.example/docs"},
    "install": {"npm": "@acme/mcp-server", "docker": "acme/mcp-server:latest"},
    "requires": {"auth": ["api-key"], "env": ["ACME_API_KEY"], "scopes": ["read:projects"]},
    "invocation": {"modelInvocable": True, "userInvocable": True, "allowedTools": ["mcp"]},
    "rateLimit": "1000/hour",
    "homepage": "https://acme.example",
    "repository": "https://acme.example/code",
    "statusPage": "https://status.acme.example",
    "contentVersion": "3",
    "lastUpdated": "2026-01-21",
    "categories": ["productivity"],
    "sections": {"When to Use": "For projects.", "Authentication": "Ask for a key."},
    "resources": {"acme://projects": {"resourceType": "project", "refreshable": True, "cacheDuration": 300}},
}


def parse(table: Any) -> Any:
    return settings.parse({"dashdash": table}, "pyproject.toml").dashdash


@pytest.mark.parametrize("table", [WHOLE, {}, *({key: value} for key, value in WHOLE.items())])
def test_every_field_of_the_specification_is_taken(table: Any) -> None:
    assert parse(table) == table


WRONG: list[Any] = [
    "0.2.0",  # not a table
    {"acessLevel": "read"},  # a field that nobody knows
    {"accessLevel": "admin"},
    {"specVersion": "0.1.0"},
    {"contentVersion": 2},
    {"lastUpdated": datetime.date(2026, 1, 21)},  # a date of TOML
    {"lastUpdated": "soon"},
    {"rateLimit": 1000},
    *({"identity": part} for part in ({"name": "Acme"}, {"name": "a" * 65}, {"emoji": 7})),
    {"alternativeAccess": {"cliUrl": "acme --help"}},
    {"alternativeAccess": {"gopherUrl": "https://acme.example"}},
    {"requires": {"env": ["ACME_API_KEY=12345"]}},
    {"invocation": {"modelInvocable": "yes"}},
    {"install": ["pip install acme"]},
    {"statusPage": "acme status"},
    *({"resources": {"acme://x": {kind: 1}}} for kind in ("resourceType", "apiEquivalent")),
    *({"resources": {"acme://x": {kind: "wiki"}}} for kind in ("refreshable", "webEquivalent", "cacheDuration")),
    {"sections": {"Authentication": "sk-" + "a1" * 16}},  # a credential
    {"alternativeAccess": {"apiUrl": "http://10.0.0.7/docs"}},
    {"homepage": "https://wiki.corp.internal/acme"},
]


@pytest.mark.parametrize("table", WRONG, ids=str)
def test_metadata_that_is_wrong_or_gives_away_secrets_is_refused(table: Any) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(table)
    assert refused.value.code == "PD802"
    assert "dashdash" in refused.value.message


def test_what_looks_like_an_address_only_is_no_secret() -> None:
    assert not [*leaks({"a": ["localhosting.example", "10.000 a day", "https://internal.example/x"]})]


HINTS = [
    ({}, {}),
    ({"readOnlyHint": True}, {"dashdash.operationType": "read", "dashdash.idempotent": True}),
    ({"readOnlyHint": False}, {}),
    ({"readOnlyHint": False, "destructiveHint": True}, {}),
    ({"readOnlyHint": False, "destructiveHint": False}, {"dashdash.operationType": "write"}),
    ({"destructiveHint": False}, {}),
    ({"idempotentHint": False}, {"dashdash.idempotent": False}),
    ({"readOnlyHint": False, "idempotentHint": True}, {"dashdash.idempotent": True}),
]


@pytest.mark.parametrize(("hints", "fields"), HINTS)
def test_a_tools_fields_follow_from_annotations_that_settle_them(hints: dict[str, Any], fields: dict[str, Any]) -> None:
    assert tool_fields({"name": "x", "annotations": hints}) == fields


READS, WRITES = {"annotations": {"readOnlyHint": True}}, {"annotations": {"readOnlyHint": False}}
LEVELS = [
    ([READS, READS], True, "read"),
    ([READS, READS], False, None),
    ([READS, {}], True, None),
    ([READS, WRITES], False, "interact"),
    ([], True, None),
]


@pytest.mark.parametrize(("tools", "complete", "level"), LEVELS)
def test_the_access_level_is_inferred_only_of_what_every_tool_says(tools: Any, complete: bool, level: Any) -> None:
    made, inferred = server_metadata({}, "Acme MCP", tools, urls={}, complete=complete)
    assert made.get("accessLevel") == level
    assert ("accessLevel" in inferred) == (level is not None)


def test_what_is_inferred_is_named_and_gives_way_to_what_is_given() -> None:
    urls = project_urls(
        b'[project]\nname = "a"\n[project.urls]\nHomepage = "https://a.example"\nSource = "https://a.example/c"'
    )
    made, inferred = server_metadata({}, "Acme MCP!", [READS], urls=urls, complete=True)
    assert made == {
        "specVersion": "0.2.0",
        "identity": {"name": "acme-mcp", "description": "Tools of the MCP server Acme MCP!."},
        "accessLevel": "read",
        "alternativeAccess": {"cliUrl": None, "apiUrl": None, "webUrl": None},
        "homepage": "https://a.example",
        "repository": "https://a.example/c",
    }
    assert inferred == ("identity.name", "identity.description", "accessLevel", "homepage", "repository")


def test_every_field_that_is_given_is_sent_and_those_of_exports_are_not() -> None:
    made, inferred = server_metadata(WHOLE, "x", [READS], urls={"Homepage": "https://x.example"}, complete=True)
    assert inferred == ()
    alone = {key: value for key, value in WHOLE.items() if key not in ("sections", "resources", "categories")}
    assert made == {**alone, "alternativeAccess": {**WHOLE["alternativeAccess"], "webUrl": None}}


@pytest.mark.parametrize("access", ["read", "full"])
def test_the_access_level_changes_nothing_but_the_metadata(access: str) -> None:
    given = {**WHOLE, "accessLevel": access}
    made, inferred = server_metadata(given, "acme", [WRITES], urls={}, complete=True)
    other, _ = server_metadata(WHOLE, "acme", [WRITES], urls={}, complete=True)
    assert inferred == ()
    assert {**made, "accessLevel": "interact"} == other
    templates = Path(__file__).parents[2] / "templates"
    assert not [path.name for path in templates.glob("*.j2") if "accessLevel" in path.read_text(encoding="utf-8")]


def test_resources_and_categories_are_exported() -> None:
    subject = Subject("acme", PLACE, ())
    whole = json.loads(export(subject, "server", WHOLE).files["dashdash.json"])
    assert whole["resources"] == WHOLE["resources"]
    entry = json.loads(export(subject, "registry", WHOLE).files["registry.json"])
    assert entry["categories"] == WHOLE["categories"]
    assert "verified" not in entry


@pytest.mark.parametrize(
    "text", ["The login page takes SQL from anybody.", "Affected by CVE-2026-1.", "No rate limit."]
)
def test_whether_a_text_tells_of_a_weakness_is_for_a_reviewer(text: str) -> None:
    assert parse({"sections": {"Authentication": text}}) == {"sections": {"Authentication": text}}


def test_what_the_checklist_asks_for_is_named() -> None:
    made, inferred = server_metadata(WHOLE, "acme", [], urls={}, complete=True)
    assert [*checklist(made, inferred, WHOLE["sections"], PLACE)] == []
    made, inferred = server_metadata({}, "acme", [], urls={}, complete=True)
    said = {found.code: found.message for found in checklist(made, inferred, {}, PLACE)}
    assert sorted(said) == ["PD412", "PD413"]
    for required in ("accessLevel", "identity.description", "when to use it", "When to Use"):
        assert required in said["PD412"]
    for recommended in ("install", "requires", "invocation", "rateLimit", "homepage", "repository", "Authentication"):
        assert recommended in said["PD413"]


def test_the_fields_that_tools_lack_are_named_once_each() -> None:
    full = {"category": "a", "operationType": "read", "idempotent": True, "cliEquivalent": "a", "apiEquivalent": "a"}
    whole = {"name": "a", "dashdash": full, "examples": [{"input": {}}], "error_guidance": "x"}
    lacking = {"name": "b", "dashdash": {**full, "examples": [{"input": {}}], "errors": [{"code": 1}]}}
    assert [*of_tools([("a.json", whole), ("b.json", lacking)])] == []
    found = [*of_tools([(f"{n}.json", {"name": str(n)}) for n in range(5)])]
    assert len(found) == 7
    assert all("0, 1, 2 and 2 more" in one.message and one.code == "PD413" for one in found)


def test_the_help_has_its_front_matter_its_sections_in_order_and_the_texts_of_the_project() -> None:
    made, _ = server_metadata(WHOLE, "acme", [], urls={}, complete=True)
    parts = dashdash.sections(made, {**WHOLE["sections"], "Best Practices": "Ask first."})
    text = dashdash.markdown("Acme", dashdash.front_matter(made), parts, [("list_projects", "List all.")])
    assert yaml.safe_load(text.split("---\n")[1]) == {
        "name": "acme-mcp",
        "description": WHOLE["identity"]["description"],
        "spec-url": "https://github.com/visionik/dashdash",
        "spec-version": "0.2.0",
        "access-level": "interact",
        "cli-url": "https://acme.example/cli",
        "api-url": "https://api.acme.example/docs",
        "web-url": None,
        "install": WHOLE["install"],
        "requires": WHOLE["requires"],
        "invocation": {"model-invocable": True, "user-invocable": True, "allowed-tools": ["mcp"]},
    }
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == [
        "When to Use", "Quick Reference", "Installation", "Authentication", "Rate Limits", "Tool Reference",
        "Alternative Access Methods", "Best Practices",
    ]  # fmt: skip
    assert "- `list_projects`: List all." in text
    assert "Ask for a key." in text
    assert parts["Tool Reference"] in text.split("## Tool Reference\n\n")[1]
    assert "resource:///tool_descriptions?tools=NAME" in parts["Tool Reference"]
    access = text.split("## Alternative Access Methods\n\n")[1].split("\n\n")[0]
    assert access == "- CLI: https://acme.example/cli\n- REST API: https://api.acme.example/docs"
    assert "- `docker pull acme/mcp-server:latest`" in text


@pytest.mark.parametrize(
    ("guidance", "lines"),
    [
        (
            {"common_errors": [{"error": "GONE", "cause": "It is lent.", "solution": "Wait."}, {"error": "LATE"}]},
            ["- `find` `GONE`: It is lent. Wait.", "- `find` `LATE`"],
        ),
        ([{"error": "GONE", "cause": "lent"}], ["- `find` `GONE`: lent."]),
        (["Try again."], ["- `find`: Try again."]),
        ("Try again.", ["- `find`: Try again."]),
        ({"advice": "none in this form"}, []),
        (None, []),
        ([], []),
    ],
)
def test_errors_of_tools_are_lines_of_the_help(guidance: Any, lines: list[str]) -> None:
    assert error_lines("find", guidance) == lines


def test_the_help_as_json_has_the_form_of_the_draft() -> None:
    made, _ = server_metadata(WHOLE, "acme", [], urls={}, complete=True)
    given = {"When to Use": "Use it to:\n- manage projects\n- track tasks", "Best Practices": "Ask first."}
    parts = dashdash.sections(made, given)
    sections = help_sections(parts, ["- `find`: Find.", "- `add`: Add."], ["- `add` `GONE`: It is lent"])
    answer = help_as_json(made, sections)
    identity, rest = made["identity"], {key: value for key, value in made.items() if key != "identity"}
    assert answer["metadata"] == {**identity, **rest}
    assert answer["sections"] == {
        "whenToUse": ["Use it to:", "manage projects", "track tasks"],
        "quickReference": ["`find`: Find.", "`add`: Add."],
        "installation": "- `npm install -g @acme/mcp-server`\n- `docker pull acme/mcp-server:latest`",
        "authentication": "- Kinds: `api-key`\n- Environment: `ACME_API_KEY`\n- Scopes: `read:projects`",
        "rateLimits": {"default": "1000/hour"},
        "errorHandling": ["`add` `GONE`: It is lent"],
        "toolReference": parts["Tool Reference"],
        "alternativeAccessMethods": "- CLI: https://acme.example/cli\n- REST API: https://api.acme.example/docs",
        "bestPractices": "Ask first.",
    }
