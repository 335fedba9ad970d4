"""The tutorial's commands are run as they stand, and print what it says.

A session is a fenced block marked ``console``.  A line that starts with ``$`` is a command, which lines ending in a
backslash continue; what follows up to the next command is its output, and a last line ``(exit status 1)`` announces
that the command fails.  ``PDMIGRATE_UPDATE_DOCS=1`` writes the real output into the page instead of comparing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.environments import SQLITE, environment
from tests.support.repositories import SETTINGS

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```\n")
COMMAND = re.compile(r"(?ms)^\$ ((?:[^\n]*\\\n)*[^\n]*\n)(.*?)(?=^\$ |\Z)")


@pytest.fixture
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of somebody who has Python, git and pdmigrate."""
    environment(SQLITE)  # the packages are in the cache of the installer from here on
    return {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "PYTHONPATH": str(TUTORIAL.parents[1]),  # the code that stands beside the page, whichever is installed
        "HOME": str(tmp_path_factory.mktemp("home")),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        **SETTINGS,
        "UV_LINK_MODE": "copy",
        **{name: value for name, value in os.environ.items() if name.startswith(("UV_", "PIP_", "SSL_", "XDG_"))},
    }


def run(command: str, folder: Path, variables: dict[str, str]) -> str:
    """What the page would show of a command: its output, its errors, and its status if that is not 0."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    output = done.stdout + done.stderr
    if output and not output.endswith("\n"):
        output += "\n"
    return output + (f"(exit status {done.returncode})\n" if done.returncode else "")


@pytest.mark.timeout(600)
def test_the_tutorial_prints_what_it_says(tmp_path: Path, variables: dict[str, str]) -> None:
    document = TUTORIAL.read_text(encoding="utf-8")
    for name, text in re.findall(r"(?ms)^```python\n# (\S+)\n(.*?)^```\n", document):
        (tmp_path / name).write_text(text, encoding="utf-8")
    place = tmp_path

    def printed(command: re.Match[str]) -> str:
        nonlocal place
        if moved := re.fullmatch(r"cd (\S+)\n", command[1]):
            place = (place / moved[1]).resolve()
            return command[0]
        output = run(command[1], place, variables).replace(str(tmp_path), "~")
        failed = re.search(r"^\(exit status \d+\)$", output, re.MULTILINE)
        assert failed is None or failed[0] in command[2], f"{command[1]}{output}"
        if not os.environ.get("PDMIGRATE_UPDATE_DOCS"):
            assert output == command[2], command[1]
        return f"$ {command[1]}{output}"

    new = BLOCK.sub(lambda block: f"```console\n{COMMAND.sub(printed, block[1])}```\n", document)
    if os.environ.get("PDMIGRATE_UPDATE_DOCS"):
        TUTORIAL.write_text(new, encoding="utf-8")
    assert sum(len(COMMAND.findall(block)) for block in BLOCK.findall(document)) > 10
