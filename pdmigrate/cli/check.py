"""``pdmigrate check``."""

from __future__ import annotations

from typing import Annotated

import typer

from pdmigrate.cli import options
from pdmigrate.cli.agreeing import run
from pdmigrate.cli.live import LiveOptions
from pdmigrate.cli.requests import Request
from pdmigrate.report.formats import FORMATS

_OUTPUTS = ("text", "json", *FORMATS)


def check(
    files: options.Files = None,
    fix: Annotated[bool, typer.Option("--fix", help="Fix what can be fixed, as sync does.")] = False,
    output: Annotated[str, options.format_of(*_OUTPUTS)] = "text",
    live: options.Live = None,
    no_live: options.NoLive = False,
    url: options.Url = None,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 60.0,
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
    _quiet: options.Quiet = False,
) -> int:
    """Say whether code, description files and generated module agree; write nothing.

    Without FILES it checks the whole project that this folder is in; with FILES, only the servers that a change to
    these files can affect. Exits with 1 when something has to be done, and says what.
    """
    options.check_format(output, *_OUTPUTS)
    running = LiveOptions(live, url, env, header, timeout, no_live)
    request = Request(
        options.existing(files),
        fix=fix,
        output=output,
        live=running if running.wanted else None,
        sdk=options.versions(sdk),
        exclude_paths=tuple(exclude_paths or ()),
    )
    return run(request)
