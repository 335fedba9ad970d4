"""How fast agreement is seen: ``python -m benchmarks.agreement [ROUNDS]``.

In one run, side by side, the minimum of many rounds (the load of the machine only ever adds): the hook on the migrated
sample server, and a clean check of a tree of 5,000 files, against ``python -c "import libcst"`` and
``ruff check --no-cache --select F`` on the same tree.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pdmigrate

SAMPLE = Path(__file__).parents[1] / "sample_servers" / "mcp1_lowlevel" / "server.py"
FILES = 5000
SLOW = ("check, 5,000 files, nothing known",)
"""Compared with nothing, so a few rounds are enough."""
TEXT = '"""Module {number}."""\n\nimport os\n\n\ndef name_{number}(value: int) -> str:\n    return os.sep * value\n'


def main(rounds: int = 60) -> None:
    """Measure and print; every command must succeed."""
    compileall.compile_dir(Path(pdmigrate.__file__).parent, quiet=1)  # as an installer leaves it
    with tempfile.TemporaryDirectory(prefix="pdmigrate-benchmark-") as folder:
        root = Path(folder)
        environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        small, large = migrated(root / "small", 0, environment), migrated(root / "large", FILES, environment)
        python, check, hook, ruff = sys.executable, script("pdmigrate"), script("pdmigrate-check"), script("ruff")
        commands: dict[str, tuple[Sequence[str], Path]] = {
            'python -c "import libcst"': ([python, "-c", "import libcst"], small),
            "python -c pass": ([python, "-c", "pass"], small),
            "hook, everything in agreement": ([hook, "server.py"], small),
            "hook under pre-commit": ([hook, "server.py"], small),
            "ruff check --no-cache --select F": ([ruff, "check", "--no-cache", "--select", "F", "--quiet", "."], large),
            "check, 5,000 files": ([check, "check"], large),
            "check, 5,000 files, nothing known": ([check, "check"], large),
        }
        best = dict.fromkeys(commands, float("inf"))
        for number in range(rounds):
            for name, (command, where) in commands.items():
                if name in SLOW and number >= 3:
                    continue
                best[name] = min(best[name], _seconds(name, command, where, environment))
    _print(best, rounds)


def script(name: str) -> str:
    """The command ``name`` as it was installed beside this interpreter, which is what a user or a hook starts."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or name


def migrated(root: Path, files: int, environment: Mapping[str, str]) -> Path:
    """A repository with the migrated sample server among ``files`` others, found in agreement once."""
    root.mkdir()
    shutil.copy(SAMPLE, root / "server.py")
    for number in range(files):
        package = root / "lib" / f"part_{number // 100}"
        package.mkdir(parents=True, exist_ok=True)
        (package / f"module_{number}.py").write_text(TEXT.format(number=number), encoding="utf-8")
    _run(["git", "init", "--quiet"], root, environment)
    _commit(root, environment)
    _run([sys.executable, "-m", "pdmigrate", "apply", "--write", "--all"], root, environment)
    _commit(root, environment)
    _run([sys.executable, "-m", "pdmigrate", "check"], root, environment)
    return root


def _commit(root: Path, environment: Mapping[str, str]) -> None:
    _run(["git", "add", "--all"], root, environment)
    _run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"], root, environment)


def _seconds(name: str, command: Sequence[str], where: Path, environment: Mapping[str, str]) -> float:
    variables = {**environment, **({"PRE_COMMIT": "1"} if "pre-commit" in name else {})}
    if name.endswith("nothing known"):
        variables["XDG_CACHE_HOME"] = str(where / ".git" / "no-cache" / str(time.monotonic_ns()))
    started = time.perf_counter()
    _run(command, where, variables)
    return time.perf_counter() - started


def _run(command: Sequence[str], where: Path, environment: Mapping[str, str]) -> None:
    subprocess.run(command, cwd=where, env=environment, capture_output=True, check=True, timeout=300)


def _print(best: Mapping[str, float], rounds: int) -> None:
    libcst, ruff = best['python -c "import libcst"'], best["ruff check --no-cache --select F"]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    lines = [f"minimum of {rounds} rounds; load averages {load} on {os.cpu_count()} processors", ""]
    lines += [f"{name:<36} {1000 * seconds:7.0f} ms" for name, seconds in best.items()]
    lines += [
        "",
        f"hook / import libcst                 {best['hook, everything in agreement'] / libcst:7.2f}   (at most 0.40)",
        f"check of 5,000 files / ruff          {best['check, 5,000 files'] / ruff:7.2f}   (at most 0.40)",
        f"the same, nothing known / ruff       {best['check, 5,000 files, nothing known'] / ruff:7.2f}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
