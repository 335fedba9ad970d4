"""Kills at random moments and commands at once, in small; ``benchmarks/kills.py`` has the large numbers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.processes import run


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_left_half_done(seed: int) -> None:
    options = ("--kills", "8", "--rounds", "2", "--seed", seed)
    said = run(sys.executable, "-m", "benchmarks.kills", *options, cwd=Path(__file__).parents[2], timeout=280)
    assert f"8 kills, seed {seed}" in said
    assert "2 rounds of three at once" in said
    assert not any(word in said for word in ("HALF DONE", "LEFT BEHIND", "WRONG")), said
