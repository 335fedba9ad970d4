"""Findings for other programs: SARIF against the standard, annotations as GitHub parses them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Site
from pdmigrate.report.formats import FORMATS, rendered
from pdmigrate.report.text import findings_text
from tests.report.standard import SARIF

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
