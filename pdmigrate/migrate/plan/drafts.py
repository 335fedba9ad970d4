"""Draft a migration server by server: the fate of each tool, its file, its stub; ``build.py`` makes changes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from pdmigrate.audit.tokens import SEEN_FIELDS, Counter, seen_tokens
from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.describe.homes import Home
from pdmigrate.describe.lifting import lifted
from pdmigrate.describe.lines import Lines
from pdmigrate.describe.summaries import summaries
from pdmigrate.errors import SourceError
from pdmigrate.findings import CODES, finding
from pdmigrate.migrate.plan.obstacles import left_as_it_is
from pdmigrate.migrate.plan.ownership import kept_in_code
from pdmigrate.migrate.plan.projections import Places, Projection, place, project, stub, with_settled
from pdmigrate.migrate.plan.records import description_schema
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    Edit,
    Fate,
    Finding,
    Fixed,
    JsonObject,
    JsonValue,
    Known,
    Outcome,
    Server,
    Severity,
    Site,
    Tool,
    Unknown,
)
from pdmigrate.project.reconcile import gone, lost_file
from pdmigrate.project.rewrite.stubbing import stub_edits, stub_findings
from pdmigrate.record.lock import SCHEMA_PATH, Written
from pdmigrate.settings import Settings, is_selected
from pdmigrate.source.source import SourceFile


@dataclass(frozen=True, slots=True)
class Context:
    """What a server's draft needs besides the server: its description files and what was last written in them."""

    home: Home
    files: Mapping[str, DescriptionFile]
    """The description files of this home, by the name of their tool."""
    written: Mapping[str, Written]
    """What the lock remembers of description files, by path."""
    sources: Mapping[str, SourceFile]
    lines: Lines = field(default_factory=Lines)
    """The summaries of the tools without a description file."""
    shared: frozenset[Site] = frozenset()
    """The declarations of tools that more than one server lists."""
    blocked: Fixed | None = None
    """Why this server cannot be migrated at all."""
    undescribed: Finding | None = None
    """Why no description file of this server may be written; the finding itself is reported by ``build.py``."""


@dataclass(frozen=True, slots=True)
class ToolDraft:
    """One tool: ``path`` and ``projection`` are its file, ``line`` its summary if there is none, ``edits`` its stub."""

    tool: Tool
    outcome: Outcome
    path: str = ""
    projection: Projection | None = None
    edits: tuple[Edit, ...] = ()
    line: str | None = None
    generated: str | None = None
    """The summary that would be generated for its line today."""
    kept: DescriptionFile | None = None
    """The description file of a tool that failed or is not selected: the whole file stays as it is."""
    lost: bool = False
    """Whether the file that owns the definition is missing."""
    findings: tuple[Finding, ...] = ()

    @property
    def has_line(self) -> bool:
        """Whether the tool is disclosed without a description file."""
        return bool(self.path) and self.projection is None and self.outcome.fate is Fate.STUBBED

    @property
    def content(self) -> JsonObject:
        """What is disclosed of the tool: what its file holds, or what a file would hold; empty for a tool left out."""
        if self.has_line:
            summary: JsonObject = {"summary": self.line} if self.line else {}
            return {**lifted(self.tool.definition, self.tool.doc), **self.tool.definition, **summary}
        return self.projection.content if self.projection else {}

    @property
    def owner(self) -> str | None:
        """Who owns the definition once the plan is carried out; ``None`` for a tool without a description file."""
        if self.projection is not None:
            return str(self.projection.content["owner"])
        if self.lost:
            return "file"
        return self.kept.owner if self.kept else None


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of one server.  ``enabled``: its module is generated and its code calls ``enable``."""

    server: Server
    home: Home
    tools: tuple[ToolDraft, ...]
    enabled: bool
    findings: tuple[Finding, ...] = ()
    unlisted: tuple[str, ...] = ()
    """Tools that were not found in source, although a file owns their definition."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """The summaries in ``_server.json``, by tool: those of tools without a file, and lines of a person's own."""

    @property
    def label(self) -> str:
        """The name under which reports account for the server's tools."""
        return _label(self.server)

    @property
    def moved(self) -> tuple[str, ...]:
        """The tools whose files must exist, sorted; also those that source hides: the code may list their stubs."""
        found = (str(draft.tool.name) for draft in self.tools if draft.owner == "file")
        return tuple(sorted({*found, *self.unlisted}))

    @property
    def left_alone(self) -> tuple[str, ...]:
        """The names of the tools that are still listed in full, sorted."""
        untouched = (Fate.SKIPPED, Fate.FAILED)
        names = (draft.tool.name for draft in self.tools if draft.outcome.fate in untouched and draft.owner is None)
        return tuple(sorted(name for name in names if name))


def draft_migration(server: Server, context: Context, settings: Settings, counter: Counter) -> Draft:
    """Draft the migration of one server: each of its tools gets an outcome."""
    if context.undescribed is not None:
        return _left(server, context, context.undescribed.code, context.undescribed.message)
    blocked = context.blocked or (server.anchor if isinstance(server.anchor, Fixed) else None)
    if blocked is not None:
        return _left(server, context, blocked.code, blocked.reason, left_as_it_is(server, blocked))
    if not server.tools and server.incomplete is None and not server.is_enabled:
        message = f"the server made at {server.site} is left as it is: it lists no tools"
        return Draft(server, context.home, (), enabled=False, findings=(finding("PD538", message, site=server.site),))
    seeds = _seeds(server, context)
    drafted = [_drafted(server, tool, context, settings, seeds) for tool in _named(server, context)]
    tools = tuple(_counted(draft, settings, counter) for draft in drafted)
    # A server without a selected tool is left alone, unless it may list more tools or is enabled already.
    more = server.is_enabled or (server.incomplete is not None and not settings.select)
    wanted = more or any(tool.outcome.fate is not Fate.SKIPPED for tool in tools)
    unlisted, notes = _unlisted(tools, context)
    lines = _lines(tools, context)
    return Draft(server, context.home, tools, wanted, (*_found(tools), *notes), unlisted, lines)


def _lines(tools: Sequence[ToolDraft], context: Context) -> Mapping[str, str]:
    described = {draft.tool.name for draft in tools if draft.projection is not None}
    own = {name: context.lines.by_person(name) for name in context.lines.present if name not in described}
    made = {str(draft.tool.name): draft.line for draft in tools if draft.has_line and draft.line}
    return {name: text for name, text in sorted({**own, **made}.items()) if text}


UNSETTLED = "source settles nothing of its definition"
"""Why a tool gets no description file: there would be nothing in it."""


def _left(server: Server, context: Context, code: str, reason: str, *findings: Finding) -> Draft:
    """The draft of a server that is left as it is: its tools failed if ``code`` is an error, else they are skipped."""
    fate = Fate.FAILED if CODES[code].severity is Severity.ERROR else Fate.SKIPPED
    tools = tuple(ToolDraft(tool, _outcome(server, tool, fate, reason)) for tool in server.tools)
    return Draft(server, context.home, tools, enabled=False, findings=findings)


def draft_extraction(server: Server, context: Context, chosen: Settings) -> Draft:
    """Draft the descriptions of one server's tools: every owner stays what it is, and no code changes."""
    if context.undescribed is not None:
        return _left(server, context, context.undescribed.code, context.undescribed.message)
    settings = Settings(move="none", copies=True, dashdash=chosen.dashdash)
    seeds = _seeds(server, context)
    drafted = [_drafted(server, tool, context, settings, seeds) for tool in _named(server, context)]
    tools = tuple(replace(draft, edits=()) for draft in drafted)
    return Draft(server, context.home, tools, enabled=False, findings=_found(tools))


def _seeds(server: Server, context: Context) -> Mapping[str, str]:
    """Summaries by tool; none from a description that source does not settle: the running server's may differ."""
    settled: dict[str, JsonValue] = {}
    for tool in server.tools:
        name, file = str(tool.name), context.files.get(str(tool.name))
        described = tool.fields.get("description")
        if file is not None and file.owner == "file":
            settled[name] = file.data.get("description")
        elif tool.name is not None:
            settled[name] = described.value if isinstance(described, Known) and described.basis != "wire" else None
    return summaries(settled)


def _found(tools: Sequence[ToolDraft]) -> tuple[Finding, ...]:
    return tuple(found for draft in tools for found in draft.findings)


def _unlisted(tools: Sequence[ToolDraft], context: Context) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """The file-owned tools that were not found in source, and a finding for every file without a tool."""
    found = {draft.tool.name for draft in tools}
    files = [file for file in context.files.values() if file.name not in found]
    missing = "is not among the tools found in source"
    notes = (finding("PD410", f'"{file.name}" {missing}', site=Site(file.path, 1), tool=file.name) for file in files)
    lines = context.lines
    lost = [name for name in lines.present if name not in found and lines.by_person(name)]
    hint = "`pdmigrate sync --prune` removes the summary if the tool is gone; the file holds those of other tools, too"
    alone = (finding("PD410", f'"{name}" {missing}', hint=hint, site=lines.site(name), tool=name) for name in lost)
    return tuple(file.name for file in files if file.owner == "file"), (*notes, *alone)


def _named(server: Server, context: Context) -> Iterator[tuple[Tool, str]]:
    taken = {name: PurePosixPath(file.path).name for name, file in context.files.items()}
    names = descriptions.file_names((tool.name for tool in server.tools if tool.name), taken)
    for tool in server.tools:
        yield tool, f"{context.home.folder}/{names[tool.name]}" if tool.name else ""


def _drafted(
    server: Server, named: tuple[Tool, str], context: Context, settings: Settings, seeds: Mapping[str, str]
) -> ToolDraft:
    tool, path = named
    file = context.files.get(str(tool.name))

    def failed(why: Finding) -> ToolDraft:
        return ToolDraft(tool, _outcome(server, tool, Fate.FAILED, why.message), path, kept=file, findings=(why,))

    if not is_selected(tool.name, settings):
        return ToolDraft(tool, _outcome(server, tool, Fate.SKIPPED, "not selected"), path, kept=file)
    if not path:
        return ToolDraft(tool, _outcome(server, tool, Fate.STUBBED, "its name is known only at run time"))
    if file is None and (missing := lost_file(tool, context.home.folder, context.written)):
        return replace(failed(gone(tool, missing)), lost=True)
    reason = kept_in_code(tool, file, settings.move, context.shared)
    if invalid := (*invalid_schemas(tool),) if file is None and reason is None else ():
        reason = "one of its schemas is not valid JSON Schema"
    owner = "file" if reason is None else "code"
    if file is None and reason is not None and not _is_copied(settings, context):
        generated = seeds.get(str(tool.name))
        line = context.lines.by_person(str(tool.name)) or generated
        outcome = _outcome(server, tool, Fate.STUBBED, reason)
        return ToolDraft(tool, outcome, path, line=line, generated=generated, findings=invalid)
    reference = descriptions.schema_reference(path, SCHEMA_PATH)
    written = context.written.get(path)
    whole = with_settled(tool, file, written) if owner == "code" else tool
    said = context.lines.as_file(str(tool.name)) if file is None else file
    projection = project(Places(whole, said, written, settings, reference, seeds), owner)
    if isinstance(projection, Finding):
        return failed(projection)
    try:
        edits = stub_edits(tool, projection.stub, context.sources) if projection.stub else ()
    except SourceError as error:
        return failed(finding(error.code or "PD502", error.message, hint=error.hint, site=tool.site, tool=tool.name))
    if unusable := _unusable_file(file, projection, edits):
        return failed(unusable)
    if file is None and not descriptions.says_something(projection.content):
        return ToolDraft(tool, _outcome(server, tool, Fate.STUBBED, UNSETTLED), path)
    outcome = _outcome(server, tool, Fate.MOVED if reason is None else Fate.STUBBED, reason or "")
    return ToolDraft(tool, outcome, path, projection, edits, findings=stub_findings(tool, edits, context.sources))


def _is_copied(settings: Settings, context: Context) -> bool:
    """Metadata of dashdash has no other place, and a project that has copies of all tools goes on having them."""
    return settings.copies or settings.dashdash is not None or not (context.lines.follows or "copies" in settings.given)


def _unusable_file(file: DescriptionFile | None, projection: Projection, edits: Sequence[Edit]) -> Finding | None:
    """An invalid schema counts only against a file that owns its definition: a copy is made anew from the code."""
    if file is None:
        return None
    used = file.data != projection.content or edits
    codes = {*(["PD404"] if used else []), *(["PD405"] if file.owner == "file" else [])}
    filled = replace(file, data={**projection.content, **file.data})
    return next((found for found in descriptions.check(filled, description_schema()) if found.code in codes), None)


def invalid_schemas(tool: Tool) -> Iterator[Finding]:
    """Findings for the schemas of a tool that are none: its definition stays in the code, where they can be mended."""
    for found in descriptions.check_schemas(DescriptionFile(f'"{tool.name}"', tool.definition)):
        if found.code == "PD405":
            key = "outputSchema" if ": outputSchema " in found.message else "inputSchema"
            yield replace(found, site=place(tool, key))


def _outcome(server: Server, tool: Tool, fate: Fate, reason: str) -> Outcome:
    label = tool.name or f"(a tool declared at {tool.site})"
    return Outcome(_label(server), label, fate, reason)


def _label(server: Server) -> str:
    return server.name or server.site.file


def _counted(draft: ToolDraft, settings: Settings, counter: Counter) -> ToolDraft:
    """The draft with its tokens before and after; a tool that is not and was not selected is listed as it was."""
    content = draft.content
    if draft.outcome.fate is Fate.SKIPPED and draft.kept is None:
        tool = draft.tool
        settled = tool.name and not any(isinstance(tool.fields.get(key), Unknown) for key in SEEN_FIELDS)
        size = seen_tokens(tool.definition, counter) if settled else None
        return replace(draft, outcome=replace(draft.outcome, tokens_before=size, tokens_after=size))
    if any(key not in content for key in DISCLOSED_FIELDS):
        return draft
    disclosed = descriptions.disclosed(content)
    before: JsonObject = {"name": content["name"], **disclosed}
    after: JsonObject = {"name": content["name"], **stub(disclosed, content.get("summary"), settings)}
    before_tokens, after_tokens = seen_tokens(before, counter), seen_tokens(after, counter)
    return replace(draft, outcome=replace(draft.outcome, tokens_before=before_tokens, tokens_after=after_tokens))
