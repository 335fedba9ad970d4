"""Findings for other programs: annotations of GitHub Actions, and SARIF 2.1.0."""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import quote

from pdmigrate import __version__
from pdmigrate.escaping import annotation_data, annotation_property, json_text
from pdmigrate.findings import CODES
from pdmigrate.model import Finding, JsonObject, JsonValue, Severity, Site
from pdmigrate.report.explain import code_page, code_title
from pdmigrate.report.text import place

_NOTICES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def _command(found: Finding) -> str:
    properties = {"title": f"{found.code}: {code_title(found.code)}"}
    if found.site is not None:
        properties = {"file": found.site.file, "line": str(found.site.line), **properties}
    given = ",".join(f"{key}={annotation_property(value)}" for key, value in properties.items())
    return f"::{_NOTICES[found.severity]} {given}::{annotation_data(_text(found))}"


def _text(found: Finding) -> str:
    return "\n".join(filter(None, (found.message, found.detail, f"hint: {found.hint}" if found.hint else "")))


def sarif(findings: Sequence[Finding]) -> JsonObject:
    """One run, with the rules that its results name and no others."""
    codes = sorted({found.code for found in findings})
    rules: list[JsonValue] = [_rule(code) for code in codes]
    results: list[JsonValue] = [_result(found, codes.index(found.code)) for found in findings]
    driver: JsonObject = {"name": "pdmigrate", "semanticVersion": __version__, "rules": rules}
    run: JsonObject = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> JsonObject:
    row = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": code_title(code)},
        "help": {"text": row.hint, "markdown": code_page(code)},
        "defaultConfiguration": {"level": row.severity.value},
    }


def _result(found: Finding, rule: int) -> JsonObject:
    result: JsonObject = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity.value,
        "message": {"text": _text(found)},
    }
    if found.site is not None:
        location: JsonObject = {
            "artifactLocation": {"uri": _uri(found.site.file), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": max(1, found.site.line)},
        }
        result["locations"] = [{"physicalLocation": location}]
    return result


def _uri(path: str) -> str:
    """A path as a URI of its bytes on disk; a lone surrogate stands for an undecodable byte, as in Python."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # not the path of a file on disk, but a path written in some file
        raw = path.encode("utf-8", "surrogatepass")
    return quote(raw)


_RENDERERS: Mapping[str, Callable[[list[Finding]], str]] = {
    "github": lambda findings: "".join(f"{_command(found)}\n" for found in findings),
    "sarif": lambda findings: json_text(sarif(findings)) + "\n",
}
FORMATS = tuple(_RENDERERS)
"""The formats that hold findings and nothing else; every command that has findings can print them."""


def rendered(form: str, findings: Iterable[Finding], above: str = "") -> str:
    """``findings`` in one of ``FORMATS``; ``above`` leads from the repository's top to the folder where paths start."""
    return _RENDERERS[form]([_below(found, above) for found in sorted(set(findings), key=place)])


def _below(found: Finding, above: str) -> Finding:
    if found.site is None or not above:
        return found
    return dataclasses.replace(found, site=Site(posixpath.normpath(f"{above}{found.site.file}"), found.site.line))
