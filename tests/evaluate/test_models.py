"""Schemas of models as the program under study makes them: those of the running program, or none."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings

from pdmigrate.evaluate.core.values import UnknownValue
from pdmigrate.schemas.specs import ModelSpec, SubscriptSpec
from tests.evaluate.model_cases import BRACKETS, HOSTILE, MODULES, OLD, SETTLED, UNSETTLED, settled
from tests.evaluate.model_traps import ADAPTED_CASES, MODEL_CASES
from tests.evaluate.models import evaluated, result_of
from tests.schemas.cases import table
from tests.schemas.comparing import target_of
from tests.schemas.generating import modules
from tests.schemas.oracle_client import Case, Oracle

TABLE = table()
EXAMPLES = int(os.environ.get("EXAMPLES", "50"))
"""``HYPOTHESIS_PROFILE=explore EXAMPLES=3000 pytest tests/evaluate/test_models.py -k random`` searches further."""
ELSEWHERE = {
    "scalars": "the name complex",
    "defaults": "depends on the platform",
    "defaults_serialized": "depends on the platform",
    "typed_dicts": "() makes",
    "created": "() makes",
}
"""Cases of the table of types that source alone does not settle, and why."""
SAID = ("platform", "no one schema", "no single form", "two orders", "() makes")
"""Words of the reasons for which a random type is not known."""


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as opened:
        yield opened


def is_model(case: Case) -> bool:
    spec, _ = target_of(case)
    return isinstance(spec.base if isinstance(spec, SubscriptSpec) else spec, ModelSpec)


@pytest.mark.parametrize("name", TABLE)
def test_every_type_of_the_table_is_read_from_source(name: str, oracle: Oracle, tmp_path: Path) -> None:
    said = evaluated(TABLE[name], tmp_path, model=is_model(TABLE[name]))
    if name in ELSEWHERE:
        assert isinstance(said, UnknownValue)
        assert ELSEWHERE[name] in said.reason
    else:
        assert not isinstance(said, UnknownValue), said.reason
        assert json.dumps(said) == json.dumps(oracle.ask(TABLE[name])["schema"])


@pytest.mark.parametrize("name", SETTLED)
def test_a_model_that_the_program_makes_has_its_real_schema(name: str, oracle: Oracle, tmp_path: Path) -> None:
    case, asks = settled(name)
    said = result_of(case, tmp_path) if asks else evaluated(case, tmp_path)
    assert not isinstance(said, UnknownValue), said.reason
    real = oracle.ask(replace(case, value=True) if asks else case)
    assert json.dumps(said) == json.dumps(real.get("schema")), real


@pytest.mark.parametrize("name", MODULES)
def test_a_model_of_several_modules_has_its_real_schema(name: str, oracle: Oracle, tmp_path: Path) -> None:
    said = evaluated(MODULES[name], tmp_path)
    assert not isinstance(said, UnknownValue), said.reason
    assert json.dumps(said) == json.dumps(oracle.ask(MODULES[name])["schema"])


@pytest.mark.parametrize("name", BRACKETS)
def test_type_parameters_in_brackets_are_type_variables(name: str, oracle: Oracle, tmp_path: Path) -> None:
    new, old, target = BRACKETS[name]
    said = evaluated(Case(new, target), tmp_path)
    assert not isinstance(said, UnknownValue), said.reason
    assert json.dumps(said) == json.dumps(oracle.ask(Case(old, target))["schema"])


@pytest.mark.parametrize("name", OLD)
def test_a_model_of_the_old_pydantic_is_not_known(name: str, tmp_path: Path) -> None:
    said = result_of(Case(dedent(OLD[name]), "result"), tmp_path)
    assert isinstance(said, UnknownValue), said
    assert said.reason


@pytest.mark.parametrize("name", UNSETTLED)
def test_a_model_that_source_does_not_settle_is_not_known(name: str, tmp_path: Path) -> None:
    said = evaluated(Case(dedent(UNSETTLED[name])), tmp_path)
    assert isinstance(said, UnknownValue), said
    assert said.code.startswith("PD3")
    assert said.reason


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_model_is_not_known_and_takes_no_time(name: str, tmp_path: Path) -> None:
    said = evaluated(Case(HOSTILE[name]), tmp_path)
    assert isinstance(said, UnknownValue)
    assert "0x" not in said.reason
    assert not re.search(r"\d{9}", said.reason)


@pytest.mark.parametrize("name", [*MODEL_CASES, *ADAPTED_CASES])
def test_what_is_claimed_of_an_odd_model_is_so(name: str, oracle: Oracle, tmp_path: Path) -> None:
    case = MODEL_CASES.get(name) or ADAPTED_CASES[name]
    said = evaluated(case, tmp_path, model=name in MODEL_CASES)
    if isinstance(said, UnknownValue):
        assert said.reason
    else:
        assert json.dumps(said) == json.dumps(oracle.ask(case).get("schema"))


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(case=modules())
def test_a_random_module_has_its_real_schema_or_none(case: Case, oracle: Oracle) -> None:
    real = oracle.ask(case)
    if real.get("stage") == "import":
        return  # a program that does not start has no schema to be wrong about
    with tempfile.TemporaryDirectory() as folder:
        said = evaluated(case, Path(folder), model=is_model(case))
    if not isinstance(said, UnknownValue):
        assert json.dumps(said) == json.dumps(real.get("schema")), real
    elif "schema" in real:
        assert any(word in said.reason for word in SAID), said
