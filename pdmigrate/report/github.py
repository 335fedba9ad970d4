"""Workflow commands of GitHub Actions: each finding becomes an annotation of the line in the pull request."""

from __future__ import annotations

from collections.abc import Iterable

from pdmigrate.escaping import annotation_data, annotation_property
from pdmigrate.findings import CODES
from pdmigrate.model import Finding, Severity

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def workflow_commands(findings: Iterable[Finding]) -> str:
    """One command a line; empty without findings."""
    return "".join(f"{_command(found)}\n" for found in findings)


def _command(found: Finding) -> str:
    properties = {"title": f"{found.code}: {CODES[found.code].title}"}
    if found.site is not None:
        properties = {"file": found.site.file, "line": str(found.site.line), **properties}
    given = ",".join(f"{key}={annotation_property(value)}" for key, value in properties.items())
    lines = [found.message, found.detail, f"hint: {found.hint}" if found.hint else ""]
    return f"::{_LEVELS[found.severity]} {given}::{annotation_data(chr(10).join(line for line in lines if line))}"
