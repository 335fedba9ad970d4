"""The edits that a migration makes in the user's code, and the generated module beside it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pdmigrate.describe import descriptions
from pdmigrate.errors import SourceError
from pdmigrate.migrate.plan.drafts import Draft
from pdmigrate.migrate.plan.importing import Around, imports_of
from pdmigrate.model import Edit, FileChange, FileKind, Fixed, JsonObject, JsonValue, Span, mapping
from pdmigrate.project.bridges import bridges
from pdmigrate.project.model import Project
from pdmigrate.project.rewrite.enabling import FOLDER_ARGUMENT, Enable, called_elsewhere, enable_edits, node_at
from pdmigrate.record import lock
from pdmigrate.runtime.render import ModuleSpec, features, render_module
from pdmigrate.settings import Settings
from pdmigrate.source.documents import json_or_none
from pdmigrate.source.outline import Outline, parse
from pdmigrate.source.source import SourceFile, apply_edits, read_source, syntax


def code_changes(project: Project, drafts: Sequence[Draft], settings: Settings) -> list[FileChange]:
    """The changes of code, file by file, for all servers; an edit that several servers ask for is made once."""
    edits: dict[str, dict[Edit, None]] = defaultdict(dict)
    for edit in (edit for draft in drafts for tool in draft.tools for edit in tool.edits):
        edits[edit.span.file][edit] = None
    by_file: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_file[draft.server.site.file].append(draft)
    for file, here in sorted(by_file.items()):
        edits[file].update(dict.fromkeys(_enabling(project, file, here, settings)))
    return [_change(project, path, tuple(wanted)) for path, wanted in sorted(edits.items()) if wanted]


def _change(project: Project, path: str, edits: tuple[Edit, ...]) -> FileChange:
    source = project.source(path)
    reason = "; ".join(dict.fromkeys(edit.reason for edit in edits))
    return FileChange(path, source.raw, edited(source, edits), FileKind.CODE, reason)


def _enabling(project: Project, file: str, drafts: Sequence[Draft], settings: Settings) -> Iterator[Edit]:
    source = project.source(file)
    wanted = []
    for draft in drafts:
        anchor = draft.server.anchor
        assert not isinstance(anchor, Fixed)  # such a server is left as it is
        for each in (anchor, *draft.server.twins):
            if each.enabled is None:
                wanted.append((draft, each))
            else:
                yield from _policies(source, each.enabled, settings)
    if not wanted:
        return  # every server is enabled, as in most files of a migrated project: no need to parse
    parsed, known = parse(source), enabling_calls(project)
    around = Around(project.around.modules, project.around.ways.get(file, frozenset()), project.around.libraries)
    enables = []
    for draft, anchor in wanted:
        policies = {"stdio": settings.stdio, "http": settings.http}
        policies |= {FOLDER_ARGUMENT: draft.home.label} if draft.home.label else {}
        if called_elsewhere(parsed, draft.home.stem, known) is None:
            enables.append(Enable(anchor, imports_of(draft.home, parsed, around, anchor.span.start), policies))
    yield from enable_edits(parsed, enables)


def enabling_calls(project: Project) -> list[Span]:
    """The ``enable`` calls that are in the code for the project's servers."""
    anchors = [anchor for server in project.inventory.servers for anchor in (server.anchor, *server.twins)]
    return [anchor.enabled for anchor in anchors if not isinstance(anchor, Fixed) and anchor.enabled is not None]


def _policies(source: SourceFile, call: Span, settings: Settings) -> Iterator[Edit]:
    """Bring the policies in an existing ``enable`` call in line with options that were given; the others stay."""
    if settings.given.isdisjoint(("stdio", "http")):
        return
    outline = Outline(source, syntax(source))
    node = node_at(outline, call)
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        value = keyword.value
        if keyword.arg not in ("stdio", "http") or keyword.arg not in settings.given:
            continue
        wanted = str(getattr(settings, keyword.arg))
        if isinstance(value, ast.Constant) and value.value != wanted:
            span = outline.span(value)
            quote = source.text[span.end - 1]
            yield Edit(span, f"{quote}{wanted}{quote}", f"{keyword.arg} policy")


def module_changes(project: Project, drafts: Sequence[Draft], settings: Settings) -> list[FileChange]:
    """The changes of generated modules, but for their layout, one a folder, and of each server's ``_server.json``."""
    named = dict(zip(project.homes, bridges(project), strict=True))
    changes = [_server_change(project, draft, settings, named[draft.home]) for draft in drafts]
    for module in dict.fromkeys(draft.home.module for draft in drafts):
        here = [draft for draft in drafts if draft.home.module == module]
        present = project.files.get(module)
        wanted = render_module(_spec(project, here, settings)).encode()
        same = present is not None and lock.source_digest(present) == lock.source_digest(wanted)
        reason = f"progressive disclosure of {' and '.join(map(_named, here))}"
        changes.append(FileChange(module, present, present if same else wanted, FileKind.MODULE, reason))
    return changes


def _spec(project: Project, drafts: Sequence[Draft], settings: Settings) -> ModuleSpec:
    """The features that a module needs for its servers; it keeps the features that servers outside this plan need."""
    adapters = {adapter_of(project, draft) for draft in drafts}
    moved, left = any(draft.moved for draft in drafts), any(draft.left_alone for draft in drafts)
    several = any(draft.home.label for draft in drafts)
    module = drafts[0].home.module
    if any(home.module == module for home in project.elsewhere.homes):
        present = features(project.files.get(module, b""))
        adapters |= present & {"mcp1", "mcp2"}
        moved, left, several = moved or "moved" in present, left or "left" in present, several or "several" in present
    return ModuleSpec(
        adapter=adapters.pop() if len(adapters) == 1 else "both",
        stub_schema=settings.stub_schema,
        bridge=settings.bridge,
        drop_output_schema=settings.drop_output_schema,
        receipt=settings.http == "receipt",
        moved=moved,
        left=left,
        several=several,
        dashdash=settings.dashdash is not None,
        help_tool=settings.dashdash is not None and settings.ai_help_tool,
    )


def _server_change(project: Project, draft: Draft, settings: Settings, bridge: str) -> FileChange:
    """The change of ``_server.json``: what the module has to know of one server besides its tools' descriptions."""
    tools = [tool.tool for tool in draft.tools if tool.tool.name]
    # Everyone reads the example, so a tool that is always listed is best; without a name the sentence has no end.
    names = [str(tool.name) for tool in sorted(tools, key=lambda tool: tool.conditional is not None)]
    content: JsonObject = {
        "$comment": "Made by pdmigrate for the module that enables the server; `pdmigrate sync` keeps it in line.",
        "server": draft.server.name,
        "bridge": bridge,
    }
    content |= {"example": names[0]} if names else {}
    if draft.lines:
        content["$comment"] = "Made by pdmigrate. The summaries may be edited; `pdmigrate sync` keeps the rest in line."
        content["summaries"] = dict(draft.lines)
    content |= {"moved": [*draft.moved]} if draft.moved else {}
    content |= {"left": [*draft.left_alone]} if draft.left_alone else {}
    content |= _metadata(project, draft, settings.dashdash) if settings.dashdash is not None else {}
    path, present = draft.home.server_file, project.files.get(draft.home.server_file)
    after = present if present is not None and json_or_none(present) == content else descriptions.dump(content)
    return FileChange(path, present, after, FileKind.SERVER, f"summaries of the tools of {_named(draft)}")


def _metadata(project: Project, draft: Draft, given: Mapping[str, JsonValue]) -> JsonObject:
    from pdmigrate.describe import dashdash

    made, inferred = metadata_of(project, draft, given)
    sections = dashdash.sections(made, mapping(given.get("sections")))
    front = f"{dashdash.front_matter(made)}\n\n# {draft.server.name or 'MCP server'}"
    marks: JsonObject = {"inferred": [*inferred]} if inferred else {}
    return {"dashdash": made, **marks, "help": {"front": front, "sections": {**sections}}}


def metadata_of(project: Project, draft: Draft, given: Mapping[str, JsonValue]) -> tuple[JsonObject, tuple[str, ...]]:
    """The dashdash metadata of a server as planned, and the names of its inferred fields."""
    from pdmigrate.describe.dashdash import project_urls, server_metadata

    tools = [tool.tool.definition for tool in draft.tools]
    complete = draft.server.incomplete is None
    urls = project_urls(project.files.get("pyproject.toml", b""))
    return server_metadata(given, draft.server.name or "mcp-server", tools, urls=urls, complete=complete)


def adapter_of(project: Project, draft: Draft) -> str:
    """The adapter of the family, or ``both`` if the project allows releases of the SDK on either major of mcp.

    Low-level servers register their handlers in the way of one major, so that they run on no other.
    """
    from pdmigrate.sdk.families import DECORATED, by_id, of_class

    family = by_id(draft.server.dialect)
    majors = project.around.majors.get(draft.server.site.file, frozenset())
    adapters = {of_class(family.server, str(major)).adapter for major in majors}
    return "both" if len(adapters) > 1 and family.server in DECORATED else family.adapter


def _named(draft: Draft) -> str:
    return f"the server {draft.server.name!r}" if draft.server.name else f"the server at {draft.server.site}"


def edited(source: SourceFile, edits: Iterable[Edit]) -> bytes:
    """The file with ``edits`` applied; raises SourceError if it does not parse (PD501)."""
    after = apply_edits(source, edits)
    result = read_source(source.path, after)
    try:
        syntax(result)
    except SourceError as error:
        message = f"{result.path} would not be valid Python after the edits: {error.message}"
        raise SourceError(message, hint="please report it with the file; nothing was written", code="PD501") from error
    return after
