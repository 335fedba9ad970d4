"""A project from its bytes to a migrated server that answers, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
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
    """One way of starting a server: ``PY`` in the command is the interpreter; ``folder`` is where it is run."""

    command: tuple[str, ...]
    folder: str = "."
    paths: tuple[str, ...] = ()
    """Folders on ``PYTHONPATH``: where an installer would have put the project."""
    tools: Mapping[str, Any] = field(default_factory=lambda: FULL)
    """What it lists before its migration; nothing: what that is depends on the SDK."""


@dataclass(frozen=True)
class Tool:
    """A tool as the server has it before its migration: what it lists, and answers to good and to wrong arguments."""

    definition: Mapping[str, Any]
    good: Mapping[str, Any]
    wrong: Mapping[str, Any]


def py(*arguments: str, folder: str = ".", paths: tuple[str, ...] = (), tools: Mapping[str, Any] = FULL) -> Start:
    return Start(("PY", *arguments), folder, paths, tools)


def console_script(target: str, paths: tuple[str, ...]) -> Start:
    """What an installer makes of ``[project.scripts]``: import the module, call the function."""
    module, _, function = target.partition(":")
    return py("-c", f"import sys; from {module} import {function}; sys.exit({function}())", paths=paths)


@cache
def interpreter() -> Path:
    return environment(MCP1)


def migrated(path: Path, *options: str, versions: tuple[str, ...] = VERSIONS) -> Ran:
    """Carry a migration out; it must go well."""
    ran = pdmigrate("apply", path, "--write", "--all", *versions, *options)
    assert ran.status == 0, ran.stderr
    return ran


def target(root: Path, start: Start, pins: tuple[str, ...] = MCP1, *, alone: bool = False) -> StdioTarget:
    """How a server is started with these packages: by a process that has imported the SDK already.

    That takes a tenth of the time, and what runs is the same from its first line, on the same path.  Libraries are
    imported then, though, and a module of the project that is named like one is not: where that matters, the server is
    started ``alone``, by an interpreter of its own, as its users start it.
    """
    first, *rest = start.command
    command = tuple(str(environment(pins)) if word == "PY" else word for word in start.command)
    if not alone and first == "PY" and (rest[0] in ("-m", "-c") or rest[0].endswith(".py")):
        command = planted(pins, *rest)
    paths = os.pathsep.join(str(root / path) for path in start.paths)
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": paths, "FASTMCP_SHOW_SERVER_BANNER": "false"}
    return StdioTarget(command, variables, root / start.folder)


def answers_before(root: Path, start: Start, pins: tuple[str, ...] = MCP1) -> dict[str, Tool]:
    """The tools of a server that was not migrated; it must list what the test thinks."""
    with connect(target(root, start, pins), timeout=30) as session:
        session.initialize()
        listed = {str(tool["name"]): tool for tool in session.list_tools()}
        assert listed == (start.tools or listed) != {}
        tools = {
            name: Tool(tool, session.call_tool(name, _good(name)), session.call_tool(name, WRONG))
            for name, tool in listed.items()
        }
    for name, tool in tools.items():
        assert name in _text(tool.good)
        assert tool.wrong.get("isError") or start.tools, "those of a low-level server may take anything"
    return tools


def check_disclosure(
    root: Path, start: Start, before: Mapping[str, Tool], pins: tuple[str, ...] = MCP1, *, alone: bool = False
) -> None:
    """The server as it is started, migrated; ``before`` are its tools as they were."""
    with connect(target(root, start, pins, alone=alone), timeout=30) as session:
        check_conversation(session, start, before)


def check_conversation(session: Session, start: Start, before: Mapping[str, Tool]) -> None:
    """A migrated server lists stubs, keeps its gate shut until the fetch, and gives the very definitions back."""
    session.initialize()
    stubs = {str(tool["name"]): tool for tool in session.list_tools()}
    *names, bridge = stubs
    assert names == [*(start.tools or before)]
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


def check_round_trip(
    root: Path,
    starts: Iterable[Start],
    path: Path | None = None,
    *options: str,
    pins: tuple[str, ...] = MCP1,
    versions: tuple[str, ...] = VERSIONS,
    alone: bool = False,
) -> Ran:
    """Migrate, talk to every server in every way it is started, migrate again to no effect, and take it back.

    The result is what the migration said.
    """
    starts, path = tuple(starts), path or root
    before = tree(root)
    tools: dict[str, Tool] = {}
    for start in {tuple(start.tools): start for start in starts}.values():
        tools |= answers_before(root, start, pins)
    ran = migrated(path, *options, versions=versions)
    for start in starts:
        check_disclosure(root, start, tools, pins, alone=alone)
    after = tree(root)
    again = pdmigrate("apply", path, "--check", "--all", *versions)
    assert (again.status, again.stdout) == (0, ""), again
    assert tree(root) == after
    taken_back = pdmigrate("revert", path)
    assert taken_back.status == 0, taken_back.stderr
    assert tree(root) == before
    return ran
