"""What a command works on: the root of the project, the part of it that was named, and the settings that apply."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.migrate.write.carrying import look, recover
from pdmigrate.model import Finding, Severity
from pdmigrate.project.loading import find_root, load_project
from pdmigrate.project.model import Project
from pdmigrate.report.text import Colours, findings_text
from pdmigrate.settings import Settings, load, merge


@dataclass(frozen=True, slots=True)
class Job:
    """``part`` is the path below ``root`` that the command is about; ``.`` for the whole project."""

    path: Path
    root: Path
    part: str
    settings: Settings

    def project(self, *, writing: bool = False) -> Project:
        """The project, read after ``look``."""
        self.look(writing=writing)
        with terminal.working(f"reading {self.path}"):
            return load_project(self.root, self.part, self.settings)

    def look(self, *, writing: bool) -> None:
        """Say that a run was interrupted; if ``writing``, finish or undo it, else leave its files as they are.

        Raises WriteError if the run left files half written, and they are left so (PD613).
        """
        if told := (recover if writing else look)(self.root):
            terminal.talk(told)

    def announce(self) -> None:
        """Say what paths are relative to, unless that is the current folder."""
        if self.root != Path(disk.real(".")):
            terminal.talk(f"paths are relative to {self.root}")


def job(path: Path, **flags: Any) -> Job:
    """The job that a command line asks for; ``flags`` are settings by their names.

    Raises UsageError if there is no such path, or an option has a value that is not allowed; ConfigError if the
    settings cannot be read as they stand.
    """
    root, part = find_root(path)
    return Job(path, root, part, merge(load(path), **flags))


def say_findings(findings: tuple[Finding, ...]) -> None:
    """Print the findings on standard error."""
    if findings:
        style = Colours(terminal.colours(sys.stderr))
        if errors := tuple(found for found in findings if found.severity is Severity.ERROR and terminal.is_quiet()):
            terminal.talk(findings_text(errors, style), always=True)
        terminal.talk(findings_text(findings, style))


def nothing_found(job: Job, project: Project) -> None:
    """Say that no server was found at the path of the job, and what the reason may be."""
    where = f"in {job.path}" if disk.is_file(job.root, job.part) else f"below {job.path}"
    terminal.talk(f"no MCP server found {where}")
    if project.inventory.findings:
        terminal.talk("hint: the reason why no server was seen is given above")
    else:
        terminal.talk("hint: servers are recognised by what they import from mcp or fastmcp; is this the right folder?")
