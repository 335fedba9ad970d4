"""Description files: their names, their canonical form, and the findings about them.

A file holds one tool.  Its ``owner`` decides which of its fields are the definition itself and which are copies of the
code; see ``docs/architecture.md``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from pdmigrate.describe.details import Details
from pdmigrate.describe.json_lines import Path as Parts
from pdmigrate.describe.json_lines import conflict_line, line_of
from pdmigrate.describe.leaking import PLACE, SECRET, leaks
from pdmigrate.describe.summaries import summaries
from pdmigrate.escaping import json_of_file
from pdmigrate.findings import finding
from pdmigrate.model import DISCLOSED_FIELDS, TOOL_FIELDS, Finding, JsonObject, JsonValue, Site, Tool, mapping
from pdmigrate.source.documents import DocumentError, read_json

WORDS = ("examples", "usage_guidance", "error_guidance", "dashdash")
"""The guidance fields: filled in from the code until a person edits them, and then, like ``summary``, left alone."""
LIFTED = "lifted"
"""The field that lists the guidance fields lifted from the code and unedited since."""

_ORDER = ("$schema", "name", "owner", "summary", *TOOL_FIELDS[1:])
_PORTABLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,99}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9]|_server)")


@dataclass(frozen=True, slots=True)
class DescriptionFile:
    """One description file: ``path`` is POSIX and relative to the root, ``data`` its parsed content.

    ``raw`` is its content on disk, for the lines of findings; empty for a file that is only planned.
    """

    path: str
    data: JsonObject
    raw: bytes = field(default=b"", compare=False, repr=False)

    def site(self, *parts: str | int) -> Site:
        """The site of a part of the file: ``site("examples", 0)``."""
        return Site(self.path, line_of(self.raw, parts))

    @property
    def name(self) -> str:
        return str(self.data["name"])

    @property
    def owner(self) -> str:
        return str(self.data.get("owner", "code"))

    @property
    def summary(self) -> str:
        return str(self.data.get("summary", ""))


def file_names(names: Iterable[str], taken: Mapping[str, str]) -> dict[str, str]:
    """A file name for every tool; a tool that has a file (``taken``: tool to file name) keeps it.

    The file has the tool's own name if every file system can hold it beside the others.  Otherwise it has a readable
    stem and a digest, so that two names that differ only in case, or in characters that a file system forbids, never
    share a file.
    """
    wanted = sorted(set(names))
    result = {name: taken[name] for name in wanted if name in taken}
    used = {file.casefold() for file in taken.values()}
    for name in wanted:
        if name in result:
            continue
        plain = f"{name}.json"
        portable = _PORTABLE.fullmatch(name) and not _RESERVED.fullmatch(name)
        if not portable or plain.casefold() in used:
            stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "tool"
            plain = f"{stem}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.json"
        used.add(plain.casefold())
        result[name] = plain
    return result


def says_something(content: JsonObject) -> bool:
    """Whether a description file says more of its tool than the name."""
    return any(content[key] not in (None, [], {}, "") for key in content.keys() - {"$schema", "name", "owner"})


def compose(
    definition: Mapping[str, JsonValue], *, owner: str, summary: str | None, schema: str, words: Mapping[str, JsonValue]
) -> JsonObject:
    """The content of a description file in canonical order: the definition, then the guidance (``words``)."""
    summarised: JsonObject = {"summary": summary} if summary else {}
    content: JsonObject = {"$schema": schema, "owner": owner, **summarised, **definition}
    content.update({"examples": [], **words})
    last = (LIFTED, *WORDS)
    order = (*_ORDER, *(key for key in content if key not in _ORDER and key not in last), *last)
    return {key: content[key] for key in order if key in content}


def dump(content: JsonObject) -> bytes:
    """Canonical bytes: two spaces of indentation, unescaped text, a newline at the end; the order of keys is kept."""
    return (json_of_file(content, 2) + "\n").encode()


def parsed(path: str, raw: bytes) -> JsonValue | Finding:
    """The JSON value in a file; a finding if it holds none (PD401)."""
    if (marked := conflict_line(raw)) is not None:
        message = f"{path} holds the markers of a merge conflict"
        return finding("PD401", message, hint="settle the conflict in the file", site=Site(path, marked))
    try:
        return read_json(raw)
    except DocumentError as error:
        return finding("PD401", f"{path} is not JSON: {error}", site=Site(path, error.line))


def load(path: str, raw: bytes) -> DescriptionFile | Finding:
    """The description file with the content ``raw``; a finding if it is not one (PD401, PD402)."""
    content, site = parsed(path, raw), Site(path, 1)
    if isinstance(content, Finding):
        return content
    if not isinstance(content, dict):
        return finding("PD401", f"{path} holds a JSON {type(content).__name__}, not an object", site=site)
    name = content.get("name")
    if not isinstance(name, str) or not name:
        return finding("PD402", f'{path} has no "name", so it belongs to no tool', site=site)
    return DescriptionFile(path, content, raw)


def load_all(files: Iterable[tuple[str, bytes]]) -> tuple[dict[str, DescriptionFile], list[Finding]]:
    """The description files by tool name, from pairs of path and content, and findings for files that cannot be used.

    Of two files for one tool the first by path counts, the other is a finding (PD403).
    """
    findings: list[Finding] = []
    result: dict[str, DescriptionFile] = {}
    for path, raw in sorted(files):
        file = load(path, raw)
        if isinstance(file, Finding):
            findings.append(file)
        elif (first := result.setdefault(file.name, file)) is not file:
            message = f'{file.path} describes "{file.name}", and so does {first.path}'
            findings.append(finding("PD403", message, site=file.site("name"), tool=file.name))
    return result, findings


def digest(value: JsonValue) -> str:
    """The digest of a field that the lock remembers: SHA-256 of its canonical JSON, the first 16 hexadecimal digits."""
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def schema_reference(path: str, schema_path: str) -> str:
    """``$schema`` of the file at ``path``: the relative path to the JSON Schema at ``schema_path``."""
    folder, target = PurePosixPath(path).parent, PurePosixPath(schema_path)
    return "/".join([".."] * len(folder.parts) + list(target.parts))


_NONE: Mapping[str, str] = MappingProxyType({})


def holds_words(
    raw: bytes, written_summary: str | None = None, moved: Mapping[str, str] = _NONE, lifted: Mapping[str, str] = _NONE
) -> bool:
    """Whether a description file holds text that a person wrote, which no revert may delete.

    ``written_summary`` is the digest of the summary as it was last generated, ``moved`` holds the digests of the
    disclosed fields as they left the code: a definition that has changed since is a person's work, too.  ``lifted``
    holds the digests of the guidance that was found in the code.  A file that cannot be read counts as holding such
    text.
    """
    file = load("", raw)
    if isinstance(file, Finding):
        return True
    made = summaries({file.name: file.data.get("description")}).get(file.name, "")
    generated = file.summary in ("", made) or digest(file.summary) == written_summary
    changed = bool(moved) and not is_as_moved(file.data, moved)
    own = any(file.data.get(field) and digest(file.data[field]) != lifted.get(field) for field in WORDS)
    return not generated or changed or own


def check(file: DescriptionFile, schema: JsonObject, tools: Collection[str] | None = None) -> Iterator[Finding]:
    """Findings about one file, by the JSON Schema of description files and by rules that a schema cannot express.

    ``tools`` are the names of all tools of the server; ``None`` if it may list more than are known.
    """
    from jsonschema import Draft202012Validator

    for error in sorted(Draft202012Validator(schema).iter_errors(file.data), key=lambda e: e.json_path):
        message = f"{file.path}: {error.json_path}: {error.message}"
        yield finding("PD404", message, site=file.site(*error.absolute_path), tool=file.name)
    for place, problem in _misnamed(file.data, schema, tools):
        yield finding("PD414", f"{file.path}: {problem}", site=file.site(*place), tool=file.name)
    yield from check_schemas(file)
    yield from check_prose(file)


_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.-]*)\}")
_EQUIVALENTS = ("cliEquivalent", "apiEquivalent")


def _misnamed(content: JsonObject, schema: JsonObject, tools: Collection[str] | None) -> Iterator[tuple[Parts, str]]:
    """The places of names that name nothing, and what is wrong with each.

    ``schema`` is the JSON Schema of description files, ``tools`` are all tools of the server; ``None`` if more may be
    listed than are known.
    """
    yield from _misspelt(content, schema, schema, ())
    own = content.get("dashdash")
    if not isinstance(own, dict):
        return
    full = content.get("inputSchema")
    parameters = full.get("properties", {}) if isinstance(full, dict) else None
    for key in _EQUIVALENTS if isinstance(parameters, dict) else ():
        for name in dict.fromkeys(_PLACEHOLDER.findall(str(own.get(key, "")))):
            if name not in mapping(parameters):
                yield ("dashdash", key), f"{{{name}}} of dashdash.{key} is not a parameter of the tool"
    reverse = own.get("reverseMethod")
    if tools is not None and isinstance(reverse, str) and reverse not in tools:
        yield ("dashdash", "reverseMethod"), f'dashdash.reverseMethod "{reverse}" is not a tool of the server'


def _misspelt(value: JsonValue, schema: JsonValue, root: JsonObject, place: Parts) -> Iterator[tuple[Parts, str]]:
    """Fields that are not in the schema but nearly; others are allowed, and passed on."""
    known = _resolved(schema, root)
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _misspelt(part, known.get("items"), root, (*place, number))
    fields = known.get("properties")
    if not isinstance(value, dict) or not isinstance(fields, dict):
        return
    small = {field.lower(): field for field in fields}
    for key, part in value.items():
        if key in fields:
            yield from _misspelt(part, fields[key], root, (*place, key))
        elif near := get_close_matches(key.lower(), small, n=1, cutoff=0.8):
            where = ".".join(map(str, (*place, key)))
            yield (*place, key), f'{where} is not a known field: is "{small[near[0]]}" meant?'


def _resolved(schema: JsonValue, root: Mapping[str, JsonValue]) -> JsonObject:
    found = mapping(schema)
    if isinstance(name := found.get("$ref"), str):
        return mapping(mapping(root.get("$defs")).get(name.rpartition("/")[2]))
    return found


def check_schemas(file: DescriptionFile) -> Iterator[Finding]:
    """Findings about the schemas in one file, and about examples that do not fit them."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for

    for key in ("inputSchema", "outputSchema"):
        schema = file.data.get(key)
        if not isinstance(schema, dict):
            continue
        kind = validator_for(schema)
        if error := _schema_error(json.dumps(schema)):
            what, where = error
            message = f"{file.path}: {key} is not a valid JSON Schema: {what}"
            yield finding("PD405", message, site=file.site(key, *where), tool=file.name)
            continue
        for place, example in _examples(file.data):
            part = key.removesuffix("Schema")
            given = example.get(part)
            problem = best_match(kind(schema).iter_errors(given)) if isinstance(given, dict) else None
            if problem is not None:
                example_name = f"{'.'.join(map(str, place[:-1]))}[{place[-1]}]"
                message = f"{file.path}: {part} of {example_name} does not fit {key}: {problem.message}"
                site = file.site(*place, part, *problem.absolute_path)
                yield finding("PD406", message, site=site, tool=file.name)


def _examples(content: JsonObject) -> Iterator[tuple[Parts, JsonObject]]:
    inner = mapping(content.get("dashdash")).get("examples")
    both: list[tuple[Parts, JsonValue]] = [(("examples",), content.get("examples")), (("dashdash", "examples"), inner)]
    for place, examples in both:
        for number, example in enumerate(examples if isinstance(examples, list) else ()):
            if isinstance(example, dict):
                yield (*place, number), example


MOST_TYPES = 1_000
"""The longest ``type`` list that is validated; JSON Schema has seven types."""


@lru_cache(maxsize=64)
def _schema_error(text: str) -> tuple[str, Parts] | None:
    """The first error in a JSON Schema, given as JSON, and its path; cached, since a command asks several times."""
    from jsonschema import SchemaError
    from jsonschema.validators import validator_for

    schema = json.loads(text)
    # In a long list of types, every item would be an error of its own, and the errors take hundreds of megabytes.
    waiting: list[tuple[Parts, Any]] = [((), schema)]
    while waiting:
        where, part = waiting.pop()
        if isinstance(part, list) and len(part) > MOST_TYPES and where[-1:] == ("type",):
            return f"$.{'.'.join(map(str, where))}: a type of {len(part):,} parts", where
        inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        waiting += [((*where, key), value) for key, value in inner if isinstance(value, (dict, list))]
    try:
        validator_for(schema).check_schema(schema)
    except SchemaError as error:
        path, given = tuple(error.absolute_path), error.instance
        names = given if isinstance(given, list) else [given]
        wrong = next((name for name in names if path[-1:] == ("type",) and name not in _TYPES), None)
        what = error.message if wrong is None else f"{json.dumps(wrong)} is not a JSON Schema type"
        return f"{error.json_path}: {what}", path
    return None


_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


_ITEM = re.compile(r"(?m)^[ \t]*[-*•]\s")


def check_prose(file: DescriptionFile) -> Iterator[Finding]:
    """Findings about the texts in one file."""
    others: JsonObject = {key: value for key, value in file.data.items() if key != "dashdash"}
    for code, where, message in _kept_inside(others):
        message = f"{file.path} {message}, and every client is sent this file"
        yield finding(code, message, site=file.site(*where), tool=file.name)
    for leak in leaks(file.data.get("dashdash")):
        message = f"{file.path}: dashdash holds {leak}, and metadata is sent to every client"
        yield finding("PD411", message, site=file.site("dashdash"), tool=file.name)
    yield from _check_summary(file)


def check_definition(tool: Tool) -> Iterator[Finding]:
    """Findings about the texts of a tool that the code alone holds, which are sent to every client, too."""
    for code, _, message in _kept_inside(tool.definition):
        yield finding(code, f'"{tool.name}" {message}, and every client is sent it', site=tool.site, tool=tool.name)


def _kept_inside(content: JsonObject) -> Iterator[tuple[str, Parts, str]]:
    """What should not leave the house: the code of each finding, the place, and what is there."""
    if (secret := _first(SECRET, content)) is not None:
        yield "PD407", secret[0], "holds something that looks like a credential"
    if (place := _first(PLACE, content)) is not None:
        yield "PD408", place[0], f"names a place of one machine or network ({place[1]})"


def _check_summary(file: DescriptionFile) -> Iterator[Finding]:
    detail = Details([file.name]).first(file.summary) or _ITEM.search(file.summary)
    if detail:
        message = f"{file.path}: the summary holds details for the full description ({detail[0].strip()!r})"
        yield finding("PD409", message, site=file.site("summary"), tool=file.name)
    elif file.summary == file.name != file.data.get("description"):
        message = f"{file.path}: the description holds nothing but details, so the summary is only the tool's name"
        hint = "say in the description, or in the summary, what the tool does"
        yield finding("PD409", message, hint=hint, site=file.site("summary"), tool=file.name)


def _first(pattern: re.Pattern[str], value: JsonValue, path: Parts = ()) -> tuple[Parts, str] | None:
    """The path and match of the first text in a JSON value, keys included, in which ``pattern`` is found."""
    if isinstance(value, str):
        match = pattern.search(value)
        return (path, match[0]) if match else None
    parts: list[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        if named := next((match for key in value if (match := pattern.search(key))), None):
            return path, named[0]
        parts = [*value.items()]
    elif isinstance(value, list):
        parts = [*enumerate(value)]
    return next((found for key, part in parts if (found := _first(pattern, part, (*path, key)))), None)


def disclosed(content: Mapping[str, JsonValue]) -> JsonObject:
    """The fields whose only home, in a file-owned tool, is the description file."""
    return {key: content[key] for key in DISCLOSED_FIELDS if key in content}


def is_as_moved(content: Mapping[str, JsonValue], moved: Mapping[str, str]) -> bool:
    """Whether a definition still has the digests ``moved`` of when it left the code."""
    return {key: digest(value) for key, value in disclosed(content).items()} == moved
