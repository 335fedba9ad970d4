"""What was asked of a server, and what came back: resource contents, tool results, and the errors inside them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, urlsplit

from pdmigrate.escaping import one_line
from pdmigrate.live.wire import RpcError, WireError
from pdmigrate.model import JsonObject, JsonValue, mapping

Answer: TypeAlias = JsonObject | WireError
"""The result, or what came in its place: an ``RpcError`` is an answer, any other error says why there is none."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer.

    ``session`` names the connection: ``first``, ``second``, ``fresh`` (fetches before any call), ``unlisted`` (never
    asked for its tools) or ``before``.
    """

    session: str
    method: str
    params: JsonObject
    answer: Answer

    @property
    def is_answered(self) -> bool:
        return isinstance(self.answer, dict | RpcError)


@dataclass(frozen=True, slots=True)
class NotAsked:
    """An exchange that was not made, and why."""

    reason: str


REQUIRED = "TOOL_DESCRIPTION_REQUIRED"
MISSING = "MISSING_TOOL_SELECTION"


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The JSON object in an answer.  ``around`` is the text before or after it, ``parts`` the number of texts."""

    body: JsonObject | None
    around: str
    parts: int


def read(exchange: Exchange | NotAsked) -> ReadAnswer:
    """The first JSON object in the contents of a resource, the blocks of a tool result, or an error's data or text."""
    texts = _texts(exchange)
    for text in texts:
        body, around = find_object(text)
        if body is not None:
            return ReadAnswer(body, around, len(texts))
    return ReadAnswer(None, " ".join(texts)[:300], len(texts))


def _texts(exchange: Exchange | NotAsked) -> list[str]:
    if isinstance(exchange, NotAsked):
        return []
    answer = exchange.answer
    if isinstance(answer, RpcError):
        return [json.dumps(answer.data), answer.text] if answer.data is not None else [answer.text]
    if isinstance(answer, WireError):
        return []
    parts = objects(answer.get("contents")) or objects(answer.get("content"))
    return [text for part in parts if isinstance(text := part.get("text"), str)]


_ATTEMPTS = 20


def find_object(text: str) -> tuple[JsonObject | None, str]:
    """The first JSON object in ``text``, and the text around it."""
    start = -1
    for _ in range(_ATTEMPTS):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value, (text[:start] + text[end:]).strip()
    return None, text


def error_bodies(exchange: Exchange | NotAsked) -> list[JsonObject]:
    """The objects of an error: a result's ``structuredContent`` or ``_meta``, and its text where that is JSON alone.

    Where a tool has an output schema, an error has no place in ``structuredContent``: clients validate it there, too.
    """
    result, text = result_of(exchange) or {}, read(exchange)
    spoken = text.body if text.body is not None and not text.around else None
    bodies = (mapping(result.get("structuredContent")), mapping(result.get("_meta")), spoken)
    return [body for body in bodies if body and isinstance(body.get("error"), dict)]


def delivered(exchange: Exchange | NotAsked) -> JsonObject | None:
    """The definition that a refusal brings as ``tool_description`` beside ``error``."""
    found = (body.get("tool_description") for body in error_bodies(exchange))
    return next((each for each in found if isinstance(each, dict)), None)


def error_code(exchange: Exchange | NotAsked) -> str | None:
    """The ``error.code`` of the JSON object in an answer; ``None`` if there is none."""
    error = (read(exchange).body or {}).get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else None


def says(exchange: Exchange | NotAsked, code: str) -> bool:
    """Whether an answer is the error ``code``, in the right form or a wrong one."""
    if error_code(exchange) == code:
        return True
    result = result_of(exchange)
    spoken = any(code in text for text in _texts(exchange))
    if result is None:
        return spoken
    places = (mapping(result.get(key)) for key in ("structuredContent", "_meta"))
    return any(code in json.dumps(place.get("error")) for place in places) or (result.get("isError") is True and spoken)


def serves(exchange: Exchange | NotAsked, name: str) -> bool:
    """Whether an answer holds a definition of the tool ``name``."""
    return name in definitions([exchange], [name])


def definitions(fetches: Iterable[Exchange | NotAsked], names: Collection[str]) -> dict[str, JsonObject]:
    """The definitions of tools with these ``names`` that were served; entries that are errors do not count."""
    bodies = (read(fetch).body or {} for fetch in fetches)
    found = ((name, body[name]) for body in bodies for name in body if name in names)
    return {name: one for name, one in found if isinstance(one, dict) and not isinstance(one.get("error"), str)}


def describe(answer: Answer) -> str:
    """An answer in one line, for people."""
    if isinstance(answer, WireError):
        return short(answer.message.splitlines()[0])
    return short(json.dumps(answer, ensure_ascii=False))


def as_json(answer: Answer) -> JsonObject:
    """An answer as reports and comparisons hold it."""
    if isinstance(answer, RpcError):
        return {"error": {"code": answer.number, "message": answer.text, "data": answer.data}}
    return {"none": answer.message} if isinstance(answer, WireError) else {"result": answer}


def short(text: str, limit: int = 400) -> str:
    """``text`` in one line, cut where it gets long, without characters that would drive a terminal."""
    line = " ".join(one_line(text[: 8 * limit]).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def objects(value: JsonValue) -> list[JsonObject]:
    """The objects in a list; none if ``value`` is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def name_of(tool: JsonObject) -> str:
    return text_of(tool.get("name"))


def result_of(exchange: Exchange | NotAsked) -> JsonObject | None:
    """The result of an answer; ``None`` if there is none."""
    answer = None if isinstance(exchange, NotAsked) else exchange.answer
    return answer if isinstance(answer, dict) else None


DEFAULT = "resource:///tool_descriptions"


def find_descriptor(resources: Iterable[JsonObject]) -> JsonObject | None:
    """The entry of ``resources/list`` for the tool descriptions, found by its URI or else by its name."""
    resources = list(resources)
    for resource in resources:
        if base(text_of(resource.get("uri"))).rstrip("/").rpartition("/")[2] == "tool_descriptions":
            return resource
    named = (r for r in resources if re.fullmatch(r"(?i)tool[_ -]?descriptions?.*", text_of(r.get("name"))))
    return next(named, None)


def base(uri: str) -> str:
    return uri.split("?", 1)[0]


def selecting(resource: str, names: Iterable[str]) -> str:
    """The URI that asks for some tools: ``resource:///tool_descriptions?tools=a,b``."""
    return f"{base(resource)}?tools={','.join(quote(name, safe='') for name in names)}"


def selected(uri: str) -> list[str]:
    """The names of tools in the ``tools`` parameters of a URI."""
    try:
        pairs = parse_qsl(urlsplit(uri).query)
    except ValueError:
        return []
    return [name.strip() for key, value in pairs if key == "tools" for name in value.split(",") if name.strip()]
