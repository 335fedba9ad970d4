"""The process that runs ``extract`` for every server, and the servers' wheels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from benchmarks.migrate.servers import PublishedServer
from benchmarks.published import fetch, published
from benchmarks.rent import Meter, chosen, meter


@pytest.fixture(scope="session")
def servers() -> Mapping[str, PublishedServer]:
    """What is tested, downloaded.

    Without wheels the tests fail instead of being skipped: a skipped comparison would look like an equal one, and
    whoever has no package index has no SDK for the other tests either. It is needed once; wheels are kept.
    """
    pinned = published()
    found = {name: pinned[name] for name in chosen()}
    fetch(list(found.values()))
    return found


@pytest.fixture(scope="session")
def measuring() -> Iterator[Meter]:
    with meter() as process:
        yield process
