"""Schemas that the evaluator gives for the program's own models, against what pydantic makes of the running program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.evaluate.core.values import UnknownValue
from tests.evaluate.models import result_of
from tests.fuzz.class_traps import CASES as CLASSES
from tests.fuzz.model_traps import CASES
from tests.schemas.cases import table
from tests.schemas.oracle_client import Case, Oracle

TABLE = table()
TRAPS = {**CASES, **CLASSES}


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as opened:
        yield opened


def evaluated(case: Case, folder: Path) -> Any | UnknownValue:
    """The value of ``result`` in the case's module, as the evaluator has it."""
    options = f"mode={case.mode!r}" + ("" if case.by_alias is None else f", by_alias={case.by_alias}")
    is_model = f"isinstance({case.target}, type) and issubclass({case.target}, BaseModel)"
    asking = (
        f"from pydantic import TypeAdapter\n"
        f"if {is_model}:\n    result = ({case.target}).model_json_schema({options})\n"
        f"else:\n    result = TypeAdapter({case.target}).json_schema({options})\n"
    )
    return result_of(replace(case, source=f"{case.source}\n{asking}"), folder)


@pytest.mark.parametrize("name", TABLE)
def test_a_schema_that_is_known_is_the_real_one(name: str, oracle: Oracle, tmp_path: Path) -> None:
    check(TABLE[name], oracle, tmp_path)


@pytest.mark.parametrize("name", TRAPS)
def test_a_class_is_what_it_was_when_it_was_made(name: str, oracle: Oracle, tmp_path: Path) -> None:
    check(TRAPS[name], oracle, tmp_path)


def check(case: Case, oracle: Oracle, folder: Path) -> None:
    said = evaluated(case, folder)
    if not isinstance(said, UnknownValue):
        assert json.dumps(said) == json.dumps(oracle.ask(case).get("schema"))
