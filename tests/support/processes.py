"""Processes that end by themselves."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


def run(
    *command: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: str = "",
    timeout: float = 120,
    fails: bool = False,
) -> str:
    """What a command printed on standard output, and on standard error if it was to fail."""
    words = [*map(str, command)]
    done = subprocess.run(
        words, cwd=cwd, env=env, input=given, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert (done.returncode != 0) is fails, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + (done.stderr if fails else "")
