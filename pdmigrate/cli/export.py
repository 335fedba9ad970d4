"""``pdmigrate export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pdmigrate import disk
from pdmigrate.cli import job as jobs
from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.errors import UsageError
from pdmigrate.report.export import Exported, Subject, dashdash, prompt, skill, subjects, trustgraph
from pdmigrate.settings import Settings

EXPORTS = {"prompt": ("",), "skill": ("",), "dashdash": dashdash.FORMS, "trustgraph": trustgraph.FORMS}
"""Every export with its forms, the default first."""
_FORMS = "For dashdash: server, help or registry; for trustgraph: tools, entries or cli."


def export(
    what: Annotated[str, typer.Argument(metavar="|".join(EXPORTS), help="What to make of the tools.")],
    path: options.Target = Path(),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="PATH", help="Where to write: a file, or for a skill a folder."),
    ] = None,
    server: Annotated[
        str | None, typer.Option("--server", metavar="NAME", help="Which server, if there are several.")
    ] = None,
    form: Annotated[str | None, typer.Option("--format", metavar="FORM", help=_FORMS)] = None,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="Where trustgraph reaches the server.")] = "",
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
    _quiet: options.Quiet = False,
) -> int:
    """Write the tools of a server in the form of another system.

    prompt: the recommended system prompt, with the names of this server. skill: a folder with SKILL.md and a page for
    each tool. dashdash: metadata of the server and its tools, help made from this metadata, or an entry for a registry.
    trustgraph: configuration for trustgraph's agents. Without --output the result is printed. What a form cannot
    express is reported as a finding. Exits with 1 when a tool had to be left out because the source does not settle it.
    """
    if what not in EXPORTS:
        raise UsageError(f"there is no export {what!r}", hint=f"it must be one of {', '.join(EXPORTS)}")
    forms = EXPORTS[what]
    if form is not None and form not in forms:
        hint = f"it must be one of {', '.join(forms)}" if forms[0] else "leave out --format"
        raise UsageError(f"export {what} has no form {form!r}", hint=hint)
    if url and what != "trustgraph":
        raise UsageError(f"export {what} has no address in it", hint="leave out --url")
    form = form or forms[0]
    if what == "trustgraph" and form != "tools" and not url:
        raise UsageError(f"--format {form} needs the address of the server", hint="give it with --url http://...")

    job = jobs.job(path, sdk=options.versions(sdk), exclude_paths=exclude_paths)
    project = job.project()
    if not project.inventory.servers:
        jobs.nothing_found(job, project)
        return TO_DO
    subject = _chosen(list(subjects(project, summaries_suffice=what == "prompt")), server)
    exported = _made(what, subject, job.settings, form, url)
    jobs.say_findings(exported.findings)
    _deliver(exported, output)
    if subject.missing:
        terminal.talk(f"left out, since source does not settle them: {', '.join(subject.missing)}")
        terminal.talk("hint: `pdmigrate extract --live CMD` asks the running server for them")
    return TO_DO if subject.missing else DONE


def _chosen(found: list[Subject], name: str | None) -> Subject:
    fitting = [subject for subject in found if name is None or subject.name == name]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(sorted(subject.name for subject in found))
    problem = "there are several servers" if fitting else f"there is no server {name!r}"
    raise UsageError(problem, hint=f"name one with --server, or give its file as PATH: {names}")


def _made(what: str, subject: Subject, settings: Settings, form: str, url: str) -> Exported:
    if what == "trustgraph":
        return trustgraph.export(subject, form, url)
    if what == "dashdash":
        return dashdash.export(subject, form, settings.dashdash or {})
    if what == "skill":
        return skill.export(subject, bridge=settings.bridge, given=settings.dashdash)
    return prompt.export(subject, bridge=settings.bridge)


def _deliver(exported: Exported, output: Path | None) -> None:
    first = next(iter(exported.files.values()))
    if output is None:
        terminal.contents(first)
        return
    several = len(exported.files) > 1
    for path, text in exported.files.items():
        disk.put(output if several else output.parent, path if several else output.name, text.encode())
    terminal.talk(f"wrote {len(exported.files)} files to {output}" if several else f"wrote {output}")
