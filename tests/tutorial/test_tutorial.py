"""The tutorial's commands are run as they stand, and print what it says.

``PDMIGRATE_UPDATE_DOCS=1`` writes the real output into the document instead of comparing.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support.environments import SQLITE, environment
from tests.tutorial.console import run, sessions, updated

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """An empty folder, and the environment of somebody who has Python, git and pdmigrate."""
    folder = tmp_path_factory.mktemp("tutorial")
    home = tmp_path_factory.mktemp("home")
    environment(SQLITE)  # the packages are in the cache of the installer from here on
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    variables = {
        "PATH": path,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "UV_LINK_MODE": "copy",
        **{name: value for name, value in os.environ.items() if name.startswith(("UV_", "PIP_", "SSL_", "XDG_"))},
    }
    return folder, variables


@pytest.mark.timeout(600)
def test_the_tutorial_prints_what_it_says(prepared: tuple[Path, dict[str, str]]) -> None:
    folder, variables = prepared
    document = TUTORIAL.read_text(encoding="utf-8")
    commands = [command for session in sessions(document) for command in session]
    assert len(commands) > 10
    place = folder
    outputs = []
    for name, text in re.findall(r"(?ms)^```python\n# (\S+)\n(.*?)^```\n", document):
        (folder / name).write_text(text, encoding="utf-8")
    for command in commands:
        if moved := re.fullmatch(r"cd (\S+)", command.text):
            place = (place / moved[1]).resolve()
            outputs.append("")
            continue
        outputs.append(run(command, place, variables, hidden=[(str(folder), "~")]))
    if os.environ.get("PDMIGRATE_UPDATE_DOCS"):
        TUTORIAL.write_text(updated(document, outputs), encoding="utf-8")
        return
    for command, output in zip(commands, outputs, strict=True):
        assert output == command.output, command.text
