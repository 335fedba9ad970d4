"""``docs/commands.md`` against the command line itself.

``python -m tests.cli.test_documentation`` writes the help blocks anew.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.processes import run

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
TYPER = tuple(int(part) for part in version("typer").split(".")[:2])
BLOCK = re.compile(r"(?P<head>\$ pdmigrate (?P<command>\w* ?)--help\n)(?P<help>.*?)(?=\n```)", re.S)


def help_of(command: str) -> str:
    """The help as it is printed into a pipe, whatever the terminal of this process is."""
    plain = {**os.environ, "COLUMNS": "100", "TERM": "dumb"}
    return run(sys.executable, "-m", "pdmigrate", *command.split(), "--help", env=plain).strip()


def plain(text: str) -> str:
    """Help without what releases of typer differ in: where lines break, and the types of arguments."""
    return " ".join(re.sub(r"<\w+>", "", text).split())


@pytest.mark.skipif(TYPER < (0, 20), reason="older releases lay the help out in another way")
def test_the_page_shows_the_help_of_every_command_as_it_is_and_no_command_that_is_gone() -> None:
    names = [line.split()[0] for line in help_of("").partition("Commands:\n")[2].splitlines()]
    shown = {match["command"].strip(): match["help"] for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))}
    assert shown.keys() == {"", *names}
    for command, text in shown.items():
        assert plain(text) == plain(help_of(command))


def write() -> None:
    """Put the help of today into the blocks that the page has."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda match: match["head"] + help_of(match["command"]), text), encoding="utf-8")


if __name__ == "__main__":
    write()
