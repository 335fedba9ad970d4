"""The stdio transport: one message a line, amid whatever else real servers print."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pdmigrate.live.wire import messages
from pdmigrate.live.wire.errors import BadAnswerError, NoAnswerError, ServerEndedError, StartError, WireError, hidden
from pdmigrate.model import JsonObject, JsonValue

POLITE = 2.0
"""How many seconds a server has to exit after its input was closed, and again after it was asked to terminate."""


@dataclass(frozen=True, slots=True)
class StdioTarget:
    """A server to start.  ``command`` is run without a shell, ``env`` is laid over the environment of this process."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None

    def __str__(self) -> str:
        return " ".join(self.command)


def start(target: StdioTarget) -> subprocess.Popen[bytes]:
    """Start the server as leader of a new process group: its children belong to the group unless they leave it.

    Raises StartError if there is no such program or directory, or it may not be run.
    """
    if not target.command:
        raise StartError("there is no command to start a server with", hint="give --command")
    try:
        return subprocess.Popen(
            list(target.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **target.env},
            cwd=target.cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why, name = getattr(error, "strerror", None) or str(error), getattr(error, "filename", None)
        if isinstance(error, FileNotFoundError):
            why = "folder not found" if target.cwd is not None and str(name) == str(target.cwd) else "program not found"
        said = f"{why}: {name}" if name else why
        raise StartError(f"the server cannot be started with {str(target)!r}: {said}") from error


def end(process: subprocess.Popen[bytes], quiet: Callable[[float], bool]) -> None:
    """End the whole group of ``process``; ``quiet(seconds)`` waits for its output to end and says whether it has."""
    try:
        if not (_exits(process) and quiet(0)):  # it has not exited, or a child of it still holds its output
            _signal(process, "SIGTERM")
            if _exits(process):
                quiet(POLITE)
    finally:
        _signal(process, "SIGKILL")
        _exits(process)


def _exits(process: subprocess.Popen[bytes]) -> bool:
    """Whether the leader of the group exits in time."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=POLITE)
    return process.returncode is not None


def _signal(process: subprocess.Popen[bytes], name: str) -> None:
    if not hasattr(os, "killpg"):
        process.terminate()
        return
    # No process is left, or (macOS) only the dead leader: both are what was wanted.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.Signals[name])


MAX_LINE = 64 * 1024 * 1024
MAX_STDERR = 64 * 1024
KEPT_NOISE = 20


class StdioTransport:
    """A running server.  One request at a time; three threads keep its streams from filling up.

    Raises StartError if the server could not be started.
    """

    has_sessions = True
    """A process is a session: there is one client and one conversation."""

    def __init__(self, target: StdioTarget) -> None:
        self._process = start(target)
        self._environment = {**os.environ, **target.env}
        self._changed = threading.Condition()
        self._awaited: JsonValue = None
        self._answer: JsonObject | None = None
        self._over = False
        self._flood = ""
        self._noise: list[str] = []
        self._stderr = bytearray()
        self._outbox: queue.Queue[bytes | None] = queue.Queue(maxsize=1000)
        self._closed = False
        self._threads = tuple(
            threading.Thread(target=work, daemon=True) for work in (self._read_out, self._read_err, self._write)
        )
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The id of the server's process, which is also the id of its group."""
        return self._process.pid

    def request(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> JsonObject:  # noqa: ARG002 - the transports share one signature
        """The answer to ``message``, which carries an integer ``id``.

        Raises NoAnswerError if no answer came within ``timeout`` seconds, ServerEndedError if the server ended first,
        and BadAnswerError if the server printed without end.
        """
        with self._changed:
            self._awaited, self._answer = message["id"], None
        self._put(messages.encode(message), timeout)
        with self._changed:
            answer = self._changed.wait_for(lambda: self._answer or self._over, timeout)
            self._awaited = None
        if not isinstance(answer, dict):
            raise self._failure(str(message.get("method")), timeout)
        return answer

    def notify(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> None:  # noqa: ARG002 - as above
        self._put(messages.encode(message), timeout)

    def close(self) -> None:
        """End the server and everything in its process group; harmless if it is gone already."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(queue.Full):
            self._outbox.put_nowait(None)
        end(self._process, self._quiet)
        for thread, stream in zip(
            self._threads, (self._process.stdout, self._process.stderr, self._process.stdin), strict=True
        ):
            thread.join(timeout=1)
            # A thread that still reads waits for a process that has left the group; that end of the pipe stays open.
            if stream is not None and not thread.is_alive():
                with contextlib.suppress(OSError):
                    stream.close()

    def diagnosis(self) -> str:
        """What the server printed besides its messages, to end an error message with; empty if nothing."""
        with self._changed:
            stderr, noise = bytes(self._stderr).strip().splitlines()[-25:], list(self._noise)
        printed = [self._printable(line) for line in stderr]
        sections = (("its stderr ends with:", printed), ("other output on stdout:", noise))
        return "\n".join(line for title, lines in sections if lines for line in (title, *(f"  {x}" for x in lines)))

    # --- threads ------------------------------------------------------------------------------------------------------

    def _read_out(self) -> None:
        try:
            for line in messages.lines(_chunks(self._process.stdout), MAX_LINE):
                self._take(line)
        except OverflowError as error:
            self._flood = str(error)
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _take(self, line: bytes) -> None:
        found = messages.decode(line)
        if found is None and line.strip() and len(self._noise) < KEPT_NOISE:
            with self._changed:
                self._noise.append(self._printable(line))
        for message in found or ():
            if messages.is_request(message):
                with contextlib.suppress(queue.Full):  # a server that asks and never reads gets no answers
                    self._outbox.put_nowait(messages.encode(messages.reply(message)))
            elif messages.is_answer(message):
                with self._changed:
                    if self._awaited is not None and message.get("id") == self._awaited:
                        self._answer = message
                        self._changed.notify_all()

    def _read_err(self) -> None:
        for chunk in _chunks(self._process.stderr):
            with self._changed:
                self._stderr += chunk
                del self._stderr[:-MAX_STDERR]

    def _write(self) -> None:
        stream = self._process.stdin
        while stream is not None and (line := self._outbox.get()) is not None:
            try:
                rest = memoryview(line + b"\n")
                while rest:
                    rest = rest[os.write(stream.fileno(), rest) :]
            except OSError:  # the server no longer reads: the end of its output will say why
                break
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()

    def _put(self, line: bytes, timeout: float) -> None:
        try:
            self._outbox.put(line, timeout=timeout)
        except queue.Full:
            raise NoAnswerError(self._described("the server does not read its input")) from None

    def _quiet(self, seconds: float) -> bool:
        self._threads[0].join(timeout=seconds)
        return not self._threads[0].is_alive()

    def _failure(self, method: str, timeout: float) -> WireError:
        if not self._over:
            return NoAnswerError(self._described(f"the server did not answer {method} within {timeout:g} s"))
        self.close()
        if self._flood:
            return BadAnswerError(self._described(f"the server printed {self._flood} on stdout"))
        status = self._process.returncode
        how = f"with status {status}" if status is not None and status >= 0 else f"by signal {-(status or 0)}"
        return ServerEndedError(self._described(f"the server ended {how} before it answered {method}"))

    def _printable(self, line: bytes) -> str:
        """A line for an error message: not too long, without secrets or characters that would drive a terminal."""
        text = hidden(line.decode("utf-8", "replace"), self._environment)[:300]
        return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)

    def _described(self, message: str) -> str:
        return "\n".join(part for part in (message, self.diagnosis()) if part)


def _chunks(stream: IO[bytes] | None) -> Iterator[bytes]:
    """What comes out of a pipe until it has ended or was closed."""
    with contextlib.suppress(OSError, ValueError):
        while stream is not None and (chunk := os.read(stream.fileno(), 65536)):
            yield chunk
