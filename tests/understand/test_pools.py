"""Functions that a pool of threads or processes runs: what they change is not known from there on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, servers_in

TEXTS = """
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
TEXTS = {"a": "First."}
def change(*_given):
    TEXTS["a"] = "Second."
class Changer:
    def change(self):
        change()
"""
TOOL = "@mcp.tool(description=TEXTS['a'])\ndef a(n: int) -> str:\n    'A.'\n"
RUN = {
    "submitted": "pool = ThreadPoolExecutor()\npool.submit(change)",
    "submitted at once": "ThreadPoolExecutor(max_workers=1).submit(change)",
    "by another name": "futures.ThreadPoolExecutor().submit(change, 1)",
    "for many": "pool = ThreadPoolExecutor()\nlist(pool.map(change, [1]))",
    "a method": "pool = ThreadPoolExecutor()\npool.submit(Changer().change)",
    "a lambda": "pool = ThreadPoolExecutor()\npool.submit(lambda: change())",
    "under a manager": "with ThreadPoolExecutor() as pool:\n    pool.submit(change)",
}
NOT_RUN = {
    "another function": "def still():\n    pass\nThreadPoolExecutor().submit(still)",
    "no function": "pool = ThreadPoolExecutor()",
    "shut down": "pool = ProcessPoolExecutor()\npool.shutdown()",
}


@pytest.mark.parametrize("run", RUN.values(), ids=RUN)
def test_what_a_pool_runs_may_have_changed_a_text(tmp_path: Path, run: str) -> None:
    for server in servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{run}\n{TOOL}"}):
        assert [tool.name for tool in server.tools if "description" in tool.definition] == []


@pytest.mark.parametrize("run", NOT_RUN.values(), ids=NOT_RUN)
def test_what_no_pool_runs_changes_nothing(tmp_path: Path, run: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{run}\n{TOOL}"})
    assert [tool.definition["description"] for tool in server.tools] == ["First."]
