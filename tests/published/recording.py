"""What `extract` printed for a server, in few words: enough to see what has become different."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.rent import Measured

RECORDS = Path(__file__).with_name("records")


def file_of(name: str) -> Path:
    """Where the record of ``name==version`` is kept."""
    return RECORDS / f"{name.replace('==', '-')}.txt"


def record(measured: Measured) -> str:
    """The servers with their tools, each with its fields and what is unknown of it, the findings, and digests of all.

    Our own version is left out: it changes without a change of anything else.
    """
    if measured.status not in (0, 1):
        return f"status {measured.status}\n{measured.err}"
    report = json.loads(measured.out)
    del report["version"]
    return "\n".join([*_lines(report), f"all: {_digest(report)}", ""])


def _lines(report: dict[str, Any]) -> Iterator[str]:
    for server in report["servers"]:
        whole = "complete" if server["complete"] is True else "not complete"
        yield f"{server['name']!r} in {server['file']}:{server['line']}, {server['dialect']}, {whole}"
        for tool in server["tools"]:
            yield f"  {_tool(tool)}"
    for code, times in sorted(Counter(finding["code"] for finding in report["findings"]).items()):
        yield f"{code}: {times}"


def _tool(tool: dict[str, Any]) -> str:
    definition = tool["definition"]
    unknown = sorted({each["field"] for each in tool.get("unknown", ())})
    said = [f"{definition.get('name', '?')}: {' '.join(sorted(definition))}"]
    said += [f"unknown {' '.join(unknown)}"] if unknown else []
    said += ["conditional"] if tool.get("conditional") else []
    return f"{'; '.join(said)} ({_digest(tool)})"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
