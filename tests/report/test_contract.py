"""What other programs read: the extraction and its schema, SARIF by the standard, annotations as GitHub parses them."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator, FormatChecker, ValidationError

from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Inventory, Site
from pdmigrate.report.formats import FORMATS, rendered
from pdmigrate.report.inventory import finding_json, inventory_json
from pdmigrate.report.text import findings_text
from tests.report.samples import HERE, INVENTORY, NOWHERE, SERVER

_FORMATS = FormatChecker(())


@_FORMATS.checks("uri-reference")
@_FORMATS.checks("uri")
def _is_uri(value: object) -> bool:
    """The characters of RFC 3986, and no stray percent sign: jsonschema checks neither without one more package."""
    return not isinstance(value, str) or bool(re.fullmatch(r"(?:[\w.~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})*", value, re.A))


_SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
SARIF = Draft4Validator(_SCHEMA, format_checker=_FORMATS)


DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "extract-json.schema.json").read_text(encoding="utf-8"))


def check(document: object) -> None:
    Draft202012Validator(SCHEMA).validate(document)


def test_an_inventory_is_written_in_the_shape_of_the_contract() -> None:
    document: Any = inventory_json(INVENTORY)
    check(document)
    (server,) = document.pop("servers")
    tools = server.pop("tools")
    assert server == {
        "dialect": "mcp1-lowlevel",
        "file": "pkg/server.py",
        "line": 31,
        "name": "sqlite",
        "sdk": {"package": "mcp", "version": "1.30.0", "pydantic": "2.14.3", "basis": "lock"},
        "complete": "add_tool is called with a value that is not known",
    }
    assert [tool["definition"] for tool in tools] == [tool.definition for tool in SERVER.tools]
    assert list(tools[0]["definition"]) == ["name", "description", "inputSchema", "x-extra"]  # in wire order
    found = {"code": "PD101", "severity": "error", "message": "this is odd"}
    assert tools[1] == {
        "definition": {"name": "convert_time"},
        "unknown": [
            {"field": "description", "path": "", "reason": "read from a file", "code": "PD101"},
            {
                "field": "inputSchema",
                "path": "properties.tz.default",
                "reason": "depends on the platform",
                "code": "PD102",
            },
        ],
        "conditional": "listed only when DEBUG is set",
        "owner": "code",
        "site": {"file": "pkg/server.py", "line": 50},
        "findings": [{**found, "hint": "fix the syntax, or exclude the file", "file": "pkg/server.py", "line": 51}],
    }
    assert document == {"version": 1, "findings": [finding_json(HERE), finding_json(NOWHERE)]}
    assert (finding_json(NOWHERE)["file"], finding_json(NOWHERE)["line"]) == (None, None)


def test_a_server_without_a_reason_is_complete() -> None:
    whole = dataclasses.replace(SERVER, incomplete=None, name=None, tools=())
    document: Any = inventory_json(Inventory((whole,), ()))
    check(document)
    assert document["servers"][0]["complete"] is True
    assert document["servers"][0]["name"] is None


def tool(document: Any) -> Any:
    return document["servers"][0]["tools"][1]


BREAKAGES: dict[str, Callable[[Any], object]] = {
    "another version": lambda d: d.update(version=2),
    "complete is false": lambda d: d["servers"][0].update(complete=False),
    "a basis nobody knows": lambda d: d["servers"][0]["sdk"].update(basis="guess"),
    "an unknown without a reason": lambda d: tool(d)["unknown"][0].update(reason=""),
    "a file without a line": lambda d: d["findings"][0].update(line=None),
}


@pytest.mark.parametrize("case", BREAKAGES)
def test_the_schema_refuses(case: str) -> None:
    document = copy.deepcopy(inventory_json(INVENTORY))
    BREAKAGES[case](document)
    with pytest.raises(ValidationError):
        check(document)


def test_the_schema_is_one_and_the_documentation_describes_its_fields() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = (DOCS / "extract-json.md").read_text(encoding="utf-8")
    assert {name for name in properties(SCHEMA) if f"`{name}`" not in text} == set()


def properties(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {name for item in schema for name in properties(item)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {}))
    return own | {name for item in schema.values() for name in properties(item)}


def test_tools_that_only_other_settings_list_stand_apart() -> None:
    tools = tuple(dataclasses.replace(tool, optional=index == 0) for index, tool in enumerate(SERVER.tools))
    server = dataclasses.replace(SERVER, tools=tools, incomplete=None)
    document: Any = inventory_json(Inventory((server,), ()))
    check(document)
    found = document["servers"][0]
    assert [len(found["optional"]), len(found["tools"])] == [1, len(tools) - 1]
    assert isinstance(found["complete"], str)
    plain: Any = inventory_json(INVENTORY)
    assert all("optional" not in item for item in plain["servers"])


FINDINGS = (
    finding("PD901", "a: copy, 9 % old", site=Site("a b/ö.py", 3), tool="t", detail="- old\n+ new"),
    finding("PD912", "look at it", site=Site("x.json", 1)),
    finding("PD407", "a key"),
)


def sarif(*findings: Finding, above: str = "") -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(rendered("sarif", findings, above))
    return loaded


EVERY = tuple(finding(code, "x", site=Site("a.py", 1)) for code in CODES)


@pytest.mark.parametrize(
    "findings", [(), FINDINGS, FINDINGS[2:], EVERY], ids=["none", "several", "one without a place", "every code"]
)
def test_sarif_is_as_the_standard_wants_it(findings: tuple[Finding, ...]) -> None:
    log = sarif(*findings)
    assert list(SARIF.iter_errors(log)) == []
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {found.code for found in findings}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_places_start_at_the_top_of_the_repository() -> None:
    found = finding("PD901", "x", site=Site("../pkg/a b.py", 3))
    result = sarif(found, above="services/one/")["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "services/pkg/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    }


def test_annotations_say_all_of_a_finding_on_one_line_each() -> None:
    lines = rendered("github", FINDINGS).splitlines()
    hints = [CODES[code].hint for code in ("PD407", "PD901", "PD912")]
    assert [line.removesuffix(f"%0Ahint: {hint}") for line, hint in zip(lines, hints, strict=True)] == [
        "::warning title=PD407%3A looks like a credential::a key",
        "::error file=a b/ö.py,line=3,title=PD901%3A a copy is behind the code::a: copy, 9 %25 old%0A- old%0A+ new",
        "::notice file=x.json,line=1,title=PD912%3A summary possibly out of date::look at it",
    ]
    assert all(re.fullmatch(r"::(error|warning|notice) [^\n]*?::[^\n]+", line) for line in lines)


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_findings_in_another_order_are_the_same_document(form: str) -> None:
    assert rendered(form, FINDINGS) == rendered(form, (*reversed(FINDINGS), FINDINGS[0]))


def test_the_text_shows_what_differs() -> None:
    found = finding("PD901", "it differs", site=Site("s.py", 2), detail="- old\n+ new")
    assert findings_text([found, found]) == (
        "s.py:2: PD901 error: it differs\n      - old\n      + new\n  hint: run `pdmigrate sync`"
    )
