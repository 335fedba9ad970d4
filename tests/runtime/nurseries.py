"""The sample servers start in a few milliseconds: as forks of processes that have imported their SDKs.

A process that imports an SDK takes one to three seconds for that alone, and the tables of the tests need hundreds.
What runs in a fork is the server's own script from its first line, on pipes or a port of its own.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.environments import environment

PROGRAMS = Path(__file__).with_name("programs")

_started = ExitStack()
_addresses: dict[tuple[str, ...], str] = {}


def planted(pins: tuple[str, ...], servers: Sequence[Path], *command: str) -> tuple[str, ...]:
    """A command that runs ``command``, a script with its arguments, in the environment of ``pins``.

    ``servers`` are scripts that import what the commands of that environment need.
    """
    if pins not in _addresses:
        interpreter = environment(pins) if pins else Path(sys.executable)
        _addresses[pins] = _started.enter_context(_nursery(interpreter, servers))
    return (sys.executable, "-I", "-S", str(PROGRAMS / "sprout.py"), _addresses[pins], *command)


def own(*command: str) -> tuple[str, ...]:
    """A command that runs ``command`` where the whole of ``pdmigrate`` is imported already."""
    return planted((), (PROGRAMS / "package.py",), *command)


COMMANDS = {
    "pdmigrate": "from pdmigrate.cli import main; main()",
    "pdmigrate-check": "from pdmigrate.cli.hook import check; check()",
    "pdmigrate-sync": "from pdmigrate.cli.hook import sync; sync()",
}


def on_path(folder: Path) -> str:
    """A search path that begins with ``folder``, made here, in which our three commands are."""
    folder.mkdir()
    for name, program in COMMANDS.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(own("-c", program))} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def close() -> None:
    """End all that runs."""
    _addresses.clear()
    _started.close()


@contextmanager
def _nursery(interpreter: Path, servers: Sequence[Path]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "nursery")
        command = [str(interpreter), "-W", "ignore", str(PROGRAMS / "nursery.py"), address, *map(str, servers)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n", f"{command!r} does not start"
            yield address
