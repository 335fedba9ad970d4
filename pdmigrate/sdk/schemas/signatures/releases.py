"""The rules that a release of an SDK follows: as measured, or as its nearest measured neighbours agree.

``python -m benchmarks.sdk_versions`` writes ``measured.json``: it installs a release, has the SDK list the functions
of the tests, and names the rules that predict all its answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.model import TOOL_FIELDS, Unknown
from pdmigrate.sdk.schemas.signatures.rules import VARIANTS, Rules
from pdmigrate.sdk.schemas.unsettled import SDK_NOT_MEASURED
from pdmigrate.sdk.schemas.versions import parse_version

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
    pydantic = parse_version(versions.get("pydantic", ""))
    keeps = pydantic is not None and pydantic < (2, 12, 0)
    rules = (
        replace(one, content_models=one.content_models and old_content, keeps_defaults=one.field_infos and keeps)
        for one in choice.rules
    )
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
