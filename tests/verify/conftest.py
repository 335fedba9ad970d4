"""The notes server over stdio and over HTTP, with and without sessions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from pdmigrate.live.wire import HttpTarget, StdioTarget
from tests.support.listening import answered_by
from tests.verify.notes import OverHttp

NOTES = Path(__file__).with_name("notes.py")
At = Callable[[str], HttpTarget]


@pytest.fixture(scope="session")
def stdio() -> Callable[[str], StdioTarget]:
    """A variant of the notes server over stdio."""
    return lambda variant: StdioTarget((sys.executable, str(NOTES), variant))


@pytest.fixture(scope="session")
def http() -> Iterator[At]:
    """A variant of the notes server over HTTP with sessions: another server at each call."""
    numbers = count()
    handler = type("Handler", (OverHttp,), {"servers": {}, "sessions": {}})
    with answered_by(handler) as address:
        yield lambda variant: HttpTarget(f"{address}/{variant}/{next(numbers)}/mcp")


@pytest.fixture(scope="session")
def stateless(http: At) -> At:
    """A variant of the notes server over HTTP without sessions."""
    return lambda variant: http(f"stateless/{variant}")
