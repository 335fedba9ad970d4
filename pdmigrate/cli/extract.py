"""``pdmigrate extract``."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.cli import job as jobs
from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.job import Job, nothing_found, say_findings
from pdmigrate.cli.live import LiveOptions, suggestion
from pdmigrate.cli.writing import carry_out, has_failed, repeated
from pdmigrate.counting import plural
from pdmigrate.disk.vcs.git import prefix
from pdmigrate.migrate.plan.build import plan_extraction
from pdmigrate.model import Inventory, Plan
from pdmigrate.project.model import Project
from pdmigrate.project.reconcile import reconciled
from pdmigrate.report.formats import FORMATS, rendered
from pdmigrate.report.inventory import inventory_json, inventory_text, inventory_total
from pdmigrate.report.plans import changes_text, without_file
from pdmigrate.report.text import Colours, in_inventory, in_plan, tally


def extract(
    path: options.Target = Path(),
    write: Annotated[bool, typer.Option("--write/--no-write", help="Write the files, or only print.")] = True,
    check: options.Check = False,
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
    """Find the servers and tools of a project and write a description file for each tool.

    No code changes. What the source does not settle is reported and left out, unless --live or --url asks the running
    server. Exits with 1 when no server or no tool is found, when a tool's file cannot be brought up to date, and with
    --check when a file would change.
    """
    running = LiveOptions(live, url, env, header, timeout, no_live)
    job = jobs.job(path, sdk=options.versions(sdk), exclude_paths=exclude_paths)
    writing = write and not check

    def run() -> tuple[Project, Inventory, Plan | None]:
        project = running.settled(job.project(writing=writing), "extract", asking=output == "text")
        inventory = in_inventory(reconciled(project), job.settings.ignore)
        if not ((write or check) and inventory.servers):
            return project, inventory, None
        plan = plan_extraction(project, job.settings)
        inventory = _with_findings(job, inventory, plan)
        if writing:
            carry_out(job, plan, project.read, allow_dirty=allow_dirty)
        return project, inventory, plan

    project, inventory, plan = repeated(run)
    if output == "json":
        terminal.result_json(inventory_json(inventory))
    elif output != "text":
        terminal.document(rendered(output, inventory.all_findings(), prefix(job.root)))
    else:
        _print_text(job, project, inventory)
    unknown = not inventory.servers or _is_blind(inventory)
    if plan is None:
        return TO_DO if unknown else DONE
    return max(_after(plan, check=check, quiet=output != "text"), TO_DO if unknown and not check else DONE)


def _is_blind(inventory: Inventory) -> bool:
    """Whether there are servers of which source shows no tool at all, though they may have some."""
    known = any(server.tools for server in inventory.servers)
    return not known and any(server.incomplete for server in inventory.servers)


def _with_findings(job: Job, inventory: Inventory, plan: Plan) -> Inventory:
    """The inventory with the plan's further findings, such as conflicts."""
    known = set(inventory.all_findings())
    added = (found for found in in_plan(plan, job.settings.ignore).findings if found not in known)
    return dataclasses.replace(inventory, findings=(*inventory.findings, *added))


def _print_text(job: Job, project: Project, inventory: Inventory) -> None:
    findings = tuple(inventory.all_findings())
    job.announce()
    if inventory.servers:
        terminal.result(inventory_text(inventory, Colours(terminal.colours(sys.stdout))) + "\n")
    say_findings(findings)
    if inventory.servers:
        terminal.talk("; ".join(filter(None, (inventory_total(inventory), tally(findings)))))
        if told := suggestion(project, "extract"):
            terminal.talk(told)
        elif _is_blind(inventory):
            terminal.talk("hint: source shows none of the tools: use --live CMD to ask the running server")
    else:
        nothing_found(job, project)


def _after(plan: Plan, *, check: bool, quiet: bool) -> int:
    if not quiet:
        verb = "would change" if check else "wrote"
        files = plural(len(plan.effective), "file")
        terminal.talk("all description files are up to date" if plan.empty else f"{verb} {files}:")
        if not plan.empty:
            terminal.talk(changes_text(plan.effective))
        if told := without_file(plan):
            terminal.talk(told)
    return TO_DO if has_failed(plan) or (check and not plan.empty) else DONE
