"""The fields of a tool are made once of equal specs; specs that Python takes for equal are told apart."""

from __future__ import annotations

from copy import deepcopy

from pdmigrate.model import Field
from pdmigrate.sdk.schemas.signatures import fields
from pdmigrate.sdk.schemas.specs import FunctionSpec, NameSpec, ParameterSpec, PlainValue, UnionSpec

VERSIONS = {"mcp": "1.30.0", "pydantic": "2.14.3", "python": "3.11"}
INT, TEXT = NameSpec("builtins.int"), NameSpec("builtins.str")
VALUES = (True, 1, 1.0, "1", None, "None", 0.0, -0.0)
DIFFERENT = (
    *(ParameterSpec("a", default=PlainValue(value)) for value in VALUES),
    ParameterSpec("a", annotation=UnionSpec((INT, TEXT))),
    ParameterSpec("a", annotation=UnionSpec((TEXT, INT))),
)


def _listed(*parameters: ParameterSpec) -> dict[str, Field]:
    return fields.tool_fields(FunctionSpec("f", "m", parameters), (), "mcp1-fastmcp", VERSIONS)


def test_what_differs_is_told_apart_and_what_is_known_is_made_once() -> None:
    fields._listed_before.cache_clear()
    schemas = [repr(_listed(parameter)["inputSchema"]) for parameter in DIFFERENT]
    assert len({*schemas}) == len(DIFFERENT)
    assert [repr(_listed(deepcopy(parameter))["inputSchema"]) for parameter in DIFFERENT] == schemas
    assert fields._listed_before.cache_info().misses == len(DIFFERENT)


def test_what_is_taken_from_memory_is_the_callers_own() -> None:
    _listed(DIFFERENT[0]).clear()
    assert _listed(DIFFERENT[0])
