"""The fields of a tool are made once of equal specs; specs that Python takes for equal are told apart."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import Any

import pytest

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


@pytest.mark.parametrize("pair", list(combinations(DIFFERENT, 2)), ids=lambda pair: f"{pair[0]}|{pair[1]}"[:80])
def test_what_differs_is_told_apart(pair: tuple[Any, Any]) -> None:
    first, second = map(_listed, pair)
    assert repr(first["inputSchema"]) != repr(second["inputSchema"])


def test_what_is_known_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "_LISTED", {})
    for parameter in DIFFERENT:
        _listed(parameter)
        assert _listed(deepcopy(parameter)) == _listed(parameter)
    assert len(fields._LISTED) == len(DIFFERENT)


def test_what_is_taken_from_memory_is_the_callers_own() -> None:
    _listed(DIFFERENT[0]).clear()
    assert _listed(DIFFERENT[0])


def test_the_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "MOST", 3)
    for number in range(8):
        _listed(ParameterSpec(f"a{number}"))
    assert len(fields._LISTED) <= 3
