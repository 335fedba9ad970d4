"""The dashdash MCP enhancements, v0.2.0: metadata of a server and its tools, its help, or an entry for a registry.

Without ``[tool.pdmigrate.dashdash]`` all of these are inferred; findings say what dashdash's own checklist still wants.
"""

from __future__ import annotations

from collections.abc import Mapping

from pdmigrate.describe.dashdash import PREFIX, checklist, front_matter, markdown, server_metadata, tool_fields
from pdmigrate.describe.dashdash import sections as sections_of
from pdmigrate.model import JsonObject, JsonValue, Site, mapping
from pdmigrate.report.export import NEEDED, Exported, ExportedTool, Subject, document
from pdmigrate.runtime.guidance import error_lines

FORMS = ("server", "help", "registry")
_REGISTRY = ("install", "alternativeAccess")


def export(subject: Subject, form: str, given: Mapping[str, JsonValue]) -> Exported:
    """One of ``FORMS`` for one server; ``given`` is the project's dashdash table, which wins over inferred values."""
    made, inferred = metadata(subject, given)
    texts = mapping(given.get("sections"))
    findings = tuple(checklist(made, inferred, texts, Site("pyproject.toml", 1)))
    if form == "help":
        front, parts = front_matter(made), sections_of(made, texts)
        listed = [(tool.name, tool.summary) for tool in subject.tools]
        errors = [line for tool in subject.tools for line in error_lines(tool.name, tool.words.get("error_guidance"))]
        return Exported({"ai_help.md": markdown(subject.name, front, parts, listed, errors)}, findings)
    if form == "registry":
        return Exported({"registry.json": document(_registry(made, given))}, findings)
    resources = given.get("resources")
    content: JsonObject = {
        "dashdash": made,
        "inferred": [*inferred],
        "tools": [_tool(tool) for tool in subject.tools],
        **({"resources": resources} if isinstance(resources, dict) else {}),
    }
    return Exported({"dashdash.json": document(content)}, findings)


def metadata(subject: Subject, given: Mapping[str, JsonValue]) -> tuple[JsonObject, tuple[str, ...]]:
    """The metadata of a server, and the names of its inferred fields."""
    definitions = [tool.definition for tool in subject.tools]
    summaries = [tool.summary for tool in subject.tools]
    complete = subject.complete and not subject.missing
    return server_metadata(given, subject.name, definitions, summaries=summaries, urls=subject.urls, complete=complete)


def _tool(tool: ExportedTool) -> JsonObject:
    """The tool as dashdash extends it (3.2): what a person wrote, what is inferred, examples and errors."""
    inferred = {key.removeprefix(PREFIX): value for key, value in tool_fields(tool.definition).items()}
    said: JsonObject = {**inferred, **mapping(tool.words.get("dashdash"))}
    if examples := tool.words.get("examples"):
        said.setdefault("examples", examples)
    if errors := _errors(tool.words.get("error_guidance")):
        said.setdefault("errors", errors)
    fields: JsonObject = {key: tool.definition[key] for key in NEEDED if key in tool.definition}
    return {**fields, "dashdash": said}


def _errors(guidance: JsonValue) -> list[JsonValue]:
    """The errors of an ``error_guidance`` in the shape of the implementation guide, in dashdash's terms."""
    listed = mapping(guidance).get("common_errors")
    items = [item for item in (listed if isinstance(listed, list) else ()) if isinstance(item, dict)]
    return [
        {"code": item.get("error"), "description": item.get("cause", "")}
        | ({"resolution": item["solution"]} if "solution" in item else {})
        for item in items
    ]


def _registry(made: JsonObject, given: Mapping[str, JsonValue]) -> JsonObject:
    """The entry for a registry (4.1); whether the server is verified is for the registry to say."""
    names = {key: value for key, value in mapping(made["identity"]).items() if key in ("name", "description")}
    others = {key: made[key] for key in _REGISTRY if key in made}
    categories = given.get("categories")
    listed: JsonObject = {"categories": categories} if isinstance(categories, list) else {}
    return {**names, "specVersion": made["specVersion"], **others, **listed}
