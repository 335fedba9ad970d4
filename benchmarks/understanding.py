"""Judge the understanding that follows the demand: against what servers send, and against the present one.

    python benchmarks/understanding.py SOURCES CORPUS [--only NAME ...] [--json FILE] [--against FILE]

``SOURCES`` holds a folder of source for each server, ``CORPUS`` a ``servers.json`` and a ``truth`` folder with a file
for each server: what it listed.  Everything runs in one process.  ``--against`` names a file of contracts by server
(``pdmigrate extract --format json``): both sides' claims are compared, and every disagreement is named.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
from pathlib import Path
from typing import Any

from pdmigrate.model import Server
from pdmigrate.sdk.families import gates
from pdmigrate.source.deriving import making
from pdmigrate.source.discover import gated, python_files
from pdmigrate.source.whole import Whole
from pdmigrate.understand.programs import understood

_WORST = ["exact", "partial", "wrong"]


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def contract(servers: list[Any]) -> list[dict[str, Any]]:
    """The servers in the form of the machine-readable extraction."""
    return [
        {
            "dialect": server.dialect,
            "file": server.site.file,
            "line": server.site.line,
            "name": server.name,
            "complete": server.incomplete or True,
            "tools": [
                {
                    "definition": tool.definition,
                    "unknown": [
                        {"field": name, "reason": item.reason, "path": item.path} for name, item in tool.unknown.items()
                    ],
                    "conditional": tool.conditional,
                }
                for tool in server.tools
                if not tool.optional
            ],
        }
        for server in servers
    ]


def state_of(tool: dict[str, Any], truth: dict[str, Any]) -> tuple[str, list[str]]:
    """How a reported tool stands to the one that was sent, with the fields that make it so."""
    definition, unknown = tool["definition"], {item["field"] for item in tool["unknown"]}
    wrong = [key for key, value in definition.items() if key not in truth or canonical(truth[key]) != canonical(value)]
    wrong += [key for key in truth if key not in definition and key not in unknown]
    if wrong:
        return "wrong", wrong
    return ("partial", sorted(unknown)) if unknown else ("exact", [])


def score(truth: list[dict[str, Any]], servers: list[dict[str, Any]]) -> tuple[collections.Counter[str], list[Any]]:
    """The counts of one server, and what is not exact."""
    wanted = {tool["name"]: tool for tool in truth}

    def overlap(server: dict[str, Any]) -> tuple[int, bool]:
        names = {tool["definition"].get("name") for tool in server["tools"]}
        return len(names & wanted.keys()), server["complete"] is not True

    nothing: dict[str, Any] = {"tools": [], "complete": "nothing was found"}
    server = max(servers, key=overlap, default=nothing)
    counts: collections.Counter[str] = collections.Counter()
    detail: list[Any] = []
    reported = collections.defaultdict(list)
    for tool in server["tools"]:
        if tool["definition"].get("name"):
            reported[tool["definition"]["name"]].append(tool)
    for name, sent in wanted.items():
        entries = reported.pop(name, [])
        if entries:
            state, fields = max((state_of(tool, sent) for tool in entries), key=lambda item: _WORST.index(item[0]))
        else:
            complete = server["complete"]
            state, fields = ("wrong", ["missing"]) if complete is True else ("missed", [str(complete)])
        counts[state] += 1
        if state != "exact":
            reasons = {item["field"]: item["reason"] for tool in entries for item in tool["unknown"]}
            detail.append([name, state, fields, reasons])
    for name, tools in reported.items():
        state = "hedged" if all(tool["conditional"] for tool in tools) else "phantom"
        counts[state] += 1
        detail.append([name, state, [], {}])
    return counts, detail


def versions_of(server: dict[str, Any]) -> dict[str, str]:
    keep = ("mcp", "pydantic") + (("fastmcp",) if server["family"].startswith("fastmcp") else ())
    found = {name: version for name, version in server.get("sdk_at_boot", {}).items() if name in keep}
    if server["launch"] and server["launch"].get("requires_python_ignored"):
        found["python"] = "3.11"
    return found


def judge_one(source: Path, versions: dict[str, str]) -> list[dict[str, Any]]:
    whole = Whole(source, python_files(source))
    found: dict[Any, Server] = {}
    for path in making(source, whole.files(), gated(source, whole.files(), gates())):
        for server in understood(path, whole, versions).servers:
            found.setdefault((server.site, server.anchor), server)
    return contract(list(found.values()))


def by_name(servers: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tools of all servers that have a known name."""
    tools = (tool for server in servers for tool in server["tools"])
    return {tool["definition"]["name"]: tool for tool in tools if tool["definition"].get("name")}


def disagreements(name: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[str]:
    """The fields that both sides claim with different values, and the tools that only one side settles."""
    here, there = by_name(ours), by_name(theirs)
    found = []
    for tool in sorted({*here, *there}):
        one, other = here.get(tool), there.get(tool)
        claims = one["definition"].keys() & other["definition"].keys() if one and other else set()
        for key in sorted(claims):
            if one and other and canonical(one["definition"][key]) != canonical(other["definition"][key]):
                found.append(f"differs: {name} {tool}.{key}")
        settled = [side is not None and not side["unknown"] for side in (one, other)]
        if settled[0] is not settled[1]:
            found.append(f"{'new' if settled[0] else 'old'} alone: {name} {tool}")
    return found


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    servers = json.loads((given.corpus / "servers.json").read_text(encoding="utf-8"))
    against = json.loads(given.against.read_text(encoding="utf-8")) if given.against else {}
    total: collections.Counter[str] = collections.Counter()
    everything, times, differing = {}, [], []
    for server in servers:
        name = server["name"]
        if server["tools"] is None or (given.only and name not in given.only):
            continue
        truth = json.loads((given.corpus / "truth" / f"{name}.json").read_text(encoding="utf-8"))["tools"]
        begun = time.process_time()
        found = judge_one(given.sources / name, versions_of(server))
        counts, detail = score(truth, found)
        seconds = time.process_time() - begun
        times.append(seconds)
        whole = counts["exact"] == len(truth) and not counts["phantom"]
        total.update(counts)
        total.update(tools=len(truth), servers=1, whole=int(whole))
        everything[name] = {"counts": counts, "detail": detail, "seconds": seconds, "servers": found}
        if name in against:
            differing += disagreements(name, found, against[name])
        if not whole or given.only:
            shown = " ".join(f"{key}={value}" for key, value in sorted(counts.items()))
            say(f"{name:40} {server['family']:15} {len(truth):4}  {shown}  {seconds:.2f}s")
        for line in detail[:12] if given.show else ():
            say(f"      {json.dumps(line)[:400]}")
    times.sort()
    say(f"{total['exact'] / max(1, total['tools']):.1%} of tools exact: {dict(total)}")
    say(f"median {times[len(times) // 2]:.2f}s, worst {times[-1]:.2f}s, all {sum(times):.1f}s of processor")
    for line in differing:
        say(line)
    if given.json:
        given.json.write_text(json.dumps(everything, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
