"""The notes server over HTTP, with and without sessions, once for all the tests that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pdmigrate.live.wire import HttpTarget, StdioTarget
from tests.runtime.samples import among_samples
from tests.support.environments import MCP1, environment
from tests.support.running import listening

NOTES = Path(__file__).with_name("notes_server.py")


@pytest.fixture(scope="session")
def stdio() -> Callable[[str], StdioTarget]:
    """A variant of the notes server over stdio."""
    return lambda variant: StdioTarget(among_samples(MCP1, str(NOTES), variant))


@pytest.fixture(scope="session")
def http() -> Iterator[Callable[[str], HttpTarget]]:
    """A variant of the notes server over HTTP with sessions."""
    with listening([str(environment(MCP1)), str(NOTES), "--http"]) as port:
        yield lambda variant: HttpTarget(f"http://127.0.0.1:{port}/{variant}/mcp")


@pytest.fixture(scope="session")
def stateless() -> Iterator[Callable[[str], HttpTarget]]:
    """A variant of the notes server over HTTP without sessions."""
    with listening([str(environment(MCP1)), str(NOTES), "--http", "--stateless"]) as port:
        yield lambda variant: HttpTarget(f"http://127.0.0.1:{port}/{variant}/mcp")
