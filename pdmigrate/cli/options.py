"""The options that several commands share, each with the one help text it has everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.config import CHOICES
from pdmigrate.errors import UsageError

Target = Annotated[Path, typer.Argument(metavar="PATH", help="The project, or one file of it.", show_default=".")]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude-paths", metavar="PATTERN", help="Paths not to look at, as in .gitignore. Repeatable."),
]
Sdk = Annotated[
    list[str] | None,
    typer.Option("--sdk", metavar="NAME==VERSION", help="The SDK version the server runs on. Repeatable."),
]
AllowDirty = Annotated[
    bool, typer.Option("--allow-dirty", help="Write over files that have uncommitted changes.", show_default=False)
]
Check = Annotated[
    bool, typer.Option("--check", help="Write nothing; exit with 1 when something would change.", show_default=False)
]


def choice(name: str) -> str:
    """The metavar of an option for a setting with fixed values."""
    return "|".join(CHOICES[name])


def versions(given: list[str] | None) -> dict[str, str] | None:
    """``NAME==VERSION`` texts as a mapping with normalised names; ``None`` when there are none.

    Raises:
        UsageError: a text is not of that form.
    """
    if not given:
        return None
    pairs = {}
    for text in given:
        name, found, version = text.partition("==")
        if not found or not name.strip() or not version.strip():
            raise UsageError(f"--sdk {text!r} names no version", hint="write it as --sdk mcp==1.30.0")
        pairs[name.strip().lower().replace("_", "-").replace(".", "-")] = version.strip()
    return pairs


def root_of(target: Path) -> tuple[Path, tuple[str, ...]]:
    """The root of a run on ``target``, and the one file it is confined to, if any, relative to that root.

    Raises:
        UsageError: there is no such path.
    """
    if target.is_dir():
        return target, ()
    if target.is_file():
        return target.parent, (target.name,)
    raise UsageError(f"{target}: no such file or folder", hint="give the folder of the project, or one of its files")
