"""The differences between the SDKs, and between their versions, as data, and the rules that a release follows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.model import TOOL_FIELDS, Unknown
from pdmigrate.sdk.schemas.unsettled import SDK_NOT_MEASURED
from pdmigrate.sdk.schemas.versions import parse_version


@dataclass(frozen=True, slots=True)
class Rules:
    """How one release line of an SDK lists a function.

    ``engine``: ``official`` or ``fastmcp``.  ``options``: the keyword arguments that a registration accepts.
    ``title``: ``given`` (only the option), ``annotations`` (else the annotations' title) or ``always`` (else made from
    the name).  ``docs``: ``verbatim``, ``cleaned``, or what ``parsed`` looks for: ``parameters``, ``sections``,
    ``headings``.  ``empty_description``: the docstring does not replace an empty description.  ``snake``: annotations
    and icons accept names like ``read_only_hint``.  ``content_models``: the SDK's content types have the schemas of mcp
    1.x.  ``call_results``: a ``CallToolResult`` has no schema.  ``loses_defaults``: defaults in ``Annotated`` (official
    SDK) or of keyword-only parameters may be lost.

    Of the official SDK: ``output``: no output schemas (empty), or a typed dict becomes a model (``models``) or stays
    (``types``); ``finds_contexts``: contexts are found in strings and unions, too; ``titled_dict``: a dict keeps its
    type and gets a title; ``content_is_text``: content, also in a union or sequence, has no schema.

    Of fastmcp: ``output``: no output schemas (empty), or all types have one (``all``), or bytes (``bytes``), and also
    sequences of anything (``sequences``), have none; ``meta_key``: the key of ``_meta`` for tags; ``dereference``:
    references are replaced when a function is ``parsed`` or when it is ``listed``; ``closed``: closed objects stay
    closed; ``refused``: kinds of parameters that are refused; ``injects``: defaults that are dependencies are filled
    in; ``all_contexts``: all contexts are left out, not just the first; ``titles``: no titles stay, none in whatever is
    ``like schemas`` or those of them that are ``texts``, those that were ``given`` to parameters, ``all``, or all with
    those of parameters made from their ``names``; ``texts``: a text alone in ``Annotated`` describes its parameter, and
    one in place of an annotation is understood; ``wrapper_doc``: docstring of the class that wraps results;
    ``aliases``: whose aliases the schemas of results use; ``typed_objects``: a ``type`` decides whether a schema is
    that of an object, and sessions before 2026-07-28 see it as ``object``.
    """

    engine: str
    options: tuple[str, ...]
    title: str = "given"
    docs: str = "verbatim"
    empty_description: bool = False
    snake: bool = False
    content_models: bool = False
    output: str = ""
    finds_contexts: bool = True
    titled_dict: bool = False
    content_is_text: bool = False
    call_results: bool = True
    meta_key: str = ""
    dereference: str = ""
    closed: bool = True
    refused: frozenset[str] = frozenset()
    injects: bool = True
    all_contexts: bool = False
    titles: str = ""
    texts: bool = True
    wrapper_doc: str | None = None
    aliases: str = ""
    loses_defaults: bool = False
    typed_objects: bool = False


# --- the official SDK -------------------------------------------------------------------------------------------------

OFFICIAL = ("name", "title", "description", "annotations", "icons", "meta", "structured_output")

_MCP1 = Rules("official", OFFICIAL, output="models", content_models=True)
_MCP1_15 = replace(_MCP1, loses_defaults=True, content_models=False)
_MCP1_10 = replace(
    _MCP1_15,
    call_results=False,
    finds_contexts=False,
    options=("name", "title", "description", "annotations", "structured_output"),
)
_MCP1_14 = replace(_MCP1_10, finds_contexts=True)
_MCP1_7 = Rules("official", ("name", "description", "annotations"), loses_defaults=True, finds_contexts=False)
_MCP2 = Rules("official", OFFICIAL, output="types", snake=True, content_is_text=True)

# --- fastmcp ----------------------------------------------------------------------------------------------------------

FASTMCP = ("name", "title", "description", "tags", "output_schema", "annotations", "meta", "enabled")
FASTMCP3 = (*(name for name in FASTMCP if name != "enabled"), "icons", "version", "app", "task", "timeout", "auth")
STARRED = frozenset({"VAR_POSITIONAL", "VAR_KEYWORD"})

_FAST2 = Rules(
    "fastmcp",
    (*FASTMCP, "icons", "exclude_args", "serializer"),
    title="annotations",
    docs="cleaned",
    meta_key="_fastmcp",
    output="all",
    closed=False,
    wrapper_doc="Generic wrapper for non-object return types.",
    refused=STARRED,
    injects=False,
    loses_defaults=True,
    content_models=True,
)
_FAST2_7 = replace(
    _FAST2,
    options=("name", "description", "tags", "annotations", "exclude_args"),
    title="given",
    docs="verbatim",
    meta_key="",
    output="",
    titles="all",
    texts=False,
    loses_defaults=False,
)
_FAST2_14 = replace(_FAST2, options=(*_FAST2.options, "task"))
_FAST3 = Rules(
    "fastmcp",
    (*FASTMCP3, "exclude_args", "serializer", "run_in_thread"),
    title="annotations",
    docs="parameters",
    meta_key="fastmcp",
    output="bytes",
    dereference="listed",
    empty_description=True,
    refused=STARRED,
    all_contexts=True,
    aliases="of the root",
    content_models=True,
    call_results=False,
)
_FAST3_1 = replace(
    _FAST3,
    docs="cleaned",
    empty_description=False,
    output="all",
    wrapper_doc=_FAST2.wrapper_doc,
    aliases="",
    titles="like schemas",
)
_FAST4 = replace(
    _FAST3,
    options=(*FASTMCP3, "run_in_thread"),
    title="always",
    output="sequences",
    snake=True,
    refused=STARRED | {"POSITIONAL_ONLY"},
    titles="given",
    aliases="of each",
    content_models=False,
    call_results=True,
)

VARIANTS: Mapping[str, Rules] = {
    "mcp 1.2": replace(_MCP1_7, options=("name", "description")),
    "mcp 1.7": _MCP1_7,
    "mcp 1.10": _MCP1_10,
    "mcp 1.14": _MCP1_14,
    "mcp 1.15": replace(_MCP1_14, options=(*_MCP1_14.options, "icons")),
    "mcp 1.20": _MCP1_15,
    "mcp 1.21": _MCP1,
    "mcp 2.0": replace(_MCP2, output="models", content_is_text=False),
    "mcp 2.1": _MCP2,
    "mcp 2.2": replace(_MCP2, titled_dict=True),
    "fastmcp 2.7": _FAST2_7,
    "fastmcp 2.9": replace(_FAST2_7, docs="cleaned"),
    "fastmcp 2.11": replace(_FAST2, options=(*FASTMCP, "exclude_args"), titles="all"),
    "fastmcp 2.13.2": _FAST2,
    "fastmcp 2.14": _FAST2_14,
    "fastmcp 2.14.6": replace(_FAST2_14, dereference="parsed"),
    "fastmcp 3.1": _FAST3_1,
    "fastmcp 3.2": replace(_FAST3_1, titles="texts"),
    "fastmcp 3.2.4": replace(_FAST3, aliases=""),
    "fastmcp 3.4.3": _FAST3,
    "fastmcp 4.0": replace(_FAST4, output="bytes", titles=""),
    "fastmcp 4.0.4": replace(_FAST4, titles=""),
    "fastmcp 4.0.11": _FAST4,
    "fastmcp 4.1": replace(_FAST4, docs="sections"),
    "fastmcp 4.1.7": replace(_FAST4, docs="headings"),
    "fastmcp 4.2": replace(_FAST4, docs="headings", typed_objects=True),
}
"""The known rules, each named after the first release that follows them; ``measured.json`` assigns the releases."""


if TYPE_CHECKING:
    from packaging.version import Version

EVERY_FIELD = frozenset(TOOL_FIELDS)
SETTLED_WHEN_UNMEASURED = frozenset({"name", "description"})
"""The fields that are settled for a release outside the measured range, if all rules agree; nothing else is."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rules that a release may follow, and the fields that are settled if all rules agree on them.

    ``doubt`` says why there are several rules; ``None`` if one set of rules was measured.
    """

    rules: tuple[Rules, ...]
    fields: frozenset[str] = EVERY_FIELD
    doubt: Unknown | None = None


def choose(family: str, versions: Mapping[str, str]) -> Chosen:
    """The rules for a server of ``family`` whose packages have these ``versions``."""
    package, releases = _measured().get(family, (family.rstrip("0123456789"), ()))
    choice = _chosen(package, releases, versions.get(package, ""))
    old_content = _has_old_content(versions.get("mcp", ""))
    rules = (replace(one, content_models=one.content_models and old_content) for one in choice.rules)
    return replace(choice, rules=tuple(dict.fromkeys(rules)))


Releases = tuple[tuple["Version", str], ...]
"""Measured releases in order, each with the name of its rules."""


@cache
def _measured() -> Mapping[str, tuple[str, Releases]]:
    from packaging.version import Version

    content = json.loads(disk.packaged("sdk/schemas/signatures/measured.json"))
    return {
        family: (
            table["package"],
            tuple(sorted((Version(release), variant) for release, variant in table["releases"].items())),
        )
        for family, table in content.items()
    }


@cache
def _chosen(package: str, releases: Releases, text: str) -> Chosen:
    from packaging.version import InvalidVersion, Version

    try:
        version = Version(text)
    except InvalidVersion:
        return _beyond(releases, f"how the version of {package}, which is not known, lists a function")
    below = [variant for release, variant in releases if release <= version]
    above = [variant for release, variant in releases if release >= version]
    named = f"how {package} {text} lists a function"
    if below and not above and releases[-1][0].release[:2] == version.release[:2]:
        above = below[-1:]  # a later release of the newest series fixes bugs, and does not change what is listed
    if not below or not above:
        return _beyond(releases, named)
    around = tuple(dict.fromkeys((below[-1], above[0])))
    rules = tuple(VARIANTS[variant] for variant in around)
    return Chosen(rules, doubt=_doubt(named) if len(around) > 1 else None)


def _beyond(releases: Releases, named: str) -> Chosen:
    """All rules of a family, and the last with every known way to read docstrings: only what all agree on counts."""
    every = [VARIANTS[variant] for variant in dict.fromkeys(variant for _, variant in releases)]
    ways = dict.fromkeys(rules.docs for rules in VARIANTS.values())
    read = [replace(rules, docs=way) for rules in every[-1:] for way in ways]
    return Chosen(tuple(dict.fromkeys((*every, *read))), SETTLED_WHEN_UNMEASURED, _doubt(named))


def _doubt(named: str) -> Unknown:
    return Unknown(f"{named} has not been measured", SDK_NOT_MEASURED)


@cache
def _has_old_content(mcp: str) -> bool:
    """Whether the official SDK's content types, which fastmcp uses too, are those of mcp 1.21 and later 1.x."""
    _, releases = _measured()["mcp1-fastmcp"]
    last = releases[-1][0]
    version = parse_version(mcp)
    return version is not None and (1, 21, 0) <= version < (last.major, last.minor + 1, 0)
