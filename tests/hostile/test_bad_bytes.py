"""Files that hold something else than they should: a clear line, no traceback, nothing half done.

``python -m tests.hostile bytes 0 2000`` tries as many as there is time for: the suite has time for a few.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.hostile.bad_bytes import COMMANDS, faults, make


@pytest.mark.parametrize("seed", range(12))
def test_every_command_survives(seed: int, tmp_path: Path) -> None:
    world, what = make(seed, tmp_path)
    found = list(faults(world, what, tuple(random.Random(seed).sample(list(COMMANDS), 3))))
    assert not found, "\n".join(found)
