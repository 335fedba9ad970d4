"""A skill folder for agents: ``SKILL.md`` with the short descriptions, and one reference page for each tool.

The front matter follows the agent skills specification: ``name`` equals the folder's, ``description`` has at most 1,024
characters, everything else stands under ``metadata`` as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pdmigrate.descriptions import file_names
from pdmigrate.export.subject import Exported, ExportedTool, Subject
from pdmigrate.render import bridge_name
from pdmigrate.served import fetch_uri

MOST_NAME, MOST_DESCRIPTION = 64, 1024


def export(subject: Subject, *, bridge: bool) -> Exported:
    """The folder of one server; its paths begin with the name of the skill."""
    name = skill_name(subject.name)
    pages = {tool: page.removesuffix(".json") for tool, page in file_names([t.name for t in subject.tools], {}).items()}
    files = {f"{name}/SKILL.md": "\n".join(_skill(subject, name, pages, bridge=bridge)) + "\n"}
    for tool in subject.tools:
        files[f"{name}/references/{pages[tool.name]}.md"] = "\n".join(_reference(tool)) + "\n"
    return Exported(files)


def skill_name(server: str) -> str:
    """A server's name as a skill may have one: small letters, digits and single hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", server.lower()).strip("-")
    return plain[:MOST_NAME].rstrip("-") or "mcp-server"


def _skill(subject: Subject, name: str, pages: dict[str, str], *, bridge: bool) -> Iterator[str]:
    yield "---"
    yield f"name: {name}"
    yield f"description: {json.dumps(_description(subject), ensure_ascii=False)}"
    yield "metadata:"
    yield f"  mcp-server: {json.dumps(subject.name, ensure_ascii=False)}"
    yield "---"
    yield ""
    yield f"# {subject.name}"
    yield ""
    yield "Pick a tool by the line that describes it, then read its page before you call it."
    yield ""
    for tool in subject.tools:
        yield f"- [`{tool.name}`](references/{pages[tool.name]}.md): {tool.summary}"
    if subject.tools:
        example = fetch_uri(subject.tools[0].name)
        also = f", or call `{bridge_name(subject.name)}`," if bridge else ""
        yield ""
        yield f"The server gives the same pages itself: read `{example}`{also}"
        yield "with the names of the tools you have picked. That also authorises them for the session."


def _description(subject: Subject) -> str:
    """What the server is for, and when to use it, as far as its tools say: whole summaries, as many as fit."""
    text = f"Tools of the MCP server {subject.name}. Use when the task needs one of them:"
    for tool in subject.tools:
        more = f"{text} {tool.summary}"
        if len(more) > MOST_DESCRIPTION:
            break
        text = more
    return " ".join(text.split())[:MOST_DESCRIPTION]


def _reference(tool: ExportedTool) -> Iterator[str]:
    yield f"# {tool.name}"
    yield ""
    yield tool.description
    yield ""
    yield "Arguments, as a JSON Schema:"
    yield ""
    yield from _fenced(tool.schema)
    for field, title in (("examples", "Examples"), ("usage_guidance", "Usage"), ("error_guidance", "Errors")):
        if field in tool.words:
            yield ""
            yield f"{title}:"
            yield ""
            yield from _fenced(tool.words[field])


def _fenced(value: object) -> Iterator[str]:
    yield "```json"
    yield json.dumps(value, indent=2, ensure_ascii=False)
    yield "```"
