"""Lift guidance that the code already holds into the fields that the specification has for it (3.2, 4.4).

``examples`` are calls that somebody wrote: in an example section of a docstring, also in fenced blocks or after doctest
prompts, or in the ``examples`` of a schema.  ``error_guidance`` are the sections about errors and ``usage_guidance``
those about when to use the tool.  No text is written here and no value is invented: a text that does not clearly belong
to one of these fields stays where it is, and a call that the tool's schema rejects is no example.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.sdk.schemas.signatures.docstrings import google, numpydoc, sphinx

_PROMPT = re.compile(r"^([ \t]*)(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]+")
_ANSWER = re.compile(r"\b(?:returns?|results?|outputs?|respon[sd]\w*|answers?|gives?)\b", re.IGNORECASE)
_CAPTION = re.compile(r"(?:usage )?examples?(?: usage)?", re.IGNORECASE)
_INLINE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call, and what its author said about it."""

    input: JsonObject
    said: str = ""

    @property
    def example(self) -> JsonObject:
        described: JsonObject = {"description": self.said} if self.said else {}
        return {**described, "input": self.input}


def calls(text: str, name: str, order: Sequence[str]) -> Iterator[Call]:
    """The calls of ``name`` in an example section, as Python or JSON, fenced or not; ``order`` lists the parameters."""
    text = _PROMPT.sub(r"\1", text)
    if not any(map(_FENCED.match, text.split("\n"))) and (whole := [*_python(text, name, order, "")]):
        yield from whole
        return
    block, fence, said = list[str](), "", ""
    for line in text.split("\n"):
        opened = _FENCED.match(line)
        if opened is not None and not fence:
            block, fence = [], opened[1].lower() or "text"
        elif opened is not None:
            if not _ANSWER.search(said):
                yield from _fenced("\n".join(block), fence, name, order, said)
            fence, said = "", ""
        elif fence:
            block.append(line)
        elif line.strip():
            found = list(_of_line(line, name, order, said))
            yield from found
            is_caption = line.strip().startswith("#") or line.rstrip().endswith(":")
            said = line if is_caption and not found else ""


def _fenced(text: str, kind: str, name: str, order: Sequence[str], said: str) -> Iterator[Call]:
    if kind in ("json", "text", "jsonc", "json5", "javascript", "js"):
        yield from _json(text, name, said)
    if kind in ("python", "py", "text", "python3"):
        yield from _python(text, name, order, said)


def _of_line(line: str, name: str, order: Sequence[str], said: str) -> Iterator[Call]:
    text = _BULLET.sub("", line).strip()
    caption, colon, rest = text.partition(": ")
    labelled = [(rest, caption)] if colon and rest else []
    for candidate, about in [(text, said), *labelled, *((code, "") for code in _INLINE.findall(text))]:
        code = re.split(r"\s(?:->|=>|→|#|//)\s", candidate)[0].strip().rstrip(".,;")
        found = [*_json(code, name, about), *_python(code, name, order, about)]
        if re.match(r"[A-Za-z_]\w*=[^=]", code):  # arguments without the call around them: ``kind="table", limit=5``
            found += _python(f"tool({code})", "tool", order, about)
        yield from found
        if found:
            return


def _json(text: str, name: str, said: str) -> Iterator[Call]:
    if not text.lstrip().startswith("{"):
        return
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return
    if not isinstance(value, dict):
        return
    for key in ("arguments", "input", "params"):
        inner = value.get(key)
        if value.get("name", value.get("tool")) == name and isinstance(inner, dict):
            value = inner
            break
    yield Call(value, _caption(said))


def _python(text: str, name: str, order: Sequence[str], said: str) -> Iterator[Call]:
    """The calls of the tool in Python source whose arguments are literals."""
    if name not in text:
        return
    try:
        tree = ast.parse(source := textwrap.dedent(text).strip())
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _called(node.func) != name or len(node.args) > len(order) + 1:
            continue
        sent = [argument for argument in node.args if not _is_context(argument)]
        named = [word for word in node.keywords if not _is_context(word.value)]
        given = [*zip(order, sent, strict=False), *((word.arg or "", word.value) for word in named)]
        arguments = [(key, _literal(value)) for key, value in given]
        if all(key and isinstance(value, tuple) for key, value in arguments):
            above = lines[node.lineno - 2] if node.lineno > 1 and lines[node.lineno - 2].startswith("#") else said
            yield Call({key: value[0] for key, value in arguments if value is not None}, _caption(above))


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_context(node: ast.expr) -> bool:
    """Whether an argument is the context that the SDK hands to functions, which no client sends."""
    return isinstance(node, ast.Name) and node.id in ("ctx", "context")


def _literal(node: ast.expr) -> tuple[JsonValue] | None:
    """The value of a literal as JSON, in a tuple, since it may be ``None``; ``None`` for any other expression."""
    try:
        value = ast.literal_eval(node)
        written = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return None
    return (json.loads(written),)


def _caption(line: str) -> str:
    """The line above a call as a caption: without the marks of lists, comments and emphasis."""
    text = _BULLET.sub("", line).strip().lstrip("#").strip()
    text = re.sub(r"[*`]{1,3}", "", text).rstrip(":").strip()
    return "" if _CAPTION.fullmatch(text) else text


Section = tuple[str, str]
"""A title in lower case, without marks, and the text below it."""

_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(?P<plain>\S.*)|\*\*(?P<bold>[^*\n]+)\*\*:?[ \t]*)$")
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
        *((match["title"], match["text"]) for line in lines if (match := _LINE.match(line.strip()))),
    ]
    return list(dict.fromkeys((_plain(title), body) for title, body in found if body.strip()))


def _plain(title: str) -> str:
    plain = re.sub(r"[*_`:#]+", " ", title)
    return " ".join(plain.lower().split())


def _headed(lines: list[str]) -> Iterator[Section]:
    """The sections under headings of Markdown; a line in a fenced block is no heading."""
    title, body, fenced = "", list[str](), False
    for line in lines:
        if _FENCED.match(line):
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
            if _FENCED.match(part):
                fenced = not fenced
            body.append(part)
        yield match["title"], "\n".join(body)


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
    if isinstance(schema, dict) and (examples := _examples(found, name, schema)):
        made["examples"] = examples
    if usage := _usage(found):
        made["usage_guidance"] = usage
    if errors := _errors(found):
        made["error_guidance"] = errors
    return made


# --- examples ---------------------------------------------------------------------------------------------------------


def _examples(found: Sequence[Section], name: str, schema: JsonObject) -> list[JsonValue]:
    properties = schema.get("properties")
    order = [*properties] if isinstance(properties, dict) else []
    written = [
        *(call for title, body in found if _EXAMPLES.fullmatch(title) for call in calls(body, name, order)),
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
