"""Build the plan of a command from a project; nothing is written, and once it is carried out the next plan is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pdmigrate.audit.tokens import NAMELESS, Counter, counter, overhead
from pdmigrate.counting import plural, some
from pdmigrate.describe import descriptions, lines
from pdmigrate.describe.descriptions import DescriptionFile, digest
from pdmigrate.describe.lines import Lines, lines_of, unreadable
from pdmigrate.errors import PdmigrateError
from pdmigrate.findings import finding
from pdmigrate.migrate.plan import criteria, obstacles
from pdmigrate.migrate.plan.code import adapter_of, code_changes, metadata_of, module_changes
from pdmigrate.migrate.plan.drafts import Context, Draft, draft_extraction, draft_migration
from pdmigrate.migrate.plan.obstacles import immovable, orphaned, undescribable
from pdmigrate.migrate.plan.ownership import shared_declarations
from pdmigrate.migrate.plan.records import applied_state, description_schema, state_files
from pdmigrate.model import FileChange, FileKind, Finding, JsonValue, Overhead, Plan, Site, mapping
from pdmigrate.project.model import Project
from pdmigrate.project.remembering import answers_after
from pdmigrate.record import lock
from pdmigrate.record.lock import Asked, Lock, Written
from pdmigrate.settings import Settings
from pdmigrate.source.documents import read_json
from pdmigrate.understand.inventory.side_by_side import OutOfTimeError, at_most


@contextmanager
def _within(project: Project, settings: Settings) -> Iterator[None]:
    """Bounds the processor time of planning by that of evaluating as many servers; raises PdmigrateError beyond it."""
    seconds = settings.seconds * max(1, len(project.inventory.servers))
    try:
        with at_most(seconds):
            yield
    except OutOfTimeError:
        tools = plural(sum(len(server.tools) for server in project.inventory.servers), "tool")
        message = f"planning for {tools} takes more than {seconds} s of processor time; nothing was written"
        hint = "give the file of one server as PATH, or raise `seconds` in [tool.pdmigrate]"
        raise PdmigrateError(message, hint=hint, code="PD201") from None


def plan_extraction(project: Project, settings: Settings) -> Plan:
    """Plan description files for every tool; no code changes; raises PdmigrateError when its time is over (PD201)."""
    with _within(project, settings):
        remembered = lock.read(project.files)
        contexts, findings = _contexts(project, remembered)
        drafts = [draft_extraction(s, c, settings) for s, c in zip(project.inventory.servers, contexts, strict=True)]
        changes = [change for draft in drafts for change in _description_changes(project, draft)]
        if changes:
            remembered = lock.with_versions(remembered, settings)
            asked = _asked(project, remembered, drafts, ())
            changes += state_files(project, replace(remembered, written=_written(remembered, drafts), asked=asked))
        return _plan(project, drafts, changes, findings)


def plan_migration(
    project: Project, settings: Settings, *, moving: bool = True, tests: bool = False, asked: str = ""
) -> Plan:
    """Plan the migration of every server of a project, as far as each of its tools can be migrated.

    Without ``moving`` no definition leaves the code that no earlier run has moved.  ``tests`` also plans tests of each
    server; they start it by ``asked``, the command that a person gave for the running server, if there is one.
    Raises PdmigrateError when its time is over (PD201).
    """
    from pdmigrate.project.shipping.ship import ship

    with _within(project, settings):
        remembered = lock.read(project.files)
        settings = lock.with_choices(settings, remembered)
        contexts, findings = _contexts(project, remembered)
        findings += _orphaned(project, remembered)
        using, chosen = counter(), settings if moving else replace(settings, move="none")
        pairs = zip(project.inventory.servers, contexts, strict=True)
        drafts = [draft_migration(server, context, chosen, using) for server, context in pairs]
        enabled = [draft for draft in drafts if draft.enabled]
        findings += _affected_tests(project, enabled)
        changes = code_changes(project, enabled, settings)
        modules = module_changes(project, enabled, settings)
        for change in modules:
            if is_edited(change, remembered):
                message = f"{change.path} was edited or formatted since it was generated, and is generated anew"
                findings.append(finding("PD536", message, site=Site(change.path, 1)))
        changes += (*modules, *(change for draft in enabled for change in _description_changes(project, draft)))
        packaged = ship(project.files, [draft.home for draft in enabled], project.around.ignored)
        changes += packaged.changes
        findings += packaged.findings
        if tests:
            from pdmigrate.migrate.plan.own_tests import own_tests

            own, said = own_tests(project, enabled, settings, remembered, asked)
            changes += own
            findings += said
        if settings.dashdash is not None:
            findings += [found for draft in enabled for found in _metadata_findings(project, draft, settings.dashdash)]
        if enabled:
            changes += applied_state(project, _lock_after(project, remembered, enabled, changes, settings), changes)
        plan = _plan(project, drafts, changes, findings)
        return replace(plan, notes=_notes(project, drafts, settings), overhead=_overhead(enabled, settings, using))


def _lock_after(
    project: Project, remembered: Lock, enabled: Sequence[Draft], changes: Iterable[FileChange], settings: Settings
) -> Lock:
    def digests(kind: FileKind) -> Mapping[str, str]:
        # A generated module that only a formatter has changed stays as it is, and so does its remembered digest.
        return {c.path: lock.source_digest(c.after or b"") for c in changes if c.kind is kind and c.changed}

    return replace(
        remembered,
        written=_written(remembered, enabled),
        summaries=_generated(remembered, enabled),
        modules={**remembered.modules, **digests(FileKind.MODULE)},
        choices=lock.choices(settings, remembered),
        tests={**remembered.tests, **digests(FileKind.TEST)},
        asked=_asked(project, remembered, enabled, changes),
    )


def _notes(project: Project, drafts: Sequence[Draft], settings: Settings) -> tuple[str, ...]:
    if not (enabled := [draft for draft in drafts if draft.enabled]):
        return ()
    detailed = (found.tool for found in _file_findings(drafts) if found.code == "PD409" and found.tool)
    met = criteria.statements(settings, detailed) if any(draft.tools for draft in enabled) else (criteria.UNSEEN,)
    return (*_beyond_source(enabled), *dict.fromkeys(_sdk_notes(project, enabled)), *met)


def _overhead(drafts: Iterable[Draft], settings: Settings, using: Counter) -> Overhead:
    """The tokens added to all servers."""
    named = ((draft, [str(tool.tool.name) for tool in draft.tools if tool.tool.name]) for draft in drafts)
    own = (overhead(draft.server.name or NAMELESS, names, using, bridge=settings.bridge) for draft, names in named)
    return sum(own, Overhead())


def _metadata_findings(project: Project, draft: Draft, given: Mapping[str, JsonValue]) -> Iterator[Finding]:
    from pdmigrate.describe.dashdash import checklist, of_tools

    made, inferred = metadata_of(project, draft, given)
    yield from checklist(made, inferred, mapping(given.get("sections")), Site("pyproject.toml", 1))
    yield from of_tools((tool.path, tool.projection.content) for tool in draft.tools if tool.projection and tool.path)


def _plan(project: Project, drafts: Sequence[Draft], changes: Sequence[FileChange], said: Iterable[Finding]) -> Plan:
    outcomes = tuple(tool.outcome for draft in drafts for tool in draft.tools)
    said = (*project.inventory.all_findings(), *said, *(found for draft in drafts for found in draft.findings))
    return Plan(tuple(changes), outcomes, tuple(dict.fromkeys((*said, *_file_findings(drafts)))))


def _sdk_notes(project: Project, drafts: Iterable[Draft]) -> Iterator[str]:
    for draft in drafts:
        sdk, adapter = draft.server.sdk, adapter_of(project, draft)
        major = int(sdk.version.split(".")[0])
        possible = project.around.majors.get(draft.server.site.file, frozenset())
        is_open = sdk.basis in ("requirement", "assumed") and max(possible, default=major) > major
        chosen = {"requirement": ", taken from your requirements; --sdk changes it", "assumed": "; --sdk changes it"}
        taken = f"assuming {sdk.package} {sdk.version}{chosen.get(sdk.basis, f' ({sdk.basis})')}"
        if adapter == "both":
            yield f"{taken}; the module is for both majors of mcp, as the requirement allows them"
        elif is_open:
            newer = f"{sdk.package} {major + 1}"
            yield f"{taken}; your requirements do not rule out {newer}, so pin `{sdk.package}<{major + 1}`"
        else:
            yield taken


def _beyond_source(drafts: Iterable[Draft]) -> Iterator[str]:
    """Notes on servers that may list tools which no outcome accounts for."""
    for draft in drafts:
        if draft.server.incomplete is not None:
            name = draft.server.name or f"the server made at {draft.server.site}"
            yield (
                f"{name} may list more tools than source shows ({draft.server.incomplete}): such a tool is listed "
                "with the first sentence of its description, and a fetch returns the definition in the running server"
            )


def _contexts(project: Project, remembered: Lock) -> tuple[list[Context], list[Finding]]:
    shared = shared_declarations((*project.inventory.servers, *project.elsewhere.servers))
    sources = {path: project.source(path) for path in project.files if path.endswith(".py")}
    contexts: list[Context] = []
    findings: list[Finding] = []
    taken = {home.folder for home in project.elsewhere.homes}
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        files, problems = project.descriptions(home)
        there = project.files.get(home.server_file)
        torn = unreadable(home.server_file, there) if there is not None else None
        problems += [torn] if torn else []
        if home.folder in taken:
            message = f"the server made at {server.site} is enabled for {home.folder}, which belongs to another server"
            problems = [finding("PD535", message, site=server.site)]
        elif not problems:
            obstacle = undescribable(project, server, files, remembered)
            problems += [obstacle] if obstacle else []
        taken.add(home.folder)
        blocked = immovable(project, server, home, remembered)
        undescribed = problems[0] if problems else None
        written = remembered.written
        short = lines_of(home.server_file, project.files, remembered.summaries, copies=_has_copies(files, written))
        contexts.append(Context(home, files, written, sources, short, shared, blocked, undescribed))
        findings += (*problems, *obstacles.notes(project, server, remembered))
    return contexts, findings


def _has_copies(files: Mapping[str, DescriptionFile], written: Mapping[str, Written]) -> bool:
    for file in files.values():
        past = written.get(file.path)
        known, lifted = (past.generated, past.lifted) if past else (None, {})
        if file.owner == "code" and not descriptions.holds_words(file.raw, known, lifted=lifted):
            return True
    return False


def is_edited(change: FileChange, remembered: Lock) -> bool:
    """Whether a change is of a generated module that somebody has edited since it was written."""
    if change.kind is not FileKind.MODULE or not change.changed or change.before is None:
        return False
    return lock.source_digest(change.before) != remembered.modules.get(change.path)


def _orphaned(project: Project, remembered: Lock) -> Iterator[Finding]:
    folders = {home.folder for home in (*project.homes, *project.elsewhere.homes)}
    for path in orphaned(project, remembered):
        yield finding("PD530", f"{path} enables none of the servers that were found", site=Site(path, 1))
    for path, written in sorted(remembered.written.items()):
        if path.rpartition("/")[0] not in folders and path in project.files:
            message = f'{path} describes "{written.tool}", and no server that was found has its files there'
            yield finding("PD410", message, site=Site(path, 1), tool=written.tool)


def _affected_tests(project: Project, drafts: Iterable[Draft]) -> Iterator[Finding]:
    """Findings for tests that may fail once a server is enabled for the first time; later runs do not repeat them."""
    fresh = {draft.server.site.file for draft in drafts if not draft.server.is_enabled}
    if not fresh:
        return
    watchers = [watcher for watcher in project.around.watchers if watcher.servers & fresh]
    # One finding for all test files that ask a migrated server: what to do is the same for each.
    if watchers:
        lines = plural(sum(watcher.lines for watcher in watchers), "line")
        named = some([str(watcher.site) for watcher in watchers])
        yield finding("PD534", f"tests ask a server or replace its SDK, in {lines}: {named}", site=watchers[0].site)


def _description_changes(project: Project, draft: Draft) -> Iterator[FileChange]:
    for tool in draft.tools:
        if tool.projection is None:
            continue
        present = project.files.get(tool.path)
        # The project's formatter may lay out JSON as it likes: only different content is a change.
        same = present is not None and read_json(present) == tool.projection.content
        after = present if same else descriptions.dump(tool.projection.content)
        yield FileChange(tool.path, present, after, FileKind.DESCRIPTION, f"definition of {tool.tool.name}")


def _written(remembered: Lock, drafts: Sequence[Draft]) -> Mapping[str, Written]:
    fresh = {tool.path: tool.projection.written for draft in drafts for tool in draft.tools if tool.projection}
    gone = {tool.path for draft in drafts for tool in draft.tools if tool.has_line}
    return {**{path: entry for path, entry in remembered.written.items() if path not in gone}, **fresh}


def _generated(remembered: Lock, drafts: Sequence[Draft]) -> Mapping[str, Mapping[str, str]]:
    fresh = {
        draft.home.server_file: {str(one.tool.name): digest(one.generated) for one in draft.tools if one.generated}
        for draft in drafts
    }
    return {path: tools for path, tools in {**remembered.summaries, **fresh}.items() if tools}


def _asked(project: Project, known: Lock, drafts: Iterable[Draft], changes: Iterable[FileChange]) -> dict[str, Asked]:
    """What the running servers said; what this plan changes in their sources does not outdate it."""
    after = {change.path: change.after for change in changes if change.changed and change.after is not None}
    folders = {draft.home.folder for draft in drafts}
    others = {folder: answer for folder, answer in known.asked.items() if folder not in folders}
    return {**others, **answers_after(project, sorted(folders), after)}


def _file_findings(drafts: Sequence[Draft]) -> Iterator[Finding]:
    """Findings about the content of the description files as the plan would write them, and of tools without one."""
    schema = description_schema()
    for draft in drafts:
        names = draft.server.all_names
        made = {str(tool.tool.name): descriptions.digest(tool.generated) for tool in draft.tools if tool.generated}
        yield from lines.check(Lines(draft.home.server_file, draft.lines, made), sorted(draft.lines))
        for tool in draft.tools:
            if tool.projection is not None:
                yield from descriptions.check(DescriptionFile(tool.path, tool.projection.content), schema, names)
            else:
                yield from descriptions.check_definition(tool.tool)
