"""Puts a rendered module beside the test server, and talks to it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdmigrate.live.wire import Session, StdioTarget
from pdmigrate.runtime.render import ModuleSpec, render_module
from tests.runtime.nurseries import planted
from tests.runtime.programs import definitions
from tests.runtime.samples import session
from tests.support.environments import MCP2
from tests.support.files import write
from tests.support.processes import run
from tests.support.running import listening

PROGRAMS = Path(__file__).with_name("programs")
OLD_PINS = ("pydantic==2.11.10", "starlette<1", "uvicorn")
MCP_1_6 = ("mcp==1.6.0", *OLD_PINS)
MCP_1_12 = ("mcp==1.12.4", *OLD_PINS)

WORDS: dict[str, dict[str, Any]] = {
    "find": {"examples": [{"description": "by title", "input": {"words": "tidal atlas"}}]},
    "lend": {"usage_guidance": {"notes": ["ask for the card"]}, "error_guidance": {"404": "no such book"}},
}
"""What people wrote into the description files."""


def spec(**changes: Any) -> ModuleSpec:
    settings: dict[str, Any] = {"adapter": "mcp1", "moved": True}
    return ModuleSpec(**{**settings, **changes})


def description_file(name: str) -> dict[str, Any]:
    """A moved tool's file, with everything in it that must never be served."""
    full = definitions.FULL[name]
    words = {**WORDS.get(name, {}), "dashdash": {"inferred": True}}
    return {"$schema": "../schema.json", "owner": "file", "summary": f"Summary of {name}.", **full, **words}


def build(folder: Path, module: ModuleSpec | None = None, left: tuple[str, ...] = ()) -> Path:
    """A folder with the programs, the rendered module and the files of the server and of the moved tools."""
    module = module or spec()
    moved = definitions.MOVED if module.moved else ()
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    about = {"example": "find", "bridge": "desk_describe_tools", "moved": moved, "left": left}
    files = {"_server": about, **{name: description_file(name) for name in moved}}
    described = {f"tool_descriptions/{name}.json": json.dumps(content, indent=2) for name, content in files.items()}
    return write(folder, {"progressive_disclosure.py": render_module(module), **described})


def variables(migrated: Mapping[str, str] | None, **more: str) -> dict[str, str]:
    """The environment of a server process; ``migrated`` are the arguments of ``enable``, None for none of it."""
    mine = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **more}
    return mine if migrated is None else {**mine, "MIGRATED": json.dumps(migrated)}


@dataclass(frozen=True)
class Bench:
    """One SDK and one built folder: what the tests talk to."""

    pins: tuple[str, ...]
    folder: Path

    def command(self, name: str, *arguments: str) -> list[str]:
        """What runs a program in the folder."""
        return [*planted(self.pins, str(self.folder / name), *arguments)]

    def session(self, migrated: Mapping[str, str] | None, **more: str) -> AbstractContextManager[Session]:
        """A session with the server over stdio; ``migrated`` as above."""
        return session(StdioTarget(tuple(self.command("desk.py", "stdio")), variables(migrated, **more)))

    def listening(self, transport: str, migrated: Mapping[str, str] | None) -> Any:
        """The port of the server over HTTP, for as long as the context lasts."""
        assignments = [f"{key}={value}" for key, value in variables(migrated).items()]
        return listening(["env", *assignments, *self.command("desk.py", transport)])

    def program(self, name: str, *arguments: str, **more: str) -> Any:
        """What a program in the folder prints as JSON."""
        return json.loads(run(*self.command(name, *arguments), env=variables(None, **more)))

    def experiments(self, *names: str, **variables: str) -> Any:
        """What the experiments of the lab find, all in one process."""
        lab = "lab_mcp2.py" if self.pins == MCP2 else "lab_mcp1.py"
        return self.program(lab, ",".join(names), **variables)

    def experiment(self, name: str, **variables: str) -> Any:
        """What one experiment finds, in a process of its own."""
        return self.experiments(name, **variables)[name]


def refusal(answer: dict[str, Any]) -> dict[str, Any]:
    """The error of a refused call, which is what programs read of it; models read the text."""
    assert answer["isError"] is True
    error: dict[str, Any] = told(answer)["error"]
    assert error["code"] == "TOOL_DESCRIPTION_REQUIRED"
    return error


def told(refused: dict[str, Any]) -> dict[str, Any]:
    """What a refusal tells programs: in ``structuredContent``, or in ``_meta`` where the tool has an output schema."""
    place: dict[str, Any] = refused.get("structuredContent") or refused["_meta"]
    return place


def served(answer: dict[str, Any]) -> Any:
    """The JSON in the answer to a read, or in the result of a tool."""
    contents = answer.get("contents") or answer["content"]
    return json.loads(contents[0]["text"])
