"""Commands on a hostile repository, each in a process of its own with bounds; what they did to the world."""

from __future__ import annotations

import functools
import gc
import importlib
import io
import os
import pkgutil
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pdmigrate
from tests.hostile.worlds import World, snapshot

SECONDS = 10.0
"""Processor time, and for what waits for something that never comes, six times as much of the clock: the machine that
the tests run on may be busy."""
MEGABYTES = 500
PACKAGE_MEGABYTES = 100
"""What Python takes with the package and all libraries that its commands import: 94 to 97 MB were measured."""
PREVIEWS: dict[str, tuple[str, ...]] = {
    "extract --no-write": ("extract", "--no-write"),
    "extract --format json": ("extract", "--no-write", "--format", "json"),
    "apply": ("apply",),
    "apply --check": ("apply", "--check", "--format", "github"),
    "revert --dry-run": ("revert", "--dry-run"),
    "check": ("check",),
    "explain": ("explain", "do_it"),
    "pdmigrate-check": ("HOOK", "check", "server0.py"),
}
WRITERS: dict[str, tuple[str, ...]] = {
    "apply --write": ("apply", "--write", "--all", "--allow-dirty"),
    "extract": ("extract", "--allow-dirty"),
    "revert": ("revert",),
    "revert --force": ("revert", "--force"),
    "sync": ("sync", "--prune", "--allow-dirty"),
    "pdmigrate-sync": ("HOOK", "sync", "server0.py"),
}


@dataclass(frozen=True)
class Ran:
    """How a command ended: its status (negative for a signal), what it said, what it took."""

    title: str
    status: int
    said: str
    seconds: float
    megabytes: int
    hung: bool


@functools.cache
def prepare() -> None:
    """Import the whole package, which takes longer than most commands: processes that are forked have it then."""
    for module in pkgutil.walk_packages(pdmigrate.__path__, "pdmigrate."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.freeze()


def run(world: World, title: str, arguments: tuple[str, ...]) -> Ran:
    """Run one command in a process forked from this one, which has everything imported."""
    prepare()
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        pid = os.fork()
        if not pid:
            _command(world, arguments, out.fileno())
        hung = False
        while True:
            done, code, used = os.wait4(pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() - started > 6 * SECONDS:
                hung = True
                os.killpg(pid, signal.SIGKILL)
            time.sleep(0.005)
        out.seek(0)
        said = out.read(2_000_000).decode("utf-8", "replace")
    status = os.waitstatus_to_exitcode(code)
    hung = hung or used.ru_utime + used.ru_stime > SECONDS
    return Ran(title, status, said, used.ru_utime + used.ru_stime, _peak(said), hung)


def _peak(said: str) -> int:
    """What the process said of its memory in the last line."""
    last = said.rpartition("\n")[2]
    return int(last) if last.isdecimal() else 0


def _command(world: World, arguments: tuple[str, ...], out: int) -> None:
    """The command, in a process of its own, which ends here."""
    status, beginning = 70, _resident("VmRSS")
    try:
        os.setsid()
        os.chdir(world.repo)
        resource.setrlimit(resource.RLIMIT_CPU, (int(2 * SECONDS), int(2 * SECONDS)))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        home = str(world.folder / "home")
        os.environ.update(
            HOME=home, XDG_CACHE_HOME=f"{home}/cache", XDG_STATE_HOME=f"{home}/state", PDMIGRATE_DEBUG="1"
        )
        os.environ.update(GIT_CONFIG_NOSYSTEM="1", XDG_DATA_HOME=f"{home}/data", XDG_CONFIG_HOME=f"{home}/config")
        for stream in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDONLY) if not stream else out, stream)
        # A test runner may have put something else in their place.
        sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(number, "w"), "utf-8") for number in (1, 2))
        if arguments[0] == "HOOK":
            from pdmigrate.cli import hook

            sys.argv = [f"pdmigrate-{arguments[1]}", *arguments[2:]]
            (hook.check if arguments[1] == "check" else hook.sync)()
        else:
            from pdmigrate.cli import main

            sys.argv = ["pdmigrate", *arguments]
            main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # The process that this one was forked from may be a test runner that holds much.
        os.write(1, f"\n{PACKAGE_MEGABYTES + _resident('VmHWM') - beginning}".encode())
        os._exit(status)


def _resident(kind: str) -> int:
    """Megabytes of this process in memory: ``VmRSS`` now, ``VmHWM`` at the most."""
    words = Path("/proc/self/status").read_text(encoding="utf-8").split()
    return int(words[words.index(f"{kind}:") + 1]) // 1024


def faults(world: World, writers: tuple[str, ...]) -> Iterator[str]:
    """What the commands did that no command may do; every preview, then ``writers`` one after the other."""
    guarded, tree = world.guarded(), snapshot(world.repo)
    for title, arguments in (*PREVIEWS.items(), *((title, WRITERS[title]) for title in writers)):
        ran = run(world, title, arguments)
        yield from (f"{title}: {fault}" for fault in faults_of(ran))
        if world.sprung.exists():
            yield f"{title}: something was executed: {world.sprung.read_text(errors='replace')}"
            world.sprung.unlink()
        after = world.guarded()
        if after != guarded:
            yield f"{title}: changed what it may not: {_difference(guarded, after)}"
            guarded = after
        if title in PREVIEWS and (now := snapshot(world.repo)) != tree:
            yield f"{title}: changed the tree: {_difference(tree, now)}"
            tree = now


def faults_of(ran: Ran) -> Iterator[str]:
    """What is wrong with how a command ended, whatever it was run on."""
    if ran.hung:
        yield f"took {ran.seconds:.1f} s of processor time, or hung"
    elif ran.status not in (0, 1, 2):
        yield f"ended with {ran.status}: {ran.said[-2000:]}"
    if ran.megabytes > MEGABYTES:
        yield f"took {ran.megabytes} MB"
    if "mistake in pdmigrate" in ran.said or (ran.status == 1 and "Traceback" in ran.said):
        yield f"a mistake: {ran.said[-3000:]}"
    if ran.status == 2 and "error" not in ran.said and "Usage" not in ran.said:
        yield f"could not run and does not say why: {ran.said[-500:]}"


def _difference(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [
        f"{path}: {before.get(path)} -> {after.get(path)}"
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ][:6]
