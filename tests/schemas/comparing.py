"""What this project says of a case, through the specs that the reader makes of its source."""

from __future__ import annotations

import ast
from typing import Any

from pdmigrate.model import Known, Unknown
from pdmigrate.sdk.schemas.schema import json_schema
from pdmigrate.sdk.schemas.specs import ModelSpec, SubscriptSpec
from tests.schemas.oracle_client import Case
from tests.schemas.reading import read


def target_of(case: Case) -> tuple[Any, list[Any]]:
    """The spec of a case's target, and the classes that references in it may name."""
    readers = list(read(case.all_modules).values())
    spec = readers[-1].type(ast.parse(case.target, mode="eval").body)
    return spec, [item for reader in readers for item in reader.definitions]


def ours(case: Case) -> Known | Unknown:
    spec, definitions = target_of(case)
    base = spec.base if isinstance(spec, SubscriptSpec) else spec
    adapted = not isinstance(base, ModelSpec)
    return json_schema(spec, adapted=adapted, definitions=definitions, mode=case.mode, by_alias=case.by_alias)  # type: ignore[arg-type]
