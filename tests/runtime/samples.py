"""The sample servers, as they stand and migrated: what each is asked, and the processes that answer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pdmigrate.wire import HttpTarget, RpcError, Session, StdioTarget, Target, connect
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2, ROOT, environment
from tests.support.running import serving

HANDSHAKE, ENVELOPES = "2025-06-18", "2026-07-28"
URI = "resource:///tool_descriptions"

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Sample:
    """One sample server: its environment, its tools, and calls whose answers a migration must not change."""

    name: str
    pins: tuple[str, ...]
    tools: tuple[str, ...]
    resource: str
    calls: Mapping[str, Call]
    headers: Mapping[str, str] = field(default_factory=dict)
    """What HTTP requests carry so that such calls are accepted."""

    @property
    def eras(self) -> tuple[str, ...]:
        return (HANDSHAKE, ENVELOPES) if self.pins in (MCP2, FASTMCP4) else (HANDSHAKE,)

    @property
    def source(self) -> Path:
        return ROOT / "sample_servers" / self.name

    def command(self, folder: Path, *flags: str) -> tuple[str, ...]:
        return (str(environment(self.pins)), str(folder / "server.py"), *flags)

    def migrated(self, folder: Path, *options: str) -> Path:
        """A copy in ``folder`` after ``pdmigrate apply``."""
        shutil.copytree(self.source, folder, ignore=shutil.ignore_patterns("__pycache__"))
        command = [sys.executable, "-m", "pdmigrate", "apply", str(folder), "--write", "--allow-dirty", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder


SAMPLES = {
    sample.name: sample
    for sample in (
        Sample(
            "mcp1_fastmcp",
            MCP1,
            ("find_sailings", "book_crossing", "cancel_booking", "skarven_notice", "ormsund_notice"),
            "ferry://fares",
            {
                "valid": ("find_sailings", {"departs_from": "skarven"}),
                "not in the enum": ("find_sailings", {"departs_from": "moon"}),
                "against the pattern": ("find_sailings", {"departs_from": "skarven", "not_before": "dawn"}),
                "structured": ("book_crossing", {"sailing": "0640", "passengers": 2, "vehicles": ["van"]}),
                "too many": ("book_crossing", {"sailing": "0640", "passengers": 13}),
                "refused by the server": ("book_crossing", {"sailing": "0641", "passengers": 1}),
                "made by a loop": ("ormsund_notice", {}),
                "unknown": ("nonsense", {"x": 1}),
            },
        ),
        Sample(
            "fastmcp2",
            FASTMCP2,
            ("book_bench", "list_bookings", "bookings_at", "crib_lend"),
            "cafe://house-rules",
            {
                "structured": ("book_bench", {"item": "kettle", "hour": 11}),
                "too short": ("book_bench", {"item": "k", "hour": 11}),
                "list": ("list_bookings", {}),
                "a variant of another tool": ("bookings_at", {"hour": 11}),
                "without what the variant requires": ("bookings_at", {}),
                "mounted": ("crib_lend", {"tool": "torx set"}),
                "refused by the server": ("crib_lend", {"tool": "crane"}),
                "hidden by its tags": ("clear_day", {}),
                "unknown": ("nonsense", {"x": 1}),
            },
        ),
        Sample(
            "fastmcp3",
            FASTMCP3,
            ("open_case", "diagnose", "call_specialist", "herbarium_look_up"),
            "clinic://hours",
            {
                "structured": ("open_case", {"plant": "ivy", "signs": ["leaves curl"]}),
                "strictly": ("diagnose", {"case": "1", "guess": "aphids"}),
                "valid": ("diagnose", {"case": 1, "guess": "aphids"}),
                "below the minimum": ("diagnose", {"case": 0, "guess": "aphids"}),
                "refused by the server": ("diagnose", {"case": 99, "guess": "aphids"}),
                "mounted": ("herbarium_look_up", {"name": "ivy"}),
                "hidden from this session": ("prescribe_poison", {"case": 1, "grams": 1}),
                "unknown": ("nonsense", {"x": 1}),
            },
        ),
        Sample(
            "fastmcp4",
            FASTMCP4,
            ("find_pieces", "move_piece", "archive_opening_year"),
            "depot://climate",
            {
                "structured": ("find_pieces", {"words": "butter"}),
                "too short": ("find_pieces", {"words": "b"}),
                "moved": ("move_piece", {"number": "1934-17", "shelf": "B3"}),
                "against the pattern": ("move_piece", {"number": "1934-17", "shelf": "Z3"}),
                "refused by the server": ("move_piece", {"number": "1958-02", "shelf": "B3"}),
                "mounted": ("archive_opening_year", {"street": "Mill Lane"}),
                "hidden from this caller": (
                    "lend_piece",
                    {"number": "1934-17", "borrower": "x", "until": "2027-01-01"},
                ),
                "unknown": ("nonsense", {"x": 1}),
            },
        ),
        Sample(
            "mcp2_lowlevel",
            MCP2,
            ("find_plots", "book_pump"),
            "garden://rules",
            {
                "structured": ("find_plots", {"region": "north", "min_size": 200}),
                "not a number": ("find_plots", {"region": "north", "min_size": "big"}),
                "valid": ("book_pump", {"plot": 1, "day": "mon"}),
                "refused by the server": ("book_pump", {"plot": 2, "day": "mon"}),
                "not in the enum": ("book_pump", {"plot": 1, "day": "someday"}),
                "hidden from this caller": ("assign_plot", {"plot": 2, "holder": "Ada"}),
                "unknown": ("nonsense", {"x": 1}),
            },
            {"Mcp-Param-Region": "north"},
        ),
        Sample(
            "mcp2_mcpserver",
            MCP2,
            ("find_berth", "moor", "cast_off", "high_water"),
            "harbour://fees",
            {
                "structured": ("find_berth", {"length": 9.5, "draught": 1.2, "pier": "B"}),
                "below the minimum": ("find_berth", {"length": -1, "draught": 1.2, "pier": "B"}),
                "a model": ("moor", {"berth": "A2", "boat": "Kittiwake"}),
                "refused by the server": ("moor", {"berth": "A1", "boat": "Fulmar"}),
                "against the pattern": ("cast_off", {"berth": "Z"}),
                "no arguments": ("high_water", {}),
                "turned away by a middleware": ("nonsense", {"x": 1}),
            },
            {"Mcp-Param-Pier": "B"},
        ),
    )
}


@dataclass(frozen=True)
class Pair:
    """A sample before and after, and where both answer over HTTP."""

    sample: Sample
    folder: Path
    before: str
    after: str
    stateless: str

    def stdio(self, folder: Path | None = None) -> StdioTarget:
        return StdioTarget(self.sample.command(folder or self.folder))

    def http(self, url: str, era: str = HANDSHAKE, **headers: str) -> HttpTarget:
        return HttpTarget(url, {**(self.sample.headers if era == ENVELOPES else {}), **headers})


@contextmanager
def pair(sample: Sample, folder: Path) -> Iterator[Pair]:
    """The sample and its migrated copy over HTTP, enforced where there are sessions; and the copy without sessions."""
    sample.migrated(folder, "--http", "enforce")
    commands = [sample.command(sample.source), sample.command(folder), sample.command(folder, "--stateless")]
    with serving(*commands) as ports:
        yield Pair(sample, folder, *(f"http://127.0.0.1:{port}/mcp" for port in ports))


@contextmanager
def session(target: Target, era: str = HANDSHAKE) -> Iterator[Session]:
    with connect(target, timeout=30) as opened:
        opened.initialize(era)
        yield opened


def answers(opened: Session, calls: Sequence[Call] | Mapping[str, Call]) -> list[Any]:
    """What each call is answered, protocol errors included."""
    found: list[Any] = []
    for name, arguments in calls.values() if isinstance(calls, Mapping) else calls:
        try:
            found.append(opened.call_tool(name, arguments))
        except RpcError as error:
            found.append({"code": error.number, "message": error.text, "data": error.data})
    return found
