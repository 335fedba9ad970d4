"""Repositories made to do harm: nothing outside of the tree changes, nothing of git's, nothing starts, nothing hangs.

``python -m tests.hostile repositories 0 2000`` tries as many as there is time for: the suite has time for a few.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.hostile.running import WRITERS, faults
from tests.hostile.worlds import make


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.slow
def test_nothing_comes_of_it(seed: int, tmp_path: Path) -> None:
    world = make(seed, tmp_path)
    writers = tuple(random.Random(seed).sample(list(WRITERS), 2))
    found = list(faults(world, writers))
    assert not found, "\n".join((*world.traits, *found))
