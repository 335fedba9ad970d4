"""Tools in the forms of other systems: one module for each, which turns a ``Subject`` into texts.

A ``Subject`` is one server: the full definitions of its tools, their summaries, and their guidance.  Where a form
cannot express a part of a definition, a finding (PD620) says so; nothing is dropped in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pdmigrate.describe.dashdash import project_urls
from pdmigrate.describe.lines import lines_of
from pdmigrate.describe.summaries import summaries
from pdmigrate.model import Finding, JsonObject, JsonValue, Site, mapping
from pdmigrate.project.bridges import bridges
from pdmigrate.project.model import Project
from pdmigrate.project.reconcile import reconciled, words

NEEDED = ("name", "description", "inputSchema")


@dataclass(frozen=True, slots=True)
class ExportedTool:
    """One tool: its definition in wire form, the summary of its stub, and ``words``, its guidance by field."""

    definition: JsonObject
    summary: str
    site: Site
    words: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.definition["name"])

    @property
    def description(self) -> str:
        text = self.definition.get("description")
        return text if isinstance(text, str) else self.summary

    @property
    def schema(self) -> JsonObject:
        return mapping(self.definition.get("inputSchema"))


@dataclass(frozen=True, slots=True)
class Subject:
    """One server; ``missing`` names the tools that source does not settle, and that no export can hold."""

    name: str
    site: Site
    tools: tuple[ExportedTool, ...]
    missing: tuple[str, ...] = ()
    complete: bool = True
    """Whether these tools and the missing ones are all that the server may list."""
    urls: Mapping[str, str] = field(default_factory=dict)
    """``[project.urls]`` of the project."""
    bridge: str = "describe_tools"
    """The name of the tool that returns full descriptions."""


def document(value: JsonValue) -> str:
    """A JSON document."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an export by relative path, the first of which is printed, and findings for what was lost."""

    files: Mapping[str, str]
    findings: tuple[Finding, ...] = ()


def subjects(project: Project, *, summaries_suffice: bool = False) -> Iterator[Subject]:
    """The servers of a project as exports take them.

    ``summaries_suffice``: a tool is taken for its summary alone, even if source does not settle the rest.
    """
    inventory = reconciled(project)
    urls = project_urls(project.files.get("pyproject.toml", b""))
    for server, home, bridge in zip(inventory.servers, project.homes, bridges(project), strict=True):
        files, _ = project.descriptions(home)
        lines = lines_of(home.server_file, project.files, {}).present
        made = summaries({tool.name: tool.definition.get("description") for tool in server.tools if tool.name})
        tools: list[ExportedTool] = []
        missing: list[str] = []
        for tool in server.tools:
            file = files.get(tool.name or "")
            said = file.summary if file else lines.get(tool.name or "", "")
            needed = NEEDED if not summaries_suffice else NEEDED[:1] if said else NEEDED[:2]
            if tool.name is None or not tool.unknown.keys().isdisjoint(needed):
                missing.append(tool.name or f"the tool at {tool.site}")
            else:
                summary = said or made.get(tool.name, tool.name)
                tools.append(ExportedTool(tool.definition, summary, tool.site, words(tool)))
        name = server.name or re.sub(r"\W+", "-", server.site.file.removesuffix(".py"))
        yield Subject(name, server.site, tuple(tools), tuple(missing), server.incomplete is None, urls, bridge)
