"""Carry out a plan from the command line; obstacles are reported before anything is written."""

from __future__ import annotations

import dataclasses
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.cli.job import Job
from pdmigrate.counting import plural
from pdmigrate.disk.vcs.git import dirty, prefix
from pdmigrate.errors import StaleError, UsageError
from pdmigrate.migrate.write.carrying import carry_out as write_plan
from pdmigrate.migrate.write.carrying import check_fresh
from pdmigrate.migrate.write.diff import for_terminal, patch
from pdmigrate.model import Fate, FileKind, Plan, Severity
from pdmigrate.report.plans import changes_text
from pdmigrate.report.text import Colours

T = TypeVar("T")
_ATTEMPTS, _PAUSE = 20, 0.2


def repeated(work: Callable[[], T]) -> T:
    """The result of ``work``, which reads files and acts on them; it is repeated while others change those files.

    Raises StaleError if the files do not stop changing (PD601).
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return work()
        except StaleError:
            time.sleep(_PAUSE)
    return work()


def carry_out(job: Job, plan: Plan, read: disk.Seen, *, allow_dirty: bool) -> None:
    """Write what the plan says, all of it or nothing; ``read`` has the digests of the files the plan was made from."""
    if not allow_dirty:
        # Only code is at risk: what a person wrote in a description file survives every plan, and all other files are
        # generated.  The exception is a generated module that somebody has edited.
        edited = {found.site.file for found in plan.findings if found.code == "PD536" and found.site}
        paths = sorted(c.path for c in plan.effective if c.kind is FileKind.CODE or c.path in edited)
        if changed := dirty(job.root, paths):
            # Another run may just have written the uncommitted changes: then this plan is stale.
            check_fresh(read)
            raise UsageError(
                f"these files have uncommitted changes: {', '.join(changed)}",
                hint="commit or stash them, or use --allow-dirty",
            )
    write_plan(job.root, plan, read)


def has_failed(plan: Plan) -> bool:
    failed = any(outcome.fate is Fate.FAILED for outcome in plan.outcomes)
    # Findings about source do not count: what could be read is not affected by them.
    stopped = (found for found in plan.findings if found.code.startswith(("PD4", "PD5")))
    return failed or any(found.severity is Severity.ERROR for found in stopped)


def show_patch(job: Job, plan: Plan) -> None:
    """Print the patch as the result: in a readable form on a terminal, and elsewhere as ``git apply`` takes it.

    The paths start at the top of the repository, because ``git apply`` resolves them from there.  It silently skips
    files outside the current folder: where that would happen, the command that applies the whole patch is printed.
    """
    if not sys.stdout.isatty():
        above = prefix(job.root)
        changes = (dataclasses.replace(change, path=above + change.path) for change in plan.effective)
        terminal.result_bytes(patch(changes))
        # Git applies all of the patch in the folders from the root to the top.
        if not plan.empty and Path(disk.real(".")) not in (job.root, *job.root.parents)[: above.count("/") + 1]:
            terminal.talk(f"the patch applies with `git -C {shlex.quote(str(job.root))} apply`")
        return
    # Nobody reads generated files on a terminal: the list below the patch names them.
    shown = [change for change in plan.effective if change.kind is FileKind.CODE]
    terminal.result_bytes(for_terminal(shown, colour=terminal.colours(sys.stdout)).encode())
    if made := len(plan.effective) - len(shown):
        terminal.talk(f"and {plural(made, 'generated file')}: `| less` or `> FILE` has the whole patch")
    say_changes(plan)


def say_changes(plan: Plan) -> None:
    """Print the list of changed files, which is the result where no patch is printed."""
    if not plan.empty:
        terminal.result(changes_text(plan.effective, Colours(terminal.colours(sys.stdout))) + "\n")
