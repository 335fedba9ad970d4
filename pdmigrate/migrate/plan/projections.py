"""Bring one tool into agreement: the content of its description file and the stub that stands for it in code.

Three states decide which place follows which: the code now, the file now, and both as they were when last written
(``Written``, kept in ``.pdmigrate/lock.json``).  Nothing that a person wrote is overwritten; a contradiction that the
states do not settle is a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pdmigrate.describe import descriptions
from pdmigrate.describe.dashdash import PREFIX, tool_fields
from pdmigrate.describe.descriptions import LIFTED, WORDS, DescriptionFile, digest
from pdmigrate.describe.differences import value_difference
from pdmigrate.describe.lifting import lifted
from pdmigrate.findings import finding
from pdmigrate.migrate.plan.ownership import literal_in_code
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    TOOL_FIELDS,
    Field,
    Finding,
    JsonObject,
    JsonValue,
    Known,
    Site,
    Step,
    Tool,
    Unknown,
)
from pdmigrate.record.lock import Written
from pdmigrate.runtime.guidance import first_sentence
from pdmigrate.runtime.stubs import stub_schema
from pdmigrate.settings import Settings


@dataclass(frozen=True, slots=True)
class Projection:
    """What file, code (``None``: as it is) and lock must hold of a tool: ``content``, ``stub`` and ``written``."""

    content: JsonObject
    stub: JsonObject | None
    written: Written


class _ConflictError(Exception):
    """Two places contradict each other, where neither holds what was last written."""

    def __init__(self, code: str, message: str, hint: str, site: Site, tool: Tool, sides: str) -> None:
        super().__init__(message)
        self.finding = finding(code, message, hint=hint, site=site, tool=tool.name, detail=sides)


@dataclass(frozen=True, slots=True)
class Places:
    """What is brought together: ``tool`` as the code spells it, ``file``, and what was last ``written``.

    ``schema`` is the file's reference to the JSON Schema of description files, ``seeds`` are the summaries that would
    be generated today, by the name of their tool.
    """

    tool: Tool
    file: DescriptionFile | None
    written: Written | None
    settings: Settings
    schema: str
    seeds: Mapping[str, str]


def project(places: Places, owner: str) -> Projection | Finding:
    """Bring a tool's places together for ``owner``, or return the first conflict."""
    try:
        if owner == "file":
            return _file_owned(places)
        _refuse_edited_copies(places.tool, places.file, places.written)
        return _projection(places, "code", places.tool.definition, _summary(places), None)
    except _ConflictError as error:
        return error.finding


def place(tool: Tool, key: str) -> Site:
    """Where the code spells ``key``: the first step in the tool's declaration, not a constant that it contains."""
    known = tool.fields.get(key)
    sites = [step.site for step in (known.steps if known is not None else ()) if step.site]
    inside = [site for site in sites if site.file == tool.site.file and site.line >= tool.site.line]
    return min(inside, default=sites[-1] if sites else tool.site)


def _file_owned(places: Places) -> Projection:
    tool, file, written, settings = places.tool, places.file, places.written, places.settings
    literals = literal_in_code(tool)
    moved: Mapping[str, str] = {}
    if file is not None and file.owner == "file":
        _refuse_edited_copies(tool, file, written, (key for key in TOOL_FIELDS[1:] if key not in DISCLOSED_FIELDS))
        disclosed = descriptions.disclosed(file.data)
        summary = _summary(places)
        moved = written.moved if written else {}
        # If the code spells the whole definition, somebody put it back by hand, and it only needs its stub.
        if isinstance(literals, Mapping) and {key: known.value for key, known in literals.items()} != disclosed:
            carried = _carried_summary(tool, file, written)
            summary = carried if carried != file.summary else summary
            _refuse_edited_stub(tool, file, literals, written, stub(disclosed, summary, settings))
    else:
        _refuse_edited_copies(tool, file, written)
        disclosed = descriptions.disclosed(tool.definition)
        summary = _summary(places)
        moved = {key: digest(value) for key, value in disclosed.items()}
    kept = {key: value for key, value in tool.definition.items() if key not in DISCLOSED_FIELDS}
    definition = {**kept, **disclosed}
    in_code = stub(disclosed, summary, settings) if isinstance(literals, Mapping) else None
    projection = _projection(places, "file", definition, summary, in_code)
    return replace(projection, written=replace(projection.written, moved=moved))


def _projection(
    places: Places, owner: str, definition: JsonObject, summary: str | None, in_code: JsonObject | None
) -> Projection:
    tool, generated = places.tool, places.seeds.get(str(places.tool.name))
    found = lifted(definition, tool.doc)
    found.update(tool_fields(definition) if places.settings.dashdash is not None else {})
    words = _kept_fields_and_guidance(places.file, places.written, found)
    content = descriptions.compose(definition, owner=owner, summary=summary, schema=places.schema, words=words)
    remembered = Written(
        tool=str(tool.name),
        summary=digest(summary) if summary else "",
        generated=digest(generated) if generated else "",
        stub=digest(in_code["inputSchema"]) if in_code else None,
        fields={key: digest(value) for key, value in definition.items() if key != "name"},
        lifted={key: digest(value) for key, value in found.items()},
    )
    return Projection(content, in_code, remembered)


def stub(disclosed: JsonObject, summary: JsonValue, settings: Settings) -> JsonObject:
    """A definition's ``disclosed`` fields as listed; without a summary, with the first sentence of the description."""
    full, text = disclosed.get("inputSchema"), disclosed.get("description")
    described = summary or first_sentence(text if isinstance(text, str) else None) or text
    fields: JsonObject = {} if described is None else {"description": described}
    return {**fields, "inputSchema": stub_schema(settings.stub_schema, full if isinstance(full, dict) else {})}


def _kept_fields_and_guidance(file: DescriptionFile | None, written: Written | None, found: JsonObject) -> JsonObject:
    """A person's fields, and the guidance ``found``, which follows the code until somebody edits or empties it."""
    ours = {"$schema", "owner", "summary", LIFTED, *TOOL_FIELDS}
    data = file.data if file else {}
    words = _flat({key: value for key, value in data.items() if key in WORDS or key not in ours})
    past = written.lifted if written else {}
    now = {key: digest(value) for key, value in words.items()}
    untouched = {key for key in (*past, *found) if words.get(key) == found.get(key) or now.get(key) == past.get(key)}
    fresh = {key for key in found if words.get(key) in (None, [], {}, "") and key not in past}
    taken = {key: value for key, value in found.items() if key in untouched | fresh}
    kept = {key: value for key, value in words.items() if key not in untouched}
    return {**_nested({**kept, **taken}), **({LIFTED: [*taken]} if taken else {})}


def _flat(words: JsonObject) -> JsonObject:
    """``words`` with a separate key for each dashdash field, as some are a person's and some are inferred."""
    fields = words.get("dashdash")
    if not isinstance(fields, dict):
        return words
    others = {key: value for key, value in words.items() if key != "dashdash"}
    return {**others, **{f"{PREFIX}{key}": value for key, value in fields.items()}}


def _nested(words: JsonObject) -> JsonObject:
    fields = {key.removeprefix(PREFIX): value for key, value in words.items() if key.startswith(PREFIX)}
    others = {key: value for key, value in words.items() if not key.startswith(PREFIX)}
    return {**others, **({"dashdash": fields} if fields else {})}


def _summary(places: Places) -> str | None:
    """The file's summary once somebody has edited it, otherwise the summary generated today, if there is one."""
    file, written = places.file, places.written
    if file is not None and file.summary and (written is None or digest(file.summary) != written.generated):
        return file.summary
    return places.seeds.get(str(places.tool.name))


def _carried_summary(tool: Tool, file: DescriptionFile, written: Written | None) -> str:
    """The summary of a moved tool, which may be edited in its stub or in its file, but not in both."""
    spelled = tool.fields.get("description")
    in_code = spelled.value if isinstance(spelled, Known) else None
    if not isinstance(in_code, str) or in_code == file.summary:
        return file.summary
    if not file.summary:
        return in_code
    code_edited = written is None or digest(in_code) != written.summary
    file_edited = written is None or digest(file.summary) != written.summary
    if code_edited and file_edited:
        message = f'the summary of "{tool.name}" is {in_code!r} in the code and {file.summary!r} in {file.path}'
        hint = f"put one of the two texts in both places: into its stub, and into {file.path}"
        sides = _sides(file, in_code, file.summary, written.summary if written is not None else None)
        raise _ConflictError("PD512", message, hint, place(tool, "description"), tool, sides)
    return in_code if code_edited else file.summary


def _refuse_edited_stub(
    tool: Tool, file: DescriptionFile, literals: Mapping[str, Known], written: Written | None, wanted: JsonObject
) -> None:
    """Raise a conflict if a stub's schema is neither today's nor the last one written: it was edited by hand."""
    base = written.stub if written is not None else None
    in_code = literals["inputSchema"].value if "inputSchema" in literals else None
    if in_code == wanted["inputSchema"] or (base is not None and digest(in_code) == base):
        return
    message = f'the schema of "{tool.name}" was edited in its stub, but its home is {file.path}'
    hint = f"make the change in {file.path}, and restore in the stub what is shown with -"
    sides = _sides(file, in_code, wanted["inputSchema"], base)
    raise _ConflictError("PD513", message, hint, place(tool, "inputSchema"), tool, sides)


def _refuse_edited_copies(
    tool: Tool, file: DescriptionFile | None, written: Written | None, keys: Iterable[str] = TOOL_FIELDS[1:]
) -> None:
    """Raise a conflict if the file's copy of one of ``keys`` is neither the code's value nor the one last written."""
    if file is None or written is None:
        return
    for key in keys:
        copy: JsonValue = file.data.get(key)
        if key not in file.data or copy == tool.definition.get(key) or digest(copy) == written.fields.get(key):
            continue
        message = f'{key} of "{tool.name}" was edited in {file.path}, where it is a copy of the code at {tool.site}'
        hint = f"make the change at {tool.site}, and delete {key} from {file.path}: `pdmigrate sync` copies it anew"
        sides = _sides(file, tool.definition.get(key), copy, written.fields.get(key))
        raise _ConflictError("PD514", message, hint, file.site(key), tool, sides)


def _sides(file: DescriptionFile, in_code: JsonValue, in_file: JsonValue, base: str | None) -> str:
    """The difference between both places, or between one and what was last written, of which ``base`` is the digest."""
    if digest(in_file) == base:
        return f"last written (-) and the code (+)\n{value_difference(in_file, in_code)}"
    if digest(in_code) == base:
        return f"last written (-) and {file.path} (+)\n{value_difference(in_code, in_file)}"
    return f"{file.path} (-) and the code (+)\n{value_difference(in_file, in_code)}"


def with_settled(tool: Tool, file: DescriptionFile | None, written: Written | None) -> Tool:
    """``tool`` with fields that source leaves open taken from the file, if the copy there is as it was last written.

    Otherwise a run that does not ask the server would remove what a run that asked it had put in.
    """
    if file is None or written is None:
        return tool
    fields: dict[str, Field] = dict(tool.fields)
    for key, field in tool.fields.items():
        copied = isinstance(field, Unknown) and key in file.data
        if copied and written.fields.get(key) == digest(file.data[key]):
            step = Step("taken from the running server by an earlier run", Site(file.path, 1))
            fields[key] = Known(file.data[key], (step,), basis="wire")
    return replace(tool, fields=fields)
