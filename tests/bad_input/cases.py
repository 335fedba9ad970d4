"""A case: a project that something is wrong with, what the command says of it, and that nothing changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.files import tree, write

APPLY = ("apply", "--write")
NEITHER = (
    "found 2 = moved 0 + stubbed 0 + skipped 0 + failed 2\n",
    "2 tools found, and nothing is written: settle the errors above",
)
SKIPPED = (
    NEITHER[0].replace("skipped 0 + failed 2", "skipped 2 + failed 0"),
    "nothing to do: 2 tools found, and none is migrated",
)


@dataclass(frozen=True)
class Bad:
    """``said`` are parts of what goes to standard error, in order; ``path`` is what the command line names."""

    files: Mapping[str, str | bytes]
    said: tuple[str, ...]
    status: int = 1
    command: tuple[str, ...] = APPLY
    path: str = "."


def check_refused(root: Path, bad: Bad) -> Ran:
    """The command ends as it should, says what it should, and leaves every byte as it was."""
    write(root, {"pyproject.toml": "", **bad.files})
    before = tree(root)
    name, *options = bad.command
    versions = () if name == "revert" else VERSIONS
    ran = pdmigrate(name, root / bad.path, *options, *versions)
    assert tree(root) == before
    assert (ran.status, ran.stdout) == (bad.status, ""), ran
    check_said(ran, root, bad.said)
    return ran


def check_said(ran: Ran, root: Path, parts: tuple[str, ...]) -> None:
    """Standard error holds ``parts`` in this order, and no mistake of ours; ROOT stands for the folder."""
    said = ran.stderr.replace(str(root), "ROOT")
    assert "mistake in pdmigrate" not in said, said
    assert "Traceback" not in said, said
    position = 0
    for part in parts:
        found = said.find(part, position)
        assert found >= 0, f"{part!r} is not in, or not in its place in:\n{said}"
        position = found + len(part)
