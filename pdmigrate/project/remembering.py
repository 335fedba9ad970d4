"""What a running server said, kept and used again: a later run that does not ask knows what the one that asked knew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.model import JsonObject, Known, Sdk, Server, Site, Tool
from pdmigrate.project.depending import digest, moved
from pdmigrate.project.model import Project
from pdmigrate.project.witnessing import compare
from pdmigrate.record.lock import Asked


def with_answers(project: Project, asked: Mapping[str, Asked]) -> Project:
    """The project with every server as it answered when it was last asked; fields that source settles stay source's."""
    servers = list(project.inventory.servers)
    before: dict[Site, Server] = {}
    for position, (server, home) in enumerate(zip(servers, project.homes, strict=True)):
        if answer := asked.get(home.folder):
            files, _ = project.descriptions(home)
            before[server.site] = server
            servers[position] = _as_asked(server, answer, files)
    inventory = replace(project.inventory, servers=tuple(servers))
    return replace(project, inventory=inventory, unasked=before, asked=dict(asked))


def answer_of(
    source: Server, shown: Server, listing: Sequence[JsonObject], date: str, sources: Mapping[str, str]
) -> Asked:
    """What has to be remembered of a ``listing``: ``shown`` is the server of ``source`` as it showed it."""
    listed = {str(one["name"]): one for one in reversed(listing) if isinstance(one.get("name"), str)}
    own = {tool.name: tool.fields for tool in source.tools}
    seen = {tool.name: tool for tool in shown.tools if tool.name in listed}
    return Asked(
        date=date,
        sdk=_version(source.sdk),
        sources=dict(sources),
        order=tuple(dict.fromkeys(str(one["name"]) for one in listing if one.get("name") in listed)),
        missing=tuple(one.name for one in source.tools if one.name and one.name not in listed and not one.conditional),
        fields={str(name): _of_wire(tool) for name, tool in seen.items() if _of_wire(tool)},
        absent={
            str(name): gone
            for name in seen
            if (gone := tuple(key for key in own.get(name, {}) if key not in listed[str(name)]))
        },
    )


def kept(before: Asked | None, now: Asked) -> Asked:
    """``before`` if it differs from ``now`` in the date alone, so that asking twice changes nothing."""
    return before if before is not None and replace(before, date=now.date) == now else now


def outdated(project: Project, server: Server, asked: Asked) -> tuple[str, ...]:
    """What has changed since the answer: files, or the SDK."""
    version = (f"{_version(server.sdk)} in place of {asked.sdk}",) if asked.sdk != _version(server.sdk) else ()
    return (*moved(asked.sources, project.files), *version)


def answers_after(project: Project, folders: Iterable[str], after: Mapping[str, bytes]) -> dict[str, Asked]:
    """The answers of the servers with these description folders, once the files ``after`` have been written."""
    answers = {}
    for folder in folders:
        if answer := project.asked.get(folder):
            stale = moved(answer.sources, project.files)
            ours = {path: digest(after[path]) for path in answer.sources if path in after and path not in stale}
            answers[folder] = replace(answer, sources={**answer.sources, **ours})
    return answers


def _version(sdk: Sdk) -> str:
    return f"{sdk.package} {sdk.version}"


def _of_wire(tool: Tool) -> JsonObject:
    known = ((key, field) for key, field in tool.fields.items() if isinstance(field, Known))
    return {key: field.value for key, field in known if field.basis == "wire"}


def _as_asked(server: Server, asked: Asked, files: Mapping[str, DescriptionFile]) -> Server:
    answered = {*asked.order, *asked.missing}
    later = [tool for tool in server.tools if tool.name is not None and tool.name not in answered]
    source = {tool.name: tool for tool in server.tools}
    then = replace(server, tools=tuple(tool for tool in server.tools if tool.name in answered))
    listing = [_listed(name, source.get(name), asked) for name in asked.order]
    shown = compare(then, listing, files).server
    tools = (_with_source(tool, source.get(tool.name), asked) for tool in shown.tools)
    return replace(shown, tools=(*tools, *later))


def _listed(name: str, tool: Tool | None, asked: Asked) -> JsonObject:
    absent = asked.absent.get(name, ())
    own = tool.definition if tool is not None else {}
    return {**{k: v for k, v in own.items() if k not in absent}, "name": name, **asked.fields.get(name, {})}


def _with_source(tool: Tool, source: Tool | None, asked: Asked) -> Tool:
    if source is None or tool.name is None:
        return tool
    said = {*asked.fields.get(tool.name, {}), *asked.absent.get(tool.name, ())}
    merged = {**tool.fields, **{key: field for key, field in source.fields.items() if key not in said}}
    order = dict.fromkeys((*source.fields, *tool.fields))
    return replace(tool, fields={key: merged[key] for key in order if key in merged})
