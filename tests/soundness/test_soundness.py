"""No claim that the wire does not bear out, whatever a program does to its SDK; no doubt where it does nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.soundness import (
    containers_of_python,
    identity,
    language,
    protocols,
    reading,
    surprises,
    tampering,
)
from tests.soundness.sources import PINS, Case
from tests.support.command_line import pdmigrate
from tests.support.files import write
from tests.support.sent import sent


def tables() -> dict[str, dict[str, Case]]:
    rooms = (tampering, language, containers_of_python, identity, reading, protocols, surprises)
    found = [item for room in rooms for item in room.TABLES.items()]
    assert len({name for name, _ in found}) == len(found), "two tables of one name"
    return dict(found)


def cases() -> dict[tuple[str, str, str], Case]:
    return {
        (family, table, name): case
        for table, found in tables().items()
        for name, case in found.items()
        for family in case.families
    }


@cache
def asked(family: str, *, fresh: bool) -> dict[str, Any]:
    """What every server of a family sends, asked once."""
    wanted = {
        f"{table}: {name}": {"files": case.written_for(family), "start": case.start}
        for (of, table, name), case in cases().items()
        if of == family and case.fresh is fresh
    }
    return sent(PINS[family], wanted, fresh=fresh)


def claimed(folder: Path, family: str, case: Case) -> list[dict[str, Any]]:
    """The servers of a case as ``extract`` prints them."""
    write(folder, case.written_for(family))
    versions = [part for pin in PINS[family] if "==" in pin for part in ("--sdk", pin)]
    ran = pdmigrate("extract", folder, "--format", "json", "--no-write", *versions)
    assert ran.status in (0, 1), ran.stderr
    servers: list[dict[str, Any]] = json.loads(ran.stdout)["servers"]
    return servers


def wrong(server: dict[str, Any], wire: list[dict[str, Any]]) -> list[str]:
    """Every claim about a server that the wire does not bear out."""
    sent = {tool["name"]: tool for tool in wire}
    said: dict[str, dict[str, Any]] = {}
    found = []
    for tool in server["tools"]:
        name = tool["definition"].get("name")
        if name in sent:
            said[name] = tool
            found += [f"{name}.{field}" for field in _differences(tool, sent[name])]
        elif name is not None and tool["conditional"] is None:
            found.append(f"{name} is not listed")
    if server["complete"] is True:
        found += [f"{name} is missing from a complete list" for name in sent if name not in said]
        certain = [name for name, tool in said.items() if tool["conditional"] is None]
        if not found and certain != [name for name in sent if name in certain]:
            found.append(f"the order {certain}")
    return found


def _differences(tool: dict[str, Any], sent: dict[str, Any]) -> list[str]:
    unknown = {each["field"] for each in tool["unknown"]}
    claims = tool["definition"]
    fields = [field for field in {*claims, *sent} if field not in unknown and claims.get(field) != sent.get(field)]
    return sorted(fields)


def unsettled(servers: list[dict[str, Any]], case: Case) -> dict[str, Any]:
    """The tools that the program leaves as they are, and about which something is in doubt or missing."""
    tools = {tool["definition"].get("name"): tool for server in servers for tool in server["tools"]}
    doubts = {name: [tools[name]["unknown"], tools[name]["conditional"]] for name in case.settled if name in tools}
    found = {**dict.fromkeys(case.settled, "missing"), **doubts}
    return {name: doubt for name, doubt in found.items() if doubt != [[], None]}


@pytest.mark.parametrize(("family", "table", "name"), [pytest.param(*key, id="-".join(key)) for key in cases()])
def test_nothing_is_claimed_that_is_not_sent_and_what_is_not_touched_stays_settled(
    tmp_path: Path, family: str, table: str, name: str
) -> None:
    case = cases()[family, table, name]
    wire = asked(family, fresh=case.fresh)[f"{table}: {name}"]
    servers = claimed(tmp_path, family, case)
    assert unsettled(servers, case) == {}
    if isinstance(wire, str):  # the server does not start, or refuses to list
        assert all(tool["conditional"] for server in servers for tool in server["tools"]), wire
        assert all(server["complete"] is not True for server in servers), wire
        return
    assert not [claim for server in servers for claim in wrong(server, wire)]
