"""The answers of a migrated server, as text: a fetched description, and a refusal.

The generated module makes these answers itself; the functions here predict them, for reports that count their cost.
``tests/runtime/test_served.py`` compares both on running servers.
"""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote

from pdmigrate.model import JsonObject
from pdmigrate.runtime.guidance import refusal_in_words

URI = "resource:///tool_descriptions"


def fetch_uri(name: str) -> str:
    """The address of the full description of one tool."""
    return f"{URI}?tools={quote(name, safe='', errors='replace')}"


def description_text(tool: JsonObject, words: JsonObject | None = None) -> str:
    """The answer to a fetch of ``tool`` alone.

    ``words``: the guidance in the tool's description file, if it has one.
    """
    full = _full(tool, words)
    digest = hashlib.sha256(json.dumps(full, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps({tool["name"]: {**full, "digest": f"sha256:{digest}"}}, ensure_ascii=False)


def refusal_text(tool: JsonObject, words: JsonObject | None = None) -> str:
    """What a model reads when its first call of ``tool`` is answered with the description; ``words`` as above."""
    return refusal_in_words(_full(tool, words))


def _full(tool: JsonObject, words: JsonObject | None) -> JsonObject:
    guided = {**tool, **(words or {})}
    guided["description"] = guided.get("description") or tool["name"]
    return guided
