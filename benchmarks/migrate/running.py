"""One server through all the steps, from its wheel to the revert."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.migrate.comparing import Comparison, compare, copies, fails
from benchmarks.migrate.recording import Recording, needs_arguments, record, record_migrated
from benchmarks.migrate.workshop import Workshop, WorkshopError, offline
from pdmigrate.live.wire import WireError
from pdmigrate.names import SERVER_FILE

FATES = ("moved", "stubbed", "skipped", "failed")


@dataclass(slots=True)
class Result:
    """What was measured on one server.  ``problems`` is empty when it was migrated as promised."""

    server: str
    version: str
    dialect: str
    tools: int
    fates: dict[str, int] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    """Why tools were not moved, skipped or failed, with how many."""
    codes: list[str] = field(default_factory=list)
    live: bool = False
    """Whether ``apply`` was given the running server, because source alone did not do."""
    without_live: list[str] = field(default_factory=list)
    """What was wrong when it was migrated from source alone, where ``live`` is true."""
    copied: dict[str, int] = field(default_factory=dict)
    """How many listed tools have a description file with their whole definition, with a part of it, and none."""
    criteria: dict[str, str] = field(default_factory=dict)
    comparison: Comparison | None = None
    applied: bool = False
    repeatable: bool | None = None
    reverted: bool | None = None
    reverted_in_clone: bool | None = None
    seconds: float = 0.0
    apply_seconds: float = 0.0
    isolated: bool = False
    not_run: str = ""
    problems: list[str] = field(default_factory=list)
    excepted: list[str] = field(default_factory=list)
    """What cannot be judged because the unmigrated server does not do it either, or not twice alike."""

    @property
    def verdict(self) -> str:
        """``migrated``, ``refused`` (by pdmigrate, nothing written), ``failed``, or ``not run`` (does not start)."""
        if self.not_run:
            return "not run"
        if not self.applied:
            return "refused"
        return "failed" if self.problems else "migrated"


def measure(workshop: Workshop, move: str) -> Result:
    """Take one server through all the steps; whatever goes wrong is part of the result.

    ``move`` is the option of ``apply``: which definitions go to files.  A server that is not migrated from source alone
    gets a second try with ``--live``, which counts where it succeeds.
    """
    first = _measure(workshop, move, live=False)
    if first.verdict in ("migrated", "not run"):
        return first
    second = _measure(workshop, move, live=True)
    if second.verdict != "migrated":
        return first
    second.without_live = first.problems
    second.seconds = round(first.seconds + second.seconds, 1)
    return second


def _measure(workshop: Workshop, move: str, *, live: bool) -> Result:
    server = workshop.server
    result = Result(server.name, server.version, server.dialect, server.tools, isolated=bool(offline()), live=live)
    started = time.monotonic()
    try:
        workshop.prepare()
        workshop.fresh_tree()
        before, again = record(workshop.target()), record(workshop.target())
        result.tools = len(before.tools)
    except (WorkshopError, WireError) as error:
        result.not_run = str(error)
    else:
        try:
            _migrate(workshop, result, move, before, again)
        except (WorkshopError, WireError, _UnexpectedError) as error:
            result.problems.append(f"{error}")
    result.seconds = round(time.monotonic() - started, 1)
    return result


def _migrate(workshop: Workshop, result: Result, move: str, before: Recording, again: Recording) -> None:
    options = (
        "--write",
        "--move",
        move,
        *_sdk(workshop),
        *(_live(workshop) if result.live else ()),
        "--format",
        "json",
    )
    started = time.monotonic()
    status, report = _pdmigrate(workshop, "apply", str(workshop.tree), "--all", *options)
    result.apply_seconds = round(time.monotonic() - started, 2)
    result.fates = {fate: int(report.get(fate, 0)) for fate in FATES}
    result.reasons = _counted(f"{tool['fate']}: {tool['reason']}" for tool in report["tools"] if tool["reason"])
    result.codes = _findings(report)
    result.applied = bool(report.get("written"))
    if not result.applied:
        result.problems.append("; ".join([*result.reasons, *result.codes]) or "no server was found")
        return
    if status != 0 or result.fates["failed"] or result.fates["skipped"]:
        result.problems.append(f"apply: exit {status}, {'; '.join(result.reasons)}")
    result.copied, wrong = copies(before, again, _descriptions(workshop))
    result.problems += wrong
    _check_running(workshop, result, before, again)
    _check_repeated(workshop, result)
    _check_revert(workshop, result)


def _check_running(workshop: Workshop, result: Result, before: Recording, again: Recording) -> None:
    try:
        result.comparison = compare(before, again, record_migrated(workshop.target()))
        result.problems += result.comparison.problems
        result.excepted += [
            f"{what}: not the same at every start, or not answered" for what in result.comparison.unsettled
        ]
        _verify(workshop, result, before)
    except (WireError, _UnexpectedError) as error:  # the other steps can still be judged
        result.problems.append(f"start: {error}")


def _verify(workshop: Workshop, result: Result, before: Recording) -> None:
    own, published = shlex.join(workshop.target().command), shlex.join(workshop.start(workshop.source))
    command = ("--command", own, "--before", published, "--timeout", "60", "--format", "json")
    _, report = _pdmigrate(workshop, "verify", *command)
    if report["called"] is None:
        # No tool looks harmless to call.  Here, where there is no network and no data, one may be called wrongly.
        names = [str(tool["name"]) for tool in sorted(before.tools, key=needs_arguments, reverse=True)]
        _, report = _pdmigrate(workshop, "verify", *command, "--tool", names[0])
    result.criteria = report["criteria"]
    for check in report["checks"]:
        if check["status"] != "failed" or check["level"] != "must":
            continue
        if check["id"].startswith("9.2") and fails(before.resources):
            # The list that ours would stand in cannot be had, and could not before.
            result.excepted.append(f"verify {check['id']}: {check['detail']}, as before the migration")
        else:
            result.problems.append(f"verify {check['id']}: {check['detail']}")
    result.problems += [f"verify {key}: {value}" for key, value in result.criteria.items() if value == "not tested"]


def _check_repeated(workshop: Workshop, result: Result) -> None:
    status, report = _pdmigrate(
        workshop, "apply", str(workshop.tree), "--all", "--check", *_sdk(workshop), "--format", "json"
    )
    result.repeatable = status == 0 and not report["changes"]
    if not result.repeatable:
        changes = ", ".join(f"{change['action']} {change['path']}" for change in report["changes"])
        result.problems.append(f"again: a second run would change something: exit {status}, {changes}")


def _check_revert(workshop: Workshop, result: Result) -> None:
    """In a clone of what would be committed, then in the tree itself."""
    first = workshop.git("rev-parse", "HEAD").strip()
    clone = workshop.home / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    workshop.git("add", "--all")
    workshop.git("commit", "--quiet", "--message", "migrated")
    workshop.git("clone", "--quiet", str(workshop.tree), str(clone))
    workshop.git("reset", "--quiet", first)
    refused = _revert(workshop, clone)
    workshop.git("add", "--all", "--force", where=clone)
    left = workshop.git("diff", "--cached", "--name-status", first, where=clone).split("\n")
    result.reverted_in_clone = not any(left)
    if any(left):
        result.problems.append(f"revert in a clone leaves {', '.join(left[:5])} {refused}")
    refused = _revert(workshop, workshop.tree)
    status = workshop.git("status", "--porcelain", "--ignored").split("\n")
    result.reverted = not any(status)
    if any(status):
        result.problems.append(f"revert leaves {', '.join(status[:5])} {refused}")


def _revert(workshop: Workshop, where: Path) -> str:
    """Why it could not be done; empty when it was."""
    status, report = _pdmigrate(workshop, "revert", str(where), "--format", "json")
    return f"exit {status}: {'; '.join(_findings(report))}" if status else ""


# --- helpers ----------------------------------------------------------------------------------------------------------


class _UnexpectedError(Exception):
    """A command of pdmigrate broke down."""


def _pdmigrate(workshop: Workshop, *arguments: str) -> tuple[int, Any]:
    """The exit status of a command and the JSON that it printed.

    Raises:
        _UnexpectedError: it could not run, took too long, or printed something else.
    """
    command = [sys.executable, "-m", "pdmigrate", *arguments]
    what = f"pdmigrate {arguments[0]}"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=workshop.scratch)
        parsed = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise _UnexpectedError(f"{what}: not done in 600 s") from error
    except ValueError as error:
        raise _UnexpectedError(f"{what}: exit {done.returncode}, {done.stderr.strip()[-400:]}") from error
    if done.returncode not in (0, 1):
        raise _UnexpectedError(f"{what}: exit {done.returncode}, {done.stderr.strip()[-400:]}")
    return done.returncode, parsed


def _sdk(workshop: Workshop) -> tuple[str, ...]:
    return tuple(part for pin in workshop.server.pins for part in ("--sdk", pin))


def _live(workshop: Workshop) -> tuple[str, ...]:
    """The option for the running server, which is started in its scratch folder and nowhere near the tree."""
    target = workshop.target()
    return ("--live", shlex.join(("env", "-C", str(target.cwd), *target.command)))


def _descriptions(workshop: Workshop) -> list[dict[str, Any]]:
    """The description files of the tree."""
    files = sorted(workshop.tree.rglob("tool_descriptions/**/*.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.name != SERVER_FILE]


def _findings(report: dict[str, Any]) -> list[str]:
    return _counted(f"{found['code']} {found['message']}" for found in report["findings"])


def _counted(items: Any) -> list[str]:
    counts: dict[str, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return [f"{count} x {item}" if count > 1 else item for item, count in counts.items()]
