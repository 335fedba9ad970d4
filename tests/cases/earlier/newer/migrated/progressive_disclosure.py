"""Progressive disclosure of this server's tools: stubs first, definitions on demand.

``tools/list`` sends a short stub of every tool; its full definition is fetched when it
is needed, from ``resource:///tool_descriptions?tools=NAME`` or by calling the tool
``reading_describe_tools``.  Everything else stays as it was.

Made by pdmigrate and kept in line by ``pdmigrate sync``: change the settings in
pyproject.toml and the texts in the files of FOLDER, not this file.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import logging
import math
import os
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from mcp import types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

logger = logging.getLogger(__name__)
log_once = functools.cache(logger.log)
ServerT = TypeVar("ServerT")
Json = dict[str, Any]
Listing = Callable[[], Awaitable[dict[str, Json]]]
Policy = Literal["enforce", "advise", "off"]

FOLDER = Path(__file__).parent / "tool_descriptions"
# Their definitions are in FOLDER alone: the code of the server holds stubs of them.
MOVED = ("find_book", "lend_book")
BRIDGE = "reading_describe_tools"
URI = "resource:///tool_descriptions"
EXAMPLE = "resource:///tool_descriptions?tools=find_book"
MOST_NAMES = 100  # in one fetch
FETCHES, SHARED_FETCHES, PERIOD = 60, 600, 10.0  # per session; without one; seconds
TITLE = "tool_descriptions (required before a tool is called)"
WORKFLOW = (
    "WORKFLOW:\n"
    "1. PICK a tool from tools/list: the short descriptions say WHAT each tool does, "
    "and that is enough to choose by.\n"
    f"2. FETCH the full description of that tool here: {EXAMPLE} (separate several "
    "names by commas). It says HOW to call the tool: parameters, examples, errors.\n"
    "3. CALL the tool with the parameters you have read.\n\n"
    "IMPORTANT: you CANNOT call a tool properly before you have fetched its "
    "description: the call is refused, or runs on guesses. The fetch authorises the "
    "tool for this session. ALWAYS name the tools: without ?tools= this is an error."
)
KIND = "application/json"
NOTHING: Json = {}
RESOURCE = {"uri": URI, "name": TITLE, "description": WORKFLOW, "mimeType": KIND}


def enable(
    server: ServerT, stdio: Policy = "enforce", http: Policy = "advise"
) -> ServerT:
    """Disclose the tools of ``server`` progressively, and return it.

    Handlers may be registered before and after; a second call does nothing.  ``stdio``
    and ``http`` decide about a call to a tool whose description was not fetched:
    "enforce" refuses it, if there is a session that could have fetched it; "advise"
    runs it and adds the description to an error; "off" runs it.

    With PROGRESSIVE_DISCLOSURE=off in the environment the full list is sent instead.
    A moved tool without a valid description file is a RuntimeError.
    """
    if stdio not in get_args(Policy) or http not in get_args(Policy):
        known = f"one of {get_args(Policy)}; 'receipt' needs http = 'receipt' in "
        known += "[tool.pdmigrate], and 'pdmigrate apply'"
        raise ValueError(f"stdio={stdio!r}, http={http!r}: {known}")
    switch = os.environ.get("PROGRESSIVE_DISCLOSURE", "")
    if switch:
        known = "the full list is sent" if switch == "off" else "ignored, not 'off'"
        logger.warning("PROGRESSIVE_DISCLOSURE=%s: %s", switch, known)
    install(server, stdio, http, off=switch == "off")
    return server


class Descriptions:
    """The files in FOLDER, by the tool name inside each."""

    def __init__(self) -> None:
        self._contents: dict[str, Json] = {}
        self._files: dict[Path, Json] = {}
        self._versions: dict[Path, tuple[int, int]] = {}
        self.version = 0  # of all of them together
        self.refresh()
        if missing := [name for name in MOVED if name not in self._contents]:
            raise RuntimeError(
                f"{FOLDER} holds no valid definition of {', '.join(missing)}: restore "
                "the files, or install them with the code (package data, COPY)"
            )

    def refresh(self) -> None:
        """Read the files that changed; one that is not valid keeps its earlier text."""
        for path in FOLDER.glob("*.json"):
            try:
                version = (path.stat().st_mtime_ns, path.stat().st_size)
                if self._versions.get(path) != version:
                    self._versions[path] = version
                    self._files[path] = read_description(path)
                    self.version += 1
            except (OSError, TypeError, ValueError, RecursionError) as error:
                logger.warning("%s is ignored: %s", path, error)
        for path in sorted(self._files, reverse=True):  # the first one counts
            self._contents[self._files[path]["name"]] = self._files[path]

    def of(self, name: str) -> Json:
        """What the file of a tool says; nothing if it has none."""
        if self._contents and name not in self._contents:
            log_once(logging.INFO, "%s has no file for %r", FOLDER, name)
        return self._contents.get(name, NOTHING)


def read_description(path: Path) -> Json:
    """One description file.  Raises TypeError or ValueError if it cannot be used."""
    content: Json = {"name": None, **json.loads(path.read_text("utf-8-sig"))}
    kinds = {"name": str, "description": str, "inputSchema": dict, "outputSchema": dict}
    for field in content.keys() & kinds.keys():
        if not isinstance(content[field], kinds[field]):
            raise TypeError(f"its {field} is not of type {kinds[field].__name__}")
    if content["name"] in MOVED and "inputSchema" not in content:
        raise ValueError("it has no inputSchema")
    return content


class Kept:
    """The last answers, each with a copy of what it was made of: most come again."""

    def __init__(self) -> None:
        self._answers: deque[tuple[Any, Any]] = deque(maxlen=8)

    def find(self, source: Any) -> Any:
        """What was made of an equal ``source`` before; None if nothing was."""
        kept = tuple(self._answers)  # a server may have threads
        return next((answer for known, answer in kept if known == source), None)

    def answer(self, source: Any, make: Callable[[], Any]) -> Any:
        """What was made of an equal ``source`` before, or what ``make`` makes of it."""
        if (answer := self.find(source)) is None:
            answer = make()
            self._answers.appendleft((copy.deepcopy(source), answer))
        return answer


class Caller(NamedTuple):
    """Who sent a request: the policy for it, what was fetched, and when."""

    policy: str
    granted: set[str]
    fetches: deque[float]

    def wait(self) -> int:
        """The seconds until another fetch is allowed; 0 if this one is."""
        now = time.monotonic()
        if len(self.fetches) == self.fetches.maxlen and now - self.fetches[0] < PERIOD:
            return math.ceil(self.fetches[0] + PERIOD - now)
        self.fetches.append(now)
        return 0


class Disclosure:
    """What is said about tools, and to whom it was said; the SDK's types come below."""

    def __init__(self, stdio: str, http: str) -> None:
        self.files = Descriptions()
        self._policies = {"stdio": stdio, "http": http}
        # Weak keys: a grant ends with its session, and no later session inherits it.
        self._callers: WeakKeyDictionary[object, Caller] = WeakKeyDictionary()
        self._shared_fetches: deque[float] = deque(maxlen=SHARED_FETCHES)

    def caller(self, session: object | None, transport: str) -> Caller:
        """Who sent a request; ``session`` is None if nothing outlives the request."""
        policy = self._policies[transport]
        if session is not None:
            if (known := self._callers.get(session)) is None:
                known = Caller(policy, set(), deque(maxlen=FETCHES))
                self._callers[session] = known
            return known
        if policy == "enforce":
            log_once(logging.WARNING, "no session: calls are advised, not refused")
            policy = "advise"
        return Caller(policy, set(), self._shared_fetches)

    def is_open(self, name: str, caller: Caller) -> bool:
        """Whether a call runs without more ado."""
        return caller.policy == "off" or name in caller.granted

    def stub_fields(self, name: str, description: str | None, schema: Json) -> Json:
        """The fields of a listed tool that its stub replaces."""
        summary = self.files.of(name).get("summary") or summarise(name, description)
        return {"description": summary, "inputSchema": skeleton_schema(schema)}

    def moved_fields(self, name: str) -> Json:
        """The fields of a tool that are in its file alone."""
        fields = ("description", "inputSchema", "outputSchema")
        return {field: self.files.of(name).get(field) for field in fields}

    def full(self, tool: Json) -> Json:
        """A complete definition as it is served: with guidance and a digest."""
        content = self.files.of(tool["name"])
        guidance = ("examples", "usage_guidance", "error_guidance")
        tool = {**tool, **{key: content[key] for key in guidance if content.get(key)}}
        text = tool.get("description") or content.get("summary")
        tool["description"] = text or summarise(tool["name"], None)
        canonical = json.dumps(tool, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(canonical.encode()).hexdigest()[:16]
        return {**tool, "digest": f"sha256:{digest}"}

    async def fetch(
        self, values: Iterable[str], caller: Caller, listing: Listing
    ) -> Json:
        """The answer to ``?tools=``, from the tools that this request may see."""
        if seconds := caller.wait():
            message = "Too many descriptions were fetched: wait, then fetch again."
            return failure("RATE_LIMITED", message, retryAfter=seconds)
        self.files.refresh()
        tools = await listing()
        bridge = self.bridge_name(tools)
        tools[bridge] = describing_tool(bridge, tools)
        return self.describe(selection(values, tools), tools, caller)

    def describe(
        self, names: list[str], tools: dict[str, Json], caller: Caller
    ) -> Json:
        """What a fetch of ``names`` gets; the tools may be called from now on."""
        if not names:
            return failure(
                "MISSING_TOOL_SELECTION",
                "You must specify one or more tool names in the 'tools' parameter.",
                examples=[EXAMPLE, f"{URI}?tools=tool1,tool2"],
                available_tools=[*tools],
            )
        if len(names) > max(MOST_NAMES, len(tools)):
            return failure("TOO_MANY_TOOLS", f"Fetch at most {MOST_NAMES} at a time.")
        known = [name for name in names if name in tools]
        caller.granted.update(known)
        logger.info("described %s of %s", known, names)
        answer = {name: self.full(tools[name]) for name in known}
        for name in names:
            error = {"error": f"Tool '{name}' not found", "available_tools": [*tools]}
            answer.setdefault(name, error)
        return answer

    def refusal(self, name: str, tools: Iterable[str]) -> Json:
        """What a call gets before the fetch, and what to do."""
        logger.info("refused %r: its description was not fetched", name)
        uri = f"{URI}?tools={quote(name, safe='')}"
        bridge = f"call {self.bridge_name(tools)} with names={json.dumps([name])}"
        how = f"Read the resource {uri} or {bridge}, then call this tool again."
        message = f"Tool '{name}' requires fetching its description before use."
        code = "TOOL_DESCRIPTION_REQUIRED"
        return failure(code, message, resource_uri=uri, how=how)

    def bridge_name(self, tools: Iterable[str]) -> str:
        """The name of our own tool, which gives way to those of the server."""
        name = BRIDGE
        while name in tools:
            name += "_pd"
        return name

    def may_be_bridge(self, name: str) -> bool:
        """Whether our own tool has this name, unless the server has one of it."""
        return name.startswith(BRIDGE)

    def instructions(self, own: str | None) -> str | None:
        """The server's own instructions, and ours behind them."""
        return with_guidance(own, EXAMPLE, f", or call {BRIDGE}")


def failure(code: str, message: str, **details: Any) -> Json:
    """An error in the form of the progressive disclosure specification."""
    return {"error": {"code": code, "message": message, **details}}


def tool_result(answer: Json) -> Json:
    """An answer as the result of a tool; an error of ours is one there, too."""
    text = json.dumps(answer, ensure_ascii=False)
    failed = "code" in answer.get("error", ())
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def transport_of(request: Any, session: object | None) -> str:
    """Which policy is for an HTTP request; there is none behind a call over stdio."""
    # The old SSE transport has a session for each connection, as stdio has, and names
    # it in the query of each post; streamable HTTP names its own in a header.
    if (query := getattr(request, "query_params", None)) is None:
        return "stdio"
    is_sse = session is not None and "session_id" in query
    return "stdio" if is_sse and "mcp-session-id" not in request.headers else "http"


def names_in(arguments: Any) -> Iterable[str]:
    """The names that a call of our tool asks for, in whatever form they come."""
    names = arguments.get("names") if isinstance(arguments, dict) else None
    return map(str, names if isinstance(names, list) else [names or ""])


def values_of(uri: str) -> list[str] | None:
    """The values of ``tools=`` in a URI of our resource; None if it is another one."""
    address, _, query = uri.partition("#")[0].partition("?")
    pairs = (pair.partition("=") for pair in query.split("&"))
    values = [unquote(value) for key, _, value in pairs if key == "tools"]
    return values if address.rstrip("/") == URI else None


def selection(values: Iterable[str], tools: Iterable[str]) -> list[str]:
    """The names in ``values``: commas separate them, unless a listed name has some."""
    parts = ([value] if value in tools else value.split(",") for value in values)
    names = (name.strip() for part in parts for name in part)
    return [*dict.fromkeys(filter(None, names))]


def describing_tool(name: str, tools: Iterable[str]) -> dict[str, Any]:
    """The tool that does what the resource does, for models that cannot read one."""
    names = {"type": "array", "items": {"type": "string", "enum": [*tools]}}
    schema = {"type": "object", "properties": {"names": names}, "required": ["names"]}
    return {
        "name": name,
        "description": "Returns the full descriptions of tools of this server "
        "(parameters, examples, errors) and authorises them for this session. Pick "
        "tools by their short descriptions, and call this before you call them.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


def with_guidance(own: str | None, example: str, also: str = "") -> str | None:
    """``own`` instructions, and as many of our sentences as fit behind them.

    Clients cut what is longer than 2,048 characters.
    """
    text, gap = own or "", "\n\n" if own else ""
    fetch = f"read {example} (commas between names){also}"
    for sentence in (
        "The tools of this server are listed in short form, enough to pick one by.",
        f"Before you call a tool, fetch its full description: {fetch}.",
        "Then call the tool with the parameters described there.",
        "Never fetch without naming the tools that you have picked.",
    ):
        if len(text + gap + sentence) > 2048:
            break
        text, gap = text + gap + sentence, " "
    return text or None


_ABBREVIATION = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bincl)(?<!approx)"
_SENTENCE_END = re.compile(_ABBREVIATION + r"[.!?…]+[\"')\]]*(?=\s|$)|[。！？।]")
_MARK = re.compile(r"^(?:(?:[-*•#]+|\d+[.)])\s+)+")
_NEW_PART = re.compile(r"[-*•#]|\d+[.)]\s|\w[\w ]{0,30}:$")


def summarise(name: str, description: str | None, limit: int = 200) -> str:
    """The first sentence of a description, in one line; without one, the tool's name.

    A blank line, or a line that opens a list or a section (``Args:``), ends it too.
    """
    lines: list[str] = []
    for line in (description or "").strip().splitlines():
        text = line.strip()
        if lines and (not text or _NEW_PART.match(text)):
            break
        lines.append(text)
    text = _MARK.sub("", " ".join(" ".join(lines).split()))
    end = _SENTENCE_END.search(text)
    sentence = text[: end.end()] if end else text
    if len(sentence) > limit:
        cut = sentence[: limit - 1]
        cut = cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut
        sentence = cut.rstrip(" ,;:-") + "…"
    if re.search(r"\w", sentence):
        return sentence
    return name.replace("_", " ").replace("-", " ").strip() or name


def skeleton_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Names, types, short enums and ``required``; ``properties`` is always there."""
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    shapes = {key: _shape(value) for key, value in properties.items() if _accepted(key)}
    stub: dict[str, Any] = {"type": "object", "properties": shapes}
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    if required := [name for name in required if name in list(shapes)]:
        stub["required"] = required
    return stub


def _headers(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties that travel as HTTP headers, and those on the way to them."""
    properties = schema.get("properties")
    found: dict[str, Any] = {}
    for name, value in properties.items() if isinstance(properties, dict) else ():
        shape = _shape(value) if _accepted(name) else {}
        if "x-mcp-header" in shape or "properties" in shape:
            found[name] = shape
    return found


def _accepted(name: str) -> bool:
    """Whether providers take such a property: one that they refuse costs all tools."""
    return re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) is not None


def _shape(schema: Any) -> dict[str, Any]:
    """A property's type, its short enum, the type of an array's items: what it has."""
    if not isinstance(schema, dict):
        return {}
    union = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(union, list):
        others = [option for option in union if option != {"type": "null"}]
        return _shape(others[0]) if len(others) == 1 else {}
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [name for name in kind if name != "null"]
        kind = kinds[0] if len(kinds) == 1 else None
    known = ("string", "number", "integer", "boolean", "object", "array", "null")
    shape: dict[str, Any] = {"type": kind} if kind in known else {}
    if kind == "array":
        # Clients reject an array whose items have no type: then it says nothing at all.
        items = _shape(schema.get("items"))
        shape = {"type": "array", "items": items} if "type" in items else {}
    enum = schema.get("enum")
    enum = enum if isinstance(enum, list) and len(str(enum)) <= 120 else []
    # Some providers take no values but strings, and no empty one, and want their type.
    texts = [value for value in enum if value and isinstance(value, str)]
    if texts and texts == enum and kind in (None, "string"):
        shape |= {"type": "string", "enum": texts}
    if "x-mcp-header" in schema:
        shape["x-mcp-header"] = schema["x-mcp-header"]
    if kind == "object" and (headers := _headers(schema)):
        shape["properties"] = headers
    return shape


Request = ServerRequestContext[Any, Any]
MODERN = "2026-07-28"  # the first protocol version without a handshake


def install(server: Any, stdio: str, http: str, *, off: bool) -> None:
    """Put ours around every middleware of a Server, an MCPServer or a FastMCP."""
    lowlevel = getattr(server, "_mcp_server", server)
    lowlevel = getattr(lowlevel, "_lowlevel_server", lowlevel)
    if any(isinstance(layer, MiddlewareWire) for layer in lowlevel.middleware):
        return
    # Outermost: what a middleware of the server hides is hidden for us as well, and one
    # that knows only the server's own tools does not refuse ours.
    wire = MiddlewareWire(lowlevel, stdio, http, off)
    lowlevel.middleware.insert(0, wire)
    for method, params, handler in (
        ("resources/list", types.PaginatedRequestParams, wire.no_resources),
        ("resources/read", types.ReadResourceRequestParams, wire.no_resource),
    ):
        if not off and lowlevel.get_request_handler(method) is None:
            lowlevel.add_request_handler(method, params, handler)


def as_json(result: Any) -> Json:
    """A result as it goes over the wire: the SDK hands on models, too."""
    if hasattr(result, "model_dump"):
        result = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return {**(result or {})}


def with_fields(tool: Json, fields: Json) -> Json:
    """A tool with other fields; None is for one that it has no longer."""
    changes = {**tool, **fields}
    return {key: value for key, value in changes.items() if value is not None}


@dataclass
class Asked:
    """Our own request for a listing: what is listed, and what we made of it before."""

    key: tuple[Any, ...]
    source: Any = None
    answer: Any = None


_asked: ContextVar[Asked | None] = ContextVar("_asked", default=None)


class MiddlewareWire(Disclosure):
    """Our middleware around a server of mcp 2.x: it sees what is on the wire."""

    def __init__(self, server: Any, stdio: str, http: str, off: bool) -> None:
        super().__init__(stdio, http)
        self._server, self._off = server, off
        self._pages = Kept()

    async def __call__(self, request: Request, own: CallNext) -> HandlerResult:
        """Answer a request, or hand it on to the server."""
        if request.method == "tools/list":
            return await self.list_tools(request, own)
        if self._off:
            return await own(request)
        if request.method == "tools/call":
            return await self.call_tool(request, own)
        if request.method == "resources/list":
            return await self.list_resources(request, own)
        if request.method == "resources/read":
            return await self.read_resource(request, own)
        if request.method in ("initialize", "server/discover"):
            return await self.introduce(request, own)
        return await own(request)

    async def introduce(self, request: Request, own: CallNext) -> HandlerResult:
        """What the server says of itself, with our instructions behind its own."""
        about = as_json(result := await own(request))
        if "capabilities" not in about:
            return result
        text = self.instructions(about.get("instructions"))
        capabilities = {**about["capabilities"]}
        capabilities.setdefault("resources", {})
        return {**about, "capabilities": capabilities, "instructions": text}

    async def list_tools(self, request: Request, own: CallNext) -> HandlerResult:
        shown = self.complete if self._off else self._stub
        key = (self.files.version, shown.__name__, request.protocol_version)
        asked = Asked(key)
        page = as_json(result := await self._page(request, own, asked))
        if "tools" not in page:
            return result
        if asked.answer is not None:
            return {**page, "tools": asked.answer}
        names: list[str] = []
        if not page.get("nextCursor") and not self._off:
            names = [tool["name"] for tool in page["tools"]]
            if (request.params or {}).get("cursor"):
                names = [*await self._tools(request, own)]

        def make() -> list[Json]:
            bridge = describing_tool(self.bridge_name(names), names)
            ours = [bridge] if names else []
            return [*map(shown, copy.deepcopy(page["tools"])), *ours]

        source = asked.source or (key, names, page["tools"])
        tools = self._pages.answer(source, make)
        if self._server.middleware[0] is not self:
            tools = copy.deepcopy(tools)  # whoever put itself around us may change them
        return {**page, "tools": tools}

    async def _page(
        self, request: Request, own: CallNext, asked: Asked
    ) -> HandlerResult:
        """The server's answer; without its tools if we have sent the same before."""
        look_up = self._server.get_request_handler
        layers = [type(layer) for layer in self._server.middleware if layer is not self]
        modules = (part.__module__ for part in (look_up, *layers))
        plain = all(name.startswith(("mcp.", "fastmcp.")) for name in modules)
        if not plain or (entry := look_up("tools/list")) is None:
            return await own(request)  # code of the server's own may look at the tools
        if getattr(entry.handler, "func", None) != self._list:
            handler: Any = functools.partial(self._list, entry.handler)
            self._server.add_request_handler("tools/list", entry.params_type, handler)
        token = _asked.set(asked)
        try:
            return await own(request)
        finally:
            _asked.reset(token)

    async def _list(self, own: Any, context: Any, params: Any) -> Any:
        """What the server lists; we take from it what we have sent before.

        Checking a listing and making JSON of it takes the SDK longer than all the rest.
        """
        asked, token = _asked.get(), _asked.set(None)  # whoever else asks gets it all
        try:
            result = await own(context, params)
        finally:
            _asked.reset(token)
        whole = type(result) is types.ListToolsResult and not result.next_cursor
        if asked is None or not whole or getattr(params, "cursor", None):
            return result
        if not all(type(tool) is types.Tool for tool in result.tools):
            return result  # one of the server's own may hold what cannot be copied
        source = (asked.key, result.tools)
        asked.answer = self._pages.find(source)
        if asked.answer is not None:
            return result.model_copy(update={"tools": []})
        try:
            asked.source = copy.deepcopy(source)
        except (copy.Error, RuntimeError, TypeError, ValueError) as error:
            kind = type(error).__name__  # that of a lock in a _meta, say
            log_once(logging.INFO, "a listing cannot be kept to compare: %s", kind)
        return result

    def complete(self, tool: Json) -> Json:
        """A tool as the server listed it before the migration."""
        if tool["name"] in MOVED:
            return with_fields(tool, self.moved_fields(tool["name"]))
        return tool

    def _stub(self, tool: Json) -> Json:
        name, full = tool["name"], self.complete(tool)
        text, schema = full.get("description"), full["inputSchema"]
        return with_fields(tool, self.stub_fields(name, text, schema))

    async def call_tool(self, request: Request, own: CallNext) -> HandlerResult:
        params, caller = request.params or {}, self._caller(request)
        name = str(params.get("name"))
        listing = functools.partial(self._tools, request, own)
        if self.may_be_bridge(name) and name == self.bridge_name(await listing()):
            names = names_in(params.get("arguments"))
            answer = await self.fetch(names, caller, listing)
            return self._enveloped(tool_result(answer), request)
        if self.is_open(name, caller):
            return await own(request)
        if caller.policy == "advise":
            return await self._advise(await own(request), name, caller, listing)
        tools = await listing()
        if name not in tools:
            return await own(request)
        refusal = self.refusal(name, tools)
        return self._enveloped(tool_result(refusal), request)

    async def _advise(
        self, result: HandlerResult, name: str, caller: Caller, listing: Listing
    ) -> HandlerResult:
        """``result``, and with an error the description that the caller did without."""
        outcome = as_json(result)
        if not outcome.get("isError") or name not in (tools := await listing()):
            return result
        advice = tool_result(self.describe([name], tools, caller))
        return {**outcome, "content": [*outcome["content"], *advice["content"]]}

    async def no_resources(self, _request: Any, _params: Any) -> Any:
        return types.ListResourcesResult(resources=[])

    async def no_resource(self, _request: Any, params: Any) -> Any:
        data = {"uri": params.uri}
        return types.ErrorData(code=-32602, message="Resource not found", data=data)

    async def list_resources(self, request: Request, own: CallNext) -> HandlerResult:
        page = as_json(result := await own(request))
        if "resources" not in page or (request.params or {}).get("cursor"):
            return result
        return {**page, "resources": [RESOURCE, *page["resources"]]}

    async def read_resource(self, request: Request, own: CallNext) -> HandlerResult:
        uri = str((request.params or {}).get("uri"))
        values = values_of(uri)
        if values is None:
            return await own(request)
        listing = functools.partial(self._tools, request, own)
        answer = await self.fetch(values, self._caller(request), listing)
        text = json.dumps(answer, ensure_ascii=False)
        result: Json = {"contents": [{"uri": uri, "mimeType": KIND, "text": text}]}
        if request.protocol_version >= MODERN:
            # From a cache it would not count as a fetch.
            result = {**result, "ttlMs": 0, "cacheScope": "private"}
        return self._enveloped(result, request)

    async def _tools(self, request: Request, own: CallNext) -> dict[str, Json]:
        """The full definitions of the tools that this request may see."""
        tools: dict[str, Json] = {}
        meta = (request.params or {}).get("_meta")
        params: Json = {} if meta is None else {"_meta": meta}
        seen: set[str | None] = {None}
        if self._server.get_request_handler("tools/list") is None:
            return tools
        while True:
            page = as_json(
                await own(replace(request, method="tools/list", params=params))
            )
            full = map(self.complete, page["tools"])
            tools.update((tool["name"], tool) for tool in full)
            cursor = page.get("nextCursor")
            if cursor in seen:
                return tools
            seen.add(cursor)
            params["cursor"] = cursor

    def _enveloped(self, result: Json, request: Request) -> Json:
        """A result of ours with what the SDK adds to those of handlers."""
        if request.protocol_version < MODERN:
            return result
        info = as_json(self._server.server_info)
        meta = {"io.modelcontextprotocol/serverInfo": info}
        return {**result, "resultType": "complete", "_meta": meta}

    def _caller(self, request: Request) -> Caller:
        # There is no public way to the connection.  It lasts as long as a handshake's
        # session; without handshakes there is one for each request, and what lasts is
        # the channel of a pipe.
        connection: Any = getattr(request.session, "_connection", None)
        session = None
        if request.protocol_version < MODERN:
            session = connection if request.session.client_params else None
        elif getattr(connection, "has_standalone_channel", False):
            session = connection.outbound
        return self.caller(session, transport_of(request.request, session))
