"""A skill folder for agents: ``SKILL.md`` with the short descriptions, and one reference page for each tool.

The front matter follows the agent skills specification: ``name`` equals the folder's, ``description`` has at most 1,024
characters, everything else is under ``metadata`` as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pdmigrate.describe import dashdash
from pdmigrate.describe.dashdash import MOST_DESCRIPTION, compact, front_fields
from pdmigrate.describe.dashdash import server_slug as skill_name
from pdmigrate.describe.descriptions import file_names
from pdmigrate.model import JsonObject, JsonValue, mapping
from pdmigrate.report.export import Exported, ExportedTool, Subject
from pdmigrate.report.export.dashdash import metadata
from pdmigrate.runtime.guidance import error_lines, fetch_uri, help_sections

_Table: TypeAlias = Mapping[str, JsonValue]


def export(subject: Subject, *, bridge: bool, given: _Table | None = None) -> Exported:
    """The folder of one server; its paths begin with the name of the skill.

    ``given`` is the project's dashdash table: its fields go under ``metadata``, because a skill may have no others.
    """
    made, _ = metadata(subject, given or {})
    named = mapping(made["identity"]) if given else {}
    name = skill_name(str(named.get("name", subject.name)))
    pages = {tool: page.removesuffix(".json") for tool, page in file_names([t.name for t in subject.tools], {}).items()}
    page = "\n".join(_skill(subject, name, pages, bridge, made, given))
    files = {f"{name}/SKILL.md": f"{page}\n"}
    for tool in subject.tools:
        files[f"{name}/references/{pages[tool.name]}.md"] = "\n".join(_reference(tool)) + "\n"
    return Exported(files)


def _skill(
    subject: Subject, name: str, pages: dict[str, str], bridge: bool, described: JsonObject, given: _Table | None
) -> Iterator[str]:
    text = str(mapping(described["identity"]).get("description", ""))
    yield from ("---", f"name: {name}", f"description: {compact(text[:MOST_DESCRIPTION])}")
    yield from ("metadata:", f"  mcp-server: {compact(subject.name)}")
    for key, value in front_fields(described) if given is not None else ():
        if key not in ("name", "description") and value is not None:
            # The agent skills specification allows only texts here.
            yield f"  {key}: {compact(value if isinstance(value, str) else compact(value))}"
    yield from ("---", "", f"# {subject.name}", "")
    yield from ("Pick a tool by the line that describes it, then read its page before you call it.", "")
    for tool in subject.tools:
        yield f"- [`{tool.name}`](references/{pages[tool.name]}.md): {tool.summary}"
    for title, text in _sections(subject, described, given) if given is not None else ():
        yield from ("", f"## {title}", "", text)
    if subject.tools:
        example = fetch_uri(subject.tools[0].name)
        also = f", or call `{subject.bridge}`," if bridge else ""
        yield from ("", f"The server gives the same pages itself: read `{example}`{also}")
        yield "with the names of the tools you have picked. That also authorises them for the session."


def _sections(subject: Subject, described: JsonObject, given: _Table) -> Iterator[tuple[str, str]]:
    """The sections of the help that the page does not say otherwise: the list above is the reference of the tools."""
    own = mapping(given.get("sections"))
    errors = [line for tool in subject.tools for line in error_lines(tool.name, tool.words.get("error_guidance"))]
    for title, text in help_sections(dashdash.sections(described, own), [], errors).items():
        said_otherwise = title in ("When to Use", "Quick Reference", "Tool Reference")
        if text and (title in own or not said_otherwise):
            yield title, text


def _reference(tool: ExportedTool) -> Iterator[str]:
    yield from (f"# {tool.name}", "", tool.description, "", "Arguments, as a JSON Schema:", "")
    yield from _fenced(tool.schema)
    for field, title in (("examples", "Examples"), ("usage_guidance", "Usage"), ("error_guidance", "Errors")):
        if field in tool.words:
            yield from ("", f"{title}:", "")
            yield from _fenced(tool.words[field])


def _fenced(value: object) -> Iterator[str]:
    yield from ("```json", json.dumps(value, indent=2, ensure_ascii=False), "```")
