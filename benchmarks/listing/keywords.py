"""What each keyword costs that stubs keep: ``python -m benchmarks.listing.keywords FOLDER``, a folder of listings.

Counted is what a model sees of the tools: name, description and input schema.  The cost of a keyword is what the same
stubs are shorter by without it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdmigrate.audit.catalogue import Catalogue
from pdmigrate.audit.economics import audited
from pdmigrate.audit.tokens import Counter, counter
from pdmigrate.describe.summaries import summaries
from pdmigrate.model import JsonObject
from pdmigrate.runtime.stubs import skeleton_schema

Change = Callable[[JsonObject], JsonObject]
"""What is done to each schema within a schema."""


@dataclass(frozen=True, slots=True)
class Cost:
    """``tools`` of the stubs have the keyword, and are ``tokens`` shorter without it."""

    tools: int
    tokens: int


def costs(listings: Mapping[str, Sequence[JsonObject]], using: Counter) -> dict[str, Cost]:
    """The cost of every keyword, by what it is called in the table."""
    seen = [
        (tool, text, schema if isinstance(schema := tool.get("inputSchema"), dict) else {})
        for tools in listings.values()
        for made in [summaries({str(tool["name"]): tool.get("description") for tool in tools})]
        for tool in tools
        for text in [made.get(str(tool["name"]), "")]
    ]

    def counted(change: Change | None, *, before: bool = False) -> list[int]:
        return [
            using.count(
                _compact({"name": tool["name"], "description": text, "inputSchema": _stub(full, change, before)})
            )
            for tool, text, full in seen
        ]

    whole = counted(None)
    found = {}
    for name, (change, before) in KEYWORDS.items():
        saved = [one - other for one, other in zip(whole, counted(change, before=before), strict=True)]
        found[name] = Cost(sum(map(bool, saved)), sum(saved))
    return found


def _stub(full: JsonObject, change: Change | None, before: bool) -> JsonObject:
    """The stub of a schema, changed before it is pruned or after."""
    if change is None:
        return skeleton_schema(full)
    return skeleton_schema(changed(full, change)) if before else changed(skeleton_schema(full), change)


def changed(schema: Any, change: Change) -> Any:
    """A schema with every schema within it changed; names of properties and values are none."""
    if not isinstance(schema, dict):
        return schema
    result: JsonObject = {}
    for key, value in schema.items():
        if key in ("properties", "$defs", "definitions") and isinstance(value, dict):
            result[key] = {name: changed(part, change) for name, part in value.items()}
        elif key in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            result[key] = [changed(part, change) for part in value]
        elif key == "items":
            result[key] = changed(value, change)
        else:
            result[key] = value
    return change(result)


def _without(*keys: str) -> Change:
    return lambda schema: {key: value for key, value in schema.items() if key not in keys}


def _without_null(schema: JsonObject) -> JsonObject:
    """What is left of a union where null is no choice; a single one stands for itself."""
    kind, union = schema.get("type"), schema.get("anyOf")
    if isinstance(kind, list) and "null" in kind:
        left = [one for one in kind if one != "null"]
        return {**schema, "type": left[0] if len(left) == 1 else [*left]}
    if not isinstance(union, list) or {"type": "null"} not in union:
        return schema
    others = [one for one in union if one != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    only = others[0] if len(others) == 1 else {"anyOf": others}
    return {**rest, **only} if isinstance(only, dict) else schema


def _without_unions(schema: JsonObject) -> JsonObject:
    union = _without_null(schema).get("anyOf")
    return {key: value for key, value in schema.items() if key != "anyOf"} if isinstance(union, list) else schema


KEYWORDS: dict[str, tuple[Change, bool]] = {
    "`required`": (_without("required"), False),
    "`default`": (_without("default"), False),
    "null, as a choice": (_without_null, False),
    "unions of other types": (_without_unions, False),
    "`enum` and `const`": (_without("enum", "const"), False),
    "`items`": (_without("items"), False),
    "`additionalProperties`": (_without("additionalProperties"), False),
    "what `$ref` and `allOf` lead to": (_without("$ref", "allOf"), True),
    "`x-mcp-header`": (_without("x-mcp-header"), False),
}
"""What is left out, and whether of the full schema or of the stub."""


def report(listings: Mapping[str, Sequence[JsonObject]], using: Counter) -> Iterable[str]:
    """Two tables in Markdown: the listings in each form, and what each keyword costs."""
    audits = {
        kind: [audited(Catalogue(name, tuple(tools)), using, kind=kind) for name, tools in listings.items() if tools]
        for kind in ("skeleton", "open")
    }
    now = sum(audit.now for audit in audits["skeleton"])
    yield f"{sum(map(len, listings.values())):,} tools of {len(listings)} servers, {now:,} tokens by {using.name}"
    yield from ("", "| stubs | tokens | saved | bridges | guidance | saved with both |", "|---|---|---|---|---|---|")
    for kind, made in audits.items():
        bridge, guidance = sum(audit.bridge for audit in made), sum(audit.guidance for audit in made)
        after = sum(audit.after for audit in made) - bridge - guidance
        with_both = _percent(1 - (after + bridge + guidance) / now)
        yield f"| {kind} | {after:,} | {_percent(1 - after / now)} | {bridge:,} | {guidance:,} | {with_both} |"
    yield from ("", "| kept in a skeleton | tools | tokens | of the full listings |", "|---|---|---|---|")
    for name, cost in costs(listings, using).items():
        yield f"| {name} | {cost.tools:,} | {cost.tokens:,} | {_percent(cost.tokens / now, 2)} |"


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.listing.keywords", description=__doc__)
    parser.add_argument("folder", type=Path, help="one <server>.json per server, an object with its tools")
    folder = parser.parse_args().folder
    listings = {path.stem: json.loads(path.read_bytes())["tools"] for path in sorted(folder.glob("*.json"))}
    if not any(listings.values()):
        sys.stderr.write(f"{folder} holds no listing with tools\n")
        return 2
    sys.stdout.write("\n".join(report(listings, counter())) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
