"""SARIF 2.1.0, as code scanning reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import quote

from pdmigrate import __version__
from pdmigrate.findings import CODES
from pdmigrate.model import Finding, JsonObject, JsonValue, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(findings: Sequence[Finding]) -> JsonObject:
    """One run, with the rules that its results name and no others."""
    codes = sorted({found.code for found in findings})
    rules: list[JsonValue] = [_rule(code) for code in codes]
    results: list[JsonValue] = [_result(found, codes.index(found.code)) for found in findings]
    driver: JsonObject = {"name": "pdmigrate", "semanticVersion": __version__, "rules": rules}
    run: JsonObject = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> JsonObject:
    from pdmigrate.report.explain import code_page

    row = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": row.title},
        "help": {"text": row.hint, "markdown": code_page(code)},
        "defaultConfiguration": {"level": _LEVELS[row.severity]},
    }


def _result(found: Finding, rule: int) -> JsonObject:
    text = "\n".join(
        part for part in (found.message, found.detail, f"hint: {found.hint}" if found.hint else "") if part
    )
    result: JsonObject = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": text},
        "partialFingerprints": {"pdmigrate/v1": _fingerprint(found)},
    }
    if found.site is not None:
        location: JsonObject = {
            "artifactLocation": {"uri": _uri(found.site.file), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": max(1, found.site.line)},
        }
        result["locations"] = [{"physicalLocation": location}]
    return result


def _fingerprint(found: Finding) -> str:
    """A digest of a finding that stays the same when its lines move."""
    where = found.site.file if found.site else ""
    return hashlib.sha256(f"{found.code}\0{where}\0{found.tool or ''}".encode("utf-8", "surrogatepass")).hexdigest()[
        :32
    ]


def _uri(path: str) -> str:
    """A path as a URI of its bytes on disk; a lone surrogate stands for an undecodable byte, as in Python."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        # Not the path of a file on disk, but a path written in some file.
        return quote(path.encode("utf-8", "surrogatepass"))
