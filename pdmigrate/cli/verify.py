"""``pdmigrate verify``."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate import disk
from pdmigrate.cli import job, options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.live import pairs, target_of, to_verify
from pdmigrate.errors import UsageError
from pdmigrate.live.verify import checklist
from pdmigrate.live.verify import verify as verify_server
from pdmigrate.live.verify.checklist import Local
from pdmigrate.live.verify.model import Report
from pdmigrate.live.verify.report import to_json, to_junit, to_text
from pdmigrate.live.wire import Target
from pdmigrate.live.wire.session import PROTOCOL_VERSION
from pdmigrate.migrate.check.comparing import compare
from pdmigrate.model import JsonObject
from pdmigrate.names import LOCK_PATH
from pdmigrate.record import lock, quick
from pdmigrate.settings import load
from pdmigrate.source.documents import json_or_none

Before = Annotated[
    str | None, typer.Option("--before", metavar="CMD|URL", help="The server before its migration, to compare with.")
]
_SPOKEN = "The protocol version to speak; from 2026-07-28 on, without a handshake."
Protocol = Annotated[str | None, typer.Option("--protocol", metavar="DATE", help=_SPOKEN)]
Tool = Annotated[
    str | None, typer.Option("--tool", metavar="NAME", help="The tool to call; by default the least harmful one.")
]
_REJECTED = "Arguments of that call; by default some that the tool rejects."
Arguments = Annotated[str | None, typer.Option("--arguments", metavar="JSON", help=_REJECTED)]


def verify(
    command: options.Server = None,
    url: options.Address = None,
    live: options.Live = None,
    before: Before = None,
    tool: Tool = None,
    arguments: Arguments = None,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 30.0,
    protocol: Protocol = None,
    strict: Annotated[bool, typer.Option("--strict", help='Criteria "by choice" or not tested fail, too.')] = False,
    checklist: Annotated[
        bool,
        typer.Option("--checklist", help="Instead of the checks, the implementation guide's production checklist."),
    ] = False,
    output: Annotated[str, options.format_of("text", "json", "junit")] = "text",
    _quiet: options.Quiet = False,
) -> int:
    """Test a running server against the specification, clause by clause.

    It works on any server in any language. Without --command and --url the command is taken from the project of this
    folder, and run only with --live. As few tools as possible are called, in ways that change nothing. Exits with 1
    when a binding clause does not hold. If the server is set to advise, the criteria about refusals are reported as
    "by choice". These, and criteria that could not be tested, count as failures only with --strict.
    """
    if checklist and output == "junit":
        raise UsageError("--checklist has no form for junit", hint="give --format text or json with --checklist")
    if protocol is not None and re.fullmatch(r"\d{4}-\d{2}-\d{2}", protocol) is None:
        raise UsageError(f"--protocol {protocol!r} is not a version", hint="versions are dates, such as 2026-07-28")
    variables, headers = pairs("--env", "=", env), pairs("--header", ":", header)
    named = [one for one in (command, live or None, url) if one is not None]
    if len(named) > 1 or (named and live == ""):
        raise UsageError("verify is for one server", hint="give one of --command, --url and --live")
    target = target_of(named[0], variables, headers) if named else _found(variables, agreed=live is not None)
    old = target_of(before, variables, headers) if before else None
    wanted = _arguments(arguments, tool)

    spoken = protocol or PROTOCOL_VERSION
    with terminal.working(f"asking {target}"):
        report = verify_server(
            target, before=old, tool=tool, arguments=wanted, timeout=timeout, protocol=spoken, strict=strict
        )
    return _tell_checklist(report, output) if checklist else _tell(report, output)


def _found(variables: dict[str, str], *, agreed: bool) -> Target:
    """The server of the project of this folder, started as the project says; see ``to_verify``."""
    project = replace(job.job(Path()), part=".").project()
    if not project.inventory.servers:
        raise UsageError("verify needs a server", hint="give either --command 'python server.py' or --url http://...")
    first = to_verify(project, agreed=agreed)
    return target_of(first.command, variables, {}, project.root)


def _tell_checklist(report: Report, output: str) -> int:
    rows = checklist.checklist(report, _local())
    if output == "json":
        terminal.document(checklist.to_json(report, rows) + "\n")
    else:
        terminal.result(checklist.to_text(report, rows, color=terminal.colours(sys.stdout)) + "\n")
    return DONE if report.ok and checklist.is_good(rows) else TO_DO


def _local() -> Local | None:
    """The migrated project that the current folder is in; ``None`` if there is none."""
    root = quick.root_of(str(Path.cwd()))
    if root is None or not disk.is_file(root, LOCK_PATH):
        return None

    with terminal.working(f"reading {root}"):
        found = compare(Path(root), load(Path(root)))
    remembered = lock.read(found.project.files)
    tests = tuple(sorted(path for path in remembered.tests if path in found.project.files))
    return Local(found.agrees, found.tools, bool(remembered.modules), tests)


def _tell(report: Report, output: str) -> int:
    if output == "text":
        terminal.result(to_text(report, color=terminal.colours(sys.stdout)) + "\n")
    else:
        terminal.document((to_json(report) if output == "json" else to_junit(report)) + "\n")
    return DONE if report.ok else TO_DO


def _arguments(text: str | None, tool: str | None) -> JsonObject | None:
    if text is None:
        return None
    if tool is None:
        raise UsageError("--arguments belongs to a tool", hint="name it with --tool")
    value = json_or_none(text.encode())
    if not isinstance(value, dict):
        raise UsageError("--arguments is not a JSON object", hint='write it like \'{"query": "x"}\'')
    return value
