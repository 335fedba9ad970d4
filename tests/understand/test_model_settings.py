"""The settings of models that code names which a library is handed: they stay, unless code reaches for them."""

from __future__ import annotations

from pathlib import Path

from tests.understand.sources import FAST, servers_in

MODELS = """
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pydantic import BaseModel, ConfigDict
SHARED = {"extra": "forbid"}
class Base(BaseModel):
    model_config = ConfigDict(extra="forbid")
class Row(Base):
    n: int
class Other(BaseModel):
    model_config = SHARED
    n: int
def work(n=1):
    CHANGE
    return [Row(n=n), Other(n=n)]
class Session:
    def close(self):
        return work()
pool = ThreadPoolExecutor()
HANDED
@mcp.tool()
def row() -> Row:
    "R."
@mcp.tool()
def other() -> Other:
    "O."
"""


def _source(handed: str, change: str = "") -> str:
    return FAST + MODELS.replace("HANDED", handed).replace("CHANGE", change or "pass")


def test_a_dict_that_settings_are_made_of_may_be_changed_by_its_name(tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": _source("pool.submit(work).result()", "SHARED['extra'] = 'allow'")})
    assert [tool.name for tool in server.tools if "outputSchema" in tool.definition] == ["row"]
