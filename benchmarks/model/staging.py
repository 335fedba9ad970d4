"""A published server, before its migration or after it, as a session that a model can be offered."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.migrate.servers import load
from benchmarks.migrate.workshop import Workshop, run
from benchmarks.model.conditions import Condition
from benchmarks.model.playing import Offer
from tests.support.environments import MCP1, ROOT, environment

Json = dict[str, Any]
HOME = ROOT / ".cache" / "model" / "servers"
BRIDGE = "_describe_tools"


@contextmanager
def offered(name: str, condition: Condition) -> Iterator[Callable[[], AbstractContextManager[Offer]]]:
    """What a server offers under a condition; each call of the result begins a session of its own."""
    server = next(one for one in load() if one.name == name)
    workshop = Workshop(server, HOME / name)
    workshop.prepare()
    before = after = workshop.target(workshop.source).command
    if condition.policy is not None:
        workshop.fresh_tree()
        _migrate(workshop, condition)
        after = workshop.target(workshop.tree).command
    with _session(before, workshop.scratch) as full:
        definitions = {tool["name"]: tool for tool in full.ask({"list": True})["tools"]}

    @contextmanager
    def offer() -> Iterator[Offer]:
        with _session(after, workshop.scratch) as session:
            listed = session.ask({"list": True})
            bridge = next((t["name"] for t in listed["tools"] if t["name"] not in definitions), "")
            shown = [tool for tool in listed["tools"] if condition.bridge or tool["name"] != bridge]

            def call(tool: str, arguments: Json) -> tuple[str, bool]:
                answer = session.ask({"call": tool, "arguments": arguments})
                return str(answer["text"]), bool(answer["error"])

            instructions = listed["instructions"] if condition.guidance else ""
            gated = condition.policy in ("enforce", "strict")
            yield Offer(instructions, shown, definitions, call, bridge, gated)

    yield offer


def _migrate(workshop: Workshop, condition: Condition) -> None:
    sdk = [option for pin in workshop.server.pins for option in ("--sdk", pin)]
    policy = ("--stdio", str(condition.policy), "--stub-schema", condition.stubs)
    command = [sys.executable, "-m", "pdmigrate", "apply", str(workshop.tree), "--all", "--write", *policy, *sdk]
    run(command)


@contextmanager
def _session(command: tuple[str, ...], folder: Path) -> Iterator[Session]:
    session = Session(command, folder)
    try:
        yield session
    finally:
        session.close()


class Session:
    """A session of the official client with one server, which ends with it."""

    def __init__(self, command: tuple[str, ...], folder: Path) -> None:
        program = str(Path(__file__).with_name("session.py"))
        self._process = subprocess.Popen(
            [str(environment(MCP1)), program, *command],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, question: Json) -> Json:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        if not (line := self._process.stdout.readline()):
            raise RuntimeError("the session ended")
        answer: Json = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=10)
        self._process.stdout.close()
