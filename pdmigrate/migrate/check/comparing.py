"""One comparison: read a project, plan what brings it back into agreement, and make findings of that plan.

The plan is that of ``apply`` for migrated servers, except that no definition leaves the code, and that of ``extract``
for those only described.  A generated module that was edited by hand is never overwritten; if its servers need features
that the module lacks, they are left as they are, because changing them by half would break them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pdmigrate.describe import descriptions, lines
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.describe.lines import lines_of
from pdmigrate.findings import CODES, InCheck, finding
from pdmigrate.migrate.check import drift, renaming
from pdmigrate.migrate.check.drift import View, module_drift
from pdmigrate.migrate.check.scope import Parts, parts
from pdmigrate.migrate.plan.build import is_edited, plan_extraction, plan_migration
from pdmigrate.migrate.plan.obstacles import immovable, left_as_it_is
from pdmigrate.migrate.plan.records import description_schema
from pdmigrate.model import Fate, FileChange, FileKind, Finding, Plan, Server, Severity, Site, Tool
from pdmigrate.names import LOCK_PATH, STATE
from pdmigrate.project.loading import load_project
from pdmigrate.project.model import Project, restricted
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.runtime.render import features
from pdmigrate.settings import Settings


def _planned(
    part: Parts, files: Mapping[str, bytes], remembered: Lock, settings: Settings
) -> tuple[tuple[Plan, Plan], tuple[Finding, ...]]:
    """The plans for both kinds of servers, the second of which knows the first; findings for modules edited by hand."""
    migration, edited = _migration(replace(part.migrated, files=files), remembered, settings)
    after = {**files, **{change.path: change.after for change in migration.changes}}
    left = {path: raw for path, raw in after.items() if raw is not None}
    return (migration, plan_extraction(replace(part.described, files=left), settings)), edited


def _migration(project: Project, remembered: Lock, settings: Settings) -> tuple[Plan, tuple[Finding, ...]]:
    if not project.inventory.servers and not remembered.modules:
        return Plan(()), ()
    plan = plan_migration(project, settings, moving=False)
    edited = [change for change in plan.changes if is_edited(change, remembered)]
    if not edited:
        return plan, ()
    # Servers of a module that lacks features which they need now are left as they are.
    entangled = {change.path for change in edited if features(change.before or b"") != features(change.after or b"")}
    if entangled:
        kept = restricted(project, lambda _, home: home.module not in entangled)
        plan = plan_migration(kept, settings, moving=False)
    return _keeping(plan, remembered, edited), tuple(module_drift(change, edited=True) for change in edited)


def _keeping(plan: Plan, remembered: Lock, edited: list[FileChange]) -> Plan:
    """The plan without the changes of ``edited`` modules; the lock keeps what it remembers of these modules."""
    kept = {change.path for change in edited}
    changes = [change for change in plan.changes if change.path not in kept]
    for position, change in enumerate(changes):
        if change.path == LOCK_PATH and change.after is not None:
            after = lock.read({LOCK_PATH: change.after})
            modules = {**after.modules, **{path: remembered.modules[path] for path in kept & set(remembered.modules)}}
            changes[position] = replace(change, after=lock.dumped(replace(after, modules=modules), change.before))
    return replace(plan, changes=tuple(changes))


_FOLLOWED = frozenset({"PD904", "PD905", "PD906"})
"""Disagreements after which the generated module is always out of date too, as it names the tools."""
_INSIDE = frozenset({"PD404", "PD405", "PD406", "PD407", "PD408", "PD409", "PD411", "PD414"})
"""Findings that planning makes about files as they will be; a comparison makes them about files as they are."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``plan`` is what ``sync`` would do; the plan's findings are those of the comparison."""

    project: Project
    plan: Plan
    tools: int
    partly: int = 0
    """The number of these tools for which source does not settle every field."""
    gone: tuple[str, ...] = ()
    """The description files of tools that are gone: removed only on request."""

    @property
    def agrees(self) -> bool:
        """Whether there is nothing to do and nothing that fails a check."""
        return self.plan.empty and not any(map(is_failure, self.plan.findings))


def is_failure(found: Finding) -> bool:
    """Whether a finding fails a check."""
    disagreement = found.code[2] in "2459" and found.severity is Severity.ERROR
    return disagreement or CODES[found.code].in_check is InCheck.FAILING


def compare(root: Path, settings: Settings) -> Comparison:
    """Compare the project at ``root`` with what it should be; raises PdmigrateError for what cannot be read (PD606)."""
    return compared(load_project(root, ".", settings), settings)


def compared(project: Project, settings: Settings, only: Collection[str] = (), *, prune: bool = False) -> Comparison:
    """Like ``compare``, for a project that has been read already.

    ``only`` limits it to servers that changes of these paths can affect (empty: no limit); ``prune`` removes the
    description files of tools that are gone.
    """
    remembered = lock.read(project.files)
    settings = lock.with_choices(settings, remembered)
    part = parts(project, remembered, only)
    renamed, gone = renaming.moves(part.both, settings)
    virtual, after = renaming.with_renamed(part.both, remembered, renamed)
    if prune:
        removed = [*(file.path for file in gone), *renaming.gone_with_server(project, after)]
        virtual, after = renaming.without(renaming.without_lines(virtual), after, removed)
    plans, edited = _planned(part, virtual.files, after, settings)
    changes = _on_disk(project, virtual, {change.path: change for plan in plans for change in plan.changes})
    outcomes = tuple(outcome for plan in plans for outcome in plan.outcomes)
    said = [*_lost(project, part.strayed, after), *_renamings(renamed)]
    said += [*(() if prune else _gone(gone, remembered)), *edited]
    failed = {one.tool for one in outcomes if one.fate is Fate.FAILED}
    said += _drift(View(virtual, after, settings), failed, changes, said)
    said += _findings_of_planning(plans, {file.path for file in (*gone, *(one.file for one in renamed))})
    result = Plan(tuple(changes.values()), outcomes, tuple(dict.fromkeys(said)))
    return Comparison(project, result, part.tools, part.partly, tuple(file.path for file in gone))


def _on_disk(project: Project, virtual: Project, changes: dict[str, FileChange]) -> dict[str, FileChange]:
    """The ``changes`` that were planned for the ``virtual`` project, by path, to the files as they are on disk."""
    for path in {**project.files, **virtual.files}:
        before, after = project.files.get(path), virtual.files.get(path)
        if path not in changes and before != after:
            kind = FileKind.STATE if path.startswith(f"{STATE}/") else FileKind.DESCRIPTION
            changes[path] = FileChange(path, before, after, kind, "its tool is gone or has another name now")
    present = project.files.get(LOCK_PATH)
    planned_lock = changes.get(LOCK_PATH)
    if planned_lock is not None and planned_lock.after is not None:
        after = lock.dumped(lock.read({LOCK_PATH: planned_lock.after}), present)
        changes[LOCK_PATH] = replace(planned_lock, after=after)
    return {path: replace(change, before=project.files.get(path)) for path, change in changes.items()}


def _drift(
    view: View, failed: Collection[str], changes: Mapping[str, FileChange], before: Sequence[Finding]
) -> list[Finding]:
    """The disagreements of tools, of their servers and of files generated from them, besides those in ``before``."""
    # Fields that follow from the new name, such as titles that SDKs derive from it, are part of the renaming.
    renamed = {found.tool for found in before if found.code == "PD906"}
    said = [found for found in drift.drift(view, changes) if found.tool not in renamed]
    if not _FOLLOWED & {found.code for found in (*said, *before)}:
        generated = (FileKind.MODULE, FileKind.SERVER)
        behind = (change for change in changes.values() if change.kind in generated and change.changed)
        said += (drift.module_drift(change, edited=False) for change in behind if not drift.is_only_lines(change))
    said += drift.stale_lines(view, changes)
    known = {(found.code, found.tool) for found in said}
    schema = description_schema()
    for server, tool, file in _pairs(view, changes):
        settled = tool.name not in failed and file.path in view.project.files
        unlike = drift.unlike_stub(view, tool, file) if settled else None
        if unlike is not None and (unlike.code, unlike.tool) not in known:
            said.append(unlike)
        # If a tool's plan was refused, nothing was planned that could leave its summary out of date.
        stale = drift.stale_summary(view, tool, file) if settled else None
        said += [stale] if stale is not None else []
        said += descriptions.check(file, schema, server.all_names)
    for server, home in zip(view.project.inventory.servers, view.project.homes, strict=True):
        short = lines_of(home.server_file, view.project.files, view.remembered.summaries)
        said += lines.check(short, sorted(server.all_names or short.present))
    return [*said, *drift.outdated_answers(view), *drift.unexplained_drift(view, changes, [*said, *before])]


def _pairs(view: View, changes: Mapping[str, FileChange]) -> Iterator[tuple[Server, Tool, DescriptionFile]]:
    """Every tool with its description file as planned, but with the present content as ``raw``, for line numbers."""
    for server, home in zip(view.project.inventory.servers, view.project.homes, strict=True):
        for path in {*view.project.described(home), *(p for p in changes if p.rpartition("/")[0] == home.folder)}:
            change = changes.get(path)
            raw = change.after if change is not None else view.project.files[path]
            file = descriptions.load(path, raw) if raw is not None else None
            tool = renaming.tool_named(server, file.name) if isinstance(file, DescriptionFile) else None
            if isinstance(file, DescriptionFile) and tool is not None:
                yield server, tool, replace(file, raw=(change.before if change else raw) or file.raw)


def _lost(project: Project, strayed: Project, remembered: Lock) -> Iterator[Finding]:
    """Findings about migrated servers that the lock does not know, and about modules in the lock that are gone."""
    for server, home in zip(strayed.inventory.servers, strayed.homes, strict=True):
        if blocked := immovable(project, server, home, remembered):
            yield left_as_it_is(server, blocked)
    for path in renaming.gone_with_server(project, remembered):
        if path in remembered.modules:
            message = f"{path} is gone, and no server was found that has it elsewhere"
            hint = "restore it; or, if its server is gone, too, forget both with `pdmigrate sync --prune`"
            yield finding("PD530", message, hint=hint, site=Site(LOCK_PATH, 1))


def _renamings(renamed: Iterable[renaming.Renamed]) -> Iterator[Finding]:
    for one in renamed:
        called = f'"{one.file.name}" is called "{one.tool.name}" now'
        message = f"{called}; {one.file.path} becomes {one.path}, and keeps what a person wrote"
        yield finding("PD906", message, site=one.tool.site, tool=one.tool.name)


def _gone(gone: Iterable[DescriptionFile], remembered: Lock) -> Iterator[Finding]:
    for file in gone:
        written = remembered.written.get(file.path)
        summary, lifted = (written.generated, written.lifted) if written else (None, {})
        holds_words = descriptions.holds_words(file.raw, summary, lifted=lifted)
        words = " and holds text that a person wrote" if holds_words else ""
        message = f'"{file.name}" is not among the tools any more; {file.path} is still there{words}'
        yield finding("PD905", message, site=file.site("name"), tool=file.name)


def _findings_of_planning(plans: Iterable[Plan], gone: Collection[str]) -> list[Finding]:
    return [
        said
        for plan in plans
        for said in plan.findings
        if CODES[said.code].in_check is not InCheck.QUIET
        and not (said.code in _INSIDE and said.site is not None and said.site.file.endswith(".json"))
        and not (said.code == "PD410" and said.site is not None and said.site.file in gone)
    ]
