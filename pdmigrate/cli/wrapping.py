"""A wrapper's folder: what is in it, and asking the server behind it."""

from __future__ import annotations

import datetime
import os
import shlex
from dataclasses import replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.cli import terminal
from pdmigrate.cli.live import target_of
from pdmigrate.live.asking import Witness
from pdmigrate.live.asking import ask as ask_server
from pdmigrate.names import DESCRIPTIONS, WRAPPED
from pdmigrate.wrap.files import ATTRIBUTES, WRAPPER
from pdmigrate.wrap.record import REFERENCE, Wrapped, parse


def record_of(folder: Path | str) -> Wrapped | None:
    """The record of the wrapper in ``folder``; ``None`` if there is none.

    Raises UsageError if the record cannot be read.
    """
    raw = disk.content(folder, WRAPPED)
    return None if raw is None else parse(raw.decode("utf-8-sig", "replace"), f"{folder}/{WRAPPED}")


def files_of(folder: Path | str) -> dict[str, bytes]:
    """The files of a wrapper that are in ``folder``, with the description files that a person has put beside it."""
    beside = [f"{DESCRIPTIONS}/{name}" for name in disk.names(folder, DESCRIPTIONS) if name.endswith(".json")]
    found = {path: disk.content(folder, path) for path in (WRAPPER, ATTRIBUTES, WRAPPED, *beside)}
    return {path: raw for path, raw in found.items() if raw is not None}


def ask(wrapped: Wrapped, variables: dict[str, str], timeout: float) -> Witness:
    """What the wrapped server lists; variables of the environment in its headers are replaced.

    Raises WireError if the server cannot be reached, or does not answer properly.
    """
    headers = {
        name: REFERENCE.sub(lambda match: os.environ.get(match["name"], match[0]), value)
        for name, value in wrapped.headers.items()
    }
    target = target_of(wrapped.url or shlex.join(wrapped.command), variables, headers)
    with terminal.working(f"asking {target}"):
        return ask_server(target, timeout=timeout)


def following(wrapped: Wrapped, witness: Witness) -> Wrapped:
    """The record with what the server has just said; the date changes only if the tools do."""
    name = witness.name or wrapped.name or "server"
    if (wrapped.name, wrapped.tools) == (name, witness.tools):
        return wrapped
    return replace(wrapped, name=name, tools=witness.tools, asked=datetime.date.today().isoformat())
