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

from pdmigrate.live.wire import RpcError, Session, StdioTarget, connect
from tests.layouts.servers import ARGUMENTS, FULL
from tests.runtime.samples import among_samples
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.files import tree


@dataclass(frozen=True)
class Start:
    """One way of starting a server: ``PY`` in the command is the interpreter; ``folder`` is where it is run."""

    command: tuple[str, ...]
    folder: str = "."
    paths: tuple[str, ...] = ()
    """Folders on ``PYTHONPATH``: where an installer would have put the project."""
    tools: Mapping[str, Any] = field(default_factory=lambda: FULL)


def py(*arguments: str, folder: str = ".", paths: tuple[str, ...] = (), tools: Mapping[str, Any] = FULL) -> Start:
    return Start(("PY", *arguments), folder, paths, tools)


def console_script(target: str, paths: tuple[str, ...]) -> Start:
    """What an installer makes of ``[project.scripts]``: import the module, call the function."""
    module, _, function = target.partition(":")
    return py("-c", f"import sys; from {module} import {function}; sys.exit({function}())", paths=paths)


@cache
def interpreter() -> Path:
    return environment(MCP1)


def migrated(path: Path, *options: str) -> Ran:
    """Carry a migration out; it must go well."""
    ran = pdmigrate("apply", path, "--write", "--all", *VERSIONS, *options)
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
        command = among_samples(pins, *rest)
    paths = os.pathsep.join(str(root / path) for path in start.paths)
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": paths, "FASTMCP_SHOW_SERVER_BANNER": "false"}
    return StdioTarget(command, variables, root / start.folder)


def talk(root: Path, start: Start, *, alone: bool = False) -> Any:
    """A session with a server that is started for it."""
    return connect(target(root, start, alone=alone), timeout=20)


def answers_before(root: Path, start: Start) -> dict[str, Any]:
    """What a server that was not migrated says to wrong arguments, by tool; it must list what the test thinks."""
    with talk(root, start) as session:
        session.initialize()
        assert {str(tool["name"]): tool for tool in session.list_tools()} == start.tools
        return {name: session.call_tool(name, {"neither": 1}) for name in start.tools}


def check_disclosure(root: Path, start: Start, wrong: Mapping[str, Any], *, alone: bool = False) -> None:
    """The server as it is started, migrated; ``wrong`` are its answers to wrong arguments from before."""
    with talk(root, start, alone=alone) as session:
        check_conversation(session, start, wrong)


def check_conversation(session: Session, start: Start, wrong: Mapping[str, Any]) -> None:
    """A migrated server lists stubs, keeps its gate shut until the fetch, and gives the very definitions back."""
    session.initialize()
    tools = {str(tool["name"]): tool for tool in session.list_tools()}
    bridge = [name for name in tools if name.endswith("describe_tools")]
    assert len(bridge) == 1, sorted(tools)
    assert [*tools] == [*start.tools, *bridge]
    for name, full in start.tools.items():
        assert len(json.dumps(tools[name])) < len(json.dumps(full)), name
        assert "description" not in json.dumps(tools[name]["inputSchema"])
        _check_gate(session, name, full)
        assert session.call_tool(name, {"neither": 1}) == wrong[name]


def _check_gate(session: Session, name: str, full: Mapping[str, Any]) -> None:
    arguments = ARGUMENTS.get(name, ARGUMENTS["find_note"])
    assert _text(session.call_tool(name, arguments)).startswith("TOOL_DESCRIPTION_REQUIRED: ")
    [contents] = _list(session.read_resource(f"resource:///tool_descriptions?tools={quote(name, safe='')}"), "contents")
    described = json.loads(contents["text"])[name]
    assert {key: described[key] for key in full} == full
    result = session.call_tool(name, arguments)
    assert not result.get("isError"), result
    assert _text(result) == f"{name} {arguments}"


def _text(result: Mapping[str, Any]) -> str:
    return str(_list(result, "content")[0]["text"])


def _list(result: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = result[key]
    assert isinstance(value, list)
    return value


def check_round_trip(
    root: Path, starts: Iterable[Start], path: Path | None = None, *options: str, alone: bool = False
) -> None:
    """Migrate, talk to every server in every way it is started, migrate again to no effect, and take it back."""
    starts, path = tuple(starts), path or root
    before = tree(root)
    wrong: dict[str, Any] = {}
    for start in {tuple(start.tools): start for start in starts}.values():
        wrong |= answers_before(root, start)
    migrated(path, *options)
    for start in starts:
        check_disclosure(root, start, wrong, alone=alone)
    after = tree(root)
    again = pdmigrate("apply", path, "--check", "--all", *VERSIONS)
    assert (again.status, again.stdout) == (0, ""), again
    assert tree(root) == after
    taken_back = pdmigrate("revert", path)
    assert taken_back.status == 0, taken_back.stderr
    assert tree(root) == before


__all__ = ["RpcError", "Start", "check_disclosure", "check_round_trip", "py", "talk"]
