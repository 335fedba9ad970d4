"""What is said of a function is what the real SDK lists for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pdmigrate.model import Unknown
from tests.schemas.signatures.asking import FAMILIES, Oracle, said, wrong
from tests.schemas.signatures.cases import REFUSED, SETTLED
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, environment

ENVIRONMENTS = {
    "mcp1-fastmcp": FASTMCP3,
    "mcp2-mcpserver": FASTMCP4,
    "fastmcp2": FASTMCP2,
    "fastmcp3": FASTMCP3,
    "fastmcp4": FASTMCP4,
}


@pytest.fixture(scope="module", params=FAMILIES)
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[str, Oracle]]:
    with Oracle(environment(ENVIRONMENTS[request.param])) as opened:
        yield request.param, opened


@pytest.mark.parametrize("name", SETTLED)
def test_every_field_is_that_of_the_real_listing(name: str, asked: tuple[str, Oracle]) -> None:
    family, oracle = asked
    real = oracle.ask(SETTLED[name], family)
    fields = said(SETTLED[name], family, oracle.versions)
    assert not wrong(fields, real)
    assert "tool" in real
    assert not [item for item in fields.values() if isinstance(item, Unknown)]


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_claimed_of_a_function_that_is_refused(name: str, asked: tuple[str, Oracle]) -> None:
    family, oracle = asked
    families = REFUSED[name][1]
    if families and not family.startswith(families):
        pytest.skip("taken by this SDK")
    assert "error" in oracle.ask(REFUSED[name][0], family)
    assert all(isinstance(item, Unknown) for item in said(REFUSED[name][0], family, oracle.versions).values())
