"""Tools that are listed only in some environments: the variables that decide, read off the reasons of conditions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pdmigrate.model import Server, Tool

_VARIABLE = re.compile(r"the environment variable (\w+)")
_ASKED = re.compile(r"[\"'](\w+)[\"'] in (?:os\.)?environ(?![.\w\[])")
_VALUE = re.compile(r"== [\"']([\w.-]+)[\"']|[\"']([\w.-]+)[\"'] in (?!(?:os\.)?environ(?![.\w\[]))")


@dataclass(frozen=True, slots=True)
class Variant:
    """Tools that the same variables decide on: ``variables`` maps their names to values with which they are listed.

    A value is empty where the tools are listed without the variable.
    """

    tools: tuple[str, ...]
    variables: Mapping[str, str]


def by_environment(tool: Tool) -> dict[str, str]:
    """The variables that decide whether a tool is listed, as ``Variant`` has them; empty if none is known to."""
    reason = tool.conditional or ""
    names = dict.fromkeys((*_VARIABLE.findall(reason), *_ASKED.findall(reason)))
    told = _VALUE.search(reason)
    value = "" if reason.startswith("only when not ") else (told[1] or told[2]) if told else "1"
    return dict.fromkeys(names, value)


def not_listed(server: Server, listed: Collection[str]) -> Iterator[Variant]:
    """The tools of ``server`` that are not ``listed`` by one that runs, and that variables decide on, by these."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for tool in server.tools:
        if tool.name is not None and tool.name not in listed and (variables := by_environment(tool)):
            groups.setdefault(tuple(variables.items()), []).append(tool.name)
    for key, tools in groups.items():
        yield Variant(tuple(tools), dict(key))
