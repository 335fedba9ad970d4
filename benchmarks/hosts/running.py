"""Drivers run in the environments of their frameworks, with no network, and what they say they saw."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.hosts.frameworks import REFUSAL, RESOURCE, Framework
from benchmarks.hosts.staging import LAUNCHER, Side, Stage
from benchmarks.migrate.workshop import offline, run
from tests.support.environments import ROOT, environment

DRIVERS = Path(__file__).with_name("drivers")
PACKAGES = ROOT / ".cache" / "hosts" / "npm"
URI = "resource:///tool_descriptions?tools="
SECONDS = 600


@dataclass(frozen=True)
class Report:
    """What one driver saw on one side of one server, and what the server was sent.

    ``fetched`` is the text of the descriptions and not among the results, with each refusal that brings one;
    ``results`` are in the order of the script.
    ``sent`` is what each session of the server was sent.  ``error`` is why there is no more.
    """

    tools: tuple[dict[str, Any], ...] = ()
    results: tuple[str, ...] = ()
    fetched: str = ""
    invented: tuple[str, ...] = ()
    sent: tuple[tuple[dict[str, Any], ...], ...] = ()
    error: str = ""


def drive(framework: Framework, stage: Stage, *, migrated: bool) -> Report:
    """Run the script of a server through a framework, on the side that ``migrated`` says.

    Raises:
        WorkshopError: the environment cannot be made.
    """
    side = stage.after if migrated else stage.before
    side.fresh()
    steps, fetching = steps_of(framework, stage, migrated=migrated)
    plan, seen = side.home / "plan.json", side.home / "seen.json"
    raw = {"command": LAUNCHER, "args": [], "mode": framework.mode, "steps": steps}
    plan.write_text(json.dumps(raw), encoding="utf-8")
    seen.unlink(missing_ok=True)
    error = _ended([*offline(), *_program(framework), str(plan), str(seen)], _folder(framework, side), side.home)
    sent = _sent(side)
    if not seen.exists():
        return Report(sent=sent, error=side.plain(error or "it wrote no report"))
    saw = json.loads(seen.read_text(encoding="utf-8"))
    said = [side.plain(text) for text in saw["results"]]
    fetched = "\n".join(text for place, text in enumerate(said) if place in fetching)
    results = tuple(text for place, text in enumerate(said) if place not in fetching)
    return Report(tuple(saw["tools"]), results, fetched, tuple(saw.get("invented", ())), sent, side.plain(error))


def steps_of(framework: Framework, stage: Stage, *, migrated: bool) -> tuple[list[dict[str, Any]], set[int]]:
    """The script as steps of a plan, and which of these are there for the descriptions alone.

    On a migrated server the descriptions are fetched after the first call.  Where a host does not let a fetch through,
    each tool is called once more instead: its first call is refused, and the refusal brings the description.
    """
    side = stage.after if migrated else stage.before
    script = stage.server.script
    calls = [{"tool": tool, "arguments": arguments} for tool, arguments in map(side.filled, (script[0], *script))]
    names = list(dict.fromkeys(tool for tool, _ in script))
    if not migrated:
        return calls, set()
    if framework.fetch == REFUSAL:
        return each_refused_once(calls, names[1:])
    fetch: dict[str, Any] = {"tool": stage.bridge, "arguments": {"names": names}}
    if framework.fetch == RESOURCE:
        fetch["uri"] = URI + ",".join(names)
    return [calls[0], fetch, *calls[1:]], {1}


def each_refused_once(calls: list[dict[str, Any]], names: list[str]) -> tuple[list[dict[str, Any]], set[int]]:
    """The calls, the first of each of the tools ``names`` made twice."""
    steps: list[dict[str, Any]] = []
    fetching, left = set[int](), {*names}
    for call in calls:
        if call["tool"] in left:
            left.remove(call["tool"])
            fetching.add(len(steps))
            steps.append(call)
        steps.append(call)
    return steps, fetching


def _program(framework: Framework) -> list[str]:
    driver = str(DRIVERS / framework.driver)
    if driver.endswith(".mjs"):
        return ["node", driver]
    return [str(environment(framework.pins)), "-W", "ignore", driver]


def _folder(framework: Framework, side: Side) -> Path:
    """Where a driver is started: beside its packages, where it is one for node."""
    return npm(framework.pins) if framework.driver.endswith(".mjs") else side.home


def npm(pins: Sequence[str]) -> Path:
    """The folder with these packages of npm installed, made on first use."""
    folder = PACKAGES / hashlib.sha256("\n".join(pins).encode()).hexdigest()[:12]
    if not (folder / ".complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        packages = [pin.replace("==", "@") for pin in pins]
        run(["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", *packages])
        (folder / ".complete").touch()
    return folder


def _ended(command: Sequence[str], folder: Path, launchers: Path) -> str:
    """Run a command to its end; why it failed, if it did.  What it started ends with it."""
    path = f"{launchers}:{os.environ['PATH']}"
    variables = {"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            _, stderr = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, stderr = process.communicate()
            return f"not done in {SECONDS} s\n{stderr[-2000:]}"
    return stderr[-2000:] or f"exit {process.returncode}" if process.returncode else ""


def _sent(side: Side) -> tuple[tuple[dict[str, Any], ...], ...]:
    """The messages that the server was sent, session by session."""
    sessions: dict[int, list[dict[str, Any]]] = {}
    for line in side.log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        sessions.setdefault(entry["session"], []).append(entry["message"])
    return tuple(tuple(messages) for messages in sessions.values())
