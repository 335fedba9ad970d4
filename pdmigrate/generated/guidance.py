"""Texts that a migrated server adds to its listings: the bridge and help tools, and the end of its instructions.

The functions between the markers also stand in every generated module, in lines of at most 88 characters; the report
calls them to count the tokens that a migration adds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

# --- shared with the generated module: begin ---


def describing_tool(name: str, tools: Iterable[str]) -> dict[str, Any]:
    """The tool that does what the resource does, for models that cannot read one."""
    names = {"type": "array", "items": {"type": "string", "enum": [*tools]}}
    schema = {"type": "object", "properties": {"names": names}, "required": ["names"]}
    return {
        "name": name,
        "description": "Returns the full descriptions of tools of this server, "
        "with their parameters, and authorises them for this session. Pick tools by "
        "their short descriptions, and call this before you call them.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


def with_guidance(own: str | None, example: str, also: str = "") -> str | None:
    """``own`` instructions and ours behind them, if clients read that far."""
    ours = (
        "The tools of this server are listed in short form, enough to pick by. Before "
        "you call tools, fetch the full descriptions of all you need at once: read "
        f"{example} (commas between names){also}. Then call them with the parameters "
        "described there. Never fetch without naming the tools you picked."
    )
    text = f"{own}\n\n{ours}" if own else ours
    return text if len(text) <= 2048 else own  # clients cut what is longer


def first_sentence(description: str | None) -> str | None:
    """The first sentence of a description, or so much of it as a stub has room for."""
    paragraph = " ".join((description or "").strip().split("\n\n")[0].split())
    ends = r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.) |(?<=[。！？।])"
    detail = (
        r"\W*(?:(?:e\.g\.|like|with|using|via|by calling)\W+)?"
        r"(?:[\w.]+\((?:['\"\d]|[^()]*=)"
        r"|`?\w+`? \((?:str|int|float|bool|list|dict|object|number|array)|\{\s*['\"]"
        r"|\b(?:Args|Parameters|Usage|Examples?):)"
    )
    sentence = re.split(detail, re.split(ends, paragraph)[0])[0]
    return f"{sentence[:199]}…" if len(sentence) > 200 else sentence or description


def helping_tool(name: str) -> dict[str, Any]:
    """The tool that returns the help, for models that cannot read a resource."""
    formats = {"type": "string", "enum": ["markdown", "json"], "default": "markdown"}
    section = {"type": "string", "description": "Title of the one section to return."}
    return {
        "name": name,
        "description": "Returns help for this server: what it is for, what it needs, and its tools in short.",
        "inputSchema": {
            "type": "object",
            "properties": {"format": formats, "section": section},
        },
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


def error_lines(name: str, guidance: Any) -> list[str]:
    """What a tool's ``error_guidance`` says, as items of a list in Markdown."""
    given = guidance.get("common_errors") if isinstance(guidance, dict) else guidance
    lines = []
    for one in given if isinstance(given, list) else [given] if given else []:
        parts = one if isinstance(one, dict) else {"cause": one}
        code = f" `{parts['error']}`" if parts.get("error") else ""
        said = [str(parts[key]).rstrip(".") for key in ("cause", "solution") if parts.get(key)]
        lines.append(f"- `{name}`{code}" + (f": {'. '.join(said)}." if said else ""))
    return lines


def help_sections(parts: dict[str, str], tools: list[str], errors: list[str]) -> dict[str, str]:
    """The sections of the help for one reader; two are filled with what they may see."""
    seen = {"Quick Reference": tools, "Error Handling": errors}
    texts = {title: text or "\n".join(seen.get(title, [])) for title, text in parts.items()}
    return {title: text for title, text in texts.items() if text or title == "Quick Reference"}


def camel_case(title: str) -> str:
    """The key of a section in JSON: ``whenToUse`` for "When to Use"."""
    words = "".join(re.findall(r"[^\W_]+", re.sub(r"\b[a-z]", lambda m: m[0].upper(), title)))
    return words[:1].lower() + words[1:]


def help_as_json(metadata: dict[str, Any], sections: dict[str, str]) -> dict[str, Any]:
    """The help as data, in the form of the dashdash draft."""
    made: dict[str, Any] = {camel_case(title): text for title, text in sections.items()}
    for key in ("whenToUse", "quickReference", "errorHandling"):
        if key in made:
            lines = (line.strip().lstrip("-*• ") for line in made[key].splitlines())
            made[key] = [line for line in lines if line]
    if "rateLimits" in made:
        made["rateLimits"] = {"default": made["rateLimits"]}
    rest = {key: value for key, value in metadata.items() if key != "identity"}
    return {"metadata": {**metadata.get("identity", {}), **rest}, "sections": made}


# --- shared with the generated module: end ---
