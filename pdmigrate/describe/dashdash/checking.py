"""Mistakes in the metadata, and entries of the specification's checklist (appendix B) that are still open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pdmigrate.counting import some
from pdmigrate.describe.dashdash import PREFIX
from pdmigrate.findings import finding
from pdmigrate.model import Finding, JsonObject, JsonValue, Site

_TRIGGER = re.compile(r"\b(?:use (?:it |this |them )?(?:when|for|to|whenever)|when the (?:user|task))\b", re.IGNORECASE)
_RECOMMENDED = ("install", "requires", "invocation", "rateLimit", "homepage", "repository")
_OF_TOOLS = ("category", "operationType", "idempotent", "cliEquivalent", "apiEquivalent")


def problems(table: Mapping[str, JsonValue]) -> Iterator[str]:
    """The errors in ``[tool.pdmigrate.dashdash]``, by the JSON Schema of that table."""
    from jsonschema import Draft202012Validator

    from pdmigrate.runtime.render import read_template

    schema = json.loads(read_template("dashdash.schema.json"))
    for error in sorted(Draft202012Validator(schema).iter_errors(dict(table)), key=lambda e: e.json_path):
        yield f"{error.json_path.removeprefix('$').lstrip('.') or 'the table'}: {error.message}"


def checklist(
    metadata: JsonObject, inferred: Sequence[str], sections: Mapping[str, JsonValue], place: Site
) -> Iterator[Finding]:
    """Findings for entries of the checklist that a server does not meet: required (PD412) and recommended (PD413)."""
    identity = metadata["identity"]
    text = identity.get("description", "") if isinstance(identity, dict) else ""
    required = [
        *(["accessLevel"] if "accessLevel" not in metadata else []),
        *(["identity.description, in words of its own"] if "identity.description" in inferred else []),
        *(["when to use it, in identity.description"] if not _TRIGGER.search(str(text)) else []),
        *(["sections.'When to Use'"] if "When to Use" not in sections else []),
    ]
    if required:
        message = f"dashdash requires {', '.join(required)}"
        yield finding("PD412", message, site=place)
    wanted = [key for key in _RECOMMENDED if key not in metadata]
    wanted += ["sections.Authentication"] if "Authentication" not in sections else []
    if wanted:
        yield finding("PD413", f"dashdash recommends {', '.join(wanted)}", site=place)


def of_tools(contents: Iterable[tuple[str, Mapping[str, JsonValue]]]) -> Iterator[Finding]:
    """Findings for recommended fields that tools lack, by the paths and contents of their description files."""
    lacking: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for path, content in contents:
        for field in _missing(content):
            lacking.setdefault(field, []).append(str(content.get("name")))
            first.setdefault(field, path)
    for field, names in lacking.items():
        yield finding("PD413", f"dashdash recommends {field} for {some(names)}", site=Site(first[field], 1))


def _missing(content: Mapping[str, JsonValue]) -> Iterator[str]:
    own = content.get("dashdash")
    has = own if isinstance(own, dict) else {}
    yield from (f"{PREFIX}{key}" for key in _OF_TOOLS if key not in has)
    if not (content.get("examples") or has.get("examples")):
        yield "examples"
    if not (content.get("error_guidance") or has.get("errors")):
        yield "error_guidance"
