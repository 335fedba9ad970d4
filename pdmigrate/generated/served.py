"""The answers of a migrated server, as text: a fetched description, and a refusal.

The generated module makes these answers itself; the functions here predict them, for reports that count their cost.
``tests/runtime/test_served.py`` compares both on running servers.
"""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote

from pdmigrate.model import JsonObject

URI = "resource:///tool_descriptions"
SWITCH = (
    "(Where neither is possible, the user can set PROGRESSIVE_DISCLOSURE=off in this server's environment: then it "
    "lists its tools in full.)"
)


def fetch_uri(name: str) -> str:
    """The address of the full description of one tool."""
    return f"{URI}?tools={quote(name, safe='', errors='replace')}"


def description_text(tool: JsonObject, words: JsonObject | None = None) -> str:
    """The answer to a fetch of ``tool`` alone.

    ``words``: the guidance in the tool's description file, if it has one.
    """
    guided = {**tool, **(words or {})}
    guided["description"] = guided.get("description") or tool["name"]
    canonical = json.dumps(guided, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(canonical.encode()).hexdigest()[:16]
    return json.dumps({tool["name"]: {**guided, "digest": f"sha256:{digest}"}}, ensure_ascii=False)


def refusal_text(name: str, bridge: str | None) -> str:
    """The answer to a call before a fetch; ``bridge`` is the name of the tool that returns descriptions."""
    uri = fetch_uri(name)
    way = f" or call {bridge} with names={json.dumps([name])}" if bridge else ""
    error = {
        "code": "TOOL_DESCRIPTION_REQUIRED",
        "message": f"Tool '{name}' requires fetching its description before use.",
        "resource_uri": uri,
        "how": f"Read the resource {uri}{way}, then call this tool again. {SWITCH}",
    }
    return json.dumps({"error": error}, ensure_ascii=False)
