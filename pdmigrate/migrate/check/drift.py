"""Turn the plan of ``sync``, if it is not empty, into findings: one for every disagreement, with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pdmigrate.counting import some
from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import LIFTED, WORDS, DescriptionFile, digest
from pdmigrate.describe.differences import field_difference, first_changed_line, text_difference, value_difference
from pdmigrate.describe.homes import Home
from pdmigrate.describe.json_lines import line_of
from pdmigrate.describe.lines import KEY, lines_of
from pdmigrate.findings import finding
from pdmigrate.migrate.check.renaming import tool_named
from pdmigrate.migrate.check.scope import is_migrated
from pdmigrate.migrate.plan.code import enabling_calls
from pdmigrate.migrate.plan.ownership import literal_in_code
from pdmigrate.migrate.plan.projections import place, stub
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    TOOL_FIELDS,
    FileChange,
    FileKind,
    Finding,
    Fixed,
    JsonObject,
    Server,
    Site,
    Tool,
    mapping,
)
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.model import Project
from pdmigrate.project.remembering import outdated
from pdmigrate.project.rewrite.enabling import called_elsewhere
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.settings import Settings
from pdmigrate.source.documents import json_or_none
from pdmigrate.source.outline import parse

_WIRE = TOOL_FIELDS[1:]


@dataclass(frozen=True, slots=True)
class View:
    """What findings are derived from: the project as planned for, its lock, and settings with the lock's choices."""

    project: Project
    remembered: Lock
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Pair:
    """A tool with its description file as it is and as planned."""

    tool: Tool
    before: DescriptionFile
    after: DescriptionFile


def drift(view: View, changes: Mapping[str, FileChange]) -> Iterator[Finding]:
    """The disagreements of tools and servers that ``changes`` (by path) would settle, in no particular order."""
    for server, home in zip(view.project.inventory.servers, view.project.homes, strict=True):
        for change in changes.values():
            if change.kind is FileKind.DESCRIPTION and change.path.rpartition("/")[0] == home.folder:
                yield from _of_description(view, server, change)
        yield from _of_lines(server, home, changes)
        yield from _of_call(view, server, home)


def unexplained_drift(view: View, changes: Mapping[str, FileChange], said: Collection[Finding]) -> Iterator[Finding]:
    """The disagreements that belong to no tool and that the findings in ``said`` do not explain."""
    effective = [change for change in changes.values() if change.changed]
    yield from _of_code(view, effective, said)
    if all(found.code != "PD912" for found in said) and all(change.kind is FileKind.STATE for change in effective):
        for change in effective:
            yield _told("PD911", f"{change.path} is {'missing' if change.before is None else 'out of date'}", change)


def _of_description(view: View, server: Server, change: FileChange) -> Iterator[Finding]:
    after = descriptions.load(change.path, change.after or b"")
    tool = tool_named(server, after.name) if isinstance(after, DescriptionFile) else None
    if isinstance(after, Finding) or tool is None:
        return
    if (present := view.project.files.get(change.path)) is None:
        message = f'"{tool.name}" has no description file yet; it goes to {after.path}'
        yield finding("PD904", message, site=tool.site, tool=tool.name)
    elif isinstance(before := descriptions.load(change.path, present), DescriptionFile):
        yield from _of_tool(_Pair(tool, before, after))


def _of_call(view: View, server: Server, home: Home) -> Iterator[Finding]:
    anchors = [anchor for anchor in (server.anchor, *server.twins) if not isinstance(anchor, Fixed)]
    if not is_migrated(server, home, view.remembered) or all(anchor.enabled is not None for anchor in anchors):
        return
    message, hint = f"{home.module} exists, but no longer enables the server", ""
    parsed = parse(view.project.source(server.site.file))
    if (other := called_elsewhere(parsed, home.stem, enabling_calls(view.project))) is not None:
        line = parsed.source.line_of(other.start)
        message += f": enable is called in line {line}, and not on the name that the server is bound to here"
        hint = "call it in the block that makes the server, under a condition if need be; sync adds no second call"
    yield finding("PD909", message, hint=hint, site=server.site)


def _of_lines(server: Server, home: Home, changes: Mapping[str, FileChange]) -> Iterator[Finding]:
    change = changes.get(home.server_file)
    if change is None or change.before is None or not change.changed:
        return
    before, after = _summaries(change.before), _summaries(change.after)
    for name in sorted({*before, *after}):
        tool, site = tool_named(server, name), Site(change.path, line_of(change.before, (KEY, name)))
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if old is None and tool is not None:
            message = f'"{name}" has no summary in {change.path} yet'
            yield finding("PD904", message, site=tool.site, tool=name)
        elif new is None:
            message = f'{change.path} has a summary of "{name}", which is gone, or has a file of its own'
            yield finding("PD901", message, site=site, tool=name)
        else:
            message = f'the generated summary of "{name}" is out of date with its description'
            where = place(tool, "description") if tool is not None else site
            yield finding("PD901", message, site=where, tool=name, detail=value_difference(old, new))


def _summaries(raw: bytes | None) -> JsonObject:
    return mapping(mapping(json_or_none(raw or b"")).get(KEY))


def is_only_lines(change: FileChange) -> bool:
    """Whether a change of ``_server.json`` is one of its summaries, and of nothing else."""
    before, after = (json_or_none(raw or b"") for raw in (change.before, change.after))
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    return {**before, KEY: None, "$comment": None} == {**after, KEY: None, "$comment": None}


def stale_lines(view: View, changes: Mapping[str, FileChange]) -> Iterator[Finding]:
    """Findings for lines of a person's own whose tool would get another summary now than when they were written."""
    change = changes.get(LOCK_PATH)
    if change is None or change.after is None or not change.changed:
        return
    planned = lock.read({LOCK_PATH: change.after}).summaries
    for path, generated in planned.items():
        known = view.remembered.summaries.get(path, {})
        lines = lines_of(path, view.project.files, view.remembered.summaries)
        for name, now in generated.items():
            if known.get(name, now) != now and lines.by_person(name):
                message = f'the description of "{name}" changed, and its hand-written summary did not'
                yield finding("PD912", message, site=lines.site(name), tool=name)


# --- one tool ---------------------------------------------------------------------------------------------------------


def _of_tool(pair: _Pair) -> Iterator[Finding]:
    before, after = pair.before.data, pair.after.data
    if pair.after.owner == "file":
        yield from _stub_drift(pair)
        keys = [key for key in _WIRE if key not in DISCLOSED_FIELDS]
    else:
        keys = [*_WIRE, "summary"]
    yield from _copy_drift(pair, [key for key in keys if before.get(key) != after.get(key)])
    guidance = set(_lifted(before)) | set(_lifted(after))
    yield from _guidance_drift(pair, [key for key in WORDS if key in guidance and before.get(key) != after.get(key)])
    other = (*_WIRE, "summary", LIFTED, *guidance)
    form = [key for key in after if key not in other and before.get(key) != after[key]]
    if form:
        message = f"{pair.after.path} lacks what pdmigrate keeps in it: {', '.join(form)}"
        detail = field_difference(before, after, form)
        yield finding("PD911", message, site=pair.before.site(form[0]), tool=pair.tool.name, detail=detail)


def _lifted(content: JsonObject) -> list[str]:
    named = content.get(LIFTED)
    return [str(name) for name in named] if isinstance(named, list) else []


def _guidance_drift(pair: _Pair, keys: list[str]) -> Iterator[Finding]:
    """Findings for lifted guidance that is behind the code, and for marks of guidance edited since."""
    before, after = pair.before.data, pair.after.data
    if keys:
        detail = field_difference(before, after, keys)
        yield finding("PD901", _behind(pair, keys), site=pair.tool.site, tool=pair.tool.name, detail=detail)
    elif before.get(LIFTED) != after.get(LIFTED):
        edited = [key for key in _lifted(before) if key not in _lifted(after)]
        marked = f"still marks {', '.join(edited)} as lifted" if edited else "does not record which fields were lifted"
        yield finding("PD911", f"{pair.after.path} {marked}", site=pair.before.site(LIFTED), tool=pair.tool.name)


def _behind(pair: _Pair, keys: list[str]) -> str:
    where = pair.before.site(keys[0])
    return f'{", ".join(keys)} of "{pair.tool.name}" changed in the code, but {where} still has the old value'


def _copy_drift(pair: _Pair, keys: list[str]) -> Iterator[Finding]:
    if not keys:
        return
    message = _regenerated(pair) if keys == ["summary"] else _behind(pair, keys)
    detail = field_difference(pair.before.data, pair.after.data, keys)
    source = "description" if keys[0] == "summary" else keys[0]
    yield finding("PD901", message, site=place(pair.tool, source), tool=pair.tool.name, detail=detail)


def _stub_drift(pair: _Pair) -> Iterator[Finding]:
    literals, old, new = literal_in_code(pair.tool), pair.before.summary, pair.after.summary
    if old == new:
        return
    code, message, site = "PD902", _regenerated(pair), pair.before.site("description")
    if isinstance(literals, Mapping) and "description" in literals and literals["description"].value == new:
        message = f'the summary of "{pair.tool.name}" was edited in its stub, not at {pair.before.site("summary")}'
        code, site = "PD903", place(pair.tool, "description")
    yield finding(code, message, site=site, tool=pair.tool.name, detail=value_difference(old, new))


def _regenerated(pair: _Pair) -> str:
    if not pair.after.summary:
        return f'the summary of "{pair.tool.name}" was generated from a description that source does not settle'
    return f'the generated summary of "{pair.tool.name}" is out of date with its description'


def unlike_stub(view: View, tool: Tool, file: DescriptionFile) -> Finding | None:
    """A finding if the stub of a moved tool is not the one that its file gives; ``None`` otherwise."""
    literals = literal_in_code(tool)
    if isinstance(literals, Fixed) or file.owner != "file":
        return None
    spelled: JsonObject = {key: known.value for key, known in literals.items()}
    wanted = stub(descriptions.disclosed(file.data), file.summary, view.settings)
    if not (keys := [key for key in wanted if spelled.get(key) != wanted[key]]):
        return None
    source = "summary" if keys[0] == "description" else keys[0]
    where = place(tool, keys[0])
    message = f'the stub of "{tool.name}" at {where} is behind {file.path}: {", ".join(keys)}'
    detail = field_difference(spelled, wanted, keys)
    return finding("PD902", message, site=file.site(source), tool=tool.name, detail=detail)


def stale_summary(view: View, tool: Tool, file: DescriptionFile) -> Finding | None:
    """A finding if a person's own summary stayed the same while the description changed; ``None`` otherwise."""
    written = view.remembered.written.get(file.path)
    if not file.summary or written is None or digest(file.summary) == written.generated:
        return None
    if written.fields.get("description") in (None, digest(file.data.get("description"))):
        return None
    present = descriptions.load(file.path, view.project.files.get(file.path, b""))
    if isinstance(present, DescriptionFile) and present.summary != file.summary:
        return None  # the planned summary follows the description
    if file.owner == "file" and digest(file.summary) != written.summary:
        return None
    message = f'the description of "{tool.name}" changed, and its hand-written summary did not'
    return finding("PD912", message, site=file.site("summary"), tool=tool.name)


def outdated_answers(view: View) -> Iterator[Finding]:
    """A finding for every server whose sources have changed since it was asked what it lists."""
    for server, home in zip(view.project.inventory.servers, view.project.homes, strict=True):
        answer = view.project.asked.get(home.folder)
        if answer is not None and (changed := outdated(view.project, server, answer)):
            called = server.name or f"the server of {server.site.file}"
            message = f"{called} was asked what it lists on {answer.date}, and its source has changed since"
            commands = view.project.around.starters.of(server.site.file)
            alone = bool(commands) and len(view.project.inventory.servers) == 1
            hint = f"run `pdmigrate sync --live`, which asks it again by `{commands[0].command}`" if alone else ""
            yield finding("PD916", f"{message}: {some(changed)}", hint=hint, site=server.site)


# --- beyond a single tool ---------------------------------------------------------------------------------------------


def module_drift(change: FileChange, *, edited: bool) -> Finding:
    """The finding for a generated module or ``_server.json`` that differs from what would be generated today."""
    if change.before is None:
        who = "server imports" if change.kind is FileKind.MODULE else "module reads"
        return _told("PD907", f"{change.path} is missing; the {who} it", change)
    if not edited:
        message = f"{change.path} is not what this version of pdmigrate makes for these tools and settings"
        return _told("PD907", message, change)
    message = f"{change.path} was edited by hand (-), and generating it anew (+) would undo the edit"
    hint = (
        "keep the edit elsewhere, delete the module and run `pdmigrate sync`, which generates it anew; or keep the "
        'module as your own with ignore = ["PD908"] in [tool.pdmigrate]'
    )
    return _told("PD908", message, change, hint)


def _told(code: str, message: str, change: FileChange, hint: str = "") -> Finding:
    """The finding for a file that differs from what it should be, at the first line that does."""
    before, after = change.before or b"", change.after or b""
    site = Site(change.path, first_changed_line(before, after))
    return finding(code, message, hint=hint, site=site, detail=text_difference(before, after) if before else "")


def _of_code(view: View, changes: Iterable[FileChange], said: Collection[Finding]) -> Iterator[Finding]:
    """Findings for build files, and for edits of code that no other finding explains, such as edits of policies."""
    explained = {found.site.file for found in said if found.site}
    named = {found.tool for found in said if found.tool}
    for tool in (tool for server in view.project.inventory.servers for tool in server.tools if tool.name in named):
        steps = (step for known in tool.fields.values() for step in known.steps)
        explained.update((tool.site.file, *(step.site.file for step in steps if step.site)))
    for change in changes:
        if change.kind is not FileKind.CODE or not change.before:
            continue
        if not change.path.endswith(".py"):
            message = f"{change.path} does not put the description files into the package any more"
            yield _told("PD910", message, change)
        elif change.path not in explained:
            yield _told("PD907", f"{change.path}: {change.reason}", change)
