"""Lift guidance that the code already holds into the fields that the specification has for it (3.2, 4.4).

Read are the sections of Google style in a docstring or description: a title with a colon, and indented text below it.
``examples`` are calls in an example section, or the ``examples`` of a schema; ``error_guidance`` are the sections about
errors, and ``usage_guidance`` those about when to use the tool.  No text is written here and no value is invented: a
text that does not clearly belong to one of these fields stays where it is, and a call that the tool's schema rejects is
no example.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.sdk.schemas.signatures.docstrings import google

_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
_EXAMPLES = re.compile(r"(?:usage )?examples?(?: usages?| calls?)?")
_ERRORS = re.compile(r"raises|throws|exceptions|errors|(?:common|possible) errors|error (?:codes|handling|conditions)")
_USAGE = re.compile(
    r"(?P<not>when not to use|do not use(?: when)?)(?: (?:this|it).*)?"
    r"|(?:when to use|use (?:this )?(?:tool )?when|use cases?)(?: (?:this|it).*)?"
)
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)])[ \t]+")
_ITEM = re.compile(r"^(?P<error>[\w.-]+(?: [\w.-]+){0,5}):[ \t]+(?P<cause>\S.*)$")


def lifted(definition: Mapping[str, JsonValue], doc: str | None = None) -> JsonObject:
    """The guidance fields that the tool's own texts and schema fill.

    ``doc``: the docstring of the tool's function, where the SDK leaves parts of the docstring out of the description.
    """
    described = definition.get("description")
    # A docstring without the description in it was written for the people who read the code.
    shown = isinstance(described, str) and doc is not None and " ".join(described.split()) in " ".join(doc.split())
    text = doc if shown else described  # a docstring that is shown contains the description
    sections = google(inspect.cleandoc(text.rstrip()).split("\n")).sections if isinstance(text, str) else []
    name, schema = str(definition.get("name", "")), definition.get("inputSchema")
    made: JsonObject = {}
    if isinstance(schema, dict) and (examples := _examples(sections, name, schema)):
        made["examples"] = examples
    if usage := _usage(sections):
        made["usage_guidance"] = usage
    if errors := _errors(sections):
        made["error_guidance"] = errors
    return made


def _examples(sections: Sequence[tuple[str, str]], name: str, schema: JsonObject) -> list[JsonValue]:
    properties = schema.get("properties")
    order = [*properties] if isinstance(properties, dict) else []
    written = [
        *(call for title, body in sections if _EXAMPLES.fullmatch(title) for call in _calls(body, name, order)),
        *_of_schema(schema),
    ]
    if not written:
        return []
    from jsonschema.exceptions import UnknownType
    from jsonschema.validators import validator_for

    validator = validator_for(schema)(schema)
    distinct = {json.dumps(call, sort_keys=True): call for call in written}.values()
    try:
        return [{"input": call} for call in distinct if call.keys() <= set(order) and validator.is_valid(call)]
    except UnknownType:  # which is said of the schema itself (PD405)
        return []


def _calls(text: str, name: str, order: Sequence[str]) -> Iterator[JsonObject]:
    """The arguments of the calls of ``name`` whose values are literals; ``order`` lists the tool's parameters."""
    prompted = [line for line in text.split("\n") if _PROMPT.match(line)]  # what a doctest prints is no source
    try:
        tree = ast.parse("\n".join(_PROMPT.sub("", line) for line in prompted) or text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or len(node.args) > len(order):
            continue
        if getattr(node.func, "id", getattr(node.func, "attr", "")) != name:
            continue
        given = [*zip(order, node.args, strict=False), *((word.arg, word.value) for word in node.keywords)]
        try:
            call = {str(key): ast.literal_eval(value) for key, value in given}
            yield json.loads(json.dumps(call, allow_nan=False))
        except (ValueError, TypeError, RecursionError):
            continue


def _of_schema(schema: JsonObject) -> Iterator[JsonObject]:
    whole, properties, required = schema.get("examples"), schema.get("properties"), schema.get("required", [])
    yield from (value for value in (whole if isinstance(whole, list) else []) if isinstance(value, dict))
    if not isinstance(properties, dict) or not isinstance(required, list) or len(required) != 1:
        return
    only = properties.get(str(required[0]))
    values = only.get("examples") if isinstance(only, dict) else None
    yield from ({str(required[0]): value} for value in (values if isinstance(values, list) else []))


def _usage(sections: Sequence[tuple[str, str]]) -> JsonObject:
    made: JsonObject = {}
    for title, text in sections:
        if (match := _USAGE.fullmatch(title)) is not None:
            made.setdefault("when_not_to_use" if match["not"] else "when_to_use", [*_items(text)])
    return made


def _errors(sections: Sequence[tuple[str, str]]) -> JsonValue:
    """Errors with their causes if every item of every section has both, otherwise the text unchanged."""
    texts = [text for title, text in sections if _ERRORS.fullmatch(title)]
    items = [_ITEM.match(item) for text in texts for item in _items(text)]
    if not all(items):
        return "\n".join(texts)
    told: list[JsonValue] = [{"error": item["error"], "cause": item["cause"]} for item in items if item]
    return {"common_errors": told} if told else None


def _items(text: str) -> Iterator[str]:
    """The items of a list, or the paragraphs of a text, each in one line."""
    open_lines: list[str] = []
    listed = any(_BULLET.match(line) for line in text.split("\n"))
    for line in [*text.split("\n"), ""]:
        starts = bool(_BULLET.match(line)) or (not listed and ":" in line and not line[0].isspace())
        if open_lines and (starts or not line.strip()):
            yield " ".join(open_lines)
            open_lines = []
        if line.strip():
            open_lines.append(_BULLET.sub("", line).strip() if starts else line.strip())
