"""Functions that a library gets which is not followed, or a pool: what they store is not known from there on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, servers_in

TEXTS = """
import asyncio, atexit, signal, sched, threading
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
import jobs, schedule
TEXTS = {"a": {"b": "First."}}
TEXT = "First."
def change(*_given):
    global TEXT
    TEXT = TEXTS["a"]["b"] = "Second."
def change_part(part):
    part["b"] = "Second."
def pick():
    return TEXTS["a"]
class Changer:
    texts = TEXTS
    def change(self):
        self.texts["a"].update(b="Second.")
    def all(self):
        self.change()
"""
TOOLS = """
@mcp.tool(description=TEXTS["a"]["b"])
def a(n: int) -> str: "A."
"""
CHANGING = {
    "a partial": "jobs.run(partial(change, 1))",
    "a property of functions": "def later():\n    change()\njobs.on_start = later\njobs.start()",
    "an object made there": "class Holder:\n    def __init__(self, texts):\n        self.texts = texts\n"
    "    def change(self):\n        self.texts['a']['b'] = 'Second.'\ndef later():\n    Holder(TEXTS).change()\n"
    "jobs.run(later)",
    "a callback by name": "def later():\n    for job in JOBS:\n        job()\nJOBS = [change]\njobs.run(later)",
    "a callback given": "def later(job):\n    job()\njobs.run(later, change)",
    "an operator": "class Odd:\n    def __eq__(self, other):\n        return change()\nOdd() == 1",
    "the length of an object": "class Odd:\n    def __len__(self):\n        return change() or 1\nif Odd(): pass",
}


@pytest.mark.parametrize("code", CHANGING.values(), ids=CHANGING)
def test_what_a_library_may_run_may_have_changed_a_text(tmp_path: Path, code: str) -> None:
    for server in servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{code}\n{TOOLS}"}):
        assert [tool.name for tool in server.tools if "description" in tool.definition] == []


MODELS = """
from pydantic import BaseModel, ConfigDict
SHARED = {"extra": "forbid"}
class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    n: int
class Other(BaseModel):
    model_config = SHARED
    n: int
def work():
    SHARED["extra"] = "allow"
    return [Row(n=1), Other(n=1)]
ThreadPoolExecutor().submit(work).result()
@mcp.tool()
def row() -> Row: "R."
@mcp.tool()
def other() -> Other: "O."
"""


def test_a_dict_that_settings_of_models_are_made_of_may_be_changed_by_its_name(tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{MODELS}"})
    assert [tool.name for tool in server.tools if "outputSchema" in tool.definition] == ["row"]


@pytest.mark.parametrize(
    "code",
    ["SEEN = {}\ndef later():\n    SEEN['a'] = print()\njobs.run(later)", "list(sorted([TEXTS], key=len))"],
    ids=["a function", "a value with a function"],
)
def test_what_such_a_function_does_not_name_stays(tmp_path: Path, code: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{code}\n{TOOLS}"})
    assert [tool.definition["description"] for tool in server.tools] == ["First."]
