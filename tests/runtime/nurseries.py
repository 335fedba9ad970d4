"""Servers start in a few milliseconds: as forks of processes that have imported their SDKs.

A process that imports an SDK takes one to three seconds for that alone, and the tables of the tests need hundreds.
What runs in a fork is the server's own script from its first line, on pipes or a port of its own.
"""

from __future__ import annotations

import os
import pkgutil
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pdmigrate
from tests.support.environments import USED, environment
from tests.support.files import executable

PROGRAMS = Path(__file__).with_name("programs")

LATE = (
    *("encodings.utf_8_sig", "fastmcp.cli", "fastmcp.server.middleware.tool_injection", "flit_core.buildapi"),
    *("hatchling.build", "jsonschema", "key_value.aio.adapters.pydantic", "key_value.aio.stores.memory"),
    *("mcp.client.sse", "mcp.shared.memory", "pdm.backend", "rich._emoji_codes", "setuptools.build_meta"),
    *("unittest.mock", "uvicorn.protocols.http.auto"),
)
"""What programs import beside ``USED``, some of it only when they run or are asked something."""
_started = ExitStack()
_addresses: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}


def planted(pins: tuple[str, ...], *command: str, modules: tuple[str, ...] = (*USED, *LATE)) -> tuple[str, ...]:
    """A command that runs ``command``, a script with its arguments, in the environment of ``pins``.

    It is run where those of ``modules`` are imported already that are in the environment.
    """
    key = (pins, modules)
    if key not in _addresses:
        interpreter = environment(pins) if pins else Path(sys.executable)
        _addresses[key] = _started.enter_context(_nursery(interpreter, modules))
    return (sys.executable, "-I", "-S", str(PROGRAMS / "sprout.py"), _addresses[key], *command)


def own(*command: str) -> tuple[str, ...]:
    """A command that runs ``command`` where the whole of ``pdmigrate`` is imported already."""
    names = (module.name for module in pkgutil.walk_packages(pdmigrate.__path__, "pdmigrate."))
    return planted((), *command, modules=tuple(name for name in names if not name.endswith("__main__")))


COMMANDS = {
    "pdmigrate": "from pdmigrate.cli import main; main()",
    "pdmigrate-check": "from pdmigrate.cli.hook import check; check()",
    "pdmigrate-sync": "from pdmigrate.cli.hook import sync; sync()",
}


def on_path(folder: Path) -> str:
    """A search path that begins with ``folder``, made here, in which our three commands are."""
    for name, program in COMMANDS.items():
        executable(folder / name, f'exec {shlex.join(own("-c", program))} "$@"')
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def close() -> None:
    """End all that runs."""
    _addresses.clear()
    _started.close()


@contextmanager
def _nursery(interpreter: Path, modules: Sequence[str]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "nursery")
        command = [str(interpreter), "-W", "ignore", str(PROGRAMS / "nursery.py"), address, *modules]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n", f"{command!r} does not start"
            yield address
