"""``check`` and ``sync`` for two entry points: the command line, and hooks, which do without typer to start fast."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.live import LiveOptions, ask_wrapped, pairs
from pdmigrate.cli.writing import repeated
from pdmigrate.counting import plural
from pdmigrate.disk.vcs.git import dirty, prefix
from pdmigrate.errors import PdmigrateError, UsageError
from pdmigrate.findings import finding
from pdmigrate.migrate.check.comparing import Comparison, compare, compared, is_failure
from pdmigrate.migrate.check.recording import remember
from pdmigrate.migrate.write.carrying import carry_out, check_fresh, look, recover
from pdmigrate.model import FileChange, Finding, Severity, Site
from pdmigrate.names import LOCK_PATH, STATE, WRAPPED
from pdmigrate.project.loading import load_project
from pdmigrate.project.model import Project
from pdmigrate.record import quick
from pdmigrate.record.quick import agreement_message
from pdmigrate.report import plans
from pdmigrate.report.formats import rendered
from pdmigrate.report.plans import changes_text
from pdmigrate.report.text import Colours, findings_text, in_plan, tally
from pdmigrate.settings import Settings, load, merge
from pdmigrate.wrap.files import examined, files_of, planned, record_of

_SYNCED = frozenset({"PD901", "PD902", "PD903", "PD904", "PD905", "PD906", "PD907", "PD909", "PD910", "PD911"})
"""The disagreements that ``sync`` settles."""
_WRAPPER_CODES = {"module": "PD907", "server": "PD911", "state": "PD911"}


@dataclass(frozen=True, slots=True)
class Request:
    """One ``check`` or ``sync`` of ``paths``; ``fix`` makes them agree."""

    paths: tuple[str, ...] = ()
    output: str = "text"
    sdk: Mapping[str, str] | None = None
    exclude_paths: tuple[str, ...] = ()
    live: LiveOptions | None = None
    """How to reach the running server, which is asked for what source does not settle."""
    fix: bool = False
    prune: bool = False
    allow_dirty: bool = False
    hook: bool = False

    @property
    def usual(self) -> bool:
        """Whether the record of an earlier comparison can answer this request."""
        return not (self.sdk or self.exclude_paths or self.prune or self.live)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """What was found in one project, and what was done to it."""

    root: str
    tools: int
    findings: tuple[Finding, ...] = ()
    planned: tuple[FileChange, ...] = ()
    """The changes that ``sync`` would still make."""
    written: tuple[FileChange, ...] = ()
    agrees: bool = True
    partly: int = 0
    """How many of the tools have a field that source does not settle."""


def run(request: Request) -> int:
    """Compare every project of the request, and with ``fix`` bring it into agreement; return the exit status.

    Raises UsageError if nothing at the paths has been migrated, or a path is not there.
    """
    wrappers, others = quick.wrappers(request.paths)
    answers = [_wrapper_answer(folder, request) for folder in wrappers]
    if others or not wrappers:
        wanted = quick.grouped(others)
        if wanted is None or not (wanted or request.hook):
            raise _unknown(request)
        answers += [_answer(root, tuple(only), request) for root, only in wanted.items()]
    return tell(request, answers)


def record_agreement(root: Path) -> None:
    """Compare what was just written as the first ``check`` would, so that ``check`` finds the answer recorded."""
    found = compare(root, load(root))
    if found.agrees and not found.project.orphans:
        remember(found)


def _unknown(request: Request) -> UsageError:
    where = ", ".join(request.paths) or str(Path.cwd())
    return UsageError(
        f"nothing to compare: no {LOCK_PATH} at or above {where}",
        hint="`pdmigrate apply` migrates a project; if this one was migrated, restore that folder from version control",
    )


def _answer(root: str, only: tuple[str, ...], request: Request) -> ProjectResult:
    ended = recover if request.fix else look  # an interrupted run is finished or undone, or only reported
    if said := ended(Path(root)):
        terminal.talk(said)
    if not {*disk.names(root, STATE)} - {"journal"}:
        # The first migration was interrupted, and may just have been undone: there is nothing to compare.
        raise _unknown(replace(request, paths=(root,)))
    if not disk.is_file(root, LOCK_PATH):
        raise PdmigrateError(f"{LOCK_PATH} is missing in {root}", hint="restore it from version control", code="PD606")
    agreed = quick.agreed(root) if request.usual else None
    if agreed is not None:
        tools, partly = agreed
        return ProjectResult(root, tools, partly=partly)
    return _compared(Path(root), only, request)


def _compared(root: Path, only: tuple[str, ...], request: Request) -> ProjectResult:
    settings = merge(load(root), sdk=request.sdk, exclude_paths=list(request.exclude_paths))
    if not request.fix:
        # A version that was given to a command that only compares is not recorded.
        settings = replace(settings, sdk_from_command_line={})
    done = repeated(lambda: _carried_out(root, settings, only, request)) if request.fix else None
    written = done.plan.effective if done else ()
    known = [done.project] if done and not written else []

    def read_again() -> Comparison:
        if known:
            project = known.pop()
        else:
            with terminal.working(f"reading {root}"):
                project = load_project(root, ".", settings)
                project = _witnessed(project, request)
        if count := project.orphans:
            raise UsageError(
                f"no server in the source of {project.root} belongs to the {plural(count, 'description file')} there",
                hint="restore the file of the server; if it is gone for good, delete these files and .pdmigrate",
            )
        found = compared(project, settings)
        if not found.agrees:
            # If another run is writing to the tree, the findings describe a state that never existed.
            check_fresh(project.read)
        return found

    whole = repeated(read_again)
    project = whole.project
    if whole.agrees and request.usual:
        remember(whole)
    narrow = compared(project, settings, only) if only and not whole.agrees else whole
    # A note about what has just been written would be true of the tree before, and never be read.
    told = [found for found in done.plan.findings if found.severity is Severity.NOTE] if done else []
    plan = replace(narrow.plan, findings=tuple(dict.fromkeys((*narrow.plan.findings, *told))))
    shown = in_plan(plan, settings.ignore)
    # The plan leaves out a module that somebody has edited: only a finding, if it is not ignored, tells of it.
    agrees = plan.empty and not any(map(is_failure, shown.findings))
    return ProjectResult(
        str(project.root), narrow.tools, shown.findings, plan.effective, written, agrees, narrow.partly
    )


def _carried_out(root: Path, settings: Settings, only: tuple[str, ...], request: Request) -> Comparison:
    """Carry out the plan; return it, with the project as it was read before."""
    project = _witnessed(load_project(root, ".", settings), request)
    found = compared(project, settings, only, prune=request.prune)
    lost = dirty(found.project.root, found.gone) if request.prune and not request.allow_dirty else ()
    if lost:
        raise UsageError(
            f"these files would be removed and are in no commit: {', '.join(lost)}",
            hint="commit them first, or use --allow-dirty",
        )
    carry_out(root, found.plan, found.project.read)
    return found


def _witnessed(project: Project, request: Request) -> Project:
    if request.live is None:
        return project
    return request.live.settled(project, "sync" if request.fix else "check", asking=False)


def _wrapper_answer(folder: str, request: Request) -> ProjectResult:
    """Compare a wrapper's folder with its record, and with ``fix`` bring it in line."""
    before = record_of(folder)
    assert before is not None
    wrapped = before
    if request.live is not None:
        recorded = before.url or shlex.join(before.command)
        given = request.live.command or request.live.url
        if given and given != recorded:
            raise UsageError(
                f"the server of {folder} is `{recorded}`, and another one was given: `{given}`",
                hint=f"use --live alone to ask that of {WRAPPED}, or `pdmigrate wrap` to wrap another",
            )
        terminal.talk(f"asking `{recorded}`: {WRAPPED} in {folder} names it")
        witness = ask_wrapped(before, pairs("--env", "=", request.live.env), request.live.timeout)
        wrapped = before.following(witness.name, witness.tools)
    plan = planned(wrapped, files_of(folder), before)
    written = plan.effective if request.fix else ()
    if written:
        carry_out(Path(folder), plan)
    # A look at the texts that a person edits: summaries that hold details, and names that are gone.
    edited = examined(wrapped, files_of(folder))
    pending = () if written else plan.effective
    drift = (
        finding(_WRAPPER_CODES[c.kind.value], f"{c.path} is not what {WRAPPED} says", site=Site(c.path, 1))
        for c in pending
    )
    findings = [*plan.findings, *edited, *drift]
    agrees = not pending and not any(found.severity is Severity.ERROR for found in findings)
    return ProjectResult(folder, len(wrapped.tools), tuple(findings), pending, written, agrees=agrees)


def tell(request: Request, answers: list[ProjectResult]) -> int:
    """Print what was found and done, in the format of the request; return the exit status."""
    findings = [found for answer in answers for found in _findings(answer)]
    agrees = all(answer.agrees for answer in answers)
    written = [change for answer in answers for change in _placed(answer, answer.written)]
    if request.output == "json":
        planned = [change for answer in answers for change in _placed(answer, answer.planned)]
        tools = sum(answer.tools for answer in answers)
        terminal.result_json(plans.to_json(agrees, tools, findings, planned, written))
    elif request.output != "text":
        # Readers of machine formats take paths to start at the top of the repository.
        terminal.document(rendered(request.output, findings, prefix(Path.cwd()) if answers else ""))
    else:
        _say(request, answers, findings, written)
    must_stage = request.hook and bool(written)
    return DONE if agrees and not must_stage else TO_DO


def _findings(answer: ProjectResult) -> Iterator[Finding]:
    for found in answer.findings:
        site = found.site
        yield replace(found, site=Site(_shown(answer, site.file), site.line)) if site else found


def _placed(answer: ProjectResult, changes: tuple[FileChange, ...]) -> Iterator[FileChange]:
    return (replace(change, path=_shown(answer, change.path)) for change in changes)


def _shown(answer: ProjectResult, path: str) -> str:
    """A path of a project, relative to the current folder."""
    return Path(os.path.relpath(Path(answer.root) / path, disk.real("."))).as_posix()


def _say(request: Request, answers: list[ProjectResult], findings: list[Finding], written: list[FileChange]) -> None:
    style = Colours(terminal.colours(sys.stdout))
    if written:
        terminal.result(changes_text(written, style) + "\n")
    if findings:
        terminal.result(findings_text(findings, style) + "\n")
    planned = [change.path for answer in answers for change in _placed(answer, answer.planned)]
    gone = [found.site.file for found in findings if found.code == "PD905" and found.site]
    if counted := tally(findings):
        terminal.talk(counted)
    if all(answer.agrees for answer in answers):
        if not request.hook or written:
            terminal.talk(
                agreement_message(sum(answer.tools for answer in answers), sum(answer.partly for answer in answers))
            )
    elif (planned or gone) and not written:
        rest = {found.code for found in findings if is_failure(found)} - _SYNCED
        part = "to settle what sync can; the hints say what to do about the rest:"
        terminal.talk(part if rest else "to bring code and files back into agreement:")
        terminal.talk("    pdmigrate sync --prune" if gone else "    pdmigrate sync")
    touched = sorted({*(change.path for change in written), *planned, *gone})
    if touched and request.hook:
        terminal.talk("then stage what belongs in the commit:" if planned else "to stage what belongs in the commit:")
        terminal.talk(f"    git add {' '.join(map(shlex.quote, touched))}")
