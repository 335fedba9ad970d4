"""What is asked of the model: a sentence, and the calls that are right.

A task was written by a reader who saw only the full definitions, before anything was run, and is not changed after.
An argument is right if it equals the value that the task has, or fits one of these objects: ``{"$any": [values]}``,
``{"$like": "regular expression"}`` (of the whole text, in any case), ``{"$some": [values]}`` (a list with these, in
any order), ``{"$free": true}`` (whatever it is), and each of them with ``"$absent": true`` if it may be left out.
Arguments that a task does not name must be absent, null, or what the definition has as default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter

Json = dict[str, Any]
FOLDER = Path(__file__).with_name("tasks")
HELD_OUT = frozenset({"mcp-notify", "mcp-salesforce-connector", "mcp-server-apache-airflow", "mnemosyne-memory"})
"""The servers whose plays were read by nobody who then changed a word of the product."""
PAYING = frozenset({"awslabs.iam-mcp-server", "devrev-mcp", "elevenlabs-mcp", "excel-mcp-server", "mnemosyne-memory"})
"""The servers for which ``pdmigrate audit`` says to migrate them, or (elevenlabs-mcp) some of their tools."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call that is right."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Task:
    """``say`` is what the user says; ``steps`` are the calls that are right, in order: none where no tool is right.

    ``needs`` says which part of a definition one has to know that a stub leaves out, if any; ``may`` names tools that
    may be called on the way without being wrong.
    """

    id: str
    say: str
    steps: tuple[Step, ...]
    needs: str = ""
    may: tuple[str, ...] = field(default=())


def tasks(server: str) -> tuple[Task, ...]:
    """The tasks of one server.

    Raises:
        pydantic.ValidationError: the file has another form.
    """
    content = json.loads((FOLDER / f"{server}.json").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Task, ...], config=ConfigDict(extra="forbid")).validate_python(content["tasks"])


def servers() -> list[str]:
    """The servers that there are tasks for."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


TUNED = tuple(name for name in servers() if name not in HELD_OUT)
"""The servers on which words may be tried out."""


def subset(names: Sequence[str], count: int) -> dict[str, tuple[Task, ...]]:
    """``count`` tasks, as many of each server as of the others, at equal distances among its own."""
    chosen = {}
    for number, name in enumerate(names):
        own = tasks(name)
        share = min(len(own), count * (number + 1) // len(names) - count * number // len(names))
        chosen[name] = tuple(own[len(own) // share * (place + 1) - 1] for place in range(share))
    return chosen


def fits(step: Step, arguments: Json, definition: Json) -> bool:
    """Whether the arguments of a call are right."""
    properties = definition.get("inputSchema", {}).get("properties", {})
    for name in {*step.arguments, *arguments}:
        given = arguments.get(name)
        if name in step.arguments:
            if not _is_right(step.arguments[name], given, there=name in arguments and given is not None):
                return False
        elif given is not None and given != _schema(properties, name).get("default"):
            return False
    return True


def _schema(properties: Any, name: str) -> Json:
    found = properties.get(name) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}


def _is_right(wanted: Any, given: Any, *, there: bool) -> bool:
    if not isinstance(wanted, dict) or not any(key.startswith("$") for key in wanted):
        return there and _equal(wanted, given)
    if not there:
        return bool(wanted.get("$absent"))
    if "$any" in wanted:
        return any(_equal(one, given) for one in wanted["$any"])
    if "$like" in wanted:
        return isinstance(given, str) and re.fullmatch(wanted["$like"], given.strip(), re.IGNORECASE | re.S) is not None
    if "$some" in wanted:
        return isinstance(given, list) and all(any(_equal(one, own) for own in given) for one in wanted["$some"])
    return bool(wanted.get("$free"))


def _equal(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(given, dict):
        if any(key.startswith("$") for key in wanted):
            return _is_right(wanted, given, there=True)
        names = {*wanted, *(name for name, value in given.items() if value is not None)}
        return all(_is_right(wanted.get(name), given.get(name), there=name in given) for name in names)
    if isinstance(wanted, list) and isinstance(given, list):
        return len(wanted) == len(given) and all(map(_equal, wanted, given))
    if isinstance(wanted, str) and isinstance(given, str):
        return wanted.strip() == given.strip()
    return bool(wanted == given) and isinstance(wanted, bool) is isinstance(given, bool)
