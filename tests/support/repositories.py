"""Real git repositories, whatever the settings of the person who runs the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SETTINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
}
"""What git is told in place of settings, by variables of its environment."""
_ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, **SETTINGS}


def git(folder: Path, *arguments: str, given: bytes | None = None, fails: bool = False) -> bytes:
    """What git prints; where it is to fail, what it complains of."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=given, capture_output=True, timeout=60, check=False, env=_ENVIRONMENT
    )
    assert (done.returncode != 0) is fails, done.stderr.decode(errors="replace")
    return done.stderr if fails else done.stdout


def initialised(folder: Path) -> Path:
    """The folder, now the top of a repository without commits."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "core.autocrlf", "false")
    return folder


def commit(folder: Path, message: str = "work") -> None:
    """Commit all that is there."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def committed(folder: Path) -> Path:
    """The folder, now the top of a repository with all its files in one commit."""
    commit(initialised(folder))
    return folder
