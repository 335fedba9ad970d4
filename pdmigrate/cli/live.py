"""``--live CMD`` and ``--url URL``: the options with which a command asks the running server."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.cli import targets, terminal
from pdmigrate.errors import UsageError
from pdmigrate.project.starters import commands_of

if TYPE_CHECKING:
    from pdmigrate.live import Witness
    from pdmigrate.model import Finding, Server
    from pdmigrate.project.commands import Candidate
    from pdmigrate.project.model import Project


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
        targets.require_time(self.timeout)

    @property
    def wanted(self) -> bool:
        return self.command is not None or self.url is not None

    def offered(self, project: Project) -> LiveOptions:
        """The options with the command that was found, if source leaves something open and the person agrees to it.

        The question is asked on a terminal only: never in a pipe, in a hook, or where CI is set.
        """
        if self.wanted or self.refused or not _can_be_asked():
            return self
        first = command_for(project)
        if first is None:
            return self
        if first.command not in self.answers:
            terminal.talk("source leaves open what the server lists, and the server itself can say it")
            self.answers[first.command] = _agreed(first, "run this command now, and ask the server what it lists?")
        return replace(self, command=first.command) if self.answers[first.command] else self

    def found(self, project: Project) -> LiveOptions:
        """The options with the command that starts the project's server, if ``--live`` was given without one.

        Raises:
            UsageError: there is no such command, or more than one server.
        """
        if self.command is None or self.command.strip():
            return self
        first = only_command(project, "--live without a command", "give the file of one server as PATH, or ")
        terminal.talk(f"starting `{first.command}`: {first.reason}")
        return replace(self, command=first.command)

    def ask(self, folder: Path) -> Witness:
        """What the server lists; a command runs in ``folder``.

        Raises:
            WireError: the server cannot be reached, or does not answer properly.
            UsageError: an option does not have the form that it needs.
        """
        from pdmigrate.live import ask

        variables, headers = targets.pairs("--env", "=", self.env), targets.pairs("--header", ":", self.header)
        target = targets.target(self.command or str(self.url), variables, headers, folder)
        with terminal.working(f"asking {target}"):
            return ask(target, timeout=self.timeout)


def only_command(project: Project, asked: str, place: str = "") -> Candidate:
    """The command that starts the one server of a project; ``asked`` says what it is for, ``place`` begins the hint.

    Raises:
        UsageError: there is no such command, or not exactly one server.
    """
    servers = project.inventory.servers
    if len(servers) != 1:
        places = ", ".join(sorted({server.site.file for server in servers})) or "none"
        raise UsageError(
            f"{asked} is for one server, and there are {len(servers)} here: {places}",
            hint=f"{place or 'give '}the command that starts it",
        )
    first = next(iter(commands_of(project, servers[0])), None)
    if first is None:
        raise UsageError(
            f"nothing in this project says how the server of {servers[0].site.file} is started",
            hint='give the command: "python server.py"',
        )
    return first


def to_verify(project: Project, *, agreed: bool, asking: bool) -> Candidate:
    """The command that starts the server to verify: ``agreed`` to with ``--live``, else by a person if ``asking``.

    Raises:
        UsageError: there is no such command, not exactly one server, or nobody has agreed to start it.
    """
    first = only_command(project, "verify without --command and --url")
    if agreed:
        terminal.talk(f"starting `{first.command}`: {first.reason}")
        return first
    if asking and _can_be_asked() and _agreed(first, "run this command now, and verify the server?"):
        return first
    here = Path(disk.real("."))
    place = "" if here == project.root else f"cd {shlex.quote(str(project.root))} && "
    raise UsageError(
        "verify needs a server, and starts none that it was not told to start",
        hint=f"{place}pdmigrate verify --command {shlex.quote(first.command)} ({first.reason}{_needs(first)}); "
        "--live starts it, too",
    )


def _agreed(first: Candidate, question: str) -> bool:
    """Whether the person at the terminal agrees to run a command, which is shown first."""
    terminal.talk(f"    {first.command}\nfound because {first.reason}{_needs(first)}")
    terminal.prompt(f"{question} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _needs(first: Candidate) -> str:
    return f"; the server needs {', '.join(first.secrets)} in the environment" if first.secrets else ""


def command_for(project: Project) -> Candidate | None:
    """The command that starts the one server of which source leaves something open, and that was never asked."""
    pairs = zip(project.inventory.servers, project.homes, strict=True)
    left = [server for server, home in pairs if home.folder not in project.asked and _is_open(server)]
    return next(iter(commands_of(project, left[0])), None) if len(left) == 1 else None


def suggestion(project: Project, verb: str, option: str = "--live") -> str | None:
    """What to run so that the server settles what source leaves open; ``None`` if there is no such thing."""
    first = command_for(project)
    if first is None:
        return None
    command = f"pdmigrate {verb} {option} {shlex.quote(first.command)}"
    return f"to have the server settle what source leaves open: {command} ({first.reason}{_needs(first)})"


def with_command(project: Project, findings: Iterable[Finding], verb: str) -> tuple[Finding, ...]:
    """The findings; those of servers that were not evaluated to their end name the command that asks the server."""
    found = tuple(findings)
    first = command_for(project) if any(one.code == "PD201" for one in found) else None
    if first is None:
        return found
    hint = f"ask the running server with `pdmigrate {verb} --live {shlex.quote(first.command)}`, or leave it"
    return tuple(replace(one, hint=hint) if one.code == "PD201" else one for one in found)


def _is_open(server: Server) -> bool:
    return server.incomplete is not None or any(tool.unknown for tool in server.tools)


def _can_be_asked() -> bool:
    """Whether a person sits at a terminal, and this is neither a hook nor CI."""
    automatic = any(os.environ.get(name) for name in ("CI", "PRE_COMMIT"))
    return not automatic and not terminal.is_quiet() and sys.stdin.isatty() and sys.stderr.isatty()
