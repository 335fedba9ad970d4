"""The settings of models that code names which a library is handed: they stay, unless code reaches for them."""

from __future__ import annotations

from pathlib import Path

import pytest

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
HANDED = {
    "a function": "pool.submit(work).result()",
    "a method of an object": "pool.submit(Session().close).result()",
    "a function with an argument": "pool.submit(partial(work, 2)).result()",
    "a lambda": "pool.submit(lambda: work(3)).result()",
    "a function for many": "list(pool.map(work, [1, 2]))",
    "another library": "import jobs\njobs.run(work).wait()",
}
CHANGED = {
    "an element is set": "Base.model_config['extra'] = Other.model_config['extra'] = 'allow'",
    "it is updated": "for model in (Base, Other): model.model_config.update(extra='allow')",
    "by text": "for model in (Base, Other): getattr(model, 'model_config')['extra'] = 'allow'",
    "among the attributes": "for model in (Base, Other): vars(model)['model_config']['extra'] = 'allow'",
    "handed on": "import others\n    others.change(Base.model_config, Other.model_config)",
}


def _source(handed: str, change: str = "") -> str:
    return FAST + MODELS.replace("HANDED", handed).replace("CHANGE", change or "pass")


@pytest.mark.parametrize("handed", HANDED.values(), ids=HANDED)
def test_code_that_only_makes_models_leaves_their_settings(tmp_path: Path, handed: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": _source(handed)})
    schemas = {tool.name: tool.definition.get("outputSchema") for tool in server.tools}
    assert isinstance(schemas["row"], dict)
    assert schemas["row"]["additionalProperties"] is False


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_code_that_reaches_for_settings_may_change_them(tmp_path: Path, change: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": _source("pool.submit(work).result()", change)})
    assert not [tool.name for tool in server.tools if "outputSchema" in tool.definition]


def test_a_dict_that_settings_are_made_of_may_be_changed_by_its_name(tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": _source("pool.submit(work).result()", "SHARED['extra'] = 'allow'")})
    assert [tool.name for tool in server.tools if "outputSchema" in tool.definition] == ["row"]
