from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtime.harness import Bench, build, spec
from tests.runtime.offices import OFFICES
from tests.runtime.samples import SAMPLES, Stand, stand
from tests.support.environments import MCP1, MCP2


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The module with its default settings, on the current mcp 1.x."""
    return Bench(MCP1, build(tmp_path_factory.mktemp("desk")))


@pytest.fixture(scope="session")
def bench2(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The module for mcp 2.x, on the current one."""
    return Bench(MCP2, build(tmp_path_factory.mktemp("desk2"), spec(adapter="mcp2")))


@pytest.fixture
def own_bench(tmp_path: Path) -> Bench:
    """The same in a folder that the test may change."""
    return Bench(MCP1, build(tmp_path / "desk"))


@pytest.fixture(scope="module", params=SAMPLES)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A sample server as it stands and migrated: each of them, or those that a test names."""
    with stand(SAMPLES[request.param], tmp_path_factory) as made:
        yield made


@pytest.fixture(scope="module", params=OFFICES)
def office(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """An awkward server: each of them, or those that a test names."""
    with stand(OFFICES[request.param], tmp_path_factory) as made:
        yield made
