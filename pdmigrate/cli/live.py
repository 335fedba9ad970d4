"""The running server: the options with which a command asks it, and what they name."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.errors import OutsideError, UsageError
from pdmigrate.live.asking import Witness, ask, witnessed
from pdmigrate.live.wire import HttpTarget, StdioTarget, Target, WireError
from pdmigrate.live.wire.errors import hidden
from pdmigrate.model import Site
from pdmigrate.project.commands import Candidate
from pdmigrate.project.model import Project
from pdmigrate.project.unasked import Start, failures, left_open, needs, not_asked, starts_of
from pdmigrate.wrap.record import REFERENCE, Wrapped

MOST = 10
"""The most commands that are run after one question."""


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """The options as they were given."""

    command: str | None = None
    url: str | None = None
    env: list[str] | None = None
    header: list[str] | None = None
    timeout: float = 60.0
    refused: bool = False
    """Whether ``--no-live`` was given: nothing is asked, and nobody is asked about it."""
    answers: dict[str, bool] = field(default_factory=dict)
    """What a person has answered already: a command that reads the files again does not ask again."""

    def __post_init__(self) -> None:
        if self.command is not None and self.url is not None:
            raise UsageError("--live and --url name two servers", hint="give one of them")
        if self.wanted and self.refused:
            raise UsageError("--no-live contradicts --live and --url", hint="give one of them")
        if not self.wanted and (self.env or self.header):
            raise UsageError("--env and --header are for a running server", hint="name it with --live or --url")
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise UsageError(f"{self.url!r} is not an http or https URL", hint="a command is given with --live")

    @property
    def wanted(self) -> bool:
        return self.command is not None or self.url is not None

    def settled(self, project: Project, verb: str, *, asking: bool) -> Project:
        """The project as its running servers show it, as far as these options, or a person, have them asked.

        A person is asked on a terminal only, and if ``asking``: never in a pipe, in a hook, or where CI is set. Where a
        project has several servers, those that stay open are named in findings with the commands that start them. A
        project without a server stays as it is: there is nothing to compare an answer with.  Raises UsageError if
        ``--live`` was given without a command, and no server has one; OutsideError if no server could be asked, or it
        is unclear which one was.
        """
        if not project.inventory.servers:
            return project
        failed: dict[Site, OutsideError] = {}
        if self.url is not None or (self.command or "").strip():
            project = witnessed(project, self.ask(project))
        else:
            starts = self._starts(project, asking=asking)
            for start in starts:
                running = replace(self, command=start.command.command)
                if self.command is not None:
                    terminal.talk(f"starting `{start.command.command}`: {start.command.reason}")
                try:
                    project = witnessed(project, running.ask(project), [server.site for server in start.servers])
                except OutsideError as error:
                    failed.update((server.site, error) for server in start.servers)
                    if len(failed) == sum(len(one.servers) for one in starts):
                        raise
        said = (*failures(failed), *not_asked(project, verb, failed))
        return replace(project, inventory=replace(project.inventory, findings=(*project.inventory.findings, *said)))

    def _starts(self, project: Project, *, asking: bool) -> tuple[Start, ...]:
        """The commands to run: those found for a ``--live`` without one, else those that are agreed to."""
        if self.command is not None:
            return _told(project)
        if self.refused or not asking or not _can_be_asked():
            return ()
        starts = starts_of(project, left_open(project))[:MOST]
        key = "\n".join(start.command.command for start in starts)
        if starts and key not in self.answers:
            self.answers[key] = _agreed_to(starts)
        return starts if starts and self.answers[key] else ()

    def ask(self, project: Project) -> Witness:
        """What the server lists; a command runs in the root of the project.

        Raises OutsideError if the server cannot be reached, or does not answer properly; no value of a secret variable
        is in the message; UsageError if an option does not have the form that it needs.
        """
        variables, headers = pairs("--env", "=", self.env), pairs("--header", ":", self.header)
        target = target_of(self.command or str(self.url), variables, headers, project.root)
        try:
            with terminal.working(f"asking {target}"):
                return ask(target, timeout=self.timeout)
        except WireError as error:
            if self.url is not None:
                raise
            said = disk.content_or_empty(project.root, ".env").decode("utf-8", "replace")
            known = {**_dotenv(said), **os.environ, **variables}
            way = "what it needs goes into --live 'CMD ARGUMENTS' or --env NAME=VALUE; --no-live goes on without it"
            raise OutsideError(hidden(error.message, known), hint=f"{error.hint}; {way}", code=error.code) from error


def _dotenv(text: str) -> dict[str, str]:
    """The variables of a ``.env`` file."""
    lines = (line.strip().removeprefix("export ").partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in lines if not name.startswith("#")}


def target_of(where: str, variables: dict[str, str], headers: dict[str, str], cwd: Path | None = None) -> Target:
    """The server behind a command (split as a shell does, run without one, in ``cwd``) or a URL.

    Raises UsageError if a quotation mark in the command is not closed.
    """
    if where.startswith(("http://", "https://")):
        return HttpTarget(where, headers)
    return StdioTarget(words(where), variables, cwd)


def words(command: str) -> tuple[str, ...]:
    """A command as the words that a shell makes of it.  Raises UsageError if a quotation mark is not closed."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{command!r} is not a command: {error}", hint="close the quotation mark") from error


def pairs(option: str, separator: str, given: list[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` or ``NAME:VALUE`` texts as a mapping.  Raises UsageError if a text is not of that form."""
    found = {}
    for text in given or ():
        name, parted, value = text.partition(separator)
        if not parted or not name.strip():
            raise UsageError(f"{option} {text!r} has no value", hint=f"write it as NAME{separator}VALUE")
        found[name.strip()] = value.strip() if separator == ":" else value
    return found


def ask_wrapped(wrapped: Wrapped, variables: dict[str, str], timeout: float) -> Witness:
    """What the wrapped server lists; variables of the environment in its headers are replaced.

    Raises WireError if the server cannot be reached, or does not answer properly.
    """
    headers = {
        name: REFERENCE.sub(lambda match: os.environ.get(match["name"], match[0]), value)
        for name, value in wrapped.headers.items()
    }
    target = target_of(wrapped.url or shlex.join(wrapped.command), variables, headers)
    with terminal.working(f"asking {target}"):
        return ask(target, timeout=timeout)


def _told(project: Project) -> tuple[Start, ...]:
    """The commands that start the servers of a project; a UsageError if there is none."""
    servers = project.inventory.servers
    starts = starts_of(project, servers)
    if not starts:
        places = ", ".join(sorted({server.site.file for server in servers})) or "(there is none)"
        raise UsageError(
            f"nothing in this project says how the server of {places} is started",
            hint='give the command: --live "python server.py"',
        )
    return starts[:MOST]


def to_verify(project: Project, *, agreed: bool) -> Candidate:
    """The command that starts the server to verify, ``agreed`` to with ``--live``.

    Raises UsageError if there is no such command, not exactly one server, or nobody has agreed to start it.
    """
    servers = project.inventory.servers
    if len(servers) != 1:
        places = ", ".join(sorted({server.site.file for server in servers}))
        raise UsageError(
            f"verify without --command and --url is for one server, and there are {len(servers)} here: {places}",
            hint="give the command that starts it",
        )
    first = _told(project)[0].command
    if agreed:
        terminal.talk(f"starting `{first.command}`: {first.reason}")
        return first
    raise UsageError(
        "verify needs a server, and starts one only if it is told to",
        hint=f"`pdmigrate verify --live` starts `{first.command}` ({first.reason}{needs(first)})",
    )


def _agreed_to(starts: Sequence[Start]) -> bool:
    """Whether the person at the terminal agrees to run these commands."""
    terminal.talk("source leaves open what is listed, and the server itself can say it")
    for start in starts:
        places = ", ".join(str(server.site) for server in start.servers)
        terminal.talk(f"    {start.command.command}\nfor {places}: {start.command.reason}{needs(start.command)}")
    terminal.prompt("run this now, and ask what is listed? [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def suggestion(project: Project, verb: str) -> str | None:
    """What to run so that the only server settles what source leaves open; ``None`` if there is no such thing.

    Where there are several, a finding about each says the same.
    """
    starts = starts_of(project, left_open(project)) if len(project.inventory.servers) == 1 else ()
    if not starts:
        return None
    first = starts[0].command
    command = f"pdmigrate {verb} --live {shlex.quote(first.command)}"
    return f"to have the server settle what source leaves open: {command} ({first.reason}{needs(first)})"


def _can_be_asked() -> bool:
    """Whether a person sits at a terminal, and this is neither a hook nor CI."""
    automatic = any(os.environ.get(name) for name in ("CI", "PRE_COMMIT"))
    return not automatic and not terminal.is_quiet() and sys.stdin.isatty() and sys.stderr.isatty()
