"""``apply --interactive``: show each tool's definition, its stub and what both cost, and ask whether to take it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from glob import escape
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from pdmigrate.cli import terminal
from pdmigrate.errors import UsageError
from pdmigrate.escaping import name, one_line

if TYPE_CHECKING:
    from pdmigrate.audit import ToolCost
    from pdmigrate.model import JsonObject
    from pdmigrate.project.model import Project
    from pdmigrate.settings import Settings

LINES = 12
"""How many lines of one definition are shown at first."""
HELP = """\
y  take this tool: it is listed as a stub
n  leave it: it stays as it is
a  take this tool and the rest of this server
d  leave this tool and the rest of this server
v  view all of it
q  quit, and change nothing
?  print this help"""


class Quit(Exception):  # noqa: N818 - no error: the person has decided to change nothing
    """The person wants nothing to be changed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One tool to decide on; ``now``, ``after`` and ``cost`` are ``None`` where source does not settle them."""

    server: str
    tool: str
    now: JsonObject | None = None
    after: JsonObject | None = None
    cost: ToolCost | None = None


def require_terminal() -> None:
    """Refuse to ask questions where nobody can answer.

    Raises:
        UsageError: standard input is not a terminal.
    """
    if not sys.stdin.isatty():
        raise UsageError(
            "--interactive asks about each tool, and standard input is not a terminal",
            hint="run it in a terminal, or name the tools with --select and --exclude",
        )


def chosen(project: Project, settings: Settings, answers: dict[str, bool]) -> Settings:
    """``settings`` that exclude every tool that the person leaves as it is.

    ``answers`` holds earlier answers, which count, and receives new ones.  A tool that an earlier run left out is asked
    about again; a tool that an earlier run migrated is not.

    Raises:
        Quit: the person wants nothing to be changed.
    """
    settings = replace(settings, given=settings.given | {"exclude"})
    choices: dict[str, Decision] = {}
    for choice in _choices(project, settings):
        # A selection goes by name: a name that several servers share is asked about once.
        choices.setdefault(choice.tool, choice)
    for _, group in groupby((one for one in choices.values() if one.tool not in answers), lambda one: one.server):
        _ask_about(list(group), answers)
    left = (escape(tool) for tool in choices if not answers[tool])
    return replace(settings, exclude=(*settings.exclude, *left))


def _choices(project: Project, settings: Settings) -> Iterator[Decision]:
    from pdmigrate.audit import audited
    from pdmigrate.audit.catalogue import from_server
    from pdmigrate.audit.tokens import counter
    from pdmigrate.project.reconcile import reconciled
    from pdmigrate.record.lock import read, with_choices
    from pdmigrate.settings import is_selected

    lock = read(project.files)
    remembered = with_choices(replace(settings, given=settings.given - {"exclude"}), lock)
    settings = with_choices(settings, lock)
    for server in reconciled(project).servers:
        audit = audited(from_server(server), counter(), kind=settings.stub_schema, bridge=settings.bridge)
        figures = {
            cost.name: (listed, stub, cost)
            for listed, stub, cost in zip(audit.catalogue.tools, audit.stubs, audit.tools, strict=True)
        }
        for tool in server.tools:
            done = server.is_enabled and is_selected(tool.name, remembered)
            if tool.name is not None and is_selected(tool.name, settings) and not done:
                yield Decision(audit.catalogue.name, tool.name, *figures.get(tool.name, ()))


def _ask_about(choices: Sequence[Decision], answers: dict[str, bool]) -> None:
    """Ask about the tools of one server, one after the other."""
    for number, choice in enumerate(choices):
        terminal.talk(f"\n{name(choice.server)}, tool {number + 1} of {len(choices)}: {name(choice.tool)}", always=True)
        terminal.talk("\n".join(_shown(choice, LINES)), always=True)
        while (answer := _answer(name(choice.tool))) not in ("y", "n", "a", "d"):
            terminal.talk("\n".join(_shown(choice, None)) if answer == "v" else HELP, always=True)
        if answer in ("a", "d"):
            answers.update((one.tool, answer == "a") for one in choices[number:])
            return
        answers[choice.tool] = answer == "y"


def _answer(tool: str) -> str:
    """The first letter of what the person types.

    Raises:
        Quit: the letter is a q, or the input has ended.
    """
    terminal.prompt(f"take {tool} [y,n,a,d,v,q,?]? ")
    line = sys.stdin.readline()
    if not line or line.strip().lower().startswith("q"):
        raise Quit
    return line.strip().lower()[:1]


def _shown(choice: Decision, lines: int | None) -> Iterator[str]:
    """The two forms of a tool with their tokens, each cut after ``lines`` lines (``None``: not at all)."""
    if choice.now is None or choice.after is None or choice.cost is None:
        yield "  source does not settle what it lists, so its size is not known"
        return
    cost = choice.cost
    yield f"  listed now: {cost.now:,} tokens"
    yield from _form(choice.now, lines)
    yield f"  listed after: {cost.after:,} tokens"
    yield from _form(choice.after, lines)
    yield from wrap(
        f"every session saves {cost.gain:,} tokens; one that uses the tool fetches {cost.fetched:,}",
        78,
        initial_indent="  ",
        subsequent_indent="  ",
    )


def _form(tool: JsonObject, lines: int | None) -> Iterator[str]:
    texts = [
        str(tool.get("description") or "(no description)"),
        json.dumps(tool.get("inputSchema"), ensure_ascii=False),
    ]
    every = [f"    {line}" for text in texts for part in text.strip().splitlines() for line in wrap(one_line(part), 74)]
    yield from every[:lines]
    if lines is not None and every[lines:]:
        yield f"    ... {len(every) - lines} more lines, v shows them"
