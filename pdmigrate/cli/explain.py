"""``pdmigrate explain``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.cli import options, terminal
from pdmigrate.cli.job import job
from pdmigrate.project.reconcile import reconciled
from pdmigrate.report import explain as explaining
from pdmigrate.report.text import Colours


def explain(
    what: Annotated[str, typer.Argument(metavar="CODE|TOOL", help="A finding code like PD305, or a tool's name.")],
    path: Annotated[Path, typer.Option("--path", metavar="PATH", help="The project of the tool.")] = Path(),
    sdk: options.Sdk = None,
    _quiet: options.Quiet = False,
) -> None:
    """Say what a finding means and how to settle it, or where every field of a tool comes from."""
    if re.fullmatch(r"(?i)pd\d+", what):
        terminal.result(explaining.code_page(what))
        return

    inventory = reconciled(job(path, sdk=options.versions(sdk)).project())
    style = Colours(terminal.colours(sys.stdout))
    texts = [explaining.tool_text(server, tool, style) for server, tool in explaining.tools_named(inventory, what)]
    terminal.result("\n\n".join(texts) + "\n")
