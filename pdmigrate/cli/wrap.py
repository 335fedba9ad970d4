"""``pdmigrate wrap``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from pdmigrate import disk
from pdmigrate.audit import Catalogue, audited
from pdmigrate.audit.hosts import deferring
from pdmigrate.audit.tokens import counter
from pdmigrate.audit.verdict import decide
from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.cli.job import say_findings
from pdmigrate.cli.live import ask_wrapped, pairs, words
from pdmigrate.errors import UsageError
from pdmigrate.escaping import one_line
from pdmigrate.migrate.write.carrying import carry_out
from pdmigrate.report.audit import WORDS
from pdmigrate.report.plans import changes_text
from pdmigrate.settings import Settings, merge
from pdmigrate.wrap.files import files_of, planned, record_of
from pdmigrate.wrap.record import Wrapped


def wrap(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the wrapper is written; made if missing.")],
    command: options.Server = None,
    url: options.Address = None,
    stdio: Annotated[str, options.setting("stdio")] = "enforce",
    stub_schema: Annotated[str, options.setting("stub_schema")] = "skeleton",
    bridge: Annotated[bool, typer.Option("--bridge/--no-bridge", help="Add a tool that returns descriptions.")] = True,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 60.0,
    _quiet: options.Quiet = False,
) -> int:
    """Write a server that stands in front of any server, in any language, and lists its tools as stubs.

    The wrapped server is started, or called, and asked for its tools. The wrapper is one file, server.py, which needs
    nothing but Python for --command, and httpx for --url.
    """
    if (command is None) == (url is None):
        fault = "--command and --url name different servers" if command else "wrap needs a server"
        raise UsageError(fault, hint="give either --command 'npx -y ...' or --url http://...")
    merge(Settings(), stdio=stdio, stub_schema=stub_schema)  # refuses other values
    before = record_of(folder) if disk.is_folder(folder) else None
    if disk.is_folder(folder) and before is None and [*disk.names(folder)]:
        raise UsageError(f"{folder} is not empty and holds no wrapper", hint="give a new folder")
    wrapped = Wrapped(
        "",
        "",
        (),
        words(command or ""),
        url or "",
        pairs("--header", ":", header),
        cast("Literal['enforce', 'strict', 'advise', 'off']", stdio),
        cast("Literal['skeleton', 'open', 'full']", stub_schema),
        bridge,
    )
    witness = ask_wrapped(wrapped, pairs("--env", "=", env), timeout)
    wrapped = wrapped.following(witness.name, witness.tools)
    _say_whether_it_pays(wrapped, witness.instructions)
    disk.make_folder(*_nearest(folder))
    plan = planned(wrapped, files_of(folder), before)
    carry_out(Path(disk.real(folder)), plan)
    terminal.result(changes_text(plan.effective) + "\n")
    if plan.findings:
        say_findings(plan.findings)
        return TO_DO
    started = f"uv run {shlex.quote(str(folder / 'server.py'))}"
    terminal.talk(f"start it with `{started}`, in place of `{command or url}`")
    terminal.talk(f"test it with `pdmigrate verify --command {shlex.quote(started)}`")
    return DONE


def _say_whether_it_pays(wrapped: Wrapped, instructions: str) -> None:
    """Say first what the audit says, and for whose users a wrapper changes little."""
    catalogue = Catalogue(wrapped.name, wrapped.tools, instructions=instructions)
    verdict = decide(audited(catalogue, counter(), kind=wrapped.stub_schema, bridge=wrapped.bridge))
    terminal.talk(f"verdict: {WORDS[verdict.word]}: {one_line(verdict.reason)}")
    terminal.talk(deferring().message)


def _nearest(folder: Path) -> tuple[str, str]:
    """The nearest folder above ``folder`` that is there, and the path that is to be made below it."""
    above = next(parent for parent in (*folder.parents, Path(folder.anchor or ".")) if disk.is_folder(parent))
    return str(above), folder.relative_to(above).as_posix()
