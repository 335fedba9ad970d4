"""``pdmigrate audit``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate import disk
from pdmigrate.audit import Catalogue, audited, from_listing, from_server
from pdmigrate.audit.budget import budget, compared, earlier
from pdmigrate.audit.tokens import counter
from pdmigrate.audit.verdict import decide
from pdmigrate.cli import job as jobs
from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.job import Job, nothing_found, say_findings
from pdmigrate.cli.live import LiveOptions, pairs, suggestion, target_of
from pdmigrate.disk.vcs.git import prefix
from pdmigrate.errors import UsageError
from pdmigrate.live.asking import ask
from pdmigrate.live.wire import BadAnswerError, Target
from pdmigrate.project.reconcile import reconciled
from pdmigrate.record.lock import read, with_choices
from pdmigrate.report import audit as report
from pdmigrate.report.audit import Judged
from pdmigrate.report.formats import FORMATS, rendered
from pdmigrate.report.page import GENERATOR, audit_page
from pdmigrate.report.text import Colours
from pdmigrate.settings import Settings

Uses = Annotated[int, typer.Option("--uses", metavar="N", min=1, help="How many different tools a session uses.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", min=1, help="Exit with 1 if a server lists more tokens.")
]
Listing = Annotated[
    Path | None,
    typer.Option("--listing", metavar="FILE", help="Count a saved answer to tools/list; - is standard input."),
]
Against = Annotated[
    Path | None, typer.Option("--against", metavar="FILE", help="Compare with an earlier audit, saved as JSON.")
]


def audit(
    path: options.Target = Path(),
    command: options.Server = None,
    url: options.Address = None,
    listing: Listing = None,
    live: options.Live = None,
    no_live: options.NoLive = False,
    uses: Uses = 3,
    stub_schema: options.StubSchema = None,
    bridge: options.Bridge = None,
    max_tokens: MaxTokens = None,
    against: Against = None,
    output: Annotated[str, options.format_of("text", "json", *FORMATS)] = "text",
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write an HTML page.")] = None,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 60.0,
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
    _quiet: options.Quiet = False,
) -> int:
    """Say what a server's tools cost a model now, what they would after a migration, and whether it pays.

    It reads the source of a project; --live asks the running server for what the source leaves open. With --command or
    --url it asks a server in any language; with --listing it counts a saved answer. Nothing is written but the page
    that --html names. Exits with 1 when no server is found, or when a server lists more than --max-tokens.
    """
    if sum(source is not None for source in (command, url, listing, live)) > 1:
        raise UsageError("--command, --url, --listing and --live name different servers", hint="give one of them")
    _refuse_other(html)

    servers_before = None if against is None else earlier(_content(against))
    counted = {"stub_schema": stub_schema, "bridge": bridge, "budget": max_tokens}
    job = jobs.job(path, **counted, sdk=options.versions(sdk), exclude_paths=exclude_paths)
    settings = job.settings
    if listing is not None:
        text, name = (_content(listing), listing.stem) if str(listing) != "-" else (sys.stdin.read(), "the listing")
        catalogues = [from_listing(text, name)]
    elif command is not None or url is not None:
        variables, headers = pairs("--env", "=", env), pairs("--header", ":", header)
        catalogues = [_asked(target_of(command or str(url), variables, headers), timeout)]
    else:
        running = LiveOptions(live, None, env, header, timeout, no_live)
        catalogues, settings = _found(job, running, asking=output == "text")
    with terminal.working("counting"):
        audits = [audited(one, counter(), kind=settings.stub_schema, bridge=settings.bridge) for one in catalogues]
    most = settings.budget
    comparisons = [None] * len(audits) if servers_before is None else [*compared(audits, servers_before)]
    judged = [
        Judged(one, decide(one, uses), None if most is None else budget(one, most), comparison)
        for one, comparison in zip(audits, comparisons, strict=True)
    ]
    status = _tell(judged, output, job.root)
    if html is not None and judged:
        disk.put(*disk.split(str(html)), audit_page(judged, counter().name).encode())
        terminal.talk(f"wrote {html}")
    return status


def _found(job: Job, running: LiveOptions, *, asking: bool) -> tuple[list[Catalogue], Settings]:
    """The catalogues of a project's servers, and the settings with what an earlier ``apply`` chose."""
    project = running.settled(job.project(), "audit", asking=asking)
    inventory = reconciled(project)
    if not inventory.servers:
        say_findings(tuple(inventory.all_findings()))
        nothing_found(job, project)
        return [], job.settings
    say_findings(inventory.findings)
    if told := suggestion(project, "audit"):
        terminal.talk(told)
    return [*map(from_server, inventory.servers)], with_choices(job.settings, read(project.files))


def _asked(target: Target, timeout: float) -> Catalogue:
    with terminal.working(f"asking {target}"):
        witness = ask(target, timeout=timeout)
    if not all(isinstance(tool.get("name"), str) for tool in witness.tools):
        raise BadAnswerError("the server lists a tool without a name")
    return Catalogue(witness.name or str(target), witness.tools, instructions=witness.instructions)


def _content(file: Path) -> str:
    """The text of a file that an option names."""
    return disk.read(*disk.split(str(file))).decode("utf-8-sig", "replace")


def _tell(judged: list[Judged], output: str, root: Path) -> int:
    name = counter().name
    if output == "json":
        terminal.result_json(report.audit_json(judged, name))
    elif output in FORMATS:
        terminal.document(rendered(output, report.audit_findings(judged), prefix(root)))
    elif judged:
        style = Colours(terminal.colours(sys.stdout))
        terminal.result(f"{report.audit_text(judged, name, style)}\n")
    kept = all(one.budget is None or one.budget.kept for one in judged)
    return DONE if judged and kept else TO_DO


def _refuse_other(page: Path | None) -> None:
    """Refuse to overwrite a file that is not a page of an audit, or a folder."""
    if page is None:
        return
    place = disk.split(str(page))
    if disk.is_there(*place) and not (disk.is_file(*place) and GENERATOR.encode() in disk.head(*place, 1000)):
        raise UsageError(f"{page} exists and is not an audit page", hint="give --html the name of a new file")
