"""Schemas that are claimed of a program's own models, against what pydantic makes of the running program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pydantic
import pytest

from tests.fuzz.class_traps import CASES
from tests.fuzz.real import encode
from tests.fuzz.understanding import claims
from tests.schemas.cases import table
from tests.schemas.oracle_client import Case, Oracle

VERSIONS = {"python": "3.11", "pydantic": pydantic.VERSION}
TRAPS = {**CASES, **table()}


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as opened:
        yield opened


def asking(case: Case) -> Case:
    """The module of a case, which asks for the schema itself."""
    options = f"mode={case.mode!r}" + ("" if case.by_alias is None else f", by_alias={case.by_alias}")
    is_model = f"hasattr({case.target}, 'model_json_schema')"
    return replace(
        case,
        source=f"{case.source}\nfrom pydantic import TypeAdapter\n"
        f"if {is_model}:\n    result = ({case.target}).model_json_schema({options})\n"
        f"else:\n    result = TypeAdapter({case.target}).json_schema({options})\n",
    )


def claimed(case: Case, folder: Path) -> list[Any]:
    """The schema that is claimed of a case, alone; nothing if none is."""
    modules = asking(case).all_modules
    files = {f"{module.replace('.', '/')}.py": text for module, text in modules.items()}
    files |= {f"{path.rpartition('/')[0]}/__init__.py": "" for path in files}
    known, _ = claims(folder, files, "sample/models.py", ("result",), VERSIONS)
    return list(known.values())


@pytest.mark.parametrize("name", TRAPS)
def test_a_class_is_what_it_was_when_it_was_made(name: str, oracle: Oracle, tmp_path: Path) -> None:
    for schema in claimed(TRAPS[name], tmp_path):
        assert json.dumps(schema) == json.dumps(encode(oracle.ask(TRAPS[name]).get("schema")))


def test_most_schemas_of_the_table_are_known(tmp_path: Path) -> None:
    known = [name for name, case in table().items() if claimed(case, tmp_path / name)]
    assert len(known) > 0.7 * len(table())
