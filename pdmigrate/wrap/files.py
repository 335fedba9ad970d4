"""The files of a wrapper's folder: those that are there, and what follows from the record and a person's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.describe.descriptions import DescriptionFile, check, check_prose, digest, dump, load_all
from pdmigrate.describe.lines import lines_of
from pdmigrate.describe.summaries import summaries
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, FileKind, Finding, JsonObject, Plan, Site
from pdmigrate.names import DESCRIPTIONS, SERVER_FILE, WRAPPED
from pdmigrate.record.lock import source_digest
from pdmigrate.runtime.render import ModuleSpec, bridge_name, render_module
from pdmigrate.source.documents import json_or_none
from pdmigrate.wrap.record import Wrapped, parse

WRAPPER = "server.py"
ABOUT = f"{DESCRIPTIONS}/{SERVER_FILE}"
ATTRIBUTES = ".gitattributes"
_MARKS = f"{WRAPPER} linguist-generated\n{WRAPPED} linguist-generated\n".encode()


def record_of(folder: Path | str) -> Wrapped | None:
    """The record of the wrapper in ``folder``; ``None`` if there is none.

    Raises UsageError if the record cannot be read.
    """
    raw = disk.content(folder, WRAPPED)
    return None if raw is None else parse(raw.decode("utf-8-sig", "replace"), f"{folder}/{WRAPPED}")


def files_of(folder: Path | str) -> dict[str, bytes]:
    """The files of a wrapper that are in ``folder``, with the description files that a person has put beside it."""
    beside = [f"{DESCRIPTIONS}/{name}" for name in disk.names(folder, DESCRIPTIONS) if name.endswith(".json")]
    found = {path: disk.content(folder, path) for path in (WRAPPER, ATTRIBUTES, WRAPPED, *beside)}
    return {path: raw for path, raw in found.items() if raw is not None}


def planned(wrapped: Wrapped, present: Mapping[str, bytes], before: Wrapped | None) -> Plan:
    """The plan that brings a folder in line with ``wrapped``; ``present`` are the files that are there, by path.

    ``before`` is the record of the last run: a summary that differs from what its listing gave is a person's, and
    stays.  A wrapper that somebody has edited is left alone, with a finding.
    """
    module = rendered(wrapped).encode()
    findings = []
    there = present.get(WRAPPER, b"")
    is_ours = before is not None and source_digest(there) == before.module
    if WRAPPER in present and source_digest(there) == source_digest(module):
        module = there  # a formatter may do as it likes
    elif WRAPPER in present and not is_ours:
        findings.append(finding("PD908", f"{WRAPPER} has edits of its own", site=Site(WRAPPER, 1)))
        module = there
    about, stale = _about(wrapped, present.get(ABOUT), before)
    findings += stale
    record = replace(wrapped, module=source_digest(module) if not findings else wrapped.module)
    told = f"the wrapper of {wrapped.name}"
    changes = [
        _change(WRAPPER, present, module, FileKind.MODULE, told),
        _change(ABOUT, present, about, FileKind.SERVER, "the summaries of its tools"),
        _change(WRAPPED, present, record.dump(), FileKind.STATE, "what it wraps, and what that server listed"),
        _change(ATTRIBUTES, present, present.get(ATTRIBUTES, _MARKS), FileKind.STATE, "which files are generated"),
    ]
    return Plan(tuple(changes), findings=tuple(findings))


def rendered(wrapped: Wrapped) -> str:
    """The source of the wrapper: a server that stands in front of the wrapped one."""
    arguments = f"{wrapped.url!r}, {wrapped.headers!r}" if wrapped.url else repr([*wrapped.command])
    spec = ModuleSpec("relay", stub_schema=wrapped.stub_schema, bridge=wrapped.bridge)
    return render_module(spec, arguments=arguments, url=wrapped.url, name=repr(wrapped.name), stdio=repr(wrapped.stdio))


def _change(path: str, present: Mapping[str, bytes], after: bytes, kind: FileKind, reason: str) -> FileChange:
    return FileChange(path, present.get(path), after, kind, reason)


def _about(wrapped: Wrapped, present: bytes | None, before: Wrapped | None) -> tuple[bytes, list[Finding]]:
    """The text of ``_server.json``, and findings about summaries that a person may want to look at."""
    names = [str(tool["name"]) for tool in wrapped.tools]
    made = generated(wrapped)
    past = {name: digest(text) for name, text in (generated(before) if before is not None else {}).items()}
    lines = lines_of(ABOUT, {} if present is None else {ABOUT: present}, {ABOUT: past})
    kept = {name: text for name in names if (text := lines.by_person(name))}
    content: JsonObject = {
        "$comment": "Made by `pdmigrate wrap`: edit the summaries here; `pdmigrate sync` keeps the rest in line.",
        "server": wrapped.name,
        **({"example": names[0]} if names else {}),
        **({"bridge": bridge_name(wrapped.name)} if wrapped.bridge else {}),
        "summaries": {name: kept.get(name, made.get(name, "")) for name in names if name in kept or name in made},
    }
    findings = [*_stale(wrapped, before, kept)]
    same = present is not None and json_or_none(present) == content
    return (present if same and present is not None else dump(content)), findings


def generated(wrapped: Wrapped) -> dict[str, str]:
    """The summaries that the listing gives, by tool."""
    return summaries({str(tool["name"]): tool.get("description") for tool in wrapped.tools})


def _stale(wrapped: Wrapped, before: Wrapped | None, kept: Mapping[str, str]) -> Iterator[Finding]:
    old = {} if before is None else {str(tool["name"]): tool.get("description") for tool in before.tools}
    for tool in wrapped.tools:
        name = str(tool["name"])
        if name in kept and name in old and old[name] != tool.get("description"):
            told = f"the description of {name} has changed since its summary was written"
            yield finding("PD912", told, site=Site(ABOUT, 1), tool=name)


def examined(wrapped: Wrapped, present: Mapping[str, bytes]) -> Iterator[Finding]:
    """Findings about what a person edits beside a wrapper: summaries, and description files with their examples."""
    content = json_or_none(present.get(ABOUT, b"{}"))
    said = content.get("summaries") if isinstance(content, dict) else None
    if not isinstance(said, dict) or not all(isinstance(text, str) for text in said.values()):
        yield finding("PD401", f"{ABOUT} has no summaries", site=Site(ABOUT, 1))
        return
    known = {str(tool["name"]): tool for tool in wrapped.tools}
    owned = [(path, raw) for path, raw in present.items() if path.startswith(DESCRIPTIONS) and path != ABOUT]
    files, findings = load_all(owned)
    yield from findings
    for name, file in files.items():
        if name in known:
            whole: JsonObject = {**known[name], **file.data}
            yield from check(DescriptionFile(file.path, whole, file.raw), {}, known)
    for name, text in said.items():
        if name in known and name not in files:
            line: JsonObject = {"name": name, "summary": text, "description": known[name].get("description")}
            yield from check_prose(DescriptionFile(ABOUT, line))
    for path, name in [*((ABOUT, name) for name in said), *((file.path, name) for name, file in files.items())]:
        if name not in known:
            yield finding("PD905", f"the wrapped server lists no {name}", site=Site(path, 1), tool=name)
