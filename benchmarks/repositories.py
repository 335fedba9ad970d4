"""Whole repositories as their maintainers have them: what is found in them, what it costs, whether the patch applies.

    python -m benchmarks.repositories CHECKOUT... [--alone] [--json FILE]

Each checkout is copied, and extracted, migrated and reverted there.  What is found is held against what the source
registers, which is counted without pdmigrate: functions under a decorator that ends in ``.tool``, calls of
``.add_tool``, and calls of ``Tool`` with a name.  With ``--alone`` the file of every server is extracted once more by
itself, and a server that shows fewer tools beside others than alone is a problem.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

_LONGEST = 900
"""Seconds that one command may take."""
_GIT = ("git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@example.com", "-c", "core.autocrlf=false")


@dataclass(frozen=True, slots=True)
class Registration:
    """Where source registers a tool, or says what one is: the lines of a file that belong to that."""

    file: str
    first: int
    last: int
    what: str


@dataclass(frozen=True, slots=True)
class Run:
    """One command of pdmigrate: what it printed, and what it cost."""

    status: int
    out: str
    err: str
    seconds: float
    processor: float
    megabytes: int


@dataclass(slots=True)
class Result:
    name: str
    commit: str
    files: int = 0
    servers: int = 0
    tools: int = 0
    exact: int = 0
    conditional: int = 0
    registered: int = 0
    registered_in_tests: int = 0
    not_found: list[str] = field(default_factory=list)
    """Registrations outside tests of which no tool was reported."""
    seconds: float = 0.0
    processor: float = 0.0
    megabytes: int = 0
    codes: dict[str, int] = field(default_factory=dict)
    patch: str = ""
    """``applies``, ``empty``, or what git said."""
    reverted: str = ""
    """``exact``, ``nothing written``, or what is left."""
    lost: list[str] = field(default_factory=list)
    """Servers that show more tools, or more exact ones, alone than beside the others."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.repositories", description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--alone", action="store_true", help="extract the file of every server by itself as well")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all details to this file")
    arguments = parser.parse_args()
    results = []
    for checkout in arguments.checkouts:
        with tempfile.TemporaryDirectory() as scratch:
            results.append(measure(checkout.resolve(), Path(scratch).resolve() / "tree", alone=arguments.alone))
        sys.stderr.write(f"{results[-1].name}: done\n")
    sys.stdout.write(table(results))
    if arguments.json:
        arguments.json.write_text(json.dumps([dataclasses.asdict(r) for r in results], indent=1) + "\n")
    good = {"applies", "empty"}, {"exact", "nothing written"}
    return int(any(r.patch not in good[0] or r.reverted not in good[1] or r.lost for r in results))


def measure(checkout: Path, tree: Path, *, alone: bool) -> Result:
    """All that is measured of one repository, in a copy of what it has committed."""
    commit = _git(checkout, "rev-parse", "HEAD").strip()
    _copy(checkout, tree)
    result = Result(checkout.name, commit[:8], files=len(list(tree.rglob("*.py"))))
    run = _pdmigrate(tree, "extract", ".", "--format", "json", "--no-write")
    result.seconds, result.processor, result.megabytes = run.seconds, run.processor, run.megabytes
    report = json.loads(run.out)
    _count(result, report, tree)
    if alone:
        result.lost = list(_lost(report, tree))
    _apply(result, tree)
    return result


def registrations(tree: Path) -> Iterator[Registration]:
    """What the Python source of a tree registers, by its syntax alone."""
    for path in sorted(tree.rglob("*.py")):
        content = path.read_bytes()
        if b"tool" not in content.lower() or b"mcp" not in content.lower():
            continue
        try:
            parsed = ast.parse(content)
        except (SyntaxError, ValueError):
            continue
        name = path.relative_to(tree).as_posix()
        for node in ast.walk(parsed):
            if (what := _registers(node)) and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Call)):
                first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
                yield Registration(name, first, node.end_lineno or node.lineno, what)


def _registers(node: ast.AST) -> str:
    """The name of what a node registers, as far as it has one; empty where it registers nothing."""
    match node:
        case ast.FunctionDef(name=name, decorator_list=marks) | ast.AsyncFunctionDef(name=name, decorator_list=marks):
            called = [mark.func if isinstance(mark, ast.Call) else mark for mark in marks]
            return name if any(isinstance(each, ast.Attribute) and each.attr == "tool" for each in called) else ""
        case ast.Call(func=ast.Attribute(attr="add_tool")):
            return ast.unparse(node.args[0]) if node.args else "add_tool"
        case ast.Call(func=ast.Name(id="Tool") | ast.Attribute(attr="Tool"), keywords=keywords):
            return next((ast.unparse(each.value) for each in keywords if each.arg == "name"), "")
        case _:
            return ""


def in_tests(file: str) -> bool:
    """Whether a file is part of a project's tests, by its place or its name."""
    path = PurePosixPath(file)
    return bool({"test", "tests", "testing"} & set(path.parts)) or path.name.startswith(("test_", "conftest"))


def unmatched(found: list[Registration], report: dict[str, Any]) -> list[Registration]:
    """The registrations that no reported tool stands in."""
    places: dict[str, list[int]] = {}
    for server in report["servers"]:
        for tool in server["tools"]:
            places.setdefault(tool["site"]["file"], []).append(tool["site"]["line"])
    return [each for each in found if not any(each.first <= line <= each.last for line in places.get(each.file, ()))]


def _count(result: Result, report: dict[str, Any], tree: Path) -> None:
    tools = [tool for server in report["servers"] for tool in server["tools"]]
    result.servers, result.tools = len(report["servers"]), len(tools)
    result.exact = sum(not tool["unknown"] for tool in tools)
    result.conditional = sum(bool(tool["conditional"]) for tool in tools)
    for found in report["findings"]:
        result.codes[found["code"]] = result.codes.get(found["code"], 0) + 1
    everything = list(registrations(tree))
    outside = [each for each in everything if not in_tests(each.file)]
    result.registered, result.registered_in_tests = len(outside), len(everything) - len(outside)
    result.not_found = [f"{each.file}:{each.first} {each.what}" for each in unmatched(outside, report)]


def _lost(report: dict[str, Any], tree: Path) -> Iterator[str]:
    for file in sorted({server["file"] for server in report["servers"]}):
        own = json.loads(_pdmigrate(tree, "extract", file, "--format", "json", "--no-write").out)
        for line, (tools, exact) in sorted(_shown(own, file).items()):
            beside = _shown(report, file).get(line, (0, 0))
            if beside[0] < tools or beside[1] < exact:
                yield f"{file}:{line}: {beside[0]} tools, {beside[1]} exact; alone {tools}, {exact}"


def _shown(report: dict[str, Any], file: str) -> dict[int, tuple[int, int]]:
    """For the servers of one file, by their lines: how many tools are shown, and how many of them are exact."""
    servers = [server for server in report["servers"] if server["file"] == file]
    return {
        server["line"]: (len(server["tools"]), sum(not tool["unknown"] for tool in server["tools"]))
        for server in servers
    }


def _apply(result: Result, tree: Path) -> None:
    """Preview, let git judge the patch, carry it out, and take it back."""
    patch = tree.parent / "migration.patch"
    patch.write_text(_pdmigrate(tree, "apply", ".", "--all").out, encoding="utf-8")
    if patch.stat().st_size:
        done = subprocess.run(
            [*_GIT, "apply", "--check", str(patch)], cwd=tree, capture_output=True, text=True, check=False
        )
        result.patch = "applies" if done.returncode == 0 else done.stderr.strip()[-300:]
    else:
        result.patch = "empty"
    written = _pdmigrate(tree, "apply", ".", "--all", "--write", "--format", "json")
    if not _written(written):
        result.reverted = "nothing written"
        return
    back = _pdmigrate(tree, "revert", ".", "--format", "json")
    left = _git(tree, "status", "--porcelain", "--ignored").split("\n")
    result.reverted = "exact" if back.status == 0 and not any(left) else f"exit {back.status}, left: {left[:5]}"


def _written(run: Run) -> bool:
    return run.out.startswith("{") and bool(json.loads(run.out)["written"])


def table(results: list[Result]) -> str:
    head = (
        "repository", "commit", "Python files", "servers", "tools", "exact", "registered",
        "of these found", "seconds", "processor", "MB", "patch", "revert",
    )  # fmt: skip
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in results:
        cells: list[object] = [row.name.replace("+", "/"), row.commit, row.files, row.servers, row.tools, row.exact]
        cells += [row.registered, row.registered - len(row.not_found), f"{row.seconds:.1f}", f"{row.processor:.1f} s"]
        cells += [row.megabytes, row.patch.splitlines()[0], row.reverted]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


# --- helpers ----------------------------------------------------------------------------------------------------------


def _copy(checkout: Path, tree: Path) -> None:
    """The committed files that are there, as one commit of a repository of their own."""
    tree.mkdir(parents=True)
    for name in _git(checkout, "ls-files", "-z").split("\0"):
        if name and (checkout / name).is_file() and not (checkout / name).is_symlink():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, tree / name)
    _git(tree, "init", "--quiet")
    _git(tree, "add", "--all", "--force")
    _git(tree, "commit", "--quiet", "--message", "as it is")


def _pdmigrate(tree: Path, *arguments: str) -> Run:
    """Run one command there; the memory is that of its largest process."""
    out, err = tree.parent / "out", tree.parent / "err"
    started = time.monotonic()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        command = [sys.executable, "-m", "pdmigrate", *arguments]
        process = subprocess.Popen(command, cwd=tree, stdout=stdout, stderr=stderr, stdin=subprocess.DEVNULL)
        limit = threading.Timer(_LONGEST, process.kill)
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        limit.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        process.returncode,
        out.read_text(encoding="utf-8"),
        err.read_text(encoding="utf-8"),
        time.monotonic() - started,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss // 1024,
    )


def _git(where: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = [*_GIT, "-C", str(where), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


if __name__ == "__main__":
    raise SystemExit(main())
