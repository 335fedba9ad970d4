"""``pdmigrate apply``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.audit import leaving
from pdmigrate.audit.leaving import Judged
from pdmigrate.audit.tokens import counter
from pdmigrate.cli import job as jobs
from pdmigrate.cli import options, terminal
from pdmigrate.cli.agreeing import record_agreement
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.job import Job, nothing_found, say_findings
from pdmigrate.cli.live import LiveOptions, suggestion
from pdmigrate.cli.writing import carry_out, has_failed, repeated, say_changes, show_patch
from pdmigrate.counting import plural
from pdmigrate.disk.vcs.git import prefix
from pdmigrate.errors import UsageError
from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.model import Fate, Inventory, Plan
from pdmigrate.project.model import Project
from pdmigrate.record.lock import read, with_choices
from pdmigrate.report.audit import verdicts_json, verdicts_text
from pdmigrate.report.formats import FORMATS, rendered
from pdmigrate.report.plans import accounting_text, plan_json, without_file
from pdmigrate.report.text import Colours, in_plan, tally
from pdmigrate.settings import merge, nearest

Write = Annotated[bool, typer.Option("--write", help="Carry the migration out instead of showing it.")]
Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="TOOL", help="Only these tools; * stands for any text. Repeatable."),
]
Left = Annotated[list[str] | None, typer.Option("--exclude", metavar="TOOL", help="Not these tools. Repeatable.")]
Every = Annotated[bool, typer.Option("--all", help="Also migrate servers and tools for which it does not pay.")]
WithTests = Annotated[bool, typer.Option("--with-tests", help="Also write tests of each server for this repository.")]
_OF_ALL = "Write a description file for every tool (default: for those whose definition moves)."
Copies = Annotated[bool | None, typer.Option("--copies/--no-copies", help=_OF_ALL)]
_UNLISTED = "Leave output schemas out of the listing (default: they stay)."
DropOutputSchema = Annotated[bool | None, typer.Option("--drop-output-schema/--no-drop-output-schema", help=_UNLISTED)]


def apply(
    path: options.Target = Path(),
    write: Write = False,
    check: options.Check = False,
    select: Select = None,
    exclude: Left = None,
    every: Every = False,
    with_tests: WithTests = False,
    move: Annotated[str | None, options.setting("move")] = None,
    stub_schema: options.StubSchema = None,
    copies: Copies = None,
    bridge: options.Bridge = None,
    drop_output_schema: DropOutputSchema = None,
    stdio: Annotated[str | None, options.setting("stdio")] = None,
    http: Annotated[str | None, options.setting("http")] = None,
    output: Annotated[str, options.format_of("text", "json", *FORMATS)] = "text",
    live: options.Live = None,
    no_live: options.NoLive = False,
    url: options.Url = None,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 60.0,
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
    allow_dirty: options.AllowDirty = False,
    _quiet: options.Quiet = False,
) -> int:
    """Show the migration of a project as a patch, or carry it out with --write.

    The patch goes to standard output and can be given to git apply; what becomes of every tool goes to standard error.
    Of several servers, those that would cost more are left out and named; a single server is always migrated. Exits
    with 1 when no server or no tool is found, when a tool fails, and with --check when something would change.
    """
    tools = {"select": select, "exclude": exclude, "move": move, "copies": copies}
    listing = {"stub_schema": stub_schema, "bridge": bridge, "drop_output_schema": drop_output_schema}
    reading = {"sdk": options.versions(sdk), "exclude_paths": exclude_paths}
    job = jobs.job(path, **tools, **listing, **reading, stdio=stdio, http=http)
    running = LiveOptions(live, url, env, header, timeout, no_live)
    writing = write and not check

    def run() -> tuple[Job, Project, Plan, tuple[Judged, ...]]:
        project = job.project(writing=writing)
        project = running.settled(project, "apply", asking=output == "text" and not check)
        _refuse_unmatched(project.inventory, {"--select": select or (), "--exclude": exclude or ()})
        chosen, project, found = _judged(job, project, every=every, named=running.wanted or bool(select))
        with terminal.working("planning"):
            plan = plan_migration(project, chosen.settings, tests=with_tests, asked=running.command or "")
        if writing and not plan.empty:
            carry_out(job, plan, project.read, allow_dirty=allow_dirty)
        return chosen, project, plan, found

    chosen, project, plan, found = repeated(run)
    return _report(chosen, project, plan, found, output, check=check, written=writing)


def _judged(job: Job, project: Project, *, every: bool, named: bool) -> tuple[Job, Project, tuple[Judged, ...]]:
    """The job and the project without the servers and tools that lose by a migration, and the verdict on each server.

    Nothing is left out if the user has ``named`` what to migrate, or wants ``every`` server and tool; ``every`` also
    takes the tools that an earlier run left out.
    """
    settings = job.settings
    if every:
        settings = replace(settings, given=settings.given | {"exclude"})
    remembered = with_choices(settings, read(project.files))
    with terminal.working("counting"):
        found = leaving.judged(project, remembered, counter())
    if every or named or remembered.select:
        return replace(job, settings=settings), project, found
    project, found = leaving.without_losing(project, found)
    left = (escape(tool.name) for one in found for tool in one.excluded_tools)
    settings = merge(settings, exclude=(*remembered.exclude, *left))
    return replace(job, settings=settings), project, found


def _refuse_unmatched(inventory: Inventory, patterns: Mapping[str, Sequence[str]]) -> None:
    """Refuse a pattern that matches nothing: it is misspelled, and would migrate or leave out the wrong tools."""
    names = {tool.name for server in inventory.servers for tool in server.tools if tool.name}
    if not inventory.servers:
        return
    for option, pattern in ((option, pattern) for option, given in patterns.items() for pattern in given):
        if not any(fnmatchcase(name, pattern) for name in names):
            near = nearest(pattern, names)
            hint = f"did you mean {near!r}?" if near else f"the tools are {', '.join(sorted(names)[:20])}"
            raise UsageError(f"{option} {pattern!r} matches no tool", hint=hint)


def _report(
    job: Job, project: Project, plan: Plan, found: tuple[Judged, ...], output: str, *, check: bool, written: bool
) -> int:
    """Record what was written, print that or what is planned, with the verdicts, and return the exit status."""
    if written and not plan.empty:
        with terminal.working("comparing what was written"):
            repeated(lambda: record_agreement(job.root))
    shown = in_plan(plan, job.settings.ignore)
    if output == "json":
        told = plan_json(shown, counter(), written=written and not plan.empty)
        terminal.result_json({**told, "verdicts": verdicts_json(found)})
    elif output != "text":
        terminal.document(rendered(output, shown.findings, prefix(job.root)))
    else:
        job.announce()
        if check or written:
            say_changes(plan)
        else:
            show_patch(job, plan)
        _account(project, shown)
        if found:
            terminal.talk(verdicts_text(found))
        # Nothing is suggested beside a verdict against all that could still be written.
        if written or plan.empty or {one.verdict.word for one in found if not one.excluded} != {"not-worth-it"}:
            _conclude(job, project, plan, found, written=written)
    # Something would change although not a single tool of any server is known.
    is_blind = bool(project.inventory.servers) and not plan.outcomes and not plan.empty
    nothing = not (project.inventory.servers or found) or (is_blind and not written)
    return TO_DO if nothing or has_failed(plan) or (check and not plan.empty) else DONE


def _account(project: Project, plan: Plan) -> None:
    say_findings(plan.findings)
    if project.inventory.servers:
        terminal.talk(accounting_text(plan, counter(), Colours(terminal.colours(sys.stderr))))
    for told in filter(None, (without_file(plan), tally(plan.findings))):
        terminal.talk(told)


def _next(plan: Plan) -> str:
    """What to do about a plan that is not carried out yet."""
    if has_failed(plan):
        return "settle the errors above; the same command with --write carries out the rest"
    if plan.outcomes:
        return "the same command with --write carries it out"
    return "if the reason above is a fault in the code, correct it; if not, ask the running server with --live CMD"


def _conclude(job: Job, project: Project, plan: Plan, found: tuple[Judged, ...], *, written: bool) -> None:
    tools = plural(len(plan.outcomes), "tool")
    if not project.inventory.servers and found:
        terminal.talk("nothing to do: a migration would not pay for any of the servers; --all migrates them anyway")
    elif not project.inventory.servers:
        nothing_found(job, project)
    elif written and not plan.empty:
        terminal.talk(f"wrote {plural(len(plan.effective), 'file')}; `pdmigrate revert` takes the migration back")
        terminal.talk("next: run your formatter and your tests, then `pdmigrate verify --live`")
        terminal.talk(
            "to keep code and files in agreement: `pdmigrate check` in CI, `pdmigrate-check` in a git hook "
            "(docs/sync.md#hooks)"
        )
    elif not plan.empty:
        if told := suggestion(project, "apply"):
            terminal.talk(told)
        terminal.talk(f"next: {_next(plan)}")
    elif has_failed(plan):
        terminal.talk(f"{tools} found, and nothing is written: settle the errors above, then run the command again")
    elif any(outcome.fate in (Fate.MOVED, Fate.STUBBED) for outcome in plan.outcomes):
        terminal.talk(f"nothing to do: {tools} found, and the project is migrated already")
    elif not plan.outcomes and any(server.incomplete for server in project.inventory.servers):
        terminal.talk("nothing to do: the tools of the server that was found are known only when it runs")
    elif not plan.outcomes:
        terminal.talk("nothing to do: the server that was found has no tools")
    else:
        terminal.talk(f"nothing to do: {tools} found, and none is migrated for the reasons given above")
