"""``--live CMD`` and ``--url URL``: the options with which a command asks the running server."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate.cli import targets, terminal
from pdmigrate.errors import UsageError
from pdmigrate.project.starters import commands_of

if TYPE_CHECKING:
    from pdmigrate.live import Witness
    from pdmigrate.model import Server
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
            needs = f"; it needs {', '.join(first.secrets)} in the environment" if first.secrets else ""
            terminal.talk("source leaves open what the server lists, and the server itself can say it")
            terminal.talk(f"    {first.command}\nfound because {first.reason}{needs}")
            terminal.prompt("run this command now, and ask the server what it lists? [y/N] ")
            self.answers[first.command] = sys.stdin.readline().strip().lower() in ("y", "yes")
        return replace(self, command=first.command) if self.answers[first.command] else self

    def found(self, project: Project) -> LiveOptions:
        """The options with the command that starts the project's server, if ``--live`` was given without one.

        Raises:
            UsageError: there is no such command, or more than one server.
        """
        if self.command is None or self.command.strip():
            return self
        servers = project.inventory.servers
        if len(servers) != 1:
            places = ", ".join(sorted({server.site.file for server in servers})) or "none"
            raise UsageError(
                f"--live without a command is for one server, and there are {len(servers)} here: {places}",
                hint="give the file of one server as PATH, or the command that starts it",
            )
        first = next(iter(commands_of(project, servers[0])), None)
        if first is None:
            raise UsageError(
                f"nothing in this project says how the server of {servers[0].site.file} is started",
                hint='give the command: --live "python server.py"',
            )
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
    needs = f"; the server needs {', '.join(first.secrets)} in the environment" if first.secrets else ""
    command = f"pdmigrate {verb} {option} {shlex.quote(first.command)}"
    return f"to have the server settle what source leaves open: {command} ({first.reason}{needs})"


def _is_open(server: Server) -> bool:
    return server.incomplete is not None or any(tool.unknown for tool in server.tools)


def _can_be_asked() -> bool:
    """Whether a person sits at a terminal, and this is neither a hook nor CI."""
    automatic = any(os.environ.get(name) for name in ("CI", "PRE_COMMIT"))
    return not automatic and not terminal.is_quiet() and sys.stdin.isatty() and sys.stderr.isatty()
