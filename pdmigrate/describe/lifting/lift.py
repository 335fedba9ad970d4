"""Lift the guidance of one tool; the docstring of the package says what is lifted."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pdmigrate.describe.lifting.example_calls import Call, calls, prompted
from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.sdk.schemas.signatures.styles import google, numpydoc, sphinx

Section = tuple[str, str]
"""A title in lower case, without marks, and the text below it."""

_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(?P<plain>\S.*)|\*\*(?P<bold>[^*\n]+)\*\*:?[ \t]*)$")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_TITLE = re.compile(r"^(?P<title>\w[\w \t'-]{2,48}):[ \t]*$")
_STARTS = re.compile(r"^(?:[-*•]|\d+[.)]|>>>|\.\.\.|```|~~~)(?:[ \t\w]|$)")
_LINE = re.compile(
    r"^(?:[-*•][ \t]+)?(?P<title>(?:usage )?examples?|e\.g\.)[ \t]*:[ \t]+(?P<text>\S.*)$", re.IGNORECASE
)


def sections(text: str) -> list[Section]:
    """Every section of ``text``, once; a line that says ``Example: ...`` is a section of one line."""
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    found = [
        *google(lines).sections,
        *numpydoc(lines).sections,
        *sphinx(lines).sections,
        *_headed(lines),
        *_flush(lines),
    ]
    found += _lines(lines)
    return list(dict.fromkeys((_plain(title), body) for title, body in found if body.strip()))


def _plain(title: str) -> str:
    plain = re.sub(r"[*_`:#]+", " ", title)
    return " ".join(plain.lower().split())


def _headed(lines: list[str]) -> Iterator[Section]:
    """The sections under headings of Markdown; a line in a fenced block is no heading."""
    title, body, fenced = "", list[str](), False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield title, "\n".join(body).strip("\n")
        title, body = heading["plain"] or heading["bold"], []
    if title:
        yield title, "\n".join(body).strip("\n")


def _flush(lines: list[str]) -> Iterator[Section]:
    """Sections whose text is not indented below the title: a list, a fenced block or a call."""
    for index, line in enumerate(lines):
        match = _TITLE.match(line)
        below = index + 1 if lines[index + 1 : index + 2] != [""] else index + 2
        if match is None or below >= len(lines) or not _STARTS.match(lines[below]):
            continue
        body, fenced = list[str](), False
        for position, part in enumerate(lines[below:], below):
            ends = not part.strip() and not (position + 1 < len(lines) and _STARTS.match(lines[position + 1]))
            if not fenced and (ends or _TITLE.match(part)):
                break
            if _FENCE.match(part):
                fenced = not fenced
            body.append(part)
        yield match["title"], "\n".join(body)


def _lines(lines: list[str]) -> Iterator[Section]:
    for line in lines:
        if match := _LINE.match(line.strip()):
            yield match["title"], match["text"]


FIELDS = ("examples", "usage_guidance", "error_guidance")

_WORTH_READING = re.compile(
    r"example|e\.g\.|>>>|raises|except|errors?\b|throws|"
    r"when (?:not )?to use|(?:do not|don't) use|use\b.*\bwhen|use cases?",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(r"(?:usage |common )?examples?(?: usages?| calls?| inputs?| requests?| queries)?|e\.g\.")
_ERRORS = re.compile(r"raises|throws|exceptions|errors|(?:common|possible) errors|error (?:codes|handling|conditions)")
_USAGE = re.compile(
    r"(?P<not>when not to use|(?:do not|don't) use(?: when)?)(?: (?:this|it).*)?"
    r"|(?:when to use|use when|use (?:this )?(?:tool )?when|use cases?)(?: (?:this|it).*)?"
)
_NAMED = r"`[^`]+`|\"[^\"]+\"|\*\*[^*]+\*\*|[\w.-]+(?: [\w.-]+){0,5}"
_ITEM = re.compile(rf"^(?P<error>{_NAMED})[ \t]*(?::| -| –| —)[ \t]+(?P<cause>\S.*)$")
_BULLETS = re.compile(r"^(?:[-*•]|\d+[.)])[ \t]+")
_NAME = re.compile(r"[\w.]+")
_PLACEHOLDER = re.compile(r"^(?:\.\.\.|…|<.*>|\{.*\}|\[.*\])$")


def lifted(definition: Mapping[str, JsonValue], doc: str | None = None) -> JsonObject:
    """The guidance fields that the tool's own texts and schema fill, in the order of ``FIELDS``.

    ``doc``: the docstring of the tool's function, where the SDK leaves parts of the docstring out of the description.
    """
    described = definition.get("description")
    # A docstring without the description in it was written for the people who read the code.
    shown = isinstance(described, str) and doc is not None and " ".join(described.split()) in " ".join(doc.split())
    text = doc if shown else described  # a docstring that is shown contains the description
    text = text if isinstance(text, str) else ""
    found = sections(text) if _WORTH_READING.search(text) else []
    name, schema = str(definition.get("name", "")), definition.get("inputSchema")
    made: JsonObject = {}
    if isinstance(schema, dict) and (examples := _examples(text, found, name, schema)):
        made["examples"] = examples
    if usage := _usage(found):
        made["usage_guidance"] = usage
    if errors := _errors(found):
        made["error_guidance"] = errors
    return made


# --- examples ---------------------------------------------------------------------------------------------------------


def _examples(text: str, found: Sequence[Section], name: str, schema: JsonObject) -> list[JsonValue]:
    properties = schema.get("properties")
    order = [*properties] if isinstance(properties, dict) else []
    written = [
        *(call for title, body in found if _EXAMPLES.fullmatch(title) for call in calls(body, name, order)),
        *(prompted(text, name, order) if ">>>" in text else ()),
        *_of_schema(schema),
    ]
    if not written:
        return []
    by_input: dict[str, Call] = {}
    for call in written:
        by_input.setdefault(json.dumps(call.input, sort_keys=True), call)
    from jsonschema.validators import validator_for

    validator = validator_for(schema)(schema)
    fitting = (call for call in by_input.values() if call.input.keys() <= set(order) and not _vague(call.input))
    return [call.example for call in fitting if validator.is_valid(call.input)]


def _of_schema(schema: JsonObject) -> Iterator[Call]:
    """The examples that a schema gives for its whole value, and those of its only required property."""
    whole, properties, required = schema.get("examples"), schema.get("properties"), schema.get("required", [])
    yield from (Call(value) for value in (whole if isinstance(whole, list) else []) if isinstance(value, dict))
    if not isinstance(properties, dict) or not isinstance(required, list) or len(required) != 1:
        return
    only = properties.get(str(required[0]))
    values = only.get("examples") if isinstance(only, dict) else None
    yield from (Call({str(required[0]): value}) for value in (values if isinstance(values, list) else []))


def _vague(value: JsonValue) -> bool:
    """Whether a value is a placeholder, or holds one: ``...``, ``<id>``."""
    if isinstance(value, str):
        return bool(_PLACEHOLDER.match(value.strip()))
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_vague, parts))


# --- words ------------------------------------------------------------------------------------------------------------


def _usage(found: Sequence[Section]) -> JsonObject:
    made: JsonObject = {}
    for title, text in found:
        match = _USAGE.fullmatch(title)
        if match is not None:
            made.setdefault("when_not_to_use" if match["not"] else "when_to_use", [*_items(text)])
    return made


def _errors(found: Sequence[Section]) -> JsonValue:
    """Errors with their causes if every item of every section has both, otherwise the text unchanged."""
    texts = [text for title, text in found if _ERRORS.fullmatch(title)]
    items = [_ITEM.match(item) for text in texts for item in _items(text)]
    if not all(items):
        return "\n".join(texts)
    told: list[JsonValue] = [{"error": item["error"].strip('`*"'), "cause": item["cause"]} for item in items if item]
    return {"common_errors": told} if told else None


def _items(text: str) -> Iterator[str]:
    """The items of a list, or the paragraphs of a text, each in one line."""
    open_lines: list[str] = []
    listed = any(_BULLETS.match(line) for line in text.split("\n"))
    for line in [*text.split("\n"), ""]:
        named = ":" in line or bool(_NAME.fullmatch(line))
        starts = bool(_BULLETS.match(line)) or (not listed and named and not line[0].isspace())
        if open_lines and (starts or not line.strip()):
            yield " ".join(open_lines)
            open_lines = []
        if line.strip():
            if len(open_lines) == 1 and line[0].isspace() and _NAME.fullmatch(open_lines[0]):
                open_lines = [f"{open_lines[0]}:"]  # numpy: the name of the error, and its cause indented below
            open_lines.append(_BULLETS.sub("", line).strip() if starts else line.strip())
