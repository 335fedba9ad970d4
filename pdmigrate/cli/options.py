"""The options that several commands share, each with the same help text everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.errors import UsageError
from pdmigrate.settings import CHOICES, kebab

Target = Annotated[Path, typer.Argument(metavar="PATH", help="The project, or one file of it.")]
Files = Annotated[
    list[Path] | None, typer.Argument(metavar="FILES", help="Files or folders; without them the whole project.")
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude-paths", metavar="PATTERN", help="Paths not to look at, as in .gitignore. Repeatable."),
]
Sdk = Annotated[
    list[str] | None,
    typer.Option("--sdk", metavar="NAME==VERSION", help="The SDK version the server runs on. Repeatable."),
]
AllowDirty = Annotated[bool, typer.Option("--allow-dirty", help="Write over files that have uncommitted changes.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 when something would change.")]

_ASKED = "Start the server and read its tools. CMD defaults to the start command found in the project."
Live = Annotated[str | None, typer.Option("--live", metavar="CMD", help=_ASKED)]
NoLive = Annotated[bool, typer.Option("--no-live", help="Never start the server or offer to.")]
Url = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="Like --live, for a server that is already running, over HTTP."),
]
Server = Annotated[
    str | None, typer.Option("--command", metavar="CMD", help="The command that starts the server, over stdio.")
]
Address = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="A server that is already running, over HTTP.")
]
Bridge = Annotated[
    bool | None, typer.Option("--bridge/--no-bridge", help="Add a tool that returns descriptions (default).")
]
Env = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="Environment of the server to start. Repeatable."),
]
Header = Annotated[
    list[str] | None, typer.Option("--header", metavar="NAME:VALUE", help="A header of every HTTP request. Repeatable.")
]


def _above_zero(timeout: float) -> float:
    if not timeout > 0:
        raise UsageError(f"--timeout {timeout:g} leaves no time", hint="give a number of seconds above 0")
    return timeout


Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", metavar="SECONDS", help="The limit of one request to the running server.", callback=_above_zero
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only results and errors.", callback=terminal.quiet)]


def format_of(*formats: str) -> Any:
    """The option ``--format`` of a command that can print its result in ``formats``; any other is a UsageError."""

    def known(output: str) -> str:
        if output not in formats:
            raise UsageError(f"--format does not know {output!r}", hint=f"it must be one of {', '.join(formats)}")
        return output

    return typer.Option("--format", metavar="|".join(formats), help="How to print the result.", callback=known)


def existing(files: list[Path] | None) -> tuple[str, ...]:
    """The paths that were given.  Raises UsageError if there is nothing at one of them."""
    for path in files or ():
        if not (disk.is_there(*disk.split(str(path))) or disk.is_folder(path)):
            raise UsageError(f"{path} does not exist", hint="for a deleted file, name its folder")
    return tuple(str(path) for path in files or ())


_ABOUT = {
    "move": "Which definitions go to files. literal (default): those that are literals; all: also computed ones; none.",
    "stub_schema": "The schema in the listing. skeleton (default): without prose and bounds; open: without parameters; "
    "full: as it is.",
    "stdio": "What happens over stdio to a call of a tool that was not fetched. enforce (default): refused if the "
    "session has listed the tools; strict: refused; advise: it runs, and errors bring the description; off: it runs.",
    "http": "The same over HTTP, where advise is the default. receipt: refused without the token that a fetch brings.",
}


def setting(name: str) -> Any:
    """The option for a setting with fixed values, which ``settings.CHOICES`` lists."""
    return typer.Option(f"--{kebab(name)}", metavar="|".join(CHOICES[name]), help=_ABOUT[name], show_default=False)


StubSchema = Annotated[str | None, setting("stub_schema")]


def versions(given: list[str] | None) -> dict[str, str] | None:
    """``NAME==VERSION`` texts as a mapping with normalised names; ``None`` when there are none.

    Raises UsageError if a text is not of that form.
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
