"""Findings for other programs: annotations of GitHub Actions, and SARIF 2.1.0."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from pdmigrate.escaping import json_text
from pdmigrate.model import Finding, Site
from pdmigrate.report.github import workflow_commands
from pdmigrate.report.sarif import sarif
from pdmigrate.report.suppress import place

_RENDERERS: Mapping[str, Callable[[list[Finding]], str]] = {
    "github": workflow_commands,
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
    parts: list[str] = []
    for part in f"{above}{found.site.file}".split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return dataclasses.replace(found, site=Site("/".join(parts), found.site.line))
