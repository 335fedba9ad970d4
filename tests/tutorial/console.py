"""Console sessions in Markdown: commands and the output they really have.

A session is a fenced block marked ``console``.  A line that starts with ``$`` is a command, which lines ending in a
backslash continue; what follows up to the next command is its output.  A last line ``(exit status 1)`` stands for the
status of a command that fails.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```\n")


@dataclass(frozen=True, slots=True)
class Command:
    """One command and what the document says it prints."""

    text: str
    output: str


def sessions(document: str) -> list[list[Command]]:
    """The console blocks of a document, each as its commands."""
    return [_commands(match[1]) for match in _BLOCK.finditer(document)]


def _commands(block: str) -> list[Command]:
    commands: list[Command] = []
    lines = iter(block.splitlines(keepends=True))
    for line in lines:
        if line.startswith("$ "):
            text = line[2:]
            while text.endswith("\\\n"):
                text += next(lines)
            commands.append(Command(text.rstrip("\n"), ""))
        elif commands:
            last = commands.pop()
            commands.append(Command(last.text, last.output + line))
        else:
            raise ValueError(f"output before the first command: {line!r}")
    return commands


def run(command: Command, folder: Path, environment: Mapping[str, str], hidden: Iterable[tuple[str, str]] = ()) -> str:
    """Run a command in ``folder`` and return what a document would show of it.

    Standard output and error stand one after the other, as they come through a pipe each; ``hidden`` replaces texts
    that differ between machines.
    """
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    output = done.stdout + done.stderr
    for text, shown in hidden:
        output = output.replace(text, shown)
    if output and not output.endswith("\n"):
        output += "\n"
    return output + (f"(exit status {done.returncode})\n" if done.returncode else "")


def updated(document: str, outputs: Iterable[str]) -> str:
    """The document with the outputs of all its commands, in order, replaced."""
    fresh = iter(outputs)

    def block(match: re.Match[str]) -> str:
        parts = (f"$ {command.text}\n{next(fresh)}" for command in _commands(match[1]))
        return f"```console\n{''.join(parts)}```\n"

    return _BLOCK.sub(block, document)
