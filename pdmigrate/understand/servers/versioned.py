"""Which of several versions of a tool a server lists: since fastmcp 3.0 the highest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from packaging.version import InvalidVersion, Version

from pdmigrate.model import Unknown
from pdmigrate.understand.servers.answers import CHANGEABLE, Listed
from pdmigrate.understand.values.codes import CONDITION, UNSUPPORTED

UNKNOWN_VERSION = "<unknown>"


def highest_versions(tools: Sequence[Listed]) -> list[Listed]:
    """``tools`` with one of each name that stands for several versions, in the place of the first of them."""
    versions: dict[str, list[Listed]] = {}
    for tool in tools:
        if tool.name is not None:
            versions.setdefault(tool.name, []).append(tool)
    result: list[Listed] = []
    seen: set[str] = set()
    for tool in tools:
        every = versions.get(tool.name or "", [tool])
        if len({each.version for each in every}) == 1:
            result.append(tool)
        elif tool.name is not None and tool.name not in seen:
            seen.add(tool.name)
            result.append(_highest(every))
    return result


def _highest(every: Sequence[Listed]) -> Listed:
    ordered = sorted(every, key=lambda each: _key(each.version))
    highest, next_one = ordered[-1], ordered[-2]
    sure = not any(each.conditions or each.version == UNKNOWN_VERSION for each in every)
    if sure and _key(highest.version) != _key(next_one.version):
        unknown = Unknown("what is said of the versions of a tool", UNSUPPORTED)
        return replace(highest, fields={**highest.fields, "_meta": unknown})
    unknown = Unknown(f"which version of {highest.name} is the highest is not known", CONDITION)
    certain = any(not each.conditions for each in every)
    return replace(
        highest,
        fields={**highest.fields, **dict.fromkeys(CHANGEABLE, unknown)},
        conditions=() if certain else (*highest.conditions, unknown.reason),
    )


def _key(version: str | None) -> tuple[int, Version | str]:
    """How fastmcp orders versions: none, then those of PEP 440, then other texts."""
    if version is None:
        return 0, ""
    try:
        return 1, Version(version)
    except InvalidVersion:
        return 2, version
