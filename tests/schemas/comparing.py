"""What this project makes of small modules: the values of their names, and the schema of a case."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pydantic

from pdmigrate.model import Known, Unknown
from pdmigrate.sdk.schemas.schema import json_schema
from pdmigrate.sdk.schemas.specs import ModelSpec, SubscriptSpec, TypeSpec
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.values.core import Value
from tests.fuzz.understanding import evaluated, value_of
from tests.schemas.oracle_client import Case

VERSIONS = {"python": "3.11", "pydantic": pydantic.VERSION}


@contextmanager
def values(modules: Mapping[str, str], versions: Mapping[str, str], *names: str) -> Iterator[tuple[Specs, list[Value]]]:
    """What ``names`` are bound to at the end of the last of ``modules``, and what makes specs of that."""
    files = {f"{name.replace('.', '/')}.py": text for name, text in modules.items()}
    (*_, path) = files
    files |= {f"{name.rpartition('/')[0]}/__init__.py": "" for name in files}
    with tempfile.TemporaryDirectory() as folder:
        evaluation = evaluated(Path(folder), files, path, versions)
        evaluation.program.main = None  # the real SDKs import it
        with evaluation.run.demand():
            yield Specs(evaluation.run), [value_of(evaluation, path, name) for name in names]


def spec_of(case: Case) -> TypeSpec:
    """The type that a case asks for."""
    modules = {**case.all_modules}
    modules["sample.models"] += f"\nasked = {case.target}\n"
    with values(modules, VERSIONS, "asked") as (convert, (asked,)):
        return convert.type(asked)


def ours(case: Case) -> Known | Unknown:
    """The schema of a case, as it is claimed."""
    spec = spec_of(case)
    base = spec.base if isinstance(spec, SubscriptSpec) else spec
    return json_schema(spec, adapted=not isinstance(base, ModelSpec), mode=case.mode, by_alias=case.by_alias)  # type: ignore[arg-type]
