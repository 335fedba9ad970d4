"""The commands and their names.  A new command is a module beside this one and a line below."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from pdmigrate.cli.extract import extract
from pdmigrate.cli.guard import guarded

# Plain help: rendering it with rich would treble the time that --help takes.
app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def pdmigrate(
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of an error.")] = False,
) -> None:
    """Migrate existing Python MCP servers to progressive disclosure of their tools."""
    if debug:
        os.environ["PDMIGRATE_DEBUG"] = "1"
    if version:
        from pdmigrate import __version__

        typer.echo(f"pdmigrate {__version__}")
        raise typer.Exit


for command in (extract,):
    app.command(command.__name__)(guarded(command))
