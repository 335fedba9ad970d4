"""``pdmigrate revert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pdmigrate import disk
from pdmigrate.cli import job as jobs
from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.job import Job, say_findings
from pdmigrate.cli.writing import repeated, say_changes, show_patch
from pdmigrate.counting import plural
from pdmigrate.describe import descriptions
from pdmigrate.describe.lines import lines_of, unreadable
from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.migrate.write.carrying import carry_out
from pdmigrate.migrate.write.revert import Judgement, plan_revert
from pdmigrate.model import Plan
from pdmigrate.names import LOCK_PATH, SERVER_FILE
from pdmigrate.project.loading import one_look
from pdmigrate.record import lock
from pdmigrate.report.plans import changes_json
from pdmigrate.report.text import tally


def revert(
    path: options.Target = Path(),
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the patch and write nothing.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Remove generated modules that were edited; pass over files that are gone.")
    ] = False,
    output: Annotated[str, options.format_of("text", "json")] = "text",
    _quiet: options.Quiet = False,
) -> int:
    """Take a migration back, byte for byte.

    Edits that were made since are kept where they can be told from the migration; where they cannot, nothing is changed
    and the places are named. Description files in which a person has written are kept. Exits with 1 when
    the migration was not taken back, or when there is no migration.
    """
    job = jobs.job(path)

    def run() -> Plan:
        job.look(writing=not dry_run)
        with one_look() as seen, terminal.working("looking for what was changed since"):
            holds_words, is_generated = _judgements(job)
            plan = plan_revert(job.root, holds_words=holds_words, is_generated=is_generated, force=force)
        if not dry_run:
            carry_out(job.root, plan, seen)
        return plan

    plan = repeated(run)
    if output == "json":
        terminal.result_json(changes_json(plan, written=not dry_run and not plan.empty))
    else:
        _say(job, plan, dry_run=dry_run)
    return TO_DO if plan.empty else DONE


def _say(job: Job, plan: Plan, *, dry_run: bool) -> None:
    job.announce()
    if dry_run:
        show_patch(job, plan)
    else:
        say_changes(plan)
    say_findings(plan.findings)
    files = plural(len(plan.effective), "file")
    if plan.empty and plan.findings:
        terminal.talk(f"{tally(plan.findings)}; nothing was changed")
    for note in plan.notes:
        terminal.talk(note)
    if not plan.empty:
        terminal.talk(f"next: the same command without --dry-run reverts {files}" if dry_run else f"reverted {files}")


def _judgements(job: Job) -> tuple[Judgement, Judgement]:
    """Whether a person has written in a description file, and whether a generated module or test is unedited."""
    raw = disk.content(job.root, LOCK_PATH)
    known = lock.read({LOCK_PATH: raw} if raw is not None else {})

    def holds_words(path: str, content: bytes) -> bool:
        if path.endswith(f"/{SERVER_FILE}"):
            own = lines_of(path, {path: content}, known.summaries)
            return unreadable(path, content) is not None or any(map(own.by_person, own.present))
        remembered = known.written.get(path)
        if remembered is None:
            return descriptions.holds_words(content)
        return descriptions.holds_words(content, remembered.generated, remembered.moved, remembered.lifted)

    def is_generated(path: str, content: bytes) -> bool:
        digest = lock.source_digest(content)
        if path in known.tests:
            return known.tests[path] == digest
        return known.modules.get(path) == digest or path in _unchanged_by_another_apply(job)

    return holds_words, is_generated


def _unchanged_by_another_apply(job: Job) -> set[str]:
    """The files that another ``apply`` would leave as they are: it compares generated code by syntax, not by layout."""
    plan = plan_migration(job.project(), job.settings)
    return {change.path for change in plan.changes if not change.changed}
