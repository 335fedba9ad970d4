"""A wrapper's folder: what is in it, asking the server behind it, and ``check`` and ``sync`` for it."""

from __future__ import annotations

import datetime
import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.cli import targets, terminal
from pdmigrate.cli.requests import ProjectResult, Request
from pdmigrate.errors import UsageError
from pdmigrate.findings import finding
from pdmigrate.live.asking import Witness
from pdmigrate.live.asking import ask as ask_server
from pdmigrate.migrate.write import carry_out
from pdmigrate.model import Finding, Plan, Severity, Site
from pdmigrate.names import DESCRIPTIONS, WRAPPED
from pdmigrate.wrap import Wrapped, planned
from pdmigrate.wrap.files import ATTRIBUTES, WRAPPER, examined
from pdmigrate.wrap.record import REFERENCE, parse

_CODES = {"module": "PD907", "server": "PD911", "state": "PD911"}


def record_of(folder: Path | str) -> Wrapped | None:
    """The record of the wrapper in ``folder``; ``None`` if there is none.

    Raises:
        UsageError: the record cannot be read.
    """

    raw = disk.content(folder, WRAPPED)
    return None if raw is None else parse(raw.decode("utf-8-sig", "replace"), f"{folder}/{WRAPPED}")


def files_of(folder: Path | str) -> dict[str, bytes]:
    """The files of a wrapper that are in ``folder``, with the description files that a person has put beside it."""

    beside = [f"{DESCRIPTIONS}/{name}" for name in disk.names(folder, DESCRIPTIONS) if name.endswith(".json")]
    found = {path: disk.content(folder, path) for path in (WRAPPER, ATTRIBUTES, WRAPPED, *beside)}
    return {path: raw for path, raw in found.items() if raw is not None}


def ask(wrapped: Wrapped, variables: dict[str, str], timeout: float) -> Witness:
    """What the wrapped server lists; variables of the environment in its headers are replaced.

    Raises:
        WireError: the server cannot be reached, or does not answer properly.
    """

    headers = {
        name: REFERENCE.sub(lambda match: os.environ.get(match["name"], match[0]), value)
        for name, value in wrapped.headers.items()
    }
    target = targets.target(wrapped.url or shlex.join(wrapped.command), variables, headers)
    with terminal.working(f"asking {target}"):
        return ask_server(target, timeout=timeout)


def following(wrapped: Wrapped, witness: Witness) -> Wrapped:
    """The record with what the server has just said; the date changes only if the tools do."""
    name = witness.name or wrapped.name or "server"
    if (wrapped.name, wrapped.tools) == (name, witness.tools):
        return wrapped
    return replace(wrapped, name=name, tools=witness.tools, asked=datetime.date.today().isoformat())


def answer(folder: str, request: Request) -> ProjectResult:
    """Compare a wrapper's folder with its record, and with ``fix`` bring it in line, as ``agreeing`` does a project.

    Raises:
        UsageError: the record cannot be read.
    """

    before = record_of(folder)
    assert before is not None
    wrapped = before
    if request.live is not None:
        _say_who_is_asked(folder, before, request.live.command or request.live.url)
        wrapped = following(before, ask(before, targets.pairs("--env", "=", request.live.env), request.live.timeout))
    plan = planned(wrapped, files_of(folder), before)
    written = plan.effective if request.fix else ()
    if written:
        carry_out(Path(folder), plan)
    # A look at the texts that a person edits: summaries that hold details, and names that are gone.
    edited = examined(wrapped, files_of(folder))
    findings = [*plan.findings, *edited, *([] if written else _drifted(plan))]
    pending = () if written else plan.effective
    agrees = not pending and not any(found.severity is Severity.ERROR for found in findings)
    return ProjectResult(folder, len(wrapped.tools), tuple(findings), pending, written, agrees=agrees)


def _say_who_is_asked(folder: str, wrapped: Wrapped, given: str | None) -> None:
    """Show the command or URL of the record, which is what is asked.

    Raises:
        UsageError: another server was ``given``.
    """
    recorded = wrapped.url or shlex.join(wrapped.command)
    if given and targets.target(given, {}, {}) != targets.target(recorded, {}, {}):
        raise UsageError(
            f"the server of {folder} is `{recorded}`, and another one was given: `{given}`",
            hint=f"use --live alone to ask that of {WRAPPED}, or `pdmigrate wrap` to wrap another",
        )
    terminal.talk(f"asking `{recorded}`: {WRAPPED} in {folder} names it")


def _drifted(plan: Plan) -> Iterator[Finding]:

    for change in plan.effective:
        code = _CODES[change.kind.value]
        yield finding(code, f"{change.path} is not what {WRAPPED} says", site=Site(change.path, 1))
