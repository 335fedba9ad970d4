"""Wrappers of ``tests/wire/raw_server.py``, and the processes that they leave."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command_line import pdmigrate
from tests.support.running import eventually
from tests.wrap.talking import PYTHON

ANYTHING = Path(__file__).parents[1] / "wire" / "raw_server.py"
PLAIN = [PYTHON, str(ANYTHING)]
Marked = Callable[..., tuple[list[str], str]]
needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")


def wrapping(folder: Path, *words: str, server: Path = ANYTHING) -> list[str]:
    """The command of a wrapper of ``tests/wire/raw_server.py`` with these words behind it."""
    ran = pdmigrate("wrap", folder / "new" / "w", "--command", " ".join([PYTHON, str(server), *words]))
    assert ran.status == 0, ran.stderr
    return [PYTHON, str(folder / "new" / "w" / "server.py")]


@pytest.fixture(scope="session")
def wrapped(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return wrapping(tmp_path_factory.mktemp("wrapped"))


@pytest.fixture
def marked(tmp_path: Path) -> Marked:
    """Wrappers whose server has a command line of its own, to be found by."""

    def make(*words: str) -> tuple[list[str], str]:
        server = tmp_path / f"anything_{os.getpid()}.py"
        server.write_bytes(ANYTHING.read_bytes())
        command = wrapping(tmp_path, *words, server=server)
        assert eventually(lambda: not running(str(server)))
        return command, str(server)

    return make


def running(pattern: str) -> set[int]:
    """The processes with ``pattern`` in their command line that are children of ours, or were."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            if pattern.encode() in line and ") Z " not in stat:
                found.add(int(entry.name))
    return found
