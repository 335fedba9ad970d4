"""The vocabulary: every value that one stage hands to the next.

All values are immutable, and none touches the disk.  "Not known" and "not done" are values of their own class with a
reason, never ``None``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, TypeAlias, Union

JsonValue: TypeAlias = Union[bool, int, float, str, "list[JsonValue]", "dict[str, JsonValue]", None]
JsonObject: TypeAlias = dict[str, JsonValue]


def mapping(value: JsonValue) -> JsonObject:
    """``value`` if it is an object, otherwise an empty object."""
    return value if isinstance(value, dict) else {}


DISCLOSED_FIELDS = ("description", "inputSchema")
"""The wire fields that a stub replaces; every other field of a listed tool stays as it was."""

DEFINING_FIELDS = (*DISCLOSED_FIELDS, "outputSchema")
"""The wire fields that say what a tool does, and what goes in and comes out."""

TOOL_FIELDS = (
    *("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution"),
)
"""Every field of a tool on the wire (MCP 2025-11-25, ``Tool``), in the order in which files and reports show them."""


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """A place in source: ``file`` is a POSIX path relative to the root of the run, ``line`` counts from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: offsets into its decoded text (``SourceFile.text``), ``end`` exclusive."""

    file: str
    start: int
    end: int


class Severity(str, Enum):
    """How much a finding matters: an error stops what it is about, a warning asks for a look, a note explains."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement about the project; make one with ``findings.finding(code, ...)``, which knows the severity."""

    code: str
    severity: Severity
    message: str
    hint: str
    site: Site | None = None
    tool: str | None = None
    detail: str = ""
    """The differences, on lines of their own, where one sentence cannot hold them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a value on its way from source to wire, as ``explain`` prints it."""

    text: str
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A field whose wire value source settles: the claim that the server sends exactly ``value``."""

    value: JsonValue
    steps: tuple[Step, ...] = ()
    basis: str = "source"
    """Where the value is from: ``source``, ``wire`` (the running server, if source is silent or differs), ``both``."""

    @property
    def text(self) -> str | None:
        """The value, if it is text."""
        return self.value if isinstance(self.value, str) else None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A field that is, or may be, on the wire with a value that source does not settle.

    ``path`` leads to the part that is not known (``properties.tz.default``); it is empty for the whole field.
    """

    reason: str
    code: str
    path: str = ""
    site: Site | None = None
    steps: tuple[Step, ...] = ()
    text: ClassVar[None] = None


Field: TypeAlias = Known | Unknown


def is_same(one: Field | None, other: Field | None) -> bool:
    """Whether two fields are known to send the same JSON, or unknown in the same way; to Python, ``True`` is 1."""
    if isinstance(one, Known) and isinstance(other, Known):
        return json.dumps(one.value, sort_keys=True) == json.dumps(other.value, sort_keys=True)
    return one is not None and one == other


@dataclass(frozen=True, slots=True)
class Movable:
    """A tool whose disclosed fields are literals that only the list handler reads: they can move to a file.

    ``literals`` says where the literal of each of these fields stands: in the call, or in the constant that it names.
    """

    literals: Mapping[str, Span]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Why a tool (or a server) stays in source code as it is."""

    reason: str
    code: str
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a server as source declares it.

    ``fields`` maps wire names to what is known of them; a name that is missing is a claim that the field is not sent.
    ``conditional`` says why the tool may be absent from the list (``None``: it is always there).
    """

    fields: Mapping[str, Field]
    site: Site
    declaration: Movable | Fixed
    conditional: str | None = None
    owner: str = "code"
    findings: tuple[Finding, ...] = ()
    optional: bool = False
    """Whether the tool is listed only where a setting of the program has another value than its default."""
    doc: str | None = None
    """The docstring of the function that the tool is made from: some SDKs leave its sections out of the description."""
    words: JsonObject | None = None
    """The fields of the tool's description file that are a person's; ``None`` if no file was read."""

    @property
    def name(self) -> str | None:
        known = self.fields.get("name")
        return None if known is None else known.text

    @property
    def definition(self) -> JsonObject:
        """The fields known exactly, in wire order."""
        order = (*TOOL_FIELDS, *(key for key in self.fields if key not in TOOL_FIELDS))
        return {key: known.value for key in order if isinstance(known := self.fields.get(key), Known)}

    @property
    def unknown(self) -> dict[str, Unknown]:
        return {key: value for key, value in self.fields.items() if isinstance(value, Unknown)}

    @property
    def exact(self) -> bool:
        return not self.unknown


@dataclass(frozen=True, slots=True)
class Sdk:
    """The SDK that a server runs on.  ``basis``: given | lock | installed | requirement | assumed."""

    package: str
    version: str
    basis: str
    pydantic: str | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where ``enable`` goes: after the statement at ``span`` that binds ``target`` (``server``, ``self._server``), or
    around the constructor expression at ``span`` when it is bound to no name (``target`` is empty).

    ``enabled`` is the existing call of ``enable``, ``None`` before a migration.
    """

    span: Span
    target: str
    enabled: Span | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """One server object in source and the tools that its list handler returns.

    ``incomplete`` says why the server may list more tools than these; ``None`` is the claim that it does not.
    """

    dialect: str
    site: Site
    name: str | None
    sdk: Sdk
    anchor: Anchor | Fixed
    tools: tuple[Tool, ...]
    incomplete: str | None = None
    twins: tuple[Anchor, ...] = ()
    """Where else it is made: in other branches, of which one makes the server."""

    @property
    def is_settled(self) -> bool:
        """Whether source shows all tools of the server, with their names: what is not shown is not there."""
        return self.incomplete is None and all(tool.name is not None for tool in self.tools)

    @property
    def is_enabled(self) -> bool:
        """Whether the server's code already enables progressive disclosure by a generated module."""
        return not isinstance(self.anchor, Fixed) and self.anchor.enabled is not None

    @property
    def all_names(self) -> frozenset[str] | None:
        """The names of all tools that the server may list; ``None`` if there may be more than are known."""
        return frozenset(filter(None, (tool.name for tool in self.tools))) if self.is_settled else None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything that was found below a root."""

    servers: tuple[Server, ...]
    findings: tuple[Finding, ...]
    sources: tuple[str, ...] = ()
    """The source files that the result depends on, relative to the root, sorted."""

    def all_findings(self) -> Iterator[Finding]:
        yield from self.findings
        for server in self.servers:
            for tool in server.tools:
                yield from tool.findings


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``span`` by ``text``.  Edits of one file never overlap; ``reason`` is for the reader of a plan."""

    span: Span
    text: str
    reason: str


class FileKind(str, Enum):
    """What a planned file is, in the order in which reviewers read; it also decides how a revert treats the file."""

    CODE = "code"
    MODULE = "module"
    SERVER = "server"
    DESCRIPTION = "description"
    TEST = "test"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; ``before`` is ``None`` for a new file, ``after`` is ``None`` for a removed one."""

    path: str
    before: bytes | None
    after: bytes | None
    kind: FileKind
    reason: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


class Fate(str, Enum):
    """What a migration does with a tool."""

    MOVED = "moved"
    STUBBED = "shortened when listed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The line that accounts for one tool; ``reason`` is empty only when there is nothing to explain."""

    server: str
    tool: str
    fate: Fate
    reason: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None


@dataclass(frozen=True, slots=True)
class Overhead:
    """The tokens that a migration adds to what a server sends: its bridge, and the guidance in its instructions."""

    bridge: int = 0
    guidance: int = 0

    def __add__(self, other: Overhead) -> Overhead:
        return Overhead(self.bridge + other.bridge, self.guidance + other.guidance)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a command would do, as one value: previewed, written, reverted and tested."""

    changes: tuple[FileChange, ...]
    outcomes: tuple[Outcome, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = field(default=())
    overhead: Overhead = field(default_factory=Overhead)
    """That of all migrated servers together."""

    @property
    def effective(self) -> tuple[FileChange, ...]:
        """The changes that change something, in the order in which a reviewer reads them: by kind, then by path."""
        kinds = list(FileKind)
        return tuple(sorted((c for c in self.changes if c.changed), key=lambda c: (kinds.index(c.kind), c.path)))

    @property
    def empty(self) -> bool:
        return not self.effective
