"""Another version of pydantic is taken to agree only where it does."""

from __future__ import annotations

import pydantic
import pytest

from pdmigrate.model import Unknown
from pdmigrate.sdk.schemas import agrees
from pdmigrate.sdk.schemas import specs as s
from tests.schemas.cases import table
from tests.schemas.comparing import spec_of
from tests.schemas.oracle_client import Oracle, ask
from tests.support.environments import environment

INT = s.NameSpec("builtins.int")


def model(annotation: s.TypeSpec, **more: object) -> s.ModelSpec:
    return s.ModelSpec(name="M", module="m", fields=(s.FieldSpec("x", annotation),), **more)  # type: ignore[arg-type]


PLAIN = model(s.UnionSpec((s.SubscriptSpec(s.NameSpec("builtins.list"), (INT,)), s.NONE)))
DECIMAL = model(s.NameSpec("decimal.Decimal"))
NESTED = model(PLAIN)
VALIDATING = model(s.AnnotatedSpec(INT, (s.CallValue("pydantic.AfterValidator", (s.CodeValue(),)),)))


@pytest.mark.parametrize(
    ("here", "there", "spec", "expected"),
    [
        *(("2.14.3", "2.14.3", DECIMAL, True), ("2.14.3", "2.14.0", DECIMAL, True)),
        *(("2.14.3", "2.13.5", DECIMAL, False), ("2.14.3", "2.11.4", DECIMAL, False)),
        *(("2.11.4", "2.14.3", DECIMAL, False), ("2.12.1", "2.13.0", DECIMAL, True)),
        *(("2.14.3", "2.10.6", PLAIN, True), ("2.14.3", "2.9.2", PLAIN, False), ("2.10.4", "2.10.5", DECIMAL, True)),
        *(("2.14.3", "2.10.6", s.NameSpec("builtins.dict"), False), ("2.14.3", "2.10.5", PLAIN, False)),
        *(("2.14.3", "2.11.0", NESTED, True), ("2.14.3", "2.4.2", PLAIN, False), ("2.14.3", "1.10.22", PLAIN, False)),
        *(("2.14.3", "2.15.0", PLAIN, False), ("2.15.1", "2.15.0", DECIMAL, True), ("2.14.3", "3.0.0", PLAIN, False)),
        *(("2.14.3", "2.14.4b1", PLAIN, False), ("2.14.3", "unknown", PLAIN, False)),
        ("2.14.3", "2.14.0", VALIDATING, True),
    ],
)
def test_a_version_agrees_where_nothing_in_the_type_has_changed(
    here: str, there: str, spec: s.TypeSpec, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pydantic, "VERSION", here)
    said = agrees(there, spec)
    assert (said is True) is expected
    if isinstance(said, Unknown):
        assert said.code == "PD345"
        assert there in said.reason
        assert here in said.reason


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.10.6", "2.11.10", "2.12.5"])
def test_no_case_of_the_table_has_another_schema_where_versions_are_said_to_agree(version: str) -> None:
    interpreter = environment((f"pydantic=={version}",))
    here = dict(zip(table(), ask(list(table().values())), strict=True))
    compared = 0
    with Oracle(str(interpreter)) as oracle:
        for name, case in table().items():
            if agrees(version, spec_of(case)) is True:
                compared += 1
                assert oracle.ask(case).get("schema") == here[name]["schema"], name
    assert compared >= 10, "most of a table that is compared with nothing says nothing"
