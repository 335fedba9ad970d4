"""What a migrated server says of itself: the bridge that it lists, and the sentences behind its instructions.

The functions between the markers also stand in every generated module, in lines of at most 88 characters; the report
calls them to count what a migration adds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# --- shared with the generated module: begin ---


def describing_tool(name: str, tools: Iterable[str]) -> dict[str, Any]:
    """The tool that does what the resource does, for models that cannot read one."""
    names = {"type": "array", "items": {"type": "string", "enum": [*tools]}}
    schema = {"type": "object", "properties": {"names": names}, "required": ["names"]}
    return {
        "name": name,
        "description": "Returns the full descriptions of tools of this server "
        "(parameters, examples, errors) and authorises them for this session. Pick "
        "tools by their short descriptions, and call this before you call them.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


def with_guidance(own: str | None, example: str, also: str = "") -> str | None:
    """``own`` instructions, and as many of our sentences as fit behind them.

    Clients cut what is longer than 2,048 characters.
    """
    text, gap = own or "", "\n\n" if own else ""
    fetch = f"read {example} (commas between names){also}"
    for sentence in (
        "The tools of this server are listed in short form, enough to pick one by.",
        f"Before you call a tool, fetch its full description: {fetch}.",
        "Then call the tool with the parameters described there.",
        "Never fetch without naming the tools that you have picked.",
    ):
        if len(text + gap + sentence) > 2048:
            break
        text, gap = text + gap + sentence, " "
    return text or None


# --- shared with the generated module: end ---
