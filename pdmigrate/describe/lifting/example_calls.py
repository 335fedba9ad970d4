"""Calls of one tool in a text: Python code that calls it, or the JSON of its arguments."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pdmigrate.model import JsonObject, JsonValue

_PROMPT = re.compile(r"^[ \t]*(>>>|\.\.\.)(?: (.*))?$")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]+")
_ANSWER = re.compile(r"\b(?:returns?|results?|outputs?|respon[sd]\w*|answers?|gives?)\b", re.IGNORECASE)
_HEADING = re.compile(r"(?:usage )?examples?(?: usage)?", re.IGNORECASE)
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


def prompted(text: str, name: str, order: Sequence[str]) -> Iterator[Call]:
    """The calls after doctest prompts, anywhere in a text; ``order`` lists the tool's parameters."""
    source, said, last = list[str](), "", ""
    for line in [*text.split("\n"), ""]:
        match = _PROMPT.match(line)
        if match is not None and (match[1] == "..." or not source):
            said = last if not source else said
            source.append(match[2] or "")
            continue
        if source:
            yield from _python("\n".join(source), name, order, said)
            source = [match[2] or ""] if match is not None else []
        if line.strip():
            last = line if line.rstrip().endswith(":") and match is None else ""


def calls(text: str, name: str, order: Sequence[str]) -> Iterator[Call]:
    """The calls of ``name`` in an example section, as Python or JSON, fenced or not; ``order`` lists the parameters."""
    if not any(map(_FENCE.match, text.split("\n"))) and (whole := [*_python(text, name, order, "")]):
        yield from whole
        return
    block, fence, said = list[str](), "", ""
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        if opened is not None and not fence:
            block, fence = [], opened[1].lower() or "text"
        elif opened is not None:
            if not _ANSWER.search(said):
                yield from _fenced("\n".join(block), fence, name, order, said)
            fence, said = "", ""
        elif fence:
            block.append(line)
        elif _PROMPT.match(line):
            continue
        else:
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
        found = [*_json(code, name, about), *_python(code, name, order, about), *_bare(code, order, about)]
        yield from found
        if found:
            return


def _bare(code: str, order: Sequence[str], said: str) -> Iterator[Call]:
    """Arguments without the call around them: ``kind="table", limit=5``."""
    if re.match(r"[A-Za-z_]\w*=[^=]", code):
        yield from _python(f"tool({code})", "tool", order, said)


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
    return "" if _HEADING.fullmatch(text) else text
