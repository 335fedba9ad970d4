"""``pdmigrate check`` and ``pdmigrate sync``: the options, as hooks run both without them (``agreeing.py``)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pdmigrate.cli import options
from pdmigrate.cli.agreeing import Request, run
from pdmigrate.cli.live import LiveOptions
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
    running = LiveOptions(live, url, env, header, timeout, no_live)
    return run(replace(_request(files, output, running, sdk, exclude_paths), fix=fix))


def sync(
    files: options.Files = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove the files of tools that are gone.")] = False,
    output: Annotated[str, options.format_of(*_OUTPUTS)] = "text",
    live: options.Live = None,
    no_live: options.NoLive = False,
    url: options.Url = None,
    env: options.Env = None,
    header: options.Header = None,
    timeout: options.Timeout = 60.0,
    sdk: options.Sdk = None,
    exclude_paths: options.Exclude = None,
    allow_dirty: Annotated[
        bool, typer.Option("--allow-dirty", help="Let --prune remove files that are in no commit.", show_default=False)
    ] = False,
    _quiet: options.Quiet = False,
) -> int:
    """Update stubs, copies and the generated module after an edit of code or of a description file.

    An edit of code changes the copies in description files; an edit of a description file changes the stub in code;
    both may change the generated module. What a person wrote is never overwritten: where two places were edited, both
    are shown, and nothing of that tool is touched. Exits with 1 when something is left to decide.
    """
    running = LiveOptions(live, url, env, header, timeout, no_live)
    request = _request(files, output, running, sdk, exclude_paths)
    return run(replace(request, fix=True, prune=prune, allow_dirty=allow_dirty))


def _request(
    files: list[Path] | None, output: str, running: LiveOptions, sdk: list[str] | None, excluded: list[str] | None
) -> Request:
    live = running if running.wanted else None
    return Request(options.existing(files), output, options.versions(sdk), tuple(excluded or ()), live)
