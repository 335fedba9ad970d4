"""Kills at random moments and commands at once, in small; ``benchmarks/kills.py`` has the large numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_left_half_done(seed: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kills", "--kills", "8", "--rounds", "2", "--seed", str(seed)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert f"8 kills, seed {seed}" in done.stdout
    assert "2 rounds of three at once" in done.stdout
    assert not any(word in done.stdout for word in ("HALF DONE", "LEFT BEHIND", "WRONG")), done.stdout
