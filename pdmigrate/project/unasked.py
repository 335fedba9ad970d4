"""Servers that source leaves open: the commands that start them, and what is said of them after some were asked."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pdmigrate.counting import some
from pdmigrate.errors import OutsideError
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project.commands import Candidate
from pdmigrate.project.model import Project


@dataclass(frozen=True, slots=True)
class Start:
    """A command, and the servers that it is thought to start: one, unless it leads to the files of several."""

    command: Candidate
    servers: tuple[Server, ...]


def starts_of(project: Project, servers: Sequence[Server]) -> tuple[Start, ...]:
    """The commands that start these servers of a project, each with those that it is thought to start."""
    every = project.around.starters.apart([server.site.file for server in project.inventory.servers])
    found: dict[str, Start] = {}
    for server in servers:
        if command := every.get(server.site.file):
            known = found.get(command.command, Start(command, ()))
            found[command.command] = replace(known, servers=(*known.servers, server))
    return tuple(found.values())


def left_open(project: Project) -> tuple[Server, ...]:
    """The servers of which source leaves something open, and that were never asked."""
    pairs = zip(project.inventory.servers, project.homes, strict=True)
    return tuple(server for server, home in pairs if home.folder not in project.asked and _is_open(server))


def needs(first: Candidate) -> str:
    return f"; the server needs {', '.join(first.secrets)} in the environment" if first.secrets else ""


def failures(failed: Mapping[Site, OutsideError]) -> Iterator[Finding]:
    """Findings about servers that could not be asked, beside others that were: what happened, and what was printed."""
    for site, error in failed.items():
        first, *more = error.message.splitlines()
        last = f"; it printed last: {more[-1].strip()}" if more else ""
        yield finding(str(error.code), f"{first}{last}", hint=error.hint, site=site)


def not_asked(project: Project, verb: str, failed: Collection[Site]) -> Iterator[Finding]:
    """A finding about every server of several that stays open: which command starts it, and how to ask it."""
    left = [server for server in left_open(project) if server.site not in failed]
    if len(project.inventory.servers) < 2 or not left:
        return
    commands = project.around.starters.apart([server.site.file for server in project.inventory.servers])
    for server in left:
        found = commands.get(server.site.file)
        others = [file for file, one in commands.items() if found and one == replace(found, file=file)]
        which = f" or the one of {some([one for one in others if one != server.site.file])}" if others[1:] else ""
        how = f"`{found.command}` starts it{which}" if found else "nothing in the project says how it is started"
        place, command = shlex.quote(server.site.file), shlex.quote(found.command) if found else "CMD"
        message = f"the source leaves open what {server.name or 'this server'} lists, and it was not asked; {how}"
        hint = f"`pdmigrate {verb} {place} --live {command}` asks it{needs(found) if found else ''}"
        yield finding("PD347", message, hint=hint, site=server.site)


def _is_open(server: Server) -> bool:
    return server.incomplete is not None or any(tool.unknown for tool in server.tools)
