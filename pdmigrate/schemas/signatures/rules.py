"""What differs between the SDKs, and between their versions, as data.

Measured with the versions that the tests run: official 1.6.0 to 1.30.0, 2.0.1 and 2.3.0; fastmcp 2.13.3 to 4.1.2.  A
version outside of what was measured has no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pdmigrate.model import Unknown
from pdmigrate.schemas.unsettled import SDK_NOT_MEASURED
from pdmigrate.schemas.versions import Version, parse_version

OFFICIAL = ("name", "title", "description", "annotations", "icons", "meta", "structured_output")
FASTMCP = ("name", "title", "description", "icons", "tags", "output_schema", "annotations", "meta", "enabled")


@dataclass(frozen=True, slots=True)
class Rules:
    """How one line of an SDK lists a function.

    ``engine``: ``official`` or ``fastmcp``.  ``options``: keyword arguments that a registration takes.
    ``title``: ``given`` (as it is), ``annotations`` (or that of the annotations), ``always`` (or made of the name).
    ``meta_key``: where the SDK puts tags, if it does.  ``docs``: ``verbatim``, ``cleaned``, ``parameters`` (parsed when
    it documents parameters) or ``sections`` (parsed when it has sections).
    """

    engine: str
    options: tuple[str, ...]
    title: str = "given"
    docs: str = "verbatim"
    meta_key: str = ""
    output: str = ""
    dereference: str = ""
    closed: bool = True
    snake: bool = False
    empty_description: bool = False
    refused: frozenset[str] = frozenset()
    keeps_titles: bool = False
    wrapper_doc: str | None = None
    all_contexts: bool = False
    injects: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """The rules of the versions from ``first`` to before ``end``."""

    first: Version
    end: Version
    rules: Rules


_STARRED = frozenset({"VAR_POSITIONAL", "VAR_KEYWORD"})

_MCP1 = Rules("official", OFFICIAL, output="models")
_MCP2 = Rules("official", OFFICIAL, output="types", snake=True)
_FAST2 = Rules(
    "fastmcp",
    (*FASTMCP, "exclude_args", "serializer"),
    title="annotations",
    docs="cleaned",
    meta_key="_fastmcp",
    closed=False,
    output="plain",
    wrapper_doc="Generic wrapper for non-object return types.",
    refused=_STARRED,
    injects=False,
)
_FAST3 = Rules(
    "fastmcp",
    (*FASTMCP, "exclude_args", "serializer", "version", "app", "task", "timeout", "auth", "run_in_thread"),
    title="annotations",
    docs="parameters",
    meta_key="fastmcp",
    output="by root",
    dereference="listed",
    empty_description=True,
    refused=_STARRED,
    all_contexts=True,
)
_FAST4 = Rules(
    "fastmcp",
    (*FASTMCP, "version", "app", "task", "timeout", "auth", "run_in_thread"),
    title="always",
    docs="parameters",
    meta_key="fastmcp",
    output="by model",
    dereference="listed",
    snake=True,
    empty_description=True,
    refused=_STARRED | {"POSITIONAL_ONLY"},
    keeps_titles=True,
    all_contexts=True,
)


LINES: Mapping[str, tuple[str, tuple[Line, ...]]] = {
    "mcp1-fastmcp": (
        "mcp",
        (
            Line((1, 6, 0), (1, 8, 0), Rules("official", ("name", "description"))),
            Line((1, 8, 0), (1, 10, 0), Rules("official", ("name", "description", "annotations"))),
            Line((1, 22, 0), (1, 31, 0), _MCP1),
        ),
    ),
    "mcp2-mcpserver": (
        "mcp",
        (
            Line((2, 0, 0), (2, 1, 0), replace(_MCP2, output="models")),
            Line((2, 3, 0), (2, 4, 0), _MCP2),
        ),
    ),
    "fastmcp2": (
        "fastmcp",
        (
            Line((2, 13, 0), (2, 14, 0), _FAST2),
            Line(
                (2, 14, 0),
                (2, 15, 0),
                replace(_FAST2, dereference="parsed", injects=True, options=(*_FAST2.options, "task")),
            ),
        ),
    ),
    "fastmcp3": ("fastmcp", (Line((3, 4, 0), (3, 5, 0), _FAST3),)),
    "fastmcp4": (
        "fastmcp",
        (Line((4, 0, 0), (4, 1, 0), _FAST4), Line((4, 1, 0), (4, 2, 0), replace(_FAST4, docs="sections"))),
    ),
}


def rules_for(family: str, versions: Mapping[str, str]) -> Rules | Unknown:
    """The rules of the SDK that a server runs on; ``Unknown`` if that version was not measured."""
    package, lines = LINES[family]
    text = versions.get(package, "")
    version = parse_version(text)
    for line in lines:
        if version is not None and line.first <= version < line.end:
            return line.rules
    named = f"{package} {text}" if text else f"the version of {package}, which is not known,"
    return Unknown(f"how {named} lists a function has not been measured", SDK_NOT_MEASURED)
