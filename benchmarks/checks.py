"""Do the checks that a repository has configured find anything new in a migration of it?

    python -m benchmarks.checks CHECKOUT... [--json FILE]

Each checkout is copied and migrated with ``pdmigrate apply --write``.  The linters, formatters and type checkers that
the repository runs look, with its configuration, at the files that this touched, before and after: what they say only
after is new.  isort has to be installed for those who run it.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pdmigrate.names import MODULE
from pdmigrate.source.style import FILES
from tests.support.environments import FASTMCP2, FASTMCP4, environment

DOCUMENTS = (".pre-commit-config.yaml", "Makefile", "justfile", "Taskfile.yml", "pyproject.toml", "tox.ini")
"""Where a repository says which tools it runs, beside their configuration; its workflows say so, too."""

MARKS: Mapping[str, str] = {
    "ruff check": r"\[tool\.ruff\b|^\s*-\s+id: ruff(?:-check)?$|\bruff check\b",
    "ruff format": r"\[tool\.ruff\.format\]|^\s*-\s+id: ruff-format$|\bruff format\b",
    "black": r"\[tool\.black\]|^\s*-\s+id: black$",
    "isort": r"\[tool\.isort\]|\[isort\]|^\s*-\s+id: isort$",
    "mypy": r"\[tool\.mypy\]|\[mypy\]|^\s*-\s+id: mypy$",
}
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "ruff check": ("ruff", "check", "--no-cache", "--output-format", "concise", "--exit-zero"),
    "ruff format": ("ruff", "format", "--no-cache", "--check"),
    "black": ("black", "--check"),
    "isort": ("isort", "--check-only"),
    "mypy": ("mypy", "--no-error-summary", "--no-pretty", "--hide-error-context", "--cache-dir", "/dev/null"),
}
_PLACE = re.compile(r"^(?P<file>[^\s:][^:]*\.py):\d+(?::\d+)?: (?P<text>.*)$")
_WHOLE = re.compile(r"^(?:Would reformat: |would reformat |ERROR: )(?P<file>\S+\.py)(?P<text>.*)$")


@dataclass(slots=True)
class Result:
    """What was found on one repository; findings are counted by tool."""

    name: str
    servers: int = 0
    inserted: int = 0
    """Lines that the migration puts into files of the repository."""
    tools: tuple[str, ...] = ()
    before: dict[str, int] = field(default_factory=dict)
    new_in_lines: list[str] = field(default_factory=list)
    """What is new in files of the repository."""
    new_in_module: list[str] = field(default_factory=list)
    """What is new in generated modules."""
    diff: str = ""
    failed: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checks", description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all details to this file")
    arguments = parser.parse_args()
    results = []
    for checkout in arguments.checkouts:
        with tempfile.TemporaryDirectory() as scratch:
            results.append(measure(checkout.resolve(), Path(scratch).resolve()))
        sys.stderr.write(f"{results[-1].name}: {results[-1].failed or 'done'}\n")
    sys.stdout.write(table(results))
    if arguments.json:
        arguments.json.write_text(json.dumps([dataclasses.asdict(r) for r in results], indent=1) + "\n")
    return int(any(result.failed or result.new_in_lines or result.new_in_module for result in results))


def measure(checkout: Path, scratch: Path) -> Result:
    """Run the checks of one repository on what its migration touches, before and after, in copies of it."""
    result = Result(checkout.name, tools=tuple(_configured(checkout)))
    before, after = scratch / "before", scratch / "after"
    for copy in (before, after):
        shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".git", ".venv", "node_modules"), symlinks=True)
    _git(after, "init", "--quiet")
    _git(after, "add", "--all", "--force")
    _git(after, "commit", "--quiet", "--message", "as it is")
    applied = _run(after, (sys.executable, "-m", "pdmigrate", "apply", ".", "--write", "--all", "--format", "json"))
    report = json.loads(applied.stdout) if applied.stdout.startswith("{") else {}
    if not report.get("written"):
        result.failed = f"not migrated: {(applied.stderr or applied.stdout).strip()[-300:]}"
        return result
    _git(after, "add", "--all", "--force")
    ours = ("--cached", "--", "*.py", f":!*{MODULE}*.py")
    result.diff = _git(after, "diff", "--unified=1", *ours)
    result.inserted = sum(int(line.split("\t")[0]) for line in _git(after, "diff", "--numstat", *ours).splitlines())
    result.servers = len(re.findall(r"^\+(?!.*import)(?=.*\benable\w*\().*$", result.diff, re.MULTILINE))
    touched = _git(after, "diff", "--cached", "--name-only", "--", "*.py").splitlines()
    modules = "".join((after / file).read_text(encoding="utf-8") for file in touched if MODULE in file)
    pins = FASTMCP4 if "mcp.server.context" in modules else FASTMCP2
    for tool in result.tools:
        known = Counter(_findings(tool, before, [file for file in touched if (before / file).exists()], pins))
        result.before[tool] = known.total()
        for text in (Counter(_findings(tool, after, touched, pins)) - known).elements():
            (result.new_in_module if MODULE in text else result.new_in_lines).append(f"{tool}: {text}")
    return result


def _configured(root: Path) -> Iterator[str]:
    """The tools that the repository runs."""
    files = [root / name for name in {*FILES, *DOCUMENTS}] + [*root.glob(".github/workflows/*.y*ml")]
    text = "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    for tool, mark in MARKS.items():
        own_file = any(
            (root / name).is_file() for name in {"ruff check": ("ruff.toml",), "mypy": ("mypy.ini",)}.get(tool, ())
        )
        if own_file or re.search(mark, text, re.MULTILINE):
            yield tool


def _findings(tool: str, root: Path, files: Sequence[str], pins: tuple[str, ...]) -> Iterator[str]:
    """What a tool says of some files, and of those that they import, without the numbers of lines.

    Type checkers see the packages of ``pins``.
    """
    command = [sys.executable, "-m", *COMMANDS[tool]]
    if tool == "mypy":
        command += ["--python-executable", str(environment(pins))]
    done = _run(root, [*command, *files])
    for line in (done.stdout + done.stderr).replace(f"{root}/", "").splitlines():
        if found := _PLACE.match(line) or _WHOLE.match(line):
            yield f"{found['file']}: {found['text'].strip() or 'would be changed'}"
    if done.returncode not in (0, 1):
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        yield f"{tool} itself: exit {done.returncode}: {''.join(last)}"


def _run(folder: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=False)


def _git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ("git", *who, *arguments), cwd=folder, capture_output=True, text=True, timeout=300, check=True
    ).stdout


def table(results: Sequence[Result]) -> str:
    """The results, a repository a line, and below the table what is new."""
    rows = [
        "| repository | its checks (findings before) | servers | lines put in | new in its files | new in the module |",
        "|---|---|---|---|---|---|",
    ]
    for result in results:
        checks = ", ".join(f"{tool} ({result.before[tool]})" for tool in result.tools) or "none"
        counts = (len(result.new_in_lines), len(result.new_in_module)) if not result.failed else ("-", "-")
        rows.append(f"| {result.name} | {checks} | {result.servers} | {result.inserted} | {counts[0]} | {counts[1]} |")
    said = Counter(
        f"{r.name}: {text}" for r in results for text in (r.failed, *r.new_in_lines, *r.new_in_module) if text
    )
    counted = [f"{text} ({count} times)" if count > 1 else text for text, count in said.items()]
    return "\n".join([*rows, "", *counted]).rstrip() + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
