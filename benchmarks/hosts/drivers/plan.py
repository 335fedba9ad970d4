"""What a driver is asked to do, and how it tells what it saw."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 120
"""How long a server may take: a machine that is busy starts them slowly."""


@dataclass(frozen=True)
class Step:
    """A call of a tool; or, where ``uri`` is set, the fetch of descriptions, by that resource or by this call."""

    tool: str
    arguments: dict[str, Any]
    uri: str = ""


@dataclass(frozen=True)
class Plan:
    """How to start a server, and what to ask of it, in this order and in one session if the framework keeps one.

    ``mode`` is one of several ways that a driver knows, where it knows several.
    """

    command: str
    args: list[str]
    mode: str
    steps: list[Step]


@dataclass
class Seen:
    """Tools as the framework hands them to a model, and the text that the model is given for each step.

    ``invented`` has the arguments that the framework requires, the server does not, and no schema suggests.
    """

    tools: list[dict[str, Any]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)


def run(driver: Callable[[Plan], Seen]) -> None:
    """Carry out the plan that the first argument names, and write what was seen where the second says."""
    raw = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    seen = driver(Plan(raw["command"], raw["args"], raw["mode"], [Step(**step) for step in raw["steps"]]))
    Path(sys.argv[2]).write_text(json.dumps(asdict(seen), ensure_ascii=False), encoding="utf-8")


def run_async(driver: Callable[[Plan], Coroutine[Any, Any, Seen]]) -> None:
    """The same for a driver that is a coroutine function."""
    run(lambda plan: asyncio.run(driver(plan)))
