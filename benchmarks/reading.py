"""What reading servers costs in a tree of real code: ``python -m benchmarks.reading [--rounds 3] [--files 5000]``.

The tree is a repository of ten servers among the files of published libraries, which name what servers name, too.
The commands run in turns with ``ruff check --no-cache --select F`` on the same tree, and the minimum of each counts:
the load of the machine only ever adds.  Peak memory is that of the command's process alone; processor time is that of
the programs that it starts, too.  All bytecode is compiled, as an installer leaves it.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import libcst

import pdmigrate
from benchmarks.agreement import script
from tests.support.environments import FASTMCP2, FASTMCP4, environment

SERVERS = 10
SAMPLES = Path(__file__).parents[1] / "sample_servers"
DIALECTS = ("mcp2_lowlevel", "mcp2_mcpserver", "fastmcp4")
"""Those of one major version of the SDK, so that one project can have them all."""
SDKS = frozenset({"mcp", "mcp_types", "fastmcp", "fastmcp_slim"})
PROJECT = (
    '[project]\nname = "many"\nversion = "1"\ndependencies = ["mcp==2.3.0", "fastmcp==4.1.2", "pydantic==2.14.3"]\n'
)


@dataclass(frozen=True)
class Row:
    """One command: where it runs, what is done before it, and what the design asks for."""

    what: str
    command: Sequence[str]
    target: float | None = None
    before: Callable[[], None] = lambda: None


@dataclass
class Best:
    seconds: float = float("inf")
    processor: float = float("inf")
    megabytes: float = float("inf")


def libraries() -> Iterator[Path]:
    """The Python files of published packages, those of the SDKs apart."""
    for pins in (FASTMCP4, FASTMCP2):
        packages = next(environment(pins).parents[1].glob("lib/python*/site-packages"))
        for path in sorted(packages.rglob("*.py")):
            if path.relative_to(packages).parts[0] not in SDKS:
                yield path


def tree(root: Path, files: int, variables: Mapping[str, str]) -> None:
    """A repository of servers among ``files`` others, with everything extracted and found in agreement once."""
    for number, path in zip(range(files), libraries(), strict=False):
        parts = path.parts[path.parts.index("site-packages") + 1 :]
        target = root.joinpath("libraries", f"part_{number // 2_500}", *parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for number in range(SERVERS):
        folder = root / "servers" / f"server_{number}"
        shutil.copytree(SAMPLES / DIALECTS[number % len(DIALECTS)], folder)
    (root / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    run(["git", "init", "--quiet"], root, variables)
    commit(root, variables)
    run([script("pdmigrate"), "apply", "--write", "--all"], root, variables)
    commit(root, variables)
    run([script("pdmigrate"), "check"], root, variables)


def commit(root: Path, variables: Mapping[str, str]) -> None:
    run(["git", "add", "--all", "--force"], root, variables)
    run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"], root, variables)


def run(command: Sequence[str], where: Path, variables: Mapping[str, str]) -> Best:
    """Run a command to its end; status 1 is an answer, too.

    Raises:
        RuntimeError: it could not run.
    """
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=where, env=dict(variables), stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)}: status {process.returncode}\n{said.read().decode()[-2_000:]}")
    return Best(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def rows(root: Path, cache: Path) -> list[Row]:
    command, extract = script("pdmigrate"), ("extract", "--format", "json", "--no-write")
    unrelated = next((root / "libraries").rglob("*.py"))
    server = root / "servers" / "server_0" / "server.py"

    def edit(path: Path) -> Callable[[], None]:
        return lambda: path.write_bytes(path.read_bytes() + b"\n# edited\n")

    def forget() -> None:
        for what in ("glances", "programs"):
            shutil.rmtree(cache / "pdmigrate" / what, ignore_errors=True)

    return [
        Row(
            "ruff check --no-cache --select F", [script("ruff"), "check", "--no-cache", "--select", "F", "--quiet", "."]
        ),
        Row(
            "extract, the whole tree, nothing remembered",
            [command, *extract, "."],
            before=forget,
        ),
        Row("extract, the whole tree", [command, *extract, "."], 3.0),
        Row("extract, one server's folder", [command, *extract, "servers/server_0"], 1.0),
        Row("check, nothing edited", [command, "check"], 0.4),
        Row("check after an edit of an unrelated file", [command, "check"], 1.0, edit(unrelated)),
        Row("check after an edit of a server's file", [command, "check"], 1.5, edit(server)),
    ]


def report(best: Mapping[str, Best], wanted: Sequence[Row]) -> Iterator[str]:
    ruff = best[wanted[0].what]
    yield "| what | seconds | times ruff | processor seconds | times ruff | target | peak MB |"
    yield "|---|---|---|---|---|---|---|"
    for row in wanted:
        found = best[row.what]
        target = f"{row.target:.1f}" if row.target is not None else ""
        wall = f"{found.seconds:.2f} | {found.seconds / ruff.seconds:.2f}"
        processor = f"{found.processor:.2f} | {found.processor / ruff.processor:.2f}"
        yield f"| {row.what} | {wall} | {processor} | {target} | {found.megabytes:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--files", type=int, default=5_000)
    given = parser.parse_args()
    for folder in (Path(pdmigrate.__file__).parent, Path(libcst.__file__).parents[1]):
        compileall.compile_dir(folder, quiet=2)
    with tempfile.TemporaryDirectory(prefix="pdmigrate-benchmark-") as folder:
        root = Path(folder) / "tree"
        root.mkdir()
        variables = {**os.environ, "XDG_CACHE_HOME": str(Path(folder) / "cache")}
        tree(root, given.files, variables)
        wanted = rows(root, Path(variables["XDG_CACHE_HOME"]))
        best = {row.what: Best() for row in wanted}
        for _ in range(given.rounds):
            for row in wanted:
                row.before()
                found, known = run(row.command, root, variables), best[row.what]
                best[row.what] = Best(*map(min, astuple(found), astuple(known)))
                if row.target is not None and row.what.startswith("check after"):
                    run(["git", "checkout", "--quiet", "."], root, variables)
                    run([script("pdmigrate"), "check"], root, variables)
        load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
        files = sum(1 for _ in root.rglob("*.py"))
    said = [f"{files:,} files; {given.rounds} rounds; load averages {load} on {os.cpu_count()} processors", ""]
    sys.stdout.write("\n".join([*said, *report(best, wanted)]) + "\n")


if __name__ == "__main__":
    main()
