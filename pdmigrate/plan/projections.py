"""One tool brought into agreement: the content of its description file and the stub that stands for it in code.

Three states decide what follows what: the code now, the file now, and both as they were when last written (``Written``,
kept in ``.pdmigrate/lock.json``).  Nothing that a person wrote is overwritten; what cannot be settled is a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pdmigrate import descriptions
from pdmigrate.config import Settings
from pdmigrate.descriptions import WORDS, DescriptionFile, digest
from pdmigrate.findable import Summaries
from pdmigrate.findings import finding
from pdmigrate.lock import Written
from pdmigrate.model import DISCLOSED_FIELDS, TOOL_FIELDS, Finding, JsonObject, JsonValue, Known, Site, Tool
from pdmigrate.plan.ownership import literal_in_code
from pdmigrate.stubs import stub_schema


@dataclass(frozen=True, slots=True)
class Projection:
    """What a tool's places must hold: ``content`` its file, ``stub`` its literal in code (``None``: leave the code)."""

    content: JsonObject
    stub: JsonObject | None
    written: Written


class _ConflictError(Exception):
    """Two places say different things and neither is the older."""

    def __init__(self, found: Finding) -> None:
        super().__init__(found.message)
        self.finding = found


def project(
    tool: Tool,
    file: DescriptionFile | None,
    owner: str,
    written: Written | None,
    settings: Settings,
    schema: str,
    seeds: Summaries,
) -> Projection | Finding:
    """Bring ``tool`` (as the code spells it) and ``file`` together for ``owner``; a conflict is returned as a finding.

    ``schema`` is the reference that the file makes to the JSON Schema of description files, ``seeds`` has the summary
    that would be generated today.
    """
    try:
        if owner == "file":
            return _file_owned(tool, file, written, settings, schema, seeds)
        return _code_owned(tool, file, written, schema, seeds)
    except _ConflictError as conflict:
        return conflict.finding


def _file_owned(
    tool: Tool,
    file: DescriptionFile | None,
    written: Written | None,
    settings: Settings,
    schema: str,
    seeds: Summaries,
) -> Projection:
    literals = literal_in_code(tool)
    moved: Mapping[str, str] = {}
    if file is not None and file.owner == "file":
        _refuse_edited_copies(tool, file, written, (key for key in TOOL_FIELDS[1:] if key not in DISCLOSED_FIELDS))
        disclosed, summary = descriptions.disclosed(file.data), file.summary
        moved = written.moved if written else {}
        # Code that spells the whole definition again was put back by hand: it only needs its stub.
        if isinstance(literals, Mapping) and {key: known.value for key, known in literals.items()} != disclosed:
            summary = _carried_summary(tool, file, written)
            _refuse_edited_stub(tool, file, literals, written, stub(disclosed, summary, settings))
    else:
        _refuse_edited_copies(tool, file, written)
        disclosed = descriptions.disclosed(tool.definition)
        summary = _summary(tool, file, written, seeds)
        moved = {key: digest(value) for key, value in disclosed.items()}
    definition = {**{key: value for key, value in tool.definition.items() if key not in DISCLOSED_FIELDS}, **disclosed}
    in_code = stub(disclosed, summary, settings) if isinstance(literals, Mapping) else None
    generated = _generated(definition, written, seeds)
    projection = _projection(tool, file, "file", definition, (summary, generated), schema, in_code)
    return replace(projection, written=replace(projection.written, moved=moved))


def _code_owned(
    tool: Tool, file: DescriptionFile | None, written: Written | None, schema: str, seeds: Summaries
) -> Projection:
    _refuse_edited_copies(tool, file, written)
    summary = _summary(tool, file, written, seeds), _generated(tool.definition, written, seeds)
    return _projection(tool, file, "code", tool.definition, summary, schema, None)


def _projection(
    tool: Tool,
    file: DescriptionFile | None,
    owner: str,
    definition: JsonObject,
    summarised: tuple[str, str],
    schema: str,
    in_code: JsonObject | None,
) -> Projection:
    """``summarised``: the summary, and the digest of the one that was last generated."""
    summary, generated = summarised
    words = _words(file) if file else {}
    content = descriptions.compose(definition, owner=owner, summary=summary, schema=schema, words=words)
    remembered = Written(
        tool=str(tool.name),
        summary=digest(summary),
        generated=generated,
        stub=digest(in_code["inputSchema"]) if in_code else None,
        fields={key: digest(value) for key, value in definition.items() if key != "name"},
    )
    return Projection(content, in_code, remembered)


def stub(disclosed: JsonObject, summary: str, settings: Settings) -> JsonObject:
    """The three disclosed fields as ``tools/list`` shows them, for a definition's own ``disclosed`` fields."""
    full = disclosed.get("inputSchema")
    fields: JsonObject = {
        "description": summary,
        "inputSchema": stub_schema(settings.stub_schema, full if isinstance(full, dict) else {}),
    }
    if settings.keep_output_schema and "outputSchema" in disclosed:
        fields["outputSchema"] = disclosed["outputSchema"]
    return fields


def _words(file: DescriptionFile) -> JsonObject:
    """What a person added: the fields that are theirs, and any that are neither ours nor the wire's."""
    ours = {"$schema", "owner", "summary", *TOOL_FIELDS}
    return {key: value for key, value in file.data.items() if key in WORDS or key not in ours}


def _summary(tool: Tool, file: DescriptionFile | None, written: Written | None, seeds: Summaries) -> str:
    """The file's summary once somebody has edited it, otherwise the one generated from the definition of today."""
    if file is None or not file.summary:
        return seeds.of(str(tool.name))
    edited = written is None or digest(file.summary) != written.generated
    return file.summary if edited or _is_as_written(tool.definition, written) else seeds.of(str(tool.name))


def _generated(definition: JsonObject, written: Written | None, seeds: Summaries) -> str:
    """The digest of the summary that the lock is to remember as generated.

    A summary is generated anew only when its own tool changes: siblings come and go, and every one of them would
    change the words that tell the others apart.
    """
    if written is not None and _is_as_written(definition, written):
        return written.generated
    return digest(seeds.of(str(definition["name"])))


def _is_as_written(definition: JsonObject, written: Written | None) -> bool:
    """Whether what a summary is made from is what it was when the summary was last looked at."""
    return written is not None and all(
        (digest(definition[key]) if key in definition else None) == written.fields.get(key)
        for key in ("description", "inputSchema")
    )


def _carried_summary(tool: Tool, file: DescriptionFile, written: Written | None) -> str:
    """The summary of a moved tool, which may be edited in its stub or in its file, but not in both."""
    spelled = tool.fields.get("description")
    in_code = spelled.value if isinstance(spelled, Known) else None
    if not isinstance(in_code, str) or in_code == file.summary:
        return file.summary
    code_edited = written is None or digest(in_code) != written.summary
    file_edited = written is None or digest(file.summary) != written.summary
    if code_edited and file_edited:
        raise _ConflictError(
            finding(
                "PD512",
                f'the summary of "{tool.name}" is {in_code!r} in the code and {file.summary!r} in {file.path}',
                site=tool.site,
                tool=tool.name,
            )
        )
    return in_code if code_edited else file.summary


def _refuse_edited_stub(
    tool: Tool, file: DescriptionFile, literals: Mapping[str, Known], written: Written | None, wanted: JsonObject
) -> None:
    """A stub's schema follows its file; one that is neither today's nor the last one written was edited by hand."""
    in_code = literals["inputSchema"].value if "inputSchema" in literals else None
    fresh = in_code == wanted["inputSchema"]
    if fresh or (written is not None and digest(in_code) == written.stub):
        if "outputSchema" not in literals or "outputSchema" in wanted:
            return
        in_code = literals["outputSchema"].value
        if written is not None and written.fields.get("outputSchema") == digest(in_code):
            return
    raise _ConflictError(
        finding(
            "PD513",
            f'the schema of "{tool.name}" was edited in its stub, but its home is {file.path}',
            hint=f"make the change in {file.path} and put the stub back as it was",
            site=tool.site,
            tool=tool.name,
        )
    )


def _refuse_edited_copies(
    tool: Tool, file: DescriptionFile | None, written: Written | None, keys: Iterable[str] = TOOL_FIELDS[1:]
) -> None:
    """The fields ``keys`` of a file are copies; one that is neither the code's nor as written was edited."""
    if file is None or written is None:
        return
    for key in keys:
        copy: JsonValue = file.data.get(key)
        if key not in file.data or copy == tool.definition.get(key) or digest(copy) == written.fields.get(key):
            continue
        raise _ConflictError(
            finding(
                "PD514",
                f'{key} of "{tool.name}" was edited in {file.path}, where it is a copy of the code at {tool.site}',
                hint=f"make the change at {tool.site}, and put the copy back or delete the file",
                site=Site(file.path, 1),
                tool=tool.name,
            )
        )
