"""The sample servers, as they stand and migrated: what each is asked, and the processes that answer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pdmigrate.live.wire import HttpTarget, RpcError, Session, StdioTarget, Target, connect
from tests.runtime.nurseries import planted
from tests.support.command_line import pdmigrate
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2, ROOT, alone
from tests.support.running import serving

HANDSHAKE, ENVELOPES = "2025-06-18", "2026-07-28"
URI = "resource:///tool_descriptions"

Call = tuple[str, dict[str, Any]]


class Policies(NamedTuple):
    """The two arguments of ``enable``."""

    stdio: str = "enforce"
    http: str = "advise"

    def __str__(self) -> str:
        return f'stdio="{self.stdio}", http="{self.http}"'


ENFORCED = Policies(http="enforce")
STRICT = Policies("strict", "strict")
"""Refusals bring no description, so that a tool can be tried again and again."""


@dataclass(frozen=True)
class Sample:
    """One sample server: its environment, and two calls whose answers a migration must not change."""

    name: str
    pins: tuple[str, ...]
    good: Call
    """A call that works, as often as it is made."""
    bad: dict[str, Any]
    """Arguments that the same tool refuses."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What HTTP requests carry so that such calls are accepted."""
    home: Path | None = None
    """Where it is, unless it is one of those for users."""
    requirement: str | None = None
    """What the project asks for, where its files do not say so."""

    @property
    def eras(self) -> tuple[str, ...]:
        return (HANDSHAKE, ENVELOPES) if self.pins in (MCP2, FASTMCP4) else (HANDSHAKE,)

    @property
    def source(self) -> Path:
        return self.home or ROOT / "sample_servers" / self.name

    def command(self, folder: Path, *flags: str) -> tuple[str, ...]:
        """What runs the copy in ``folder``."""
        return planted(self.pins, str(folder / "server.py"), *flags)

    def copied(self, folder: Path) -> Path:
        """The whole of it in ``folder``."""
        shutil.copytree(self.source, folder, ignore=shutil.ignore_patterns("__pycache__"))
        return folder

    def migrated(self, folder: Path, *options: str) -> Path:
        """A copy in ``folder`` after ``pdmigrate apply``."""
        self.copied(folder)
        if self.requirement is not None:
            (folder / "requirements.txt").write_text(f"{self.requirement}\n", encoding="utf-8")
        ran = pdmigrate("apply", "--all", folder, "--write", "--allow-dirty", *options)
        assert ran.status == 0, ran.stdout + ran.stderr
        return folder


SAMPLES = {
    sample.name: sample
    for sample in (
        Sample("mcp1_lowlevel", MCP1, ("find_copies", {"words": "tidal"}), {"words": "tidal", "limit": 51}),
        Sample("mcp1_fastmcp", MCP1, ("find_sailings", {"departs_from": "skarven"}), {"departs_from": "moon"}),
        Sample("fastmcp2", FASTMCP2, ("bookings_at", {"hour": 11}), {"hour": "noon"}),
        Sample("fastmcp3", FASTMCP3, ("herbarium_look_up", {"name": "ivy"}), {"name": 7}),
        Sample("fastmcp4", FASTMCP4, ("find_pieces", {"words": "butter"}), {"words": "b"}),
        Sample(
            "mcp2_lowlevel",
            MCP2,
            ("book_pump", {"plot": 1, "day": "mon"}),
            {"plot": 2, "day": "mon"},
            {"Mcp-Param-Region": "north"},
        ),
        Sample(
            "mcp2_mcpserver",
            MCP2,
            ("find_berth", {"length": 9.5, "draught": 1.2, "pier": "B"}),
            {"length": -1, "draught": 1.2, "pier": "B"},
            {"Mcp-Param-Pier": "B"},
        ),
    )
}


class Stand:
    """One sample and its migrated copies, with their servers, which start when they are first asked for."""

    def __init__(self, sample: Sample, copies: Path, started: ExitStack) -> None:
        self.sample = sample
        self._copies = copies / sample.name
        self._started = started
        self._urls: dict[tuple[Policies | None, tuple[str, ...], tuple[tuple[str, str], ...]], str] = {}

    def folder(self, policies: Policies | None) -> Path:
        """The copy with these policies; None: the sample as it stands."""
        if policies is None:
            return self.sample.source
        with alone(self._copies):
            made = self._copies / "-".join(policies)
            if not made.exists():
                # Receipts are the one policy that ``apply`` must be told.
                receipt = ("--http", "receipt") if policies.http == "receipt" else ()
                applied = self._copies / ("receipts" if receipt else "default")
                if not applied.exists():
                    self.sample.migrated(applied, *receipt)
                shutil.copytree(applied, made, ignore=shutil.ignore_patterns("__pycache__"))
                choose(made / "server.py", policies)
            return made

    def stdio(self, policies: Policies | None, variables: Mapping[str, str] | None = None) -> StdioTarget:
        return StdioTarget(self.sample.command(self.folder(policies)), variables or {})

    def http(
        self,
        policies: Policies | None,
        era: str = HANDSHAKE,
        *,
        stateless: bool = False,
        variables: Mapping[str, str] | None = None,
        **headers: str,
    ) -> HttpTarget:
        url = self.url(policies, *(("--stateless",) if stateless else ()), variables=variables)
        return HttpTarget(f"{url}/mcp", {**(self.sample.headers if era == ENVELOPES else {}), **headers})

    def url(self, policies: Policies | None, *flags: str, variables: Mapping[str, str] | None = None) -> str:
        """Where the server with these flags and variables listens."""
        key = (policies, flags, tuple((variables or {}).items()))
        if key not in self._urls:
            command = self.sample.command(self.folder(policies), *flags)
            (port,) = self._started.enter_context(serving(command, env={**os.environ, **(variables or {})}))
            self._urls[key] = f"http://127.0.0.1:{port}"
        return self._urls[key]


def choose(server: Path, policies: Policies) -> None:
    """Change the words in the call of ``enable``, as its owner would."""
    text = server.read_text(encoding="utf-8")
    chosen = [Policies(), Policies(http="receipt")]
    (before,) = [word for word in map(str, chosen) if text.count(word) == 1]
    server.write_text(text.replace(before, str(policies)), encoding="utf-8")


@contextmanager
def stand(sample: Sample, temporary: pytest.TempPathFactory) -> Iterator[Stand]:
    """The stand of a sample; workers that run side by side share its copies, and no servers."""
    base = temporary.getbasetemp()
    with ExitStack() as started:
        yield Stand(sample, (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "stands", started)


@contextmanager
def session(target: Target, era: str = HANDSHAKE, *, lists: bool = True) -> Iterator[Session]:
    """A session of a host that keeps it, and so lists first; or, without ``lists``, one opened for a single call."""
    with connect(target, timeout=30) as opened:
        opened.initialize(era)
        if lists:
            opened.list_tools()
        yield opened


def answers(opened: Session, calls: Sequence[Call] | Mapping[str, Call]) -> list[Any]:
    """What each call is answered, protocol errors included."""
    chosen = calls.values() if isinstance(calls, Mapping) else calls
    return [answer(opened, *call) for call in chosen]


def answer(opened: Session, name: str, arguments: dict[str, Any]) -> Any:
    return asked(opened, "tools/call", {"name": name, "arguments": arguments})


def asked(opened: Session, method: str, params: Any) -> Any:
    """What a request is answered, or the error of the protocol that it gets."""
    try:
        return opened.request(method, params)
    except RpcError as error:
        return {"code": error.number, "message": error.text, "data": error.data}
