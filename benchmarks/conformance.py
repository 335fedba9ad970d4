"""The protocol's own conformance suite on a server, and on its migrated copy, over HTTP.

    python -m benchmarks.conformance [--sdk mcp1 mcp2] [--http POLICY] [--wrapped] [--runs 3] [--json FILE]

The server is the everything-server of the Python SDK, which has something for each scenario to call; it comes from the
SDK's source distribution on PyPI.  The suite is the package ``@modelcontextprotocol/conformance`` of npm, and the Node
that it needs comes from npm too.  All of it is fetched once, into ``.cache/conformance``; npm and pip have to be there.

With ``--wrapped`` the second server is not a migrated copy, but the same server behind ``pdmigrate wrap``. Wrappers
speak over standard input and output, so both sides stand behind the same bridge of npm, a process for each session.

Verdicts are compared check by check, the better of several runs on either side: on a busy machine a check may fail once
and pass in the next run, before the migration as well.  Exit status 1 when one of the active suite is worse after it.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.environments import MCP1, MCP2, environment
from tests.support.running import accepts, free_port

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "conformance"
SUITE = "@modelcontextprotocol/conformance"
BRIDGE = "supergateway"
PACKAGES = (f"{SUITE}@0.1.16", "node@22.23.3", f"{BRIDGE}@4.0.0")
SUITES = ("active", "pending", "all")
SDKS = {"mcp1": MCP1, "mcp2": MCP2}
NEEDED = ("anyio", "click", "httpx", "httpx2")
"""What the everything-servers import besides the SDK, which does not bring all of it in every release."""
SERVER = "mcp_everything_server"
GOOD = ("SUCCESS", "INFO", "SKIPPED")


@dataclass(frozen=True, slots=True)
class Difference:
    """A check whose verdict is not the same before and after; ``None`` where it was not made."""

    scenario: str
    check: str
    before: str | None
    after: str | None
    why: str

    @property
    def is_worse(self) -> bool:
        return self.before in GOOD and self.after not in GOOD


@dataclass(frozen=True, slots=True)
class Row:
    """One suite on one server: what its checks came to, and what differs."""

    sdk: str
    suite: str
    before: str
    after: str
    differences: tuple[Difference, ...]


Verdicts = dict[tuple[str, str], tuple[str, str]]
"""The status of each check, and the message with it, by scenario and id; ids that come again are numbered."""


def main() -> int:
    """Run what the command line asks for and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--sdk", nargs="+", choices=SDKS, default=[*SDKS], help="releases of the SDK to run it on")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each suite on each server")
    parser.add_argument("--http", metavar="POLICY", help="what pdmigrate apply is told; else its default")
    parser.add_argument("--wrapped", action="store_true", help="compare with a wrapper instead of a migration")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every difference there")
    given = parser.parse_args()
    node, suite = _installed()
    rows = [row for sdk in given.sdk for row in _measure(sdk, (str(node), str(suite)), given)]
    sys.stdout.write(f"{table(rows)}\n")
    if given.json:
        found = [
            {"sdk": row.sdk, "suite": row.suite, **{key: getattr(d, key) for key in d.__slots__}}
            for row in rows
            for d in row.differences
        ]
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return int(any(d.is_worse for row in rows if row.suite == "active" for d in row.differences))


# --- what is run ------------------------------------------------------------------------------------------------------


def _installed() -> tuple[Path, Path]:
    """Node and the suite's script, fetched from npm when they are not there yet."""
    modules = CACHE / "node_modules"
    node, suite = modules / "node" / "bin" / "node", modules / SUITE / "dist" / "index.js"
    if not (node.exists() and suite.exists() and (modules / BRIDGE).exists()):
        CACHE.mkdir(parents=True, exist_ok=True)
        _run(("npm", "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), *PACKAGES))
    return node, suite


def _source(pin: str, folder: Path) -> None:
    """The everything-server out of the SDK's source distribution, laid into ``folder``."""
    name, version = pin.split("==")
    archive = CACHE / f"{name}-{version}.tar.gz"
    if not archive.exists():
        download = ("pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(CACHE), pin)
        _run(("python3", "-m", *download))
    prefix = f"{name}-{version}/examples/servers/everything-server/"
    with tarfile.open(archive) as opened:
        for member in opened.getmembers():
            if member.isfile() and member.name.startswith(prefix):
                member.name = member.name.removeprefix(prefix)
                opened.extract(member, folder, filter="data")


def _measure(sdk: str, suite: tuple[str, str], given: argparse.Namespace) -> Iterator[Row]:
    pins = SDKS[sdk]
    interpreter = environment((*pins, *NEEDED))
    with tempfile.TemporaryDirectory() as home:
        before, after = Path(home, "before"), Path(home, "after")
        _source(pins[0], before)
        if given.wrapped:
            plain = f"{interpreter} -c {shlex.quote(STDIO)}"
            _run((sys.executable, "-m", "pdmigrate", "wrap", str(after), "--command", plain), before)
            commands = [_bridged(suite[0], one) for one in (plain, f"{interpreter} {after}/server.py")]
        else:
            shutil.copytree(before, after)
            _migrate(after, pins[:2], ("--http", given.http) if given.http else ())
            commands = [[str(interpreter), "-m", SERVER, "--log-level", "ERROR"]] * 2
        folders = (before, before if given.wrapped else after)
        for name in SUITES:
            old, new = (
                better(_verdicts(folder, command, suite, name) for _ in range(given.runs))
                for folder, command in zip(folders, commands, strict=True)
            )
            yield Row(pins[0], name, counted(old), counted(new), tuple(differences(old, new)))


STDIO = f"from {SERVER}.server import mcp; mcp.run('stdio')"


def _bridged(node: str, command: str) -> list[str]:
    """What serves a server that speaks over standard input and output at a port, a process for each session."""
    bridge = str(CACHE / "node_modules" / BRIDGE / "dist" / "index.js")
    return [node, bridge, "--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none", "--stdio", command]


def _migrate(folder: Path, versions: Sequence[str], chosen: Sequence[str]) -> None:
    """Carry out ``pdmigrate apply`` for these releases of the SDK and of pydantic."""
    _run(("git", "init", "--quiet", str(folder)))
    options = [option for pin in versions for option in ("--sdk", pin)]
    _run(
        (
            sys.executable,
            "-m",
            "pdmigrate",
            "apply",
            str(folder),
            "--write",
            "--all",
            "--allow-dirty",
            *options,
            *chosen,
        )
    )
    if not (folder / SERVER / "progressive_disclosure.py").exists():
        raise SystemExit("apply left the everything-server as it was: there is nothing to compare")


def _verdicts(folder: Path, command: Sequence[str], suite: tuple[str, str], name: str) -> Verdicts:
    """What the suite ``name`` says of the server in ``folder``, which is started anew for it."""
    with tempfile.TemporaryDirectory() as results, _served(folder, command) as url:
        asked = (*suite, "server", "--url", url, "--suite", name, "--output-dir", results)
        done = subprocess.run(asked, capture_output=True, text=True, timeout=600, check=False)
        found: Verdicts = {}
        for path in sorted(Path(results).glob("*/checks.json")):
            # server-SCENARIO-2026-11-22T21-33-22-321Z
            scenario = path.parent.name.removeprefix("server-")[: -len("-2026-11-22T21-33-22-321Z")]
            for check in json.loads(path.read_text(encoding="utf-8")):
                key, number = (scenario, check["id"]), 1
                while key in found:
                    number += 1
                    key = (scenario, f"{check['id']} ({number})")
                found[key] = (check["status"], str(check.get("errorMessage") or ""))
    if not found:
        raise SystemExit(f"the suite made no check:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found


@contextmanager
def _served(folder: Path, command: Sequence[str]) -> Iterator[str]:
    port = free_port()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([*command, "--port", str(port)], cwd=folder, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        if not accepts(process, port):
            raise SystemExit(f"the server ends at once: {' '.join(command)} in {folder}")
        yield f"http://localhost:{port}/mcp"  # localhost by name: the suite tests rebinding against it
    finally:
        process.kill()
        process.wait(timeout=10)


def _run(command: Sequence[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


# --- what is said of it -----------------------------------------------------------------------------------------------


def better(runs: Iterable[Verdicts]) -> Verdicts:
    """The better verdict on each check that any of the runs made."""
    found: Verdicts = {}
    for run in runs:
        for key, verdict in run.items():
            if key not in found or found[key][0] not in GOOD:
                found[key] = verdict
    return found


def counted(verdicts: Verdicts) -> str:
    """How many checks passed, failed and warned."""
    statuses = Counter(status for status, _ in verdicts.values())
    words = {"SUCCESS": "passed", "FAILURE": "failed", "WARNING": "warned"}
    return ", ".join(f"{statuses[status]} {word}" for status, word in words.items() if statuses[status])


def differences(old: Verdicts, new: Verdicts) -> Iterator[Difference]:
    none: tuple[str | None, str] = (None, "not made")
    for scenario, check in dict.fromkeys((*old, *new)):
        (before, _), (after, why) = old.get((scenario, check), none), new.get((scenario, check), none)
        if before != after:
            yield Difference(scenario, check, before, after, why)


def table(rows: Sequence[Row]) -> str:
    """The rows in Markdown, with every check that is worse."""
    lines = ["| SDK | suite | before | after | worse |", "|---|---|---|---|---|"]
    for row in rows:
        worse = ", ".join(f"`{d.check}`" for d in row.differences if d.is_worse) or "none"
        lines.append(f"| {row.sdk} | {row.suite} | {row.before} | {row.after} | {worse} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
