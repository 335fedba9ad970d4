"""Progressive disclosure of this server's tools: stubs first, definitions on demand.

``tools/list`` sends a short stub of every tool; its full definition is fetched when it
is needed, from ``resource:///tool_descriptions?tools=NAME`` or by calling the tool
``lend_desk_describe_tools``.  Everything else stays as it was.

Made by pdmigrate and kept in line by ``pdmigrate sync``: change the settings in
pyproject.toml and the texts in the files of FOLDER, not this file.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import inspect
import json
import logging
import math
import os
import re
import time
from collections import UserDict, deque
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from mcp import types

logger = logging.getLogger(__name__)
log_once = functools.cache(logger.log)
ServerT = TypeVar("ServerT")
Json = dict[str, Any]
Listing = Callable[[], Awaitable[dict[str, Json]]]
Policy = Literal["enforce", "advise", "off"]

FOLDER = Path(__file__).parent / "tool_descriptions/lend_desk"
BRIDGE = "lend_desk_describe_tools"
URI = "resource:///tool_descriptions"
EXAMPLE = "resource:///tool_descriptions?tools=lend_item"
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
        stub = {"description": summary, "inputSchema": skeleton_schema(schema)}
        return {**stub, "outputSchema": None}

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


Tool = types.Tool
Result = types.ServerResult
Handler = Callable[..., Awaitable[Result]]
Wrapper = Callable[[Any, Handler], Awaitable[Result]]

# How the SDK makes JSON of a result.
WIRE: Json = {"by_alias": True, "mode": "json", "exclude_none": True}
_passed: ContextVar[frozenset[Wrapper]] = ContextVar("_passed", default=frozenset())


def install(server: Any, stdio: str, http: str, *, off: bool) -> None:
    """Put our handlers around those of a low-level server, or of a FastMCP's."""
    lowlevel = getattr(server, "_mcp_server", server)
    if isinstance(lowlevel.request_handlers, Handlers):
        return
    wire = HandlerWire(lowlevel, stdio, http, off)
    wrappers: dict[type, Wrapper] = {types.ListToolsRequest: wire.list_tools}
    handlers: dict[type, Handler] = dict(lowlevel.request_handlers)
    if not off:
        wrappers[types.CallToolRequest] = wire.call_tool
        wrappers[types.ListResourcesRequest] = wire.list_resources
        wrappers[types.ReadResourceRequest] = wire.read_resource
        handlers.setdefault(types.ListResourcesRequest, wire.no_resources)
        handlers.setdefault(types.ReadResourceRequest, wire.no_resource)
        # Not server.instructions: options built by hand would go without.
        vars(lowlevel)["run"] = functools.partial(wire.run, lowlevel.run)
    lowlevel.request_handlers = Handlers(wrappers, handlers)


class Handlers(UserDict[type, Handler]):
    """A server's handlers: ours stand around its own, whenever it registers them."""

    def __init__(self, wrappers: dict[type, Wrapper], own: dict[type, Handler]) -> None:
        self._wrappers = wrappers
        super().__init__(own)

    def __setitem__(self, kind: type, own: Handler) -> None:
        wrapper = self._wrappers.get(kind)
        super().__setitem__(kind, wrap(wrapper, own) if wrapper else own)


def wrap(wrapper: Wrapper, own: Handler) -> Handler:
    """``own`` within ``wrapper``: only once, where ``own`` calls what it replaced."""

    async def handler(request: Any) -> Result:
        if wrapper in _passed.get():
            return await own(request)
        token = _passed.set(_passed.get() | {wrapper})
        try:
            return await wrapper(request, own)
        finally:
            _passed.reset(token)

    return handler


def call_result(answer: Json) -> Result:
    return types.ServerResult(types.CallToolResult(**tool_result(answer)))


def changed(result: Result, **fields: Any) -> Result:
    """A result of the server with other fields; it is not validated once more."""
    if not hasattr(result, "root"):
        return result.model_copy(update=fields)
    return result.model_copy(update={"root": result.root.model_copy(update=fields)})


def dumped(result: Result) -> Result:
    """``result``, whose JSON is made once, and not for each answer by the SDK."""
    made: Any = result
    dump, content = made.model_dump, made.model_dump(**WIRE)
    vars(made)["model_dump"] = lambda **o: {**content} if o == WIRE else dump(**o)
    return result


def cursor_of(request: Any) -> str | None:
    """The page that a request is for; None for the first one, and for no request."""
    return getattr(getattr(request, "params", None), "cursor", None)


class HandlerWire(Disclosure):
    """Our handlers around those of a server of mcp 1.x."""

    def __init__(self, server: Any, stdio: str, http: str, off: bool) -> None:
        super().__init__(stdio, http)
        self._server, self._off = server, off
        self._pages = Kept()

    async def run(self, own: Handler, *args: Any, **kwargs: Any) -> None:
        """Run the server, with our instructions behind its own."""
        call = inspect.signature(own).bind(*args, **kwargs)
        options = call.arguments["initialization_options"]
        text = self.instructions(getattr(options, "instructions", None))
        changes: Json = {"instructions": text}
        if options.capabilities.resources is None:
            resources = types.ResourcesCapability()
            update = {"resources": resources}
            changes["capabilities"] = options.capabilities.model_copy(update=update)
        call.arguments["initialization_options"] = options.model_copy(update=changes)
        await own(*call.args, **call.kwargs)

    async def list_tools(self, request: Any, own: Handler) -> Result:
        result = await own(request)
        page = getattr(result, "root", result)
        if not isinstance(page, types.ListToolsResult):
            return result
        names: list[str] = []
        if page.nextCursor is None and not self._off:
            names = [tool.name for tool in page.tools]
            names = [*await self._tools()] if cursor_of(request) else names
        shown = self.complete if self._off else self._stub

        def make() -> Result:
            tools = [*map(shown, page.tools)]
            if names:
                ours = describing_tool(self.bridge_name(names), names)
                tools.append(types.Tool.model_validate(ours))
            return dumped(changed(result, tools=tools))

        listed = [(vars(tool), tool.model_extra) for tool in page.tools]
        rest = {**vars(page), "tools": listed}, page.model_extra
        source = (self.files.version, shown.__name__, names, rest)
        sent: Result = self._pages.answer(source, make)
        return sent

    def complete(self, tool: Tool) -> Tool:
        """A tool as the server listed it before the migration."""
        return tool

    def _stub(self, tool: Tool) -> Tool:
        full = self.complete(tool)
        fields = self.stub_fields(tool.name, full.description, full.inputSchema)
        return tool.model_copy(update=fields)

    async def call_tool(self, request: Any, own: Handler) -> Result:
        name, caller = request.params.name, self._caller()
        if self.may_be_bridge(name) and name == self.bridge_name(await self._tools()):
            names = names_in(request.params.arguments)
            return call_result(await self.fetch(names, caller, self._tools))
        if self.is_open(name, caller):
            return await own(request)
        if caller.policy == "advise":
            return await self._advise(await own(request), name, caller)
        tools = await self._tools()
        if name not in tools:
            return await own(request)
        return call_result(self.refusal(name, tools))

    async def _advise(self, result: Result, name: str, caller: Caller) -> Result:
        """``result``, and with an error the description that the caller did without."""
        outcome: Any = getattr(result, "root", result)
        failed = getattr(outcome, "isError", False)
        if not failed or name not in (tools := await self._tools()):
            return result
        advice: Any = call_result(self.describe([name], tools, caller)).root
        content = [*outcome.content, *advice.content]
        return changed(result, content=content)

    async def no_resources(self, _request: Any) -> Result:
        return types.ServerResult(types.ListResourcesResult(resources=[]))

    async def no_resource(self, request: Any) -> Any:
        data = {"uri": str(request.params.uri)}
        return types.ErrorData(code=-32002, message="Resource not found", data=data)

    async def list_resources(self, request: Any, own: Handler) -> Result:
        result = await own(request)
        page = getattr(result, "root", result)
        if not isinstance(page, types.ListResourcesResult) or cursor_of(request):
            return result
        resources = [types.Resource.model_validate(RESOURCE), *page.resources]
        return changed(result, resources=resources)

    async def read_resource(self, request: Any, own: Handler) -> Result:
        uri = request.params.uri
        values = values_of(str(uri))
        if values is None:
            return await own(request)
        answer = await self.fetch(values, self._caller(), self._tools)
        text = json.dumps(answer, ensure_ascii=False)
        contents = types.TextResourceContents(uri=uri, mimeType=KIND, text=text)
        return types.ServerResult(types.ReadResourceResult(contents=[contents]))

    async def _tools(self) -> dict[str, Json]:
        """The full definitions of the tools that this request may see."""
        tools: dict[str, Json] = {}
        own = self._server.request_handlers.get(types.ListToolsRequest)
        cursor: str | None = None
        seen: set[str | None] = set()
        token = _passed.set(_passed.get() | {self.list_tools})
        try:
            while own and cursor not in seen:
                seen.add(cursor)
                params = {"cursor": cursor} if cursor else None
                message = {"method": "tools/list", "params": params}
                result: Any = await own(types.ListToolsRequest.model_validate(message))
                page = getattr(result, "root", result)
                cursor = page.nextCursor
                full = map(self.complete, page.tools)
                tools.update((tool.name, tool.model_dump(**WIRE)) for tool in full)
        finally:
            _passed.reset(token)
        return tools

    def _caller(self) -> Caller:
        try:
            context = self._server.request_context
        except LookupError:  # outside a request: a test, or the server itself
            return self.caller(None, "stdio")
        # A session that lasts for one request was never initialized.
        session = context.session if context.session.client_params else None
        request = getattr(context, "request", None)
        return self.caller(session, transport_of(request, session))
