"""Which statements of the evaluator no server runs: what pays no rent.

    python -m benchmarks.rent FOLDER... [--lines] [--data FOLDER]

Every folder holds the source of one server; `extract` is run over each of them with an empty cache, on one processor
(so that nothing is done in copies of the process), under coverage.py, which has to be installed.  What is printed
names, for every module of `evaluate/`, `schemas/` and `recognise/`, how many statements it has and how many of them
none of the servers ran; with `--lines`, which.  With `--data`, what was measured is kept, and servers that were
measured before are not run again: delete that folder where the code has changed.

A statement that nobody runs may be there for soundness: it says that something is unknown, raises what the program
would raise, or forgets what may have changed.  Knowledge that nobody uses is what may go.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEASURED = ("evaluate", "knowledge", "schemas", "recognise")
SECONDS = 900
_RUN = "import sys; sys.path.insert(0, {root!r}); from pdmigrate.cli import main; main()"


@dataclass(frozen=True)
class Row:
    """One module: its statements, and the lines of those that no server ran."""

    module: str
    statements: int
    idle: tuple[int, ...]


def measure(folder: Path, data: Path) -> bool:
    """Run ``extract`` over one server's source, and write what was run to ``data``; whether the command ended."""
    with tempfile.TemporaryDirectory() as cache:
        driver = Path(cache, "driver.py")
        driver.write_text(_RUN.format(root=str(ROOT)), encoding="utf-8")
        options = [f"--data-file={data}", f"--include={ROOT}/pdmigrate/*", f"--rcfile={os.devnull}"]
        command = [sys.executable, "-m", "coverage", "run", *options, str(driver), "extract", str(folder)]
        try:
            subprocess.run(
                [*command, "--format", "json", "--no-write"],
                env={**os.environ, "XDG_CACHE_HOME": cache},
                cwd=cache,
                capture_output=True,
                timeout=SECONDS,
                preexec_fn=_on_one_processor,
            )
        except subprocess.TimeoutExpired:
            return False
    return data.exists()


def _on_one_processor() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rows(measured: Sequence[Path]) -> Iterator[Row]:
    """Every module with what is idle in all of the measurements."""
    import coverage

    whole = coverage.Coverage(data_file=None, config_file=False)
    run: dict[str, set[int]] = {}
    for path in measured:
        data = coverage.CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            run.setdefault(file, set()).update(data.lines(file) or ())
    for package in MEASURED:
        for file in sorted((ROOT / "pdmigrate" / package).rglob("*.py")):
            _, statements, _, _, _ = whole.analysis2(str(file))
            idle = tuple(line for line in statements if line not in run.get(str(file), ()))
            yield Row(file.relative_to(ROOT / "pdmigrate").as_posix(), len(statements), idle)


def table(found: Sequence[Row], *, lines: bool = False) -> str:
    """The rows as text: one line a module that has idle statements, and the sum of each package."""
    printed = []
    for row in found:
        if row.idle:
            printed.append(f"{row.module:<44} {len(row.idle):>5} of {row.statements:>5}")
            if lines:
                printed.append("    " + " ".join(ranges(row.idle)))
    for package in MEASURED:
        inside = [row for row in found if row.module.startswith(f"{package}/")]
        idle, statements = sum(len(row.idle) for row in inside), sum(row.statements for row in inside)
        printed.append(f"{package + '/':<44} {idle:>5} of {statements:>5}")
    return "\n".join(printed)


def ranges(numbers: Sequence[int]) -> list[str]:
    """Line numbers, neighbours joined: ``3-5 9``."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def main() -> None:
    parser = argparse.ArgumentParser(description="Print which statements of the evaluator no server runs.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--lines", action="store_true", help="print the line numbers, too")
    parser.add_argument("--data", type=Path, help="keep what is measured here")
    options = parser.parse_args()
    if find_spec("coverage") is None:
        sys.exit("benchmarks.rent needs coverage.py: pip install coverage")
    with tempfile.TemporaryDirectory() as temporary:
        data = options.data or Path(temporary)
        data.mkdir(parents=True, exist_ok=True)
        measured = []
        for folder in options.folders:
            name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
            path = (data / name).resolve()
            if path.exists() or measure(folder.resolve(), path):
                measured.append(path)
            else:
                print(f"not measured: {folder}", file=sys.stderr)  # noqa: T201 - a benchmark prints
        print(f"{len(measured)} servers")  # noqa: T201 - a benchmark prints
        print(table(list(rows(measured)), lines=options.lines))  # noqa: T201 - a benchmark prints


if __name__ == "__main__":
    main()
