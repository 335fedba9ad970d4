"""What ``check`` and ``sync`` print about the projects that they looked at."""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.cli.guard import DONE, TO_DO

if TYPE_CHECKING:
    from pdmigrate.cli.requests import ProjectResult, Request
    from pdmigrate.model import FileChange, Finding


def tell(request: Request, answers: list[ProjectResult]) -> int:
    """Print what was found and done, in the format of the request; return the exit status."""
    from pdmigrate.report import agreement

    findings = [found for answer in answers for found in _findings(answer)]
    agrees = all(answer.agrees and not answer.unstaged for answer in answers)
    written = [change for answer in answers for change in _placed(answer, answer.written)]
    if request.output == "json":
        planned = [change for answer in answers for change in _placed(answer, answer.planned)]
        tools = sum(answer.tools for answer in answers)
        terminal.result_json(agreement.to_json(agrees, tools, findings, planned, written))
    elif request.output != "text":
        from pdmigrate.report.formats import rendered

        terminal.document(rendered(request.output, findings, _top(answers)))
    else:
        _say(request, answers, findings, written)
    must_stage = request.hook and bool(written)
    return DONE if agrees and not must_stage else TO_DO


def _findings(answer: ProjectResult) -> Iterator[Finding]:
    from pdmigrate.findings import finding
    from pdmigrate.model import Site

    for found in answer.findings:
        site = found.site
        yield dataclasses.replace(found, site=Site(_shown(answer, site.file), site.line)) if site else found
    for path, known in sorted(answer.unstaged.items()):
        what = "has changes that are not staged" if known else "is not in the repository yet"
        shown = _shown(answer, path)
        yield finding("PD913", f"{shown} {what}", hint=f"git add {shlex.quote(shown)}", site=Site(shown, 1))


def _placed(answer: ProjectResult, changes: tuple[FileChange, ...]) -> Iterator[FileChange]:
    return (dataclasses.replace(change, path=_shown(answer, change.path)) for change in changes)


def _shown(answer: ProjectResult, path: str) -> str:
    """A path of a project, relative to the current folder."""
    return Path(os.path.relpath(Path(answer.root) / path, disk.real("."))).as_posix()


def _top(answers: list[ProjectResult]) -> str:
    """The path from the repository's top to this folder: readers of machine formats take paths to start at the top."""
    from pdmigrate.disk.vcs.git import prefix

    return prefix(Path.cwd()) if answers else ""


def _say(request: Request, answers: list[ProjectResult], findings: list[Finding], written: list[FileChange]) -> None:
    from pdmigrate.record.quick import agreement_message
    from pdmigrate.report.accounting import changes_text
    from pdmigrate.report.agreement import commands_text
    from pdmigrate.report.full import Sources, findings_full
    from pdmigrate.report.style import Colours
    from pdmigrate.report.text import tally

    style = Colours(terminal.colours(sys.stdout))
    if written:
        terminal.result(changes_text(written, style) + "\n")
    if findings:
        terminal.result(findings_full(findings, style, Sources(Path.cwd())) + "\n")
    counted = tally(findings, sum(answer.hidden for answer in answers))
    planned = [change.path for answer in answers for change in _placed(answer, answer.planned)]
    gone = [found.site.file for found in findings if found.code == "PD905" and found.site]
    staging = [_shown(answer, path) for answer in answers for path in answer.unstaged]
    if counted:
        terminal.talk(counted)
    if all(answer.agrees for answer in answers):
        if not request.hook or written:
            terminal.talk(
                agreement_message(sum(answer.tools for answer in answers), sum(answer.partly for answer in answers))
            )
    elif (planned or gone) and not written:
        schemas = any(found.code == "PD901" and "Schema" in found.message for found in findings)
        if schemas and (assumed := {version for answer in answers for version in answer.assumed}):
            terminal.talk(f"compared as {', '.join(sorted(assumed))} lists it, the newest that the requirement allows")
            terminal.talk(
                "hint: if the server was written for another version, name that one: by --sdk, or in a lock file"
            )
        terminal.talk("to bring code and files back into agreement:")
        terminal.talk(commands_text(["pdmigrate sync --prune" if gone else "pdmigrate sync"]))
    add = [change.path for change in written] if request.hook else []
    staged = sorted({*add, *staging, *([*planned, *gone] if request.hook else [])})
    if staged and (request.hook or request.staged):
        terminal.talk(
            "then stage what belongs into the commit:" if planned else "to stage what belongs into the commit:"
        )
        terminal.talk(commands_text([f"git add {' '.join(map(shlex.quote, staged))}"]))
