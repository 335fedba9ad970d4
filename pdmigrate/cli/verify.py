"""``pdmigrate verify``."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pdmigrate.cli import options, targets, terminal
from pdmigrate.cli.guard import DONE, TO_DO
from pdmigrate.errors import UsageError

if TYPE_CHECKING:
    from pdmigrate.model import JsonObject
    from pdmigrate.wire.targets import Target


def verify(
    command: Annotated[
        str | None, typer.Option("--command", metavar="CMD", help="The command that starts the server, over stdio.")
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="The address of a server that runs, over HTTP.")
    ] = None,
    before: Annotated[
        str | None,
        typer.Option("--before", metavar="CMD|URL", help="The server before its migration, to compare with."),
    ] = None,
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="The tool to call; else the least harmful one.")
    ] = None,
    arguments: Annotated[
        str | None, typer.Option("--arguments", metavar="JSON", help="What to call it with; else what it rejects.")
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option("--env", metavar="NAME=VALUE", help="Environment of the server. Repeatable.")
    ] = None,
    header: Annotated[
        list[str] | None, typer.Option("--header", metavar="NAME:VALUE", help="A header of every HTTP request.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="The limit of one request.")] = 30.0,
    protocol: Annotated[
        str | None,
        typer.Option(
            "--protocol", metavar="DATE", help="The protocol version to speak; from 2026-07-28 on no handshake."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Demand the letter: what the server was told to do otherwise fails.")
    ] = False,
    output: Annotated[str, options.format_of("text", "json", "junit")] = "text",
    _quiet: options.Quiet = False,
) -> int:
    """Test a running server against the specification, clause by clause.

    It works on any server in any language. Tools are called as little as possible, and in ways that do nothing. Exits
    with 1 when a binding clause does not hold or a criterion could not be tested. Where the answers show that the
    server was told to advise, the criteria of the gate are "by choice", which only --strict counts as a failure.
    """
    options.check_format(output, "text", "json", "junit")
    if (command is None) == (url is None):
        raise UsageError("verify needs a server", hint="give either --command 'python server.py' or --url http://...")
    targets.require_time(timeout)
    if protocol is not None and re.fullmatch(r"\d{4}-\d{2}-\d{2}", protocol) is None:
        raise UsageError(f"--protocol {protocol!r} is not a version", hint="versions are dates, such as 2026-07-28")
    variables, headers = targets.pairs("--env", "=", env), targets.pairs("--header", ":", header)
    target = targets.target(command or str(url), variables, headers)
    old = targets.target(before, variables, headers) if before else None
    given = Given(target, old, tool, _arguments(arguments, tool), timeout, protocol, strict)
    return _verify(given, output)


class Given(NamedTuple):
    """What the options say, read."""

    target: Target
    before: Target | None
    tool: str | None
    arguments: JsonObject | None
    timeout: float
    protocol: str | None
    strict: bool


def _verify(given: Given, output: str) -> int:
    from pdmigrate.verify import verify as verify_server
    from pdmigrate.verify.report import to_json, to_junit, to_text
    from pdmigrate.wire.session import PROTOCOL_VERSION

    with terminal.working(f"asking {given.target}"):
        report = verify_server(
            given.target,
            before=given.before,
            tool=given.tool,
            arguments=given.arguments,
            timeout=given.timeout,
            protocol=given.protocol or PROTOCOL_VERSION,
            strict=given.strict,
        )
    if output == "text":
        terminal.result(to_text(report, color=terminal.colours(sys.stdout)) + "\n")
    else:
        terminal.document((to_json(report) if output == "json" else to_junit(report)) + "\n")
    return DONE if report.ok else TO_DO


def _arguments(text: str | None, tool: str | None) -> JsonObject | None:
    if text is None:
        return None
    if tool is None:
        raise UsageError("--arguments belongs to a tool", hint="name it with --tool")
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--arguments is not JSON: {error}", hint='write it like \'{"query": "x"}\'') from error
    if not isinstance(value, dict):
        raise UsageError("--arguments is not a JSON object", hint='write it like \'{"query": "x"}\'')
    return value
