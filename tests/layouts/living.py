"""A project from its bytes to a migrated server that answers, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pdmigrate.live.wire import Session, StdioTarget, connect
from pdmigrate.model import JsonObject
from tests.layouts.servers import ARGUMENTS, FULL
from tests.runtime.nurseries import planted
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.files import tree

WRONG: JsonObject = {"neither": 1}


@dataclass(frozen=True)
class Start:
    """One way of starting a server: the ``arguments`` of Python, the ``folder`` in which it is run, its ``PYTHONPATH``.

    ``tools`` are what it lists before its migration.
    """

    arguments: tuple[str, ...]
    folder: str
    paths: tuple[str, ...]
    tools: Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool as the server has it before its migration: what it lists, and answers to good and to wrong arguments."""

    definition: Mapping[str, Any]
    good: Mapping[str, Any]
    wrong: Mapping[str, Any]


def py(*arguments: str, folder: str = ".", paths: tuple[str, ...] = (), tools: Mapping[str, Any] = FULL) -> Start:
    return Start(arguments, folder, paths, tools)


def console_script(target: str, paths: tuple[str, ...]) -> Start:
    """What an installer makes of ``[project.scripts]``: import the module, call the function."""
    module, _, function = target.partition(":")
    return py("-c", f"import sys; from {module} import {function}; sys.exit({function}())", paths=paths)


def migrated(path: Path, *options: str, versions: tuple[str, ...] = VERSIONS) -> Ran:
    """Carry a migration out; it must go well."""
    ran = pdmigrate("apply", path, "--write", "--all", *versions, *options)
    assert ran.status == 0, ran.stderr
    return ran


def target(root: Path, start: Start, *, alone: bool = False) -> StdioTarget:
    """How a server is started: by a process that has imported the SDK already.

    That takes a tenth of the time, and what runs is the same from its first line, on the same path.  Libraries are
    imported then, though, and a module of the project that is named like one is not: where that matters, the server is
    started ``alone``, by an interpreter of its own, as its users start it.
    """
    here = (str(environment(MCP1)), *start.arguments) if alone else planted(MCP1, *start.arguments)
    paths = os.pathsep.join(str(root / path) for path in start.paths)
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": paths}
    return StdioTarget(tuple(here), variables, root / start.folder)


def answers_before(root: Path, start: Start) -> dict[str, Tool]:
    """The tools of a server that was not migrated; it must list what the test thinks."""
    with connect(target(root, start), timeout=30) as session:
        session.initialize()
        listed = {str(tool["name"]): tool for tool in session.list_tools()}
        assert listed == start.tools
        tools = {
            name: Tool(tool, session.call_tool(name, _good(name)), session.call_tool(name, WRONG))
            for name, tool in listed.items()
        }
    for name, tool in tools.items():
        assert name in _text(tool.good)
    return tools


def check_conversation(session: Session, start: Start, before: Mapping[str, Tool]) -> None:
    """A migrated server lists stubs, keeps its gate shut until the fetch, and gives the very definitions back."""
    session.initialize()
    stubs = {str(tool["name"]): tool for tool in session.list_tools()}
    *names, bridge = stubs
    assert names == [*start.tools]
    assert bridge.endswith("describe_tools")
    for name in names:
        tool, stub = before[name], stubs[name]
        assert len(json.dumps(stub)) < len(json.dumps(tool.definition)), name
        assert "description" not in json.dumps(stub["inputSchema"])
        assert _kept(stub) == _kept(tool.definition)
        _check_gate(session, name, tool)


def _kept(definition: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in definition.items() if key not in ("description", "inputSchema")}


def _check_gate(session: Session, name: str, tool: Tool) -> None:
    assert _text(session.call_tool(name, _good(name))).startswith("TOOL_DESCRIPTION_REQUIRED: ")
    [contents] = _list(session.read_resource(f"resource:///tool_descriptions?tools={quote(name, safe='')}"), "contents")
    described = json.loads(contents["text"])[name]
    assert {key: described[key] for key in tool.definition} == tool.definition
    assert session.call_tool(name, _good(name)) == tool.good
    assert session.call_tool(name, WRONG) == tool.wrong


def _good(name: str) -> dict[str, Any]:
    return {**ARGUMENTS.get(name, ARGUMENTS["find_note"])}


def _text(result: Mapping[str, Any]) -> str:
    return str(_list(result, "content")[0]["text"])


def _list(result: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = result[key]
    assert isinstance(value, list)
    return value


def check_round_trip(root: Path, starts: Sequence[Start], *, alone: bool = False) -> None:
    """Migrate, talk to every server in every way it is started, migrate again to no effect, and take it back."""
    before = tree(root)
    tools: dict[str, Tool] = {}
    for start in {tuple(start.tools): start for start in starts}.values():
        tools |= answers_before(root, start)
    migrated(root)
    for start in starts:
        with connect(target(root, start, alone=alone), timeout=30) as session:
            check_conversation(session, start, tools)
    after = tree(root)
    again = pdmigrate("apply", root, "--check", "--all", *VERSIONS)
    assert (again.status, again.stdout) == (0, ""), again
    assert tree(root) == after
    taken_back = pdmigrate("revert", root)
    assert taken_back.status == 0, taken_back.stderr
    assert tree(root) == before
