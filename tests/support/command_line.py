"""Running the command line in this process, as a person would see it."""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import typer.main

from pdmigrate.cli import main

VERSIONS = ("--sdk", "mcp==1.30.0", "--sdk", "pydantic==2.14.3")
"""Options that say which packages a project is written for, where its own files do not."""
_command_of = functools.cache(typer.main.get_command)
"""Typer makes the commands out of their functions at every run, a fifth of what a small run takes."""


@dataclass(frozen=True)
class Ran:
    """How a command ended: its status and what it wrote to each stream."""

    status: int
    stdout: str
    stderr: str


def pdmigrate(*arguments: object) -> Ran:
    """Run ``pdmigrate`` with ``arguments``; the streams are pipes.

    An exception of our own fails every test, also one that only looks for what is not printed.
    """
    with (
        _streams() as (out, err),
        patch.object(sys, "argv", ["pdmigrate", *map(str, arguments)]),
        patch.object(typer.main, "get_command", _command_of),
    ):
        try:
            main()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        else:
            raise AssertionError("main returned")
        out.flush()
        err.flush()
        ran = Ran(status, _text(out), _text(err))
        assert "this is a mistake in pdmigrate, not in your project" not in ran.stderr, ran.stderr
        return ran


@contextmanager
def _streams() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        yield out, err


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
