"""``.pdmigrate/lock.json``: what was chosen and what was written, so that later runs can compare.

``undo.py`` has the keys that a revert needs, this module all others.  Everything in the lock can be recreated except
the digests of what was last written, which is why the file is committed.
"""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from pdmigrate.model import DISCLOSED_FIELDS, JsonObject, JsonValue, mapping
from pdmigrate.names import LOCK_PATH, SERVER_FILE, STATE
from pdmigrate.record.undo import AppliedState, dump_state, load_state, marked, refuse_claims, unmarked
from pdmigrate.settings import Settings, merge
from pdmigrate.source.documents import is_too_much

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a running server said, as far as its source does not say the same."""

    date: str
    """The day on which it was asked, as ``2026-11-27``."""
    sdk: str
    """The SDK that the source was read for then."""
    sources: Mapping[str, str]
    """Digests (``project/depending.py``) of the files that the answer depends on."""
    order: tuple[str, ...]
    """The names of all tools that it listed, in its order."""
    missing: tuple[str, ...] = ()
    """The tools that source shows without a condition, and that it did not list."""
    fields: Mapping[str, JsonObject] = field(default_factory=dict)
    """By tool, the fields that source does not settle, does not show or says differently."""
    absent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool, the fields that source shows or leaves open, and that it did not send."""

    @property
    def says_more(self) -> bool:
        """Whether the answer differs from what source shows."""
        return bool(self.missing or self.fields or self.absent)


def _dump_asked(asked: Mapping[str, Asked]) -> JsonObject:
    """The entries of the lock: ``asked`` by folder, and ``listed`` by ``folder#tool`` where source needs more."""
    heads: JsonObject = {}
    tools: JsonObject = {}
    for folder, one in asked.items():
        head: JsonObject = {"date": one.date, "sdk": one.sdk, "order": [*one.order], "sources": _marked(one.sources)}
        heads[folder] = {**head, **_filled(missing=[*one.missing])}
        for name in {**one.fields, **one.absent}:
            tools[f"{folder}#{name}"] = _filled(fields=one.fields.get(name), absent=[*one.absent.get(name, ())])
    return _filled(asked=heads, listed=_filled(**tools))


def _filled(**entries: JsonValue) -> JsonObject:
    return {key: value for key, value in entries.items() if value}


def _asked(folder: str, head: JsonObject, tools: JsonObject) -> Asked:
    """What ``_dump_asked`` has written; entries of another form count as absent."""
    order = _names(head.get("order"))
    entries = {name: mapping(tools.get(f"{folder}#{name}")) for name in order}
    return Asked(
        date=str(head.get("date", "")),
        sdk=str(head.get("sdk", "")),
        sources=_digests(head.get("sources")),
        order=order,
        missing=_names(head.get("missing")),
        fields={name: found for name, entry in entries.items() if (found := mapping(entry.get("fields")))},
        absent={name: gone for name, entry in entries.items() if (gone := _names(entry.get("absent")))},
    )


def _names(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


SCHEMA_PATH = f"{STATE}/description.schema.json"
GITATTRIBUTES_PATH = f"{STATE}/.gitattributes"
STATE_PATHS = (LOCK_PATH, SCHEMA_PATH, GITATTRIBUTES_PATH)

CHOICES = ("move", "stub_schema", "copies", "bridge", "drop_output_schema", "stdio", "http", "select", "exclude")
"""The options that a later run takes over unless it is given others itself."""
SDK = "sdk"
"""The key of the versions that ``--sdk`` gave to earlier runs; ``sdk_version.py`` decides when they count."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the lock remembers of one description file: digests of values as they were last written."""

    tool: str
    summary: str
    generated: str
    """The digest of the summary that was generated then; any other summary in the file was written by a person."""
    stub: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    """The digests of the disclosed fields as they left the code; empty for a tool that the code owns."""
    lifted: Mapping[str, str] = field(default_factory=dict)
    """The digests of the guidance found in the code then; other guidance in the file was written by a person."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The lock as a value; ``modules`` maps the paths of generated modules to ``source_digest`` of what was written.

    There are no digests of the user's own sources, as two branches that change the same file would always conflict:
    but for those behind the answers of a running server, which has to be asked again after both.
    """

    state: AppliedState
    written: Mapping[str, Written] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, JsonValue] = field(default_factory=dict)
    tests: Mapping[str, str] = field(default_factory=dict)
    """``source_digest`` of the tests as they were written, by path: a revert removes tests that nobody has changed."""
    summaries: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The digests of the summaries generated for lines of ``_server.json`` files, by the file's path and by tool: a
    line with another summary was edited by a person.
    """
    asked: Mapping[str, Asked] = field(default_factory=dict)
    """What the running servers said, by the folders of their description files."""
    before: JsonObject | None = None
    """The lock as the first ``apply`` found it; a revert restores it."""


def read(files: Mapping[str, bytes]) -> Lock:
    """The lock among ``files``, or an empty one; raises PdmigrateError if it is damaged, newer or not to be trusted."""
    return _parsed(files[LOCK_PATH]) if LOCK_PATH in files else Lock(AppliedState())


@lru_cache(maxsize=4)
def _parsed(raw: bytes) -> Lock:
    """The lock in the bytes of its file; cached, as every stage of a command asks for it."""
    state = load_state(raw)
    refuse_claims(state)
    entries: dict[str, JsonObject] = defaultdict(dict, {key: mapping(value) for key, value in state.extra.items()})
    listed = entries["listed"]
    return Lock(
        replace(state, extra={}),
        {path: _written(entry) for path, entry in entries["descriptions"].items() if isinstance(entry, dict)},
        _digests(entries["modules"]),
        {key: value for key, value in entries["choices"].items() if key in (*CHOICES, SDK)},
        _digests(entries["tests"]),
        _nested(entries["summaries"]),
        {folder: _asked(folder, head, listed) for folder, head in entries["asked"].items() if isinstance(head, dict)},
        entries["before"] or None,
    )


def dump(lock: Lock) -> bytes:
    """The bytes of ``lock.json``: sorted, one entry a line."""
    extra = _filled(
        choices={**lock.choices},
        descriptions={path: _entry(written) for path, written in lock.written.items()},
        modules=_marked(lock.modules),
        tests=_marked(lock.tests),
        summaries=_flat(lock.summaries),
        **_dump_asked(lock.asked),
        before=lock.before,
    )
    return dump_state(replace(lock.state, extra=extra))


def with_choices(settings: Settings, lock: Lock) -> Settings:
    """``settings`` with the choices of earlier runs for the options that this run is not given."""
    earlier = ((key, value) for key, value in lock.choices.items() if key not in {SDK, *settings.given})
    return merge(settings, **{key: tuple(value) if isinstance(value, list) else value for key, value in earlier})


def choices(settings: Settings, lock: Lock) -> JsonObject:
    """The options that differ from their defaults, and the SDK versions that this run and earlier runs were given."""
    default = Settings()
    chosen = ((key, getattr(settings, key)) for key in CHOICES if getattr(settings, key) != getattr(default, key))
    options: JsonObject = {key: list(value) if isinstance(value, tuple) else value for key, value in chosen}
    return {**options, **_versions(settings, lock)}


def with_versions(lock: Lock, settings: Settings) -> Lock:
    """``lock`` with the SDK versions that this run was given, and none of its other choices."""
    return replace(lock, choices={**lock.choices, **_versions(settings, lock)})


def _versions(settings: Settings, lock: Lock) -> JsonObject:
    versions: JsonObject = {**mapping(lock.choices.get(SDK)), **settings.sdk_from_command_line}
    return {SDK: versions} if versions else {}


def placed(lock: Lock, place: Callable[[str], str | None]) -> Lock:
    """``lock`` with its files and folders where ``place`` puts them; ``None`` leaves one out."""

    def moved(entries: Mapping[str, T]) -> dict[str, T]:
        return {new: entry for path, entry in entries.items() if (new := place(path)) is not None}

    state = replace(lock.state, created=moved(lock.state.created), changed=moved(lock.state.changed))
    after = replace(lock, state=state, written=moved(lock.written), modules=moved(lock.modules))
    return replace(after, tests=moved(lock.tests), summaries=moved(lock.summaries), asked=moved(lock.asked))


def dumped(lock: Lock, present: bytes | None) -> bytes:
    """The bytes of ``lock.json``; those that are ``present`` where no later run would decide otherwise by them.

    A value whose only copy is in a description file may differ, as nothing is compared with its digest: the definition
    of a tool that its file owns, the summary of a tool that the code owns.
    """
    if present is not None and dump(_without_homes(lock)) == dump(_without_homes(_parsed(present))):
        return present
    return dump(lock)


def _without_homes(lock: Lock) -> Lock:
    def plain(written: Written) -> Written:
        if not written.moved:
            return replace(written, summary="")
        fields = {key: value for key, value in written.fields.items() if key not in DISCLOSED_FIELDS}
        return replace(written, fields=fields, generated="")

    return replace(lock, written={path: plain(written) for path, written in lock.written.items()})


@lru_cache(maxsize=32)
def source_digest(raw: bytes) -> str:
    """A digest of Python source by its syntax, whatever Python and formatter; of bytes where it cannot be parsed."""
    if is_too_much(raw):
        return hashlib.sha256(raw).hexdigest()[:16]
    try:
        content = "\n".join(_syntax(ast.parse(raw))).encode("utf-8", "surrogatepass")
    except (SyntaxError, ValueError, RecursionError):
        content = raw
    return hashlib.sha256(content).hexdigest()[:16]


def _syntax(node: ast.AST) -> Iterator[str]:
    """The parts of a syntax tree, without positions, and without the fields that only some versions of Python have."""
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        if value is None or value == [] or name in ("ctx", "kind", "type_comment"):
            continue
        yield name
        for part in value if isinstance(value, list) else [value]:
            yield from _syntax(part) if isinstance(part, ast.AST) else [repr(part)]
    yield ")"


def _flat(summaries: Mapping[str, Mapping[str, str]]) -> JsonObject:
    """One entry for each tool, ``path/of/_server.json#tool``, so that each has a line that git merges by itself."""
    return {f"{path}#{tool}": marked(digest) for path, tools in summaries.items() for tool, digest in tools.items()}


def _nested(entries: JsonObject) -> dict[str, dict[str, str]]:
    result: dict[str, dict[str, str]] = {}
    for key, digest in entries.items():
        folder, _, tool = key.partition(f"{SERVER_FILE}#")
        result.setdefault(f"{folder}{SERVER_FILE}", {})[tool] = unmarked(str(digest))
    return result


def _entry(written: Written) -> JsonObject:
    digests = _marked({"summary": written.summary, "generated": written.generated})
    some = _filled(stub=marked(written.stub or ""), moved=_marked(written.moved), lifted=_marked(written.lifted))
    return {"tool": written.tool, **digests, **some, "fields": _marked(written.fields)}


def _marked(digests: Mapping[str, str]) -> JsonObject:
    return {key: marked(digest) for key, digest in digests.items()}


def _written(entry: JsonObject) -> Written:
    summary, generated, stub = (unmarked(str(entry.get(key) or "")) for key in ("summary", "generated", "stub"))
    digests = (_digests(entry.get(key)) for key in ("fields", "moved", "lifted"))
    return Written(str(entry.get("tool", "")), summary, generated, stub or None, *digests)


def _digests(entry: JsonValue) -> dict[str, str]:
    return {key: unmarked(str(value)) for key, value in mapping(entry).items()}
