"""``pdmigrate extract``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.cli import options, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.config import Settings, load, merge
from pdmigrate.errors import UsageError


def extract(
    path: options.Target = Path(),
    output: Annotated[str, typer.Option("--format", metavar="text|json", help="How to print the result.")] = "text",
    write: Annotated[bool, typer.Option("--write/--no-write", help="Write description files, or only print.")] = True,
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
) -> int:
    """Find the servers and tools of a project and write a description file for each tool."""
    if output not in ("text", "json"):
        raise UsageError(f"--format does not know {output!r}", hint="it must be text or json")
    settings = merge(load(path), sdk=options.versions(sdk), exclude_paths=exclude_paths)
    return _print(path, settings) if not write else DONE


def _print(path: Path, settings: Settings) -> int:
    from pdmigrate.extract import extract as extract_inventory
    from pdmigrate.report.contract import inventory_json

    root, only = options.root_of(path)
    inventory = extract_inventory(root, sdk=settings.sdk, exclude=settings.exclude_paths, only=only)
    terminal.result_json(inventory_json(inventory))
    return DONE if inventory.servers else TO_DO
