"""Tests of a migrated server for its own repository: written once, and then left for people to edit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pdmigrate.findings import finding
from pdmigrate.live.verify.picks import harm
from pdmigrate.migrate.plan.drafts import Draft
from pdmigrate.migrate.plan.starting import Start, start_of, starting
from pdmigrate.model import Fate, FileChange, FileKind, Finding, JsonObject, Site
from pdmigrate.names import MODULE
from pdmigrate.project.loading import TESTS
from pdmigrate.project.model import Project
from pdmigrate.project.rewrite.literals import LiteralLayout, python_literal
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.runtime.render import render_tests
from pdmigrate.settings import Settings

_LAYOUT = LiteralLayout("", len("ARGUMENTS: dict[str, Any] = "))
_NEEDS_ARGUMENTS = 4
"""The rank (``picks.harm``) of a tool that may do something, and cannot run without arguments."""


@dataclass(frozen=True, slots=True)
class OwnTests:
    """The test files to write, findings about tests left out, and the digests by which revert recognises the files."""

    changes: tuple[FileChange, ...]
    findings: tuple[Finding, ...]
    digests: dict[str, str]


def own_tests(
    project: Project, drafts: Sequence[Draft], settings: Settings, remembered: Lock, asked: str = ""
) -> OwnTests:
    """The tests of each server that has none yet; existing tests stay as they are.

    ``asked`` is the command that a person gave for the only server, to be run in the root of the project.
    """
    commands = starting(project, asked if len(project.inventory.servers) == 1 else "")
    changes: list[FileChange] = []
    findings: list[Finding] = []
    for path, draft in _places(drafts):
        text, present = _rendered(project, draft, settings, commands), project.files.get(path)
        if present is not None:
            known = remembered.tests.get(path)
            if known is None:
                message = (
                    f"{path} exists already and was not written by pdmigrate: no tests of {draft.label} are written"
                )
                findings.append(finding("PD543", message, site=Site(path, 1)))
            elif text is not None and text.encode() != present and known == lock.source_digest(present):
                message = f"{path} is as it was written, and would be written differently now"
                findings.append(finding("PD543", message, site=Site(path, 1)))
            continue
        if text is None:
            message = f"no tests of {draft.label} are written: source shows no tool of it by name"
            findings.append(finding("PD543", message, hint="see why in the findings above", site=draft.server.site))
            continue
        changes.append(FileChange(path, None, text.encode(), FileKind.TEST, f"tests of {draft.label}"))
    digests = {change.path: lock.source_digest(change.after or b"") for change in changes}
    return OwnTests(tuple(changes), tuple(findings), digests)


def _places(drafts: Sequence[Draft]) -> Iterator[tuple[str, Draft]]:
    """A test file for each server, named after the server where there are several."""
    taken: set[str] = set()
    for draft in drafts:
        own = re.sub(r"[^a-z0-9]+", "_", draft.label.removesuffix(".py").lower()).strip("_")
        stem = f"test_{MODULE}_{own}" if len(drafts) > 1 and own else f"test_{MODULE}"
        names = (stem, *(f"{stem}_{number}" for number in range(2, len(drafts) + 1)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield f"{TESTS}/{name}.py", draft


def _rendered(project: Project, draft: Draft, settings: Settings, commands: Mapping[str, Start]) -> str | None:
    """The tests of one server, with a tool that is always listed if possible; ``None`` where no tool is described."""
    moved = [tool for tool in draft.tools if tool.outcome.fate in (Fate.MOVED, Fate.STUBBED) and tool.content]
    certain = [tool for tool in moved if tool.tool.conditional is None]
    definitions = [tool.content for tool in certain or moved]
    if not definitions:
        return None
    ranked = [(found[0], position) for position, tool in enumerate(definitions) if (found := harm(tool)) is not None]
    rank, position = min(ranked, default=(None, 0))
    chosen = definitions[position]
    folder, command = commands.get(draft.server.site.file) or start_of(project, draft.server)
    return render_tests(
        server=draft.server.name or draft.server.site.file,
        folder=folder,
        command=command,
        descriptions=draft.home.folder,
        bridge=settings.bridge,
        tool=str(chosen["name"]),
        arguments=None if rank is None else python_literal(_arguments(chosen, rank), _LAYOUT),
        gate=settings.stdio if settings.stdio in ("enforce", "strict") else "",
        stub_schema=settings.stub_schema,
    )


def _arguments(tool: JsonObject, rank: int) -> JsonObject:
    """Arguments for a call: the tool's first example where the tool only reads, otherwise none."""
    examples = tool.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    given = first.get("input") if isinstance(first, dict) else None
    return given if isinstance(given, dict) and rank < _NEEDS_ARGUMENTS else {}
