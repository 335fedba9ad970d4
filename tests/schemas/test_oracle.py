"""Our schema of a module is, to the order of its keys, the one that pydantic makes when the module really runs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pdmigrate.model import Known, Unknown
from tests.schemas.cases import table
from tests.schemas.comparing import ours
from tests.schemas.oracle_client import Case, Oracle

TABLE = table()


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as opened:
        yield opened


@pytest.mark.parametrize("name", TABLE)
def test_the_schema_of_a_module_is_that_of_the_real_one(name: str, oracle: Oracle) -> None:
    real = oracle.ask(TABLE[name])
    said = ours(TABLE[name])
    assert isinstance(said, Known), said
    assert json.dumps(said.value) == json.dumps(real["schema"])


@pytest.mark.parametrize("annotation", ["Callable", "type", "re.Match", "Annotated[int, Discriminator('kind')]"])
def test_where_pydantic_fails_nothing_is_claimed(annotation: str, oracle: Oracle) -> None:
    case = Case(f"class M(BaseModel):\n    x: {annotation}\n")
    assert "error" in oracle.ask(case)
    said = ours(case)
    assert isinstance(said, Unknown)
    assert said.code == "PD342"
