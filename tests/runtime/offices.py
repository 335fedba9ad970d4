"""One awkward server for every adapter: its tools, who may see them, and the ways to talk to it.

It has a tool with the name that the bridge would have, and another, for the staff alone, with a name like it.  A tool
appears while it runs, and where the SDK can it lists its tools in pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pdmigrate.live.wire import Session, Target
from tests.runtime.harness import served
from tests.runtime.nurseries import PROGRAMS
from tests.runtime.samples import ENVELOPES, HANDSHAKE, URI, Call, Policies, Sample, Stand, answer
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4

OWN, HIDDEN = "lost_property_describe_tools", "lost_property_describe_tools_pd"
GUESTS = ("find_items", "hand_out", OWN, "open_cellar")
STAFF = ("find_items", "hand_out", OWN, HIDDEN, "open_cellar")
BRIDGE = "lost_property_2_describe_tools"
"""What the bridge is called, because a tool has its name."""

CALLS: Mapping[str, Call] = {
    "too short": ("find_items", {"word": "h"}),
    "valid": ("find_items", {"word": "hat"}),
    "not in the enum": ("find_items", {"word": "hat", "shelf": "c"}),
    "missing": ("find_items", {}),
    "null": ("find_items", {"word": None}),
    "undeclared": ("find_items", {"word": "hat", "x": 1}),
    "a number": ("hand_out", {"number": 7}),
    "everything": ("hand_out", {"number": 88}),
    "below the minimum": ("hand_out", {"number": 0}),
    "no number": ("hand_out", {"number": "many"}),
    "refused by the server": ("hand_out", {"number": 100}),
    "of the bridge's name": (OWN, {"topic": "keys"}),
    "of the bridge's name, asked as the bridge": (OWN, {"names": ["find_items"]}),
    "of the hidden name": (HIDDEN, {"topic": "keys"}),
    "of the hidden name, too short": (HIDDEN, {"topic": "k"}),
    "unknown": ("nonsense", {"x": 1}),
}
"""The first does not validate, so that it comes straight after a fetch."""

SOURCES = {
    "fastmcp2": (FASTMCP2, "fastmcp>=2.13,<3"),
    "fastmcp3": (FASTMCP3, "fastmcp>=3,<4"),
    "fastmcp4": (FASTMCP4, "fastmcp>=4"),
    "either_fastmcp2": (FASTMCP2, "fastmcp>=2.13"),
    "either_fastmcp3": (FASTMCP3, "fastmcp>=2.13"),
    "either_fastmcp4": (FASTMCP4, "fastmcp>=2.13"),
}
OFFICES = {
    name: Sample(
        f"{name}_office", pins, CALLS["valid"], CALLS["too short"][1], home=PROGRAMS / "office", requirement=requirement
    )
    for name, (pins, requirement) in SOURCES.items()
}
ADAPTERS = ("fastmcp2", "fastmcp4", "either_fastmcp3", "either_fastmcp4")
"""An office for each, where they are what matters."""
PAGED = {office.name for name, office in OFFICES.items() if "fastmcp2" not in name}
"""Those whose SDK can list tools in pages; theirs have three tools."""


@dataclass(frozen=True)
class Way:
    """How a client talks to an office."""

    transport: str
    era: str = HANDSHAKE

    def __str__(self) -> str:
        return f"{self.transport} {self.era}"

    @property
    def has_session(self) -> bool:
        return self.transport == "stdio" or (self.transport == "http" and self.era == HANDSHAKE)

    def target(
        self,
        office: Stand,
        policies: Policies | None,
        *,
        staff: bool = False,
        variables: Mapping[str, str] | None = None,
    ) -> Target:
        """The office that a guest, or somebody of the staff, talks to; policies None: as it was."""
        if self.transport == "stdio":
            return office.stdio(policies, {**(variables or {}), **({"OFFICE_ROLE": "staff"} if staff else {})})
        headers = {"x-office-role": "staff"} if staff else {}
        return office.http(policies, self.era, stateless=self.transport == "stateless", variables=variables, **headers)


def ways(name: str) -> tuple[Way, ...]:
    eras = OFFICES[name].eras
    return (*(Way(transport, era) for transport in ("stdio", "http") for era in eras), Way("stateless"))


def cells(
    transports: tuple[str, ...] = ("stdio", "http", "stateless"), eras: tuple[str, ...] = (HANDSHAKE, ENVELOPES)
) -> Iterator[Any]:
    """Every office with every way to talk to it."""
    for name in OFFICES:
        for way in ways(name):
            if way.transport in transports and way.era in eras:
                yield pytest.param(name, way, id=f"{name} {way}")


def pages(opened: Session) -> list[Any]:
    """The pages of the listing as they are on the wire."""
    found = [opened.request("tools/list")]
    while cursor := found[-1].get("nextCursor"):
        found.append(opened.request("tools/list", {"cursor": cursor}))
    return found


def names(listed: list[Any]) -> list[Any]:
    return [tool["name"] for page in listed for tool in page["tools"]]


def fetch(opened: Session, tools: Sequence[str], bridge: str | None = None) -> Any:
    """What is told of ``tools``, by the bridge of this name or else by the resource."""
    if bridge is None:
        return served(opened.read_resource(f"{URI}?tools={','.join(tools)}"))
    return served(opened.call_tool(bridge, {"names": [*tools]}))


def is_refused(opened: Session, name: str, arguments: dict[str, Any]) -> bool:
    return "TOOL_DESCRIPTION_REQUIRED" in json.dumps(answer(opened, name, arguments))
