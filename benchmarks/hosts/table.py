"""Verdicts as the page ``docs/hosts.md``."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.hosts.frameworks import FRAMEWORKS, Framework
from benchmarks.hosts.judging import CHECKS, Verdict
from benchmarks.hosts.servers import SERVERS, Server

HEAD = ("framework", "version", "session", *CHECKS[:-1], "verdict")

PAGE = """\
# Hosts

Do frameworks get along with a migrated server? Every row below is a real framework or client in an environment of its
own, on up to {count} servers, which are [below](#servers). Each server is asked the same before its migration
and after it. Models are scripted, nothing has a network, and no provider is called. This page is written by

    pip install -e '.[test]'
    python -m benchmarks.hosts                      # everything; an hour or two the first time
    python -m benchmarks.hosts --only pydantic-ai   # one framework; prints its row
    python -m benchmarks.hosts --seen               # starts nothing: what was seen before

It needs git, node and npm. Environments, and what was seen of the same files, are kept in `.cache`. Exit status 1
when a check fails that no other software explains. Measured on {day} at commit {commit}, with servers migrated with the
defaults of `pdmigrate apply` (`stdio="enforce"`).

## What is checked

A model is offered the tools, calls one that it has not fetched, fetches the descriptions of all that it needs, and
calls them.

* **list**: all tools of before are offered, and the bridge. Each has the properties of before and requires the same;
  each property has a type wherever it had one. Where a framework now finds a tool fit for strict decoding, nothing has
  to be invented for it and nothing cannot be said any more. All names are such as providers accept.
* **first call**: where the framework keeps its session, the call is refused with `TOOL_DESCRIPTION_REQUIRED`, in words
  that reach the model. A framework that opens a session for each call never lists in it: there the call runs and gives
  the answer of before.
* **fetch**: the definitions reach the model, by the bridge; clients without a model read the resource. Where an
  allow-list lets neither through, each tool is refused once, and the refusal brings its definition.
* **required only**: calls with their required arguments and no others give the answers of before. What a framework adds
  to them counts: some fill optional arguments from the list, and some make every argument required.
* **nulls**: calls with null for every optional argument that may be null give the answers of before.
* **grant**: at the end of the session the first tool still answers. Without a kept session there is no grant.

A cell counts the servers for which all is well, of those that were asked. *session* is traced, by a program that stands
between framework and server and writes down what is sent.

## Result

{table}

{notes}{problems}## Servers

{servers}

The row that insists on protocol 2026-07-28 has the {both} servers that speak it, which are those on mcp 2.x. Rows about
one habit of a host have three servers (allow-lists, resources as tools, several servers in one client). Three rows have
a server that is made for them, in `benchmarks/hosts/sources`: two servers without a name in one run; one that lists its
tools on two pages, of which the host reads the first; and one without sessions, of which two workers answer twelve
clients at once.
"""


def page(verdicts: Sequence[Verdict], commit: str, day: str) -> str:
    """The whole page."""
    frameworks = dict.fromkeys(verdict.framework for verdict in verdicts)
    notes = [f"* {one.title}, {' and '.join(one.excused)}: {one.because}." for one in frameworks if one.excused]
    notes += [
        f"* {verdict.framework.title} on {verdict.server} {verdict.note}." for verdict in verdicts if verdict.note
    ]
    found = problems(verdicts)
    return PAGE.format(
        count=len({one.server for one in verdicts} & {server.name for server in SERVERS}),
        commit=commit,
        day=day,
        table=table(verdicts),
        notes="".join(f"{note}\n" for note in notes) + "\n" * bool(notes),
        problems="### What is wrong\n\n" + found + "\n\n" if found else "",
        servers=servers(verdicts),
        both=sum(server.both_eras for server in SERVERS),
    )


def table(verdicts: Sequence[Verdict]) -> str:
    """A row for each framework, in the order of the list."""
    found = {verdict.framework for verdict in verdicts}
    rows = [
        row(framework, [verdict for verdict in verdicts if verdict.framework == framework])
        for framework in FRAMEWORKS
        if framework in found
    ]
    return _aligned([HEAD, *rows])


def row(framework: Framework, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """The cells of one framework; a dash where nothing applies."""
    excused = any(
        verdict.checks[check] for verdict in verdicts for check in framework.excused if check in verdict.checks
    )
    verdict = "**fails**" if any(one.problems for one in verdicts) else "see below" if excused else "as before"
    return (framework.title, framework.version, framework.session, *_cells(verdicts), verdict)


def problems(verdicts: Sequence[Verdict]) -> str:
    """What is wrong, with each framework on each server."""
    return "\n".join(
        f"* {verdict.framework.name}, {verdict.server}, {check}: {problem}"
        for verdict in verdicts
        for check, problem in verdict.problems.items()
    )


def servers(verdicts: Sequence[Verdict]) -> str:
    """A row for each server that was asked: what it is made with, and with how many frameworks all is as before."""
    rows = [("server", "made with", "calls", "as before")]
    asked = {one.server for one in verdicts}
    for server in (server for server in SERVERS if server.name in asked):
        own = [one for one in verdicts if one.server == server.name and not (one.note or one.framework.excused)]
        well = sum(not verdict.problems for verdict in own)
        rows.append((_named(server), ", ".join(server.sdk), str(len(server.script)), f"{well}/{len(own)}"))
    return _aligned(rows)


def _named(server: Server) -> str:
    return (
        f"{server.name} {server.pins[-1].rpartition('==')[2]}" if server.package else f"`sample_servers/{server.name}`"
    )


def _cells(verdicts: Sequence[Verdict]) -> list[str]:
    cells = []
    for check in CHECKS[:-1]:
        applied = [verdict.checks[check] for verdict in verdicts if check in verdict.checks]
        cells.append(f"{sum(not problem for problem in applied)}/{len(applied)}" if applied else "-")
    return cells


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    head, *body = (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in rows
    )
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join((head, rule, *body))
