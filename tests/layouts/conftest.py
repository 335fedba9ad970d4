from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.runtime import nurseries


@pytest.fixture(scope="session", autouse=True)
def _nurseries() -> Iterator[None]:
    yield
    nurseries.close()
