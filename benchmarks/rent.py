"""Which statements of the code that understands servers no server runs: what pays no rent.

    python -m benchmarks.rent FOLDER... [--lines] [--data FOLDER] [--jobs N]
    python -m benchmarks.rent --chosen [--lines] [--data FOLDER] [--jobs N]
    python -m benchmarks.rent --listed [--choose] [--lines] [--data FOLDER] [--jobs N]

Every folder holds the source of one server; `extract` is run over each of them with an empty cache, in one process (so
that nothing is done in copies of it), under coverage.py.  What is printed names, for every module of the code that
understands servers, how many statements it has and how many of them none of the servers ran; with `--lines`, which.
With `--data`, what was measured is kept, and servers that were measured before are not run again: delete that folder
where the code has changed.

`--listed` measures all published servers that the benchmarks' lists pin, in place of folders.  `--choose` writes to
`benchmarks/data/rent.json` which of them run most of what all of them run, in as much time as the tests have for that:
`--chosen` measures these, and `tests/published` does.

A statement that nobody runs may be there for soundness: it says that something is unknown, raises what the program
would raise, or forgets what may have changed.  Knowledge that nobody uses is what may go.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import walk_packages
from queue import SimpleQueue
from textwrap import wrap
from typing import TYPE_CHECKING, NoReturn

from benchmarks.migrate.servers import DATA
from benchmarks.published import fetch, pin, published, unpacked

if TYPE_CHECKING:
    from coverage import Coverage

    from benchmarks.migrate.servers import PublishedServer

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pdmigrate"
ROOMS = ("understand", "sdk/schemas")
CHOSEN = DATA / "rent.json"
SECONDS = 120
"""The seconds of a processor that one server may take: on a busy machine the clock says nothing."""
ALTOGETHER = 150
"""The seconds of a processor that the chosen servers may take."""

Ran = Mapping[str, str]
"""The lines that were run, by module: ``{"evaluate/core/values.py": "3-5 9"}``."""


@dataclass(frozen=True)
class Measured:
    """One run of ``extract``: how it ended, what it printed and what it ran."""

    status: int
    out: str
    err: str
    seconds: float
    ran: Ran


@dataclass(frozen=True)
class Row:
    """One module: its statements, and the lines of those that no server ran."""

    module: str
    statements: int
    idle: tuple[int, ...]


# --- measuring --------------------------------------------------------------------------------------------------------


class Meter:
    """A process that has imported ``pdmigrate``, and runs ``extract`` in a fork of itself for each server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.imported: Ran = json.loads(self._answer())
        """What importing ran, which every server has run."""

    def measure(self, folder: Path, options: Sequence[str] = ()) -> Measured:
        with tempfile.TemporaryDirectory() as scratch:
            assert self._process.stdin is not None
            arguments = ["extract", str(folder), "--format", "json", "--no-write", *options]
            self._process.stdin.write(json.dumps([scratch, arguments]) + "\n")
            self._process.stdin.flush()
            status = json.loads(self._answer())
            out, err, ran = (Path(scratch, name) for name in ("out", "err", "ran"))
            seconds, lines = json.loads(ran.read_text()) if ran.exists() else (SECONDS, {})
            return Measured(status, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"), seconds, lines)

    def _answer(self) -> str:
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise RuntimeError("the process that measures has ended")
        return line


@contextmanager
def meter() -> Iterator[Meter]:
    command = [sys.executable, "-c", "from benchmarks.rent import serve; serve()"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Meter(process)
        assert process.stdin is not None
        process.stdin.close()


def serve() -> None:
    """What the process of a ``Meter`` does: a line of orders in, a line with the status out."""
    watch = _watch()
    watch.start()
    for module in walk_packages([str(PACKAGE)], "pdmigrate."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    watch.stop()
    print(json.dumps(_ran(watch)), flush=True)  # noqa: T201 - the answer
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        scratch, arguments = json.loads(line)
        pid = os.fork()
        if not pid:
            _run(Path(scratch), arguments)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201 - the answer


def _run(scratch: Path, arguments: Sequence[str]) -> NoReturn:
    from pdmigrate.cli import main

    status = 70
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(scratch / name, os.O_CREAT | os.O_WRONLY), number)
        os.chdir(scratch)
        os.environ.update(XDG_CACHE_HOME=str(scratch / "cache"), XDG_STATE_HOME=str(scratch / "state"))
        sys.argv = ["pdmigrate", *arguments]
        # Copies of this process, one for each processor, would not be watched.
        os.sched_getaffinity = lambda _: {0}
        watch = _watch()
        begun = time.process_time()
        watch.start()
        try:
            main()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        watch.stop()
        sys.stdout.flush()
        sys.stderr.flush()
        (scratch / "ran").write_text(json.dumps((round(time.process_time() - begun, 2), _ran(watch))))
    finally:
        os._exit(status)


def _watch() -> Coverage:
    # Coverage.py takes a fifth of a second to import, which is nothing to those who only read the table.
    from coverage import Coverage

    return Coverage(data_file=None, include=[f"{PACKAGE / room}/*" for room in ROOMS], config_file=False)


def _ran(watch: Coverage) -> dict[str, str]:
    data = watch.get_data()
    files = {file: sorted(data.lines(file) or ()) for file in data.measured_files()}
    return {Path(file).relative_to(PACKAGE).as_posix(): " ".join(ranges(lines)) for file, lines in files.items()}


def options_of(server: PublishedServer) -> list[str]:
    """The versions that a server is read for, so that nothing depends on what is installed here."""
    pins = (*server.pins, f"python=={server.python}")
    return [option for each in pins for option in ("--sdk", each)]


# --- the table --------------------------------------------------------------------------------------------------------


def rows(measured: Iterable[Ran]) -> Iterator[Row]:
    """Every module with what is idle in all of the measurements."""
    from coverage import Coverage

    whole = Coverage(data_file=None, config_file=False)
    run = together(measured)
    for room in ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            module = file.relative_to(PACKAGE).as_posix()
            _, statements, _, _, _ = whole.analysis2(str(file))
            yield Row(module, len(statements), tuple(sorted(set(statements) - run.get(module, set()))))


def together(measured: Iterable[Ran]) -> dict[str, set[int]]:
    """The lines that any of the measurements ran, by module."""
    run: dict[str, set[int]] = {}
    for ran in measured:
        for module, line in _lines(ran):
            run.setdefault(module, set()).add(line)
    return run


def _lines(ran: Ran) -> Iterator[tuple[str, int]]:
    return ((module, line) for module, lines in ran.items() for line in numbers(lines))


def table(found: Sequence[Row], *, lines: bool = False) -> str:
    """The rows as text: one line a module that has idle statements, and the sum of each room and of all."""
    printed = []
    for row in found:
        if row.idle:
            printed.append(_line(row.module, [row]))
            if lines:
                printed.append("    " + " ".join(ranges(row.idle)))
    printed += [_line(f"{room}/", [row for row in found if row.module.startswith(f"{room}/")]) for room in ROOMS]
    return "\n".join([*printed, _line("all", found)])


def short(found: Sequence[Row]) -> str:
    """The rows as few lines: a paragraph for each folder with its modules, and the sum of all."""
    printed = []
    for folder, inside in groupby(found, key=lambda row: row.module.rpartition("/")[0]):
        modules = list(inside)
        idle = ((row.module[len(folder) + 1 : -len(".py")], len(row.idle), row.statements) for row in modules)
        named = ", ".join(f"{name} {count}/{statements}" for name, count, statements in idle if count)
        printed += [_line(f"{folder}/", modules), *(f"    {line}" for line in wrap(named, 116))]
    return "\n".join([*printed, _line("all", found)])


def _line(name: str, found: Sequence[Row]) -> str:
    return f"{name:<44} {sum(len(row.idle) for row in found):>5} of {sum(row.statements for row in found):>5}"


def ranges(lines: Sequence[int]) -> list[str]:
    """Line numbers, neighbours joined: ``3-5 9``."""
    found: list[list[int]] = []
    for number in lines:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def numbers(text: str) -> Iterator[int]:
    """The line numbers that were joined to ``text``."""
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


# --- choosing ---------------------------------------------------------------------------------------------------------


def cover(ran: Mapping[str, Collection[object]], seconds: Mapping[str, float], limit: float) -> list[str]:
    """Names that in ``limit`` seconds run most of what all have run, and none that others make up for."""
    left = set().union(*ran.values())
    taken: list[str] = []
    while fitting := [name for name in sorted(ran) if seconds[name] <= limit and left.intersection(ran[name])]:
        best = max(fitting, key=lambda name: len(left.intersection(ran[name])) / max(seconds[name], 0.5))
        taken.append(best)
        limit -= seconds[best]
        left.difference_update(ran[best])
    for name in sorted(taken, key=lambda name: -seconds[name]):
        if set().union(*(ran[other] for other in taken if other != name)).issuperset(ran[name]):
            taken.remove(name)
    return sorted(taken)


def chosen() -> list[str]:
    """The servers whose runs are enough, as ``name==version``."""
    return list(json.loads(CHOSEN.read_text(encoding="utf-8"))["servers"])


def choice(ran: Mapping[str, Collection[object]], seconds: Mapping[str, float]) -> str:
    """The content of ``benchmarks/data/rent.json``."""
    servers = cover(ran, seconds, ALTOGETHER)
    all_of_it, enough = (set().union(*(ran[name] for name in names)) for names in (ran, servers))
    about = (
        f"Of {len(ran)} published servers those that run {len(enough)} of {len(all_of_it)} lines: benchmarks/rent.py."
    )
    return json.dumps({"about": about, "servers": servers}, indent=1) + "\n"


# --- the command ------------------------------------------------------------------------------------------------------


def main() -> None:
    options = _parser().parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        data: Path = options.data or Path(temporary)
        data.mkdir(parents=True, exist_ok=True)
        if options.folders:
            work = {str(folder): _folder(folder) for folder in options.folders}
        else:
            all_of_them = published()
            servers = [all_of_them[name] for name in (all_of_them if options.listed else chosen())]
            fetch(servers)
            work = {pin(server): _server(server) for server in servers}
        measured, imported = _measure(work, data, options.jobs)
    if options.choose:
        ran = {name: set(_lines(one.ran)) for name, one in measured.items()}
        CHOSEN.write_text(choice(ran, {name: one.seconds for name, one in measured.items()}), encoding="utf-8")
    print(f"{len(measured)} servers")  # noqa: T201 - a benchmark prints
    print(table(list(rows([imported, *(one.ran for one in measured.values())])), lines=options.lines))  # noqa: T201


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Print which statements of the evaluator no server runs.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--listed", action="store_true", help="measure all servers of the benchmarks' lists")
    parser.add_argument("--chosen", action="store_true", help="measure the servers that run what all of them run")
    parser.add_argument("--choose", action="store_true", help="write which servers these are")
    parser.add_argument("--lines", action="store_true", help="print the line numbers, too")
    parser.add_argument("--data", type=Path, help="keep what is measured here")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="servers at a time (default: 1)")
    return parser


def _folder(folder: Path) -> Callable[[Meter], Measured]:
    return lambda meter: meter.measure(folder.resolve())


def _server(server: PublishedServer) -> Callable[[Meter], Measured]:
    def measure(meter: Meter) -> Measured:
        with unpacked(server) as folder:
            return meter.measure(folder, options_of(server))

    return measure


def _measure(work: Mapping[str, Callable[[Meter], Measured]], data: Path, jobs: int) -> tuple[dict[str, Measured], Ran]:
    free: SimpleQueue[Meter] = SimpleQueue()

    def one(name: str) -> Measured:
        kept = data / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
        if kept.exists():
            return Measured(**json.loads(kept.read_text(encoding="utf-8")))
        meter = free.get()
        try:
            found = work[name](meter)
        finally:
            free.put(meter)
        kept.write_text(json.dumps(asdict(found)), encoding="utf-8")
        return found

    with ExitStack() as stack, ThreadPoolExecutor(jobs) as pool:
        meters = [stack.enter_context(meter()) for _ in range(jobs)]
        for each in meters:
            free.put(each)
        measured = dict(zip(work, pool.map(one, work), strict=True))
    for name, found in measured.items():
        if found.status not in (0, 1):
            print(f"not measured: {name}: status {found.status}", file=sys.stderr)  # noqa: T201 - a benchmark prints
    return {name: found for name, found in measured.items() if found.status in (0, 1)}, meters[0].imported


if __name__ == "__main__":
    main()
