"""What is said of a function is what the real SDK lists for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings

from pdmigrate.model import Field, Known, Unknown
from tests.schemas.signatures.asking import FAMILIES, Case, Oracle, said, wrong
from tests.schemas.signatures.cases import REFUSED, SETTLED, UNSETTLED
from tests.schemas.signatures.generating import functions
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, environment

ENVIRONMENTS = {
    "mcp1-fastmcp": FASTMCP3,
    "mcp2-mcpserver": FASTMCP4,
    "fastmcp2": FASTMCP2,
    "fastmcp3": FASTMCP3,
    "fastmcp4": FASTMCP4,
}
DERIVED = {"name": {"title"}, "annotations": {"title"}, "title": set()}
"""Which fields an SDK may make of which others."""


@pytest.fixture(scope="module")
def oracles() -> Iterator[Mapping[str, Oracle]]:
    opened = {family: Oracle(environment(pins)) for family, pins in ENVIRONMENTS.items()}
    yield opened
    for oracle in opened.values():
        oracle.__exit__()


def pairs(table: Mapping[str, Case]) -> list[tuple[str, str]]:
    return [(family, name) for name, case in table.items() for family in case.families]


@pytest.mark.parametrize(("family", "name"), pairs(SETTLED))
def test_every_field_is_that_of_the_real_listing(family: str, name: str, oracles: Mapping[str, Oracle]) -> None:
    real = oracles[family].ask(SETTLED[name], family)
    fields = said(SETTLED[name], family, oracles[family].versions)
    assert "tool" in real, real
    assert not wrong(fields, real)
    assert not unknown(fields)


@pytest.mark.parametrize(("family", "name"), pairs({name: case for name, (case, _) in UNSETTLED.items()}))
def test_what_is_not_known_is_that_field_alone(family: str, name: str, oracles: Mapping[str, Oracle]) -> None:
    case, field = UNSETTLED[name]
    fields = said(case, family, oracles[family].versions)
    assert field in unknown(fields)
    assert unknown(fields).keys() <= {field, *DERIVED.get(field, ())}
    real = oracles[family].ask(case, family)
    assert "tool" not in real or not wrong(fields, real)


@pytest.mark.parametrize(("family", "name"), pairs(REFUSED))
def test_nothing_is_claimed_of_what_the_sdk_refuses(family: str, name: str, oracles: Mapping[str, Oracle]) -> None:
    assert "error" in oracles[family].ask(REFUSED[name], family)
    fields = said(REFUSED[name], family, oracles[family].versions)
    assert fields.keys() == unknown(fields).keys() >= {"name", "description", "inputSchema", "outputSchema"}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_random_function_is_never_listed_in_another_way(family: str, oracles: Mapping[str, Oracle]) -> None:
    seen = {"known": 0}

    @settings(max_examples=60, suppress_health_check=list(HealthCheck))
    @given(case=functions())
    def search(case: Case) -> None:
        real = oracles[family].ask(case, family)
        if real.get("stage") == "import":
            return
        fields = said(case, family, oracles[family].versions)
        if "tool" in real:
            assert not wrong(fields, real)
            seen["known"] += not unknown(fields)
        elif not loses_names(family, case):
            assert unknown(fields), real

    search()
    assert seen["known"] > 20


def loses_names(family: str, case: Case) -> bool:
    """Whether fastmcp 2 looks for names in its own module: with a context, and annotations that are text."""
    return family == "fastmcp2" and case.future and "Context" in case.source


def unknown(fields: Mapping[str, Field]) -> dict[str, Field]:
    return {name: item for name, item in fields.items() if not isinstance(item, Known)}


def test_a_reason_leads_to_its_place(oracles: Mapping[str, Oracle]) -> None:
    case, _ = UNSETTLED["a default of the program"]
    field = said(case, "mcp1-fastmcp", oracles["mcp1-fastmcp"].versions)["inputSchema"]
    assert isinstance(field, Unknown)
    assert field.path == "properties.a.default"
    assert field.code == "PD301"
