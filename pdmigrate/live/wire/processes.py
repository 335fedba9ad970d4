"""Start a server in a process group of its own, and end that group whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable

from pdmigrate.live.wire.errors import StartError
from pdmigrate.live.wire.targets import StdioTarget

POLITE = 2.0
"""How many seconds a server has to exit after its input was closed, and again after it was asked to terminate."""


def start(target: StdioTarget) -> subprocess.Popen[bytes]:
    """Start the server as leader of a new process group: its children belong to the group unless they leave it.

    Raises:
        StartError: there is no such program or directory, or it may not be run.
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
        raise StartError(f"the server cannot be started with {str(target)!r}: {error}") from error


def end(process: subprocess.Popen[bytes], quiet: Callable[[float], bool]) -> int | None:
    """End the whole group of ``process`` and return the status of its leader.

    ``quiet(seconds)`` waits for the server's output to end and says whether it has.  The leader is reaped only after
    the last signal: until then its id, which is the group's, cannot belong to another process.
    """
    try:
        exited = _leader_exited(process, quiet, POLITE)
        if not exited or not quiet(0):  # it has not exited, or a child of it still holds its output
            _signal(process, signal.SIGTERM)
            exited = exited or _leader_exited(process, quiet, POLITE)
            quiet(POLITE if exited else 0)
    finally:
        _signal(process, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
    return process.returncode


def _leader_exited(process: subprocess.Popen[bytes], quiet: Callable[[float], bool], seconds: float) -> bool:
    """Whether the leader exits by itself within ``seconds``; it is not reaped."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13: the end of its output is taken for its exit
        return quiet(seconds)
    deadline = time.monotonic() + seconds
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.01)
    return True


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if not hasattr(os, "killpg"):
        process.terminate()
        return
    # No process is left, or (macOS) only the dead leader: both are what was wanted.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
