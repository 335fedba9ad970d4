"""What hosts and providers do to a server as it is today, before any migration.

Providers validate the whole list of tools, and refuse all of it for one tool, be it a stub or a full definition.
``clients.json`` says who has a rule, where that was seen, and when; hosts change, so a rule holds for its date.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pdmigrate import disk
from pdmigrate.audit.catalogue import Catalogue
from pdmigrate.audit.search import SearchIndex, document, words
from pdmigrate.counting import joined
from pdmigrate.describe.summaries import summarise
from pdmigrate.model import JsonObject, JsonValue, mapping

TYPES = ("string", "number", "integer", "boolean", "object", "array")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of ``who``, according to ``source`` (a URL) on ``date``; ``limit`` is the number in it, or 0."""

    who: str
    source: str
    date: str
    limit: int = 0

    @property
    def seen(self) -> str:
        return f"{self.source}, {self.date}"


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name in ``clients.json``."""
    return {name: Rule(**told) for name, told in json.loads(disk.packaged("audit/clients.json")).items()}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A breach of the rule ``name``: ``problem`` says what is wrong at ``path`` (``properties.tags.items``)."""

    path: str
    problem: str
    name: str

    @property
    def rule(self) -> Rule:
        return rules()[self.name]


def refusals(tool: JsonObject) -> Iterator[Refusal]:
    """The known breaches in the ``inputSchema`` of a listed tool."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        yield Refusal("", "there is no input schema", "no schema")
        return
    yield from _root(schema)
    yield from _nested(schema)


def _root(schema: JsonObject) -> Iterator[Refusal]:
    if schema.get("type") != "object":
        yield Refusal("", 'its type is not "object"', "no schema")
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield Refusal("", "it has no properties", "no properties")
        properties = {}
    for word in ("anyOf", "oneOf", "allOf", "not", "enum"):
        if word in schema:
            yield Refusal("", f"{word} stands at the top level", "union at the root")
    for name in properties:
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
            problem = "the name of a property is not 1 to 64 of A-Z, a-z, 0-9, _, . and -"
            yield Refusal(f"properties.{name}", problem, "property name")
    required = schema.get("required")
    for wanted in required if isinstance(required, list) else ():
        if wanted not in list(properties):
            yield Refusal("required", f"{wanted!r} is required but not a property", "required without property")


def _nested(schema: JsonValue, *steps: str) -> Iterator[Refusal]:
    path = ".".join(steps)
    if not isinstance(schema, dict):
        yield Refusal(path, "a schema that is not an object", "boolean schema")
        return
    yield from _types(schema, path)
    yield from _values(schema, path)
    for word in ("$ref", "$schema", "$defs", "additionalProperties"):
        if word in schema:
            yield Refusal(path, f"it uses {word}", "reference" if word in ("$ref", "$defs") else "unknown keyword")
    for name, value in mapping(schema.get("properties")).items():
        yield from _nested(value, *steps, "properties", name)
    for word in ("anyOf", "oneOf", "allOf"):
        options = schema.get(word)
        for number, option in enumerate(options if isinstance(options, list) else ()):
            yield from _nested(option, *steps, word, str(number))
    if "items" in schema:
        yield from _nested(schema["items"], *steps, "items")


def _types(schema: JsonObject, path: str) -> Iterator[Refusal]:
    kind = schema.get("type")
    if isinstance(kind, list):
        yield Refusal(path, "several types in a list", "several types")
    elif kind is not None and kind not in (*TYPES, "null"):
        yield Refusal(path, f"{kind!r} is not a type", "no such type")
    if kind == "array" and not isinstance(schema.get("items"), dict):
        yield Refusal(path, "an array that does not say what its items are", "array without items")
    if kind != "object" and path and ("properties" in schema or "required" in schema):
        yield Refusal(path, "properties or required without the type object", "properties of no object")


def _values(schema: JsonObject, path: str) -> Iterator[Refusal]:
    if "enum" not in schema:
        return
    enum = schema["enum"]
    if not isinstance(enum, list) or not enum or not all(isinstance(value, str) for value in enum):
        yield Refusal(path, "an empty enum" if enum == [] else "an enum with non-string values", "enum of no strings")
    elif "" in enum:
        yield Refusal(path, "an enum with an empty string", "enum with an empty string")
    elif schema.get("type") != "string":
        yield Refusal(path, "an enum without the type string", "enum without a type")


COMMON, SHARE = 20, 0.25
"""A word does not distinguish tools if it is in more than ``COMMON`` of them and in more than the share ``SHARE``."""


@dataclass(frozen=True, slots=True)
class Remark:
    """``message`` says what happens to ``tool`` (``None``: to the server), ``source`` where and when that was seen.

    ``kind`` is the same for remarks that differ only in the tool; ``lost`` is the text that is cut off.
    """

    code: str
    kind: str
    message: str
    source: str
    tool: str | None = None
    lost: str = ""


def remarks(catalogue: Catalogue) -> Iterator[Remark]:
    """All remarks about a server, the worst first."""
    yield from _refused(catalogue.tools)
    yield from _named(catalogue)
    yield from _cut(catalogue)
    yield from _confused(catalogue.tools)
    if catalogue.tools:
        yield deferring()


def deferring() -> Remark:
    """The remark about hosts for whose users a migration changes little."""
    found = [rule for name, rule in rules().items() if name.startswith("defers")]
    hosts = " and ".join(", ".join(rule.who for rule in found).rsplit(", ", 1))
    kind = f"{hosts} load tools on demand, so a shorter listing saves little there"
    return Remark("PD635", kind, kind, "; ".join(rule.seen for rule in found))


def _refused(tools: Sequence[JsonObject]) -> Iterator[Remark]:
    for tool in tools:
        first: dict[str, Refusal] = {}
        for refusal in refusals(tool):
            first.setdefault(refusal.problem, refusal)
        for refusal in first.values():
            where = f", at {refusal.path}" if refusal.path else ""
            problem = f"{refusal.rule.who} may refuse a schema: {refusal.problem}"
            yield Remark("PD632", problem, f"{problem}{where}", refusal.rule.seen, str(tool["name"]))


def _named(catalogue: Catalogue) -> Iterator[Remark]:
    names = [str(tool["name"]) for tool in catalogue.tools]
    alike: dict[str, list[str]] = defaultdict(list)
    for name in names:
        alike[re.sub(r"[^A-Za-z0-9]", "_", name).lower()].append(name)
        for rule, fault in (faults := [*_misnamed(name)]):
            kind = f"OpenAI and Anthropic accept {rule}"
            yield Remark("PD633", kind, f"{kind}; {fault}", rules()["name"].seen, name)
        if not faults:
            yield from _long(name, catalogue.name)
    for same in alike.values():
        if len(same) > 1:
            kind = "hosts that replace characters or ignore case may confuse these tools"
            yield Remark("PD633", kind, f"{kind}: {', '.join(same)}", rules()["names alike"].seen, same[0])


def _misnamed(name: str) -> Iterator[tuple[str, str]]:
    """What providers accept as a tool's name, and how ``name`` differs from that."""
    if odd := [*dict.fromkeys(re.findall(r"[^A-Za-z0-9_-]", name))]:
        yield "only A-Z, a-z, 0-9, _ and - in a tool's name", f"this name has {joined([*map(repr, odd)])}"
    if not 1 <= len(name) <= 64:
        yield "1 to 64 characters in a tool's name", f"this name has {len(name)}"


def _long(name: str, server: str) -> Iterator[Remark]:
    """Remarks about a tool's name that is too long with the server's; users often add a server under its own name."""
    stem = re.sub(r"[^A-Za-z0-9_-]", "_", server)
    for host, whole in (("Cursor", f"{stem}:{name}"), ("Claude Code", f"mcp__{stem}__{name}")):
        rule = rules()[f"name with its server, {host}"]
        if len(whole) > rule.limit:
            kind = f"{host} accepts at most {rule.limit} characters for server and tool name together"
            told = f"{kind}; this makes {len(whole)} under the server name {stem!r}"
            yield Remark("PD633", kind, told, rule.seen, name)


def _cut(catalogue: Catalogue) -> Iterator[Remark]:
    rule = rules()["cut"]
    for tool in catalogue.tools:
        description = tool.get("description")
        if isinstance(description, str) and len(description) > rule.limit:
            yield _lost(rule, f"a description of {len(description):,}", description, str(tool["name"]))
    instructions = catalogue.instructions or ""
    if len(instructions) > rule.limit:
        yield _lost(rule, f"the server's instructions of {len(instructions):,}", instructions, None)


def _lost(rule: Rule, what: str, text: str, tool: str | None) -> Remark:
    kind = f"{rule.who} cuts what is longer than {rule.limit:,} characters"
    return Remark("PD631", kind, f"{kind}: {what} loses its end", rule.seen, tool, text[rule.limit :])


def _confused(tools: Sequence[JsonObject]) -> Iterator[Remark]:
    """Remarks about tools whose own first sentence finds a sibling first, or as well, in hosts with keyword search."""
    index = SearchIndex([document(tool) for tool in tools])
    most = max(COMMON, SHARE * len(tools))
    for number, tool in enumerate(tools):
        description = tool.get("description")
        asked = words(summarise(description) or "") if isinstance(description, str) else []
        scores = index.scores([word for word in asked if index.frequency(word) <= most])
        top = max(scores)
        if top > 0 and (scores[number] < top or scores.count(top) > 1):
            scores_of_others = [-1.0 if other == number else score for other, score in enumerate(scores)]
            best = tools[scores_of_others.index(top)]["name"]
            how = "just as well" if scores[number] == top else "first"
            kind = "a search for the first sentence of a description finds a sibling first"
            found = f"a search for its first sentence finds {best} {how}"
            yield Remark("PD634", kind, found, rules()["found by search"].seen, str(tool["name"]))
