"""Which tool may be called, and with what, so that nothing happens even where the gate is missing.

A gate has to answer before anything runs, but a check must not rely on what it checks.  So the tool is one that only
reads, or one that cannot run on the arguments it is given; if there is no such tool, none is called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pdmigrate.live.verify.answers import NotAsked, name_of
from pdmigrate.model import JsonObject, JsonValue, mapping

_READS = re.compile(
    "browse|check|compare|count|describe|detect|diff|echo|explain|fetch|find|get|help|hello|info|inspect|list"
    "|lookup|ls|overview|peek|ping|preview|query|read|recent|resolve|retrieve|scan|search|select|show|stat|stats"
    "|status|summarize|validate|version|view|whoami"
)
_ACTS = re.compile(
    "abort|activate|add|append|apply|approve|archive|assign|attach|ban|build|buy|cancel|charge|checkout|clean"
    "|clear|clone|commit|configure|confirm|convert|create|curl|deactivate|delete|demote|deploy|destroy|detach"
    "|disable|disconnect|dismiss|download|drop|edit|enable|eval|exec|execute|export|forget|generate|grant|greet"
    "|import|increment|init|insert|install|invite|invoke|kick|kill|launch|manage|merge|modify|move|notify|opt"
    "|overwrite|patch|pay|populate|post|promote|publish|pull|purge|push|put|reboot|refresh|register|reject"
    "|remember|remove|rename|replace|reply|resend|reset|restart|restore|resume|revert|revoke|run|save|schedule"
    "|send|set|shutdown|start|stop|store|submit|subscribe|swap|switch|sync|terminate|toggle|trade|transfer"
    "|trigger|truncate|undo|uninstall|unlock|unpause|unsubscribe|update|upload|upsert|wipe|withdraw|write"
)
"""Words for an action, wherever they stand in a name."""
_MAY_ACT = re.compile(
    "accept|block|book|broadcast|call|cast|change|click|close|comment|complete|connect|copy|fill|fork|format"
    "|forward|index|like|link|lock|log|login|logout|make|mark|message|navigate|open|order|pause|play|press"
    "|process|receive|record|request|share|sign|tag|test|type|use|vote"
)
"""Words that are verbs at the beginning of a name, and mostly nouns elsewhere (``get_order``)."""


@dataclass(frozen=True, slots=True)
class Pick:
    """The tool to call, why it may be called, and the arguments if the user gave any."""

    name: str
    why: str
    arguments: JsonObject | None = None


def pick(tools: Sequence[JsonObject]) -> Pick | NotAsked:
    """The least harmful tool of a listing, if there is one.  A bridge answers by design and is left out."""
    names = {name_of(tool) for tool in tools}
    ranked = [(harm(tool), tool) for tool in tools if name_of(tool) and bridge_parameter(tool, names) is None]
    allowed = [(rank, tool) for rank, tool in ranked if rank is not None]
    if not allowed:
        count = f"none of the {len(ranked)} tools" if ranked else "no tool"
        return NotAsked(f"{count} is known to be harmless to call: choose one with --tool, and its --arguments")
    (_, why), best = min(allowed, key=lambda entry: entry[0][0])
    return Pick(name_of(best), why)


def harm(tool: JsonObject) -> tuple[int, str] | None:
    """A rank (0 is the most harmless) with its reason; ``None`` if a call might do something."""
    hints = mapping(tool.get("annotations"))
    words = _words(name_of(tool))
    acts = any(map(_ACTS.fullmatch, words)) or any(map(_MAY_ACT.fullmatch, words[:1]))
    required = bool(mapping(tool.get("inputSchema")).get("required"))
    if hints.get("readOnlyHint") is True:
        return (0, "says that it only reads; it needs arguments") if required else (2, "says that it only reads")
    if acts or hints.get("destructiveHint") is True:
        return None
    if any(map(_READS.fullmatch, words)) and hints.get("readOnlyHint") is not False:
        return (1, "by its name it only reads; it needs arguments") if required else (3, "by its name it only reads")
    return (4, "needs arguments, and gets none") if required else None


def fails_harmlessly(tool: JsonObject) -> bool:
    """Whether a call without arguments must fail, and would only read if it ran nevertheless."""
    found = harm(tool)
    return found is not None and found[0] <= 1


def wrong_arguments(schema: JsonObject) -> JsonObject:
    """Arguments that ``schema`` rejects, if it rejects any: required ones are missing, or one has a wrong type.

    A property with a single allowed value gets that value: this is how a schema asks for a token to be sent back.
    """
    properties = {key: mapping(value) for key, value in mapping(schema.get("properties")).items()}
    given = {key: only[0] for key, value in properties.items() if (only := _only(value))}
    if set(_strings(schema.get("required"))) - set(given):
        return given
    wrong = {key: _wrong(value) for key, value in properties.items() if key not in given}
    chosen = next(((key, value) for key, value in wrong.items() if value is not None), None)
    return {**given, chosen[0]: chosen[1]} if chosen else given


def receipts(schema: JsonObject, before: JsonObject) -> JsonObject:
    """The receipts that a definition asks for: required properties with a single value that are not in ``before``."""
    known, required = mapping(before.get("properties")), _strings(schema.get("required"))
    properties = {key: mapping(value) for key, value in mapping(schema.get("properties")).items() if key not in known}
    return {key: only[0] for key, value in properties.items() if key in required and (only := _only(value))}


def receipts_beyond(schema: JsonObject, stub: JsonObject) -> JsonObject:
    """The receipts that only the definition gives; its stub may list them as optional parameters without a value."""
    required = _strings(stub.get("required"))
    listed = {key: mapping(value) for key, value in mapping(stub.get("properties")).items()}
    told: JsonObject = {key: value for key, value in listed.items() if key in required or _only(value)}
    return receipts(schema, {"properties": told})


def bridge_parameter(tool: Mapping[str, JsonValue], names: set[str]) -> str | None:
    """The parameter for names of tools, if the tool looks like a bridge to the descriptions; ``None`` if not."""
    properties = mapping(mapping(tool.get("inputSchema")).get("properties"))
    for key, value in properties.items():
        enum = _strings(mapping(mapping(value).get("items")).get("enum"))
        if enum and set(enum) <= names:
            return key
    return next(iter(properties), "names") if name_of(dict(tool)).endswith("_describe_tools") else None


def _only(schema: JsonObject) -> list[JsonValue]:
    """The single value that a schema allows, in a list; an empty list if it does not name just one."""
    enum = [schema["const"]] if "const" in schema else schema.get("enum")
    return enum if isinstance(enum, list) and len(enum) == 1 else []


_WRONG: tuple[tuple[str, JsonValue], ...] = (
    ("string", "deliberately wrong"),
    ("array", []),
    ("object", {"deliberately": "wrong"}),
)


def _wrong(schema: JsonObject) -> JsonValue:
    """A value of a type that ``schema`` does not allow; ``None`` where there is none, or no type is given."""
    allowed = _types(schema)
    return next((value for kind, value in _WRONG if kind not in allowed), None) if allowed else None


def _types(schema: JsonObject) -> set[str]:
    """The types that a schema allows, through its union; empty if a part of the union gives no type."""
    if (kind := schema.get("type")) is not None:
        return {kind} if isinstance(kind, str) else set(_strings(kind))
    union = schema.get("anyOf") or schema.get("oneOf")
    branches = [_types(mapping(branch)) for branch in union] if isinstance(union, list) else []
    return set().union(*branches) if all(branches) else set()


def _strings(value: JsonValue) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z]+", spaced) if word]
