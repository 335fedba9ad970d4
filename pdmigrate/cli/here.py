"""``pdmigrate`` alone: what there is in this folder, and which commands come next."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate.cli import terminal
from pdmigrate.cli.guard import DONE
from pdmigrate.escaping import name, place

if TYPE_CHECKING:
    from pdmigrate.model import Server

SHOWN = 5
NEXT = {
    "none": (
        ("pdmigrate audit PATH", "look into another folder"),
        ('pdmigrate audit --command "npx -y @playwright/mcp"', "what any server costs"),
    ),
    "found": (
        ("pdmigrate audit", "what the tools cost a model, and whether it pays"),
        ("pdmigrate apply", "the migration as a patch; nothing is written"),
        ("pdmigrate apply --write", "carry it out; `pdmigrate revert` takes it back"),
    ),
    "migrated": (
        ("pdmigrate check", "do code and description files agree?"),
        ("pdmigrate check --staged", "the same of what is staged, for a git hook"),
        ("pdmigrate verify --live", "test the running server, clause by clause"),
        ("pdmigrate revert", "take the migration back, byte for byte"),
    ),
}


def here() -> int:
    """Say what can be done in this folder; nothing is written."""
    from pdmigrate.cli import job as jobs
    from pdmigrate.report.style import Colours

    project = jobs.job(Path()).project()
    style = Colours(terminal.colours(sys.stdout))
    migrated: list[Server] = []
    found: list[Server] = []
    for server in project.inventory.servers:
        (migrated if server.is_enabled else found).append(server)
    lines = [*_group("migrated", migrated), *_group("not migrated", found)] or ["no MCP server in this folder"]
    steps = [*(NEXT["migrated"] if migrated else ()), *(NEXT["found"] if found else ())] or NEXT["none"]
    width = max(len(command) for command, _ in steps)
    lines += ["", "next:", *(f"  {style.bold(command.ljust(width))}  {why}" for command, why in steps)]
    terminal.result("\n".join([*lines, "", "pdmigrate --help lists all commands", ""]))
    return DONE


def _tools(server: Server) -> str:
    from pdmigrate.counting import plural

    if not server.tools and server.incomplete:
        return "tools known only when it runs"
    return f"{plural(len(server.tools), 'tool')}{' or more' if server.incomplete else ''}"


def _group(title: str, servers: list[Server]) -> list[str]:
    from pdmigrate.counting import plural

    if not servers:
        return []
    more = [f"  ... and {plural(len(servers) - SHOWN, 'server')} more"] if servers[SHOWN:] else []
    lines = [f"  {name(one.name or 'unnamed')}, {_tools(one)}, {place(one.site)}" for one in servers[:SHOWN]]
    return [f"{title}:", *lines, *more]
