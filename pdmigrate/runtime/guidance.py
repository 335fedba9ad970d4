"""Texts of a migrated server: the bridge and help tools, the end of its instructions, descriptions and refusals.

The functions between the markers also stand in every generated module, in lines of at most 88 characters; those at the
end predict answers that the module makes in its own way, which ``tests/runtime/test_served.py`` compares.  Reports call
them to count tokens.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any
from urllib.parse import quote

from pdmigrate.model import JsonObject

Json = dict[str, Any]

# --- shared with the generated module: begin ---


def describing_tool(name: str, tools: list[str]) -> dict[str, Any]:
    """The tool that does what the resource does, for models that cannot read one."""
    one = {"type": "string"} | ({"enum": tools} if 0 < len(tools) < 64 else {})
    names = {"names": {"type": "array", "items": one}}
    return {
        "name": name,
        "description": "Returns the full descriptions of tools of this server, "
        "with their parameters, and authorises them for this session. Pick tools by "
        "their short descriptions, and call this before you call them.",
        "inputSchema": {"type": "object", "properties": names, "required": ["names"]},
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


SWITCH = "Or the user can set PROGRESSIVE_DISCLOSURE=off in this server's environment."
DELIVERED = "Its description is in tool_description: call again now. If it is cut, read"


def refusal_in_words(full: dict[str, Any]) -> str:
    """What a first call gets, in words: small models repeat or explain an object."""
    schema = {**own} if hasattr(own := full.get("inputSchema", {}), "keys") else {}
    more = {key: full[key] for key in full if key.endswith(("_guidance", "examples"))}
    told = {"parameters": schema.pop("properties", {}) or "none"} | schema | more
    words = in_words({key: told[key] for key in told if key not in ("type", "title")})
    return (
        f"TOOL_DESCRIPTION_REQUIRED: {full['name']} was not called: its description "
        f"has to be read before its first use. This is the description:\n\n"
        f"{full['description']}\n{words}\n\nDo not explain. Reply with your call of "
        f"{full['name']}, its arguments corrected by this description."
    )


def in_words(value: Json | list[Any] | str | float | None, start: str = "\n") -> str:
    """JSON as lines of words, each with ``start`` before it."""
    if not isinstance(value, dict | list):
        plain = isinstance(value, str) and value == value.strip() != ""
        return f" {value if plain else json.dumps(value)}"
    if isinstance(value, dict):
        named = [(f"{key}:", part) for key, part in value.items()]
    elif any(isinstance(part, dict | list) for part in value):
        named = [("-", part) for part in value]
    else:
        return ",".join(map(in_words, value))
    return "".join(f"{start}{key}{in_words(part, f'{start}  ')}" for key, part in named)


def with_guidance(own: str | None, example: str, also: str = "") -> str | None:
    """``own`` instructions and ours behind them, if clients read that far."""
    ours = (
        "The tools of this server are listed in short form, enough to pick by. Before "
        "you call tools, fetch the full descriptions of all you need at once: read "
        f"{example} (commas between names){also}. Then call them with the parameters "
        "described there. Never fetch without naming the tools you picked."
    )
    text = f"{own}\n\n{ours}" if own else ours
    # Clients cut longer texts; instructions that hold our words stay as they are.
    return own if len(text) > 2048 or ours in (own or "") else text


def first_sentence(text: str | None) -> str:
    """The first sentence that is no step or detail, cut to what a stub has room for."""
    lists = r"\n\s*(?:[-*•] \w|:\w|```)|(?:^|\s)(?:Args|Param\w+):|\s(?:Returns|Usage):"
    ends = r"(?<=[.!?])(?<!\b[ei]\.[ge]\.|\betc\.)(?<!^\d\.)\s|(?<=[。！？।])|\n\s*\n"
    step = r"[\W\d]*(?:$|(?:first|then),? (?:call|use|run|get|list|you)|step \d|before)"
    detail = (
        r"\W{0,9}(?:(?:e\.g\.|like|with|using|via|by calling)\W+)?"
        r"(?:[\w.]+\((?:['\"\d]|[^()]*=)|\b(?:Usage|Examples?):"
        r"|`?\w+`? \((?:str|int|float|bool|list|dict|object|number|array)|\{\s*['\"])"
    )
    parts = re.split(ends, re.split(lists, (text or "").strip())[0])
    cut = [re.split(detail, " ".join(part.split()))[0] for part in parts]
    sentence = next((s for s in cut if not re.match(step, s.lower())), cut[0])
    return f"{sentence[:199]}…" if len(sentence) > 200 else sentence


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
    given: Any = guidance.get("common_errors") if hasattr(guidance, "get") else guidance
    lines: list[str] = []
    for one in given if hasattr(given, "append") else [given] if given else []:
        parts: Json = one if hasattr(one, "get") else {"cause": one}
        code = f" `{parts['error']}`" if parts.get("error") else ""
        texts = [str(parts.get(key) or "") for key in ("cause", "solution")]
        said = [text.rstrip(".") for text in texts if text]
        lines.append(f"- `{name}`{code}" + (f": {'. '.join(said)}." if said else ""))
    return lines


def help_sections(parts: dict[str, str], tools: list[str], errors: list[str]) -> dict[str, str]:
    """The sections of the help for one reader; two are filled with what they may see."""
    seen = {"Quick Reference": "\n".join(tools), "Error Handling": "\n".join(errors)}
    texts = {title: text or seen.get(title, "") for title, text in parts.items()}
    kept = (title for title in texts if texts[title] or title == "Quick Reference")
    return {title: texts[title] for title in kept}


def camel_case(title: str) -> str:
    """The key of a section in JSON: ``whenToUse`` for "When to Use"."""
    capital = re.sub(r"\b[a-z]", lambda m: m[0].upper(), title)
    words = "".join(re.findall(r"[^\W_]+", capital))
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
