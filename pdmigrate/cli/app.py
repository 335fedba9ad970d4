"""The commands and their names.  A new command is a module beside this one and an entry in ``COMMANDS``.

A module is imported when its command is run: the overview imports none of them.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from pdmigrate.cli import terminal
from pdmigrate.cli.guard import guarded


class _Commands(TyperGroup):
    """Commands by name; the overview shows each without importing its module."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and _imported(str(found.name)), rest


class _Command(TyperCommand):
    """A command whose help names arguments as users do, without what typer adds about types and numbers."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [*map(_plain, super().collect_usage_pieces(ctx))]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        write = formatter.write_dl
        formatter.write_dl = lambda rows, *more: write([(_plain(name), _plain(told)) for name, told in rows], *more)
        super().format_help(ctx, formatter)


def _plain(text: str) -> str:
    return re.sub(r"^\{(\w+)\}$| <\S+>$", r"\1", text).replace("x>=", "at least ")


# Plain help: rendering it with rich would treble the time that --help takes.
app = typer.Typer(
    cls=_Commands,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _tell_version(asked: bool) -> None:
    if asked:
        from pdmigrate import __version__

        terminal.result(f"pdmigrate {__version__}\n")
        raise typer.Exit


@app.callback()
def pdmigrate(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """Migrate existing Python MCP servers to progressive disclosure of their tools."""
    if context.invoked_subcommand is None:
        terminal.result(f"{context.get_help()}\n")


COMMANDS = {
    "audit": "Count what tools cost a model, and whether a migration pays.",
    "extract": "Find tools and write a description file for each.",
    "apply": "Show the migration as a patch, or carry it out.",
    "revert": "Take a migration back, byte for byte.",
    "check": "Say whether code and description files agree.",
    "sync": "Update stubs and copies after an edit.",
    "verify": "Test a running server against the specification.",
    "wrap": "Write a server that stands in front of any server.",
    "export": "Write the tools in the form of another system.",
    "explain": "Say what a finding means, or where a tool comes from.",
}
"""Every command with its line in the overview, in the order of use."""

_MODULES = {"sync": "check"}
"""The modules of commands that are not called like their module."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "audit": (
        "pdmigrate audit",
        "pdmigrate audit --html audit.html",
        'pdmigrate audit --command "npx -y @playwright/mcp"',
        "pdmigrate audit --listing tools.json --format json",
    ),
    "extract": ("pdmigrate extract --no-write", 'pdmigrate extract --live "python -m my_server"'),
    "apply": (
        "pdmigrate apply > migration.patch",
        "pdmigrate apply src/server.py --write",
        'pdmigrate apply --select "search_*" --exclude search_all',
    ),
    "revert": ("pdmigrate revert --dry-run", "pdmigrate revert"),
    "check": ("pdmigrate check", "pdmigrate check --format github"),
    "sync": ("pdmigrate sync", 'pdmigrate sync --live "python -m my_server"'),
    "verify": (
        'pdmigrate verify --command "python -m my_server"',
        "pdmigrate verify --url http://localhost:8000/mcp --format junit",
    ),
    "wrap": (
        'pdmigrate wrap wrapped/playwright --command "npx -y @playwright/mcp"',
        "pdmigrate wrap wrapped/notes --url http://localhost:8000/mcp",
    ),
    "export": ("pdmigrate export prompt", "pdmigrate export skill --output skills"),
    "explain": ("pdmigrate explain PD303", "pdmigrate explain my_tool"),
}


def _imported(name: str) -> Any:
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    run = getattr(import_module(f"pdmigrate.cli.{_MODULES.get(name, name)}"), name)
    examples = "\b\nExamples:\n" + "\n".join(f"  {example}" for example in EXAMPLES[name])
    alone.command(name, cls=_Command, epilog=examples)(guarded(run))
    return get_command(alone)


def _listed() -> None:
    """What stands in the overview for a command; it never runs."""


for _name, _line in COMMANDS.items():
    app.command(_name, short_help=_line)(_listed)
