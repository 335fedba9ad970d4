# Generated: linters, formatters and type checkers have nothing to say about this file.
# ruff: noqa: PGH004
# ruff: noqa
# flake8: noqa
# fmt: off
# isort: skip_file
# pylint: skip-file
# mypy: ignore-errors
"""Progressive disclosure of this server's tools: stubs first, definitions on demand.

``tools/list`` sends a short stub of every tool.  Its full definition is fetched from
``resource:///tool_descriptions?tools=NAME``, or by calling ``<server>_describe_tools``.
Calls before that may be refused, as ``enable`` says, which makes models read first; it
is no access control.
Definitions are in the code.  Of tool_descriptions/, summaries and guidance are sent.

Made by pdmigrate and kept in line by ``pdmigrate sync``: change the arguments of
``enable``, the texts in tool_descriptions/ or [tool.pdmigrate], not this file.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import json
import logging
import math
import os
import re
import time
from collections import UserDict, deque
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args
from urllib.parse import parse_qs, quote, unquote
from weakref import WeakKeyDictionary

from mcp import types

logger = logging.getLogger(__name__)
log_once = functools.cache(logger.log)
ServerT = TypeVar("ServerT")
Json = dict[str, Any]
Policy = Literal["enforce", "strict", "advise", "off"]

FOLDER = Path(__file__).parent / "tool_descriptions"
SERVER_FILE = "_server.json"  # the one file in it that is not about a tool
LARGEST_FILE = 1_000_000  # bytes
MOST_UNKNOWN = 10  # names that are no tools, in one fetch
FETCHES, PERIOD = 60, 10.0  # so many in so many seconds, in each session
ADVISED = "%s: calls are advised, not refused"
GUIDANCE = ("examples", "usage_guidance", "error_guidance")
KINDS: Json = {"name": str, "summary": str, "description": str, "inputSchema": dict}
KINDS |= {"example": str, **dict.fromkeys(GUIDANCE, (dict, list, str))}
URI = "resource:///tool_descriptions"
OUR_URI = re.compile(r"resource:///?tool_descriptions/?(?:\?([^#]*))?(?:#.*)?")
WORKFLOW = """\
WORKFLOW:
1. PICK a tool from tools/list: short descriptions say WHAT it does, enough to choose.
2. FETCH its full description here: {example} (commas between several names). It says \
HOW to call the tool: parameters{said}.
3. CALL the tool with the parameters you have read.

IMPORTANT: you CANNOT call a tool before its fetch authorises it for this session: \
that is refused, or a guess. WRONG: resource:///tool_descriptions (without ?tools=)."""


def enable(  # pragma: no cover
    server: ServerT,
    stdio: Policy = "enforce",
    http: Policy = "advise",
    descriptions: str = "",
) -> ServerT:
    """Disclose the tools of ``server`` progressively, and return it.

    A second call for the same server changes nothing.

    ``stdio`` (also the old SSE transport) and ``http`` decide about calls to tools that
    were not fetched before:

    * "strict" refuses them; without a session (stateless HTTP), where nothing can be
      fetched first, it is "advise"
    * "enforce" is "strict" in sessions that list the tools before their first call, and
      "advise" in others: some hosts open a session for each call, and never list in
      it; the Python client lists by itself after a call
    * "advise" runs them, and adds the description to the first error of a tool
    * "off" runs them; stubs and descriptions stay

    PROGRESSIVE_DISCLOSURE=strict, enforce or advise in the environment overrides both;
    "off" there sends the full list, and nothing that this module would add.  Both are
    read here, once.
    The server's files are in the folder ``descriptions`` of tool_descriptions/.
    """
    known = get_args(Policy)
    if stdio not in known or http not in known:
        known_by = f"known are {known}, and what [tool.pdmigrate] has chosen"
        raise ValueError(f"stdio={stdio!r}, http={http!r}: {known_by}")
    policies: dict[str, str] = {"stdio": stdio, "http": http}
    if switch := os.environ.get("PROGRESSIVE_DISCLOSURE", "").strip().lower():
        unknown = f"is ignored: it is not one of {known}"
        effect = "overrides the code" if switch in known else unknown
        logger.warning("PROGRESSIVE_DISCLOSURE=%s %s", switch, effect)
    if switch in known:
        policies = dict.fromkeys(policies, switch)
    if switch != "off":
        connect(server, FOLDER / descriptions, policies)
    return server


def read_json(path: Path) -> Json:  # pragma: no cover
    """What a description file says.  Raises OSError or ValueError if it is unusable."""
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError(f"it has more than {LARGEST_FILE:,} bytes")
    try:
        content: Json = {"name": path.name, **json.loads(path.read_text("utf-8-sig"))}
    except (RecursionError, TypeError) as error:
        raise ValueError(f"it holds no JSON object: {error}") from error
    kinds = {key: KINDS.get(key, object) for key in content}
    if wrong := [key for key in content if not isinstance(content[key], kinds[key])]:
        raise ValueError(f"it has the wrong type of {wrong}")
    return content


class Descriptions:  # pragma: no cover
    """What the files in a folder say of the server and of its tools."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state: dict[Path, int] = {}
        self.by_name: dict[str, Json] = {}
        self.refresh()
        about = self.by_name.get(SERVER_FILE, {})
        self.example = f"{URI}?tools={quote(about.get('example', 'NAME'), safe='')}"

    def refresh(self) -> None:
        """Read the files again if one has changed: at the start, and for each fetch.

        What was read of a file that is bad or gone now is kept.
        """
        paths = [path for path in sorted(self._folder.glob("*.json")) if path.is_file()]
        state = {path: path.stat().st_mtime_ns for path in paths}
        if state == self._state:
            return
        self._state, found = state, dict[str, Json]()
        for path in paths:
            try:
                content = read_json(path)
                if found.setdefault(content["name"], content) is not content:
                    raise ValueError("another file describes this tool")
            except (OSError, ValueError) as error:
                logger.warning("%s is ignored: %s", path, error)
        self.by_name.update(found)

    def of(self, name: str) -> Json:
        """What the file of a tool says; nothing if it has none."""
        if name not in self.by_name:
            log_once(logging.INFO, "%s has no file for %r", self._folder, name)
        return self.by_name.get(name, {})


@dataclass
class Session:  # pragma: no cover
    """What has happened in one session; where there are none, in one request."""

    policy: str
    label: str = "no session"
    granted: set[str] = field(default_factory=set)
    fetches: deque[float] = field(default_factory=lambda: deque(maxlen=FETCHES))

    def gate(self) -> str:
        """The policy for a call, which ends the wait of "enforce" for a listing."""
        if self.policy == "enforce":
            self.policy = "advise"
            log_once(logging.WARNING, ADVISED, "a call before the tools were listed")
        return self.policy

    def limited(self) -> Json | None:
        """The answer to one fetch too many; None if this one is allowed."""
        now = time.monotonic()
        if len(self.fetches) < FETCHES or now - self.fetches[0] >= PERIOD:
            self.fetches.append(now)
            return None
        logger.warning("%s: fetches too often", self.label)
        message = "Too many descriptions were fetched: wait, then fetch again."
        seconds = math.ceil(self.fetches[0] + PERIOD - now)
        return failure("RATE_LIMITED", message, retryAfter=seconds)


@dataclass(frozen=True)
class Request:  # pragma: no cover
    """A request, and ways to the server's own answers, without us in between."""

    method: str
    params: Json
    session: Session
    own: Callable[[], Awaitable[Any]]
    list_tools: Callable[[Json], Awaitable[Any]]


class Disclosure:  # pragma: no cover
    """What is said about the tools, and to whom; below is how the SDK comes to ask."""

    def __init__(self, server: Any, folder: Path, policies: dict[str, str]) -> None:
        self.server, self.files = server, Descriptions(folder)
        self.policies = policies  # by transport; without any, the full list is sent
        stem = re.sub(r"[^a-z0-9]+", "_", server.name.lower())[:40].strip("_")
        self._bridge = f"{stem}_describe_tools".lstrip("_")
        # Weak keys: a grant ends with its session, and no later session inherits it.
        self._sessions: WeakKeyDictionary[object, Session] = WeakKeyDictionary()
        self._numbers = itertools.count(1)

    def session(self, key: object | None, transport: str) -> Session:
        """The session that ``key`` stands for; None if nothing outlives the request."""
        policy = self.policies.get(transport, "off")
        if key is None:
            if policy in ("enforce", "strict"):  # which could never be met
                log_once(logging.WARNING, ADVISED, "no session")
                policy = "advise"
            return Session(policy)
        if (known := self._sessions.get(key)) is None:
            known = Session(policy, f"session {next(self._numbers)}")
            self._sessions[key] = known
        return known

    async def answer(self, request: Request) -> Any:
        """The answer to a request: ours as JSON, or the server's own as it comes."""
        answers = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/read": self._read_resource,
        }
        answer = answers.get(request.method)
        return await (answer(request) if answer else request.own())

    async def _list_tools(self, request: Request) -> Any:
        page = as_json(result := await request.own())
        if "tools" not in page:
            return result
        full = page["tools"]
        tools = [self._stub(tool) for tool in full]
        if not page.get("nextCursor"):
            names = [tool["name"] for tool in tools]
            if request.params.get("cursor"):
                names = [*await self._tools(request)]  # those of all pages
            if names:
                tools.append(describing_tool(self._ours(names), names))
        if request.session.policy == "enforce":
            request.session.policy = "strict"
        return {**page, "tools": tools}

    def _stub(self, tool: Json) -> Json:
        """A tool as it is listed."""
        stub = {**tool, "inputSchema": skeleton_schema(tool["inputSchema"])}
        summary = self.files.of(tool["name"]).get("summary")
        if text := summary or first_sentence(tool.get("description")):
            stub["description"] = text
        return stub

    async def _tools(self, request: Request) -> dict[str, Json]:
        """The full definitions of the tools that this request may see."""
        tools: dict[str, Json] = {}
        cursor, seen = None, set[str | None]()
        while cursor not in seen:
            seen.add(cursor)
            params: Json = {"cursor": cursor} if cursor else {}
            page = as_json(await request.list_tools(params))
            for tool in page.get("tools", ()):
                tools[tool["name"]] = tool
            cursor = page.get("nextCursor")
        return tools

    async def _call_tool(self, request: Request) -> Any:
        name, session = str(request.params.get("name")), request.session
        is_near = name.startswith(self._bridge)  # spares others a listing
        if is_near and name == self._ours(await self._tools(request)):
            names = (request.params.get("arguments") or {}).get("names")
            asked = names if isinstance(names, list) else [names or ""]
            return tool_result(await self._fetch([*map(str, asked)], request))
        gate = session.gate()
        if gate == "off" or name in session.granted:
            return await request.own()
        if gate == "advise":
            return await self._advise(name, request)
        tools = await self._tools(request)
        if name not in tools:
            return await request.own()
        return tool_result(self._refusal(name, session, tools))

    async def _advise(self, name: str, request: Request) -> Any:
        """Run a call, and add to an error the description that it did without."""
        outcome = as_json(result := await request.own())
        try:
            tools = await self._tools(request) if outcome.get("isError") else {}
        except Exception:  # the tool has run: its own error is the answer
            logger.exception("%s: a listing failed", request.session.label)
            return result
        if name not in tools:
            return result
        advice = tool_result(self._describe([name], tools, request.session))
        return {**outcome, "content": [*outcome["content"], *advice["content"]]}

    async def _list_resources(self, request: Request) -> Any:
        page = as_json(result := await request.own())
        if "resources" not in page or request.params.get("cursor"):
            return result
        files = self.files.by_name.values()
        said = "".join(f", {key}" for key in GUIDANCE if any(f.get(key) for f in files))
        ours = {
            "uri": URI,
            "name": "tool_descriptions (required before a tool is called)",
            "description": WORKFLOW.format(example=self.files.example, said=said),
            "mimeType": "application/json",
        }
        return {**page, "resources": [ours, *page["resources"]]}

    async def _read_resource(self, request: Request) -> Any:
        uri = str(request.params.get("uri"))
        if (ours := OUR_URI.fullmatch(uri)) is None:
            return await request.own()
        asked = parse_qs(ours[1] or "").get("tools", [])
        text = json.dumps(await self._fetch(asked, request), ensure_ascii=False)
        contents = {"uri": uri, "mimeType": "application/json", "text": text}
        return {"contents": [contents]}

    async def _fetch(self, asked: list[str], request: Request) -> Json:
        """The answer to ``?tools=``, from the tools that this request may see."""
        if (limited := request.session.limited()) is not None:
            return limited
        self.files.refresh()
        tools = await self._tools(request)
        bridge = self._ours(tools)
        tools[bridge] = describing_tool(bridge, tools)
        # "a,b" is two names, unless a tool has that name.
        split = (text.split(",") if text not in tools else [text] for text in asked)
        names = dict.fromkeys(name.strip() for part in split for name in part)
        return self._describe([*filter(None, names)], tools, request.session)

    def _describe(
        self, names: list[str], tools: dict[str, Json], session: Session
    ) -> Json:
        """What a fetch of ``names`` gets; the tools may be called from now on."""
        if not names:
            return failure(
                "MISSING_TOOL_SELECTION",
                "You must specify one or more tool names in the 'tools' parameter.",
                examples=[self.files.example, f"{URI}?tools=tool1,tool2"],
                available_tools=[*tools],
            )
        known = [name for name in names if name in tools]
        if len(names) - len(known) > MOST_UNKNOWN:
            message = f"More than {MOST_UNKNOWN} of these are no tools of this server."
            return failure("TOO_MANY_TOOLS", message)
        session.granted.update(known)
        logger.info("%s: described %s of %.500s", session.label, known, names)
        answer = {name: self._full(tools[name]) for name in known}
        for name in names:
            error = {"error": f"Tool '{name}' not found", "available_tools": [*tools]}
            answer.setdefault(name, error)
        return answer

    def _full(self, tool: Json) -> Json:
        """A complete definition as it is served: with guidance and a digest."""
        content = self.files.of(tool["name"])
        tool = {**tool, **{key: content[key] for key in GUIDANCE if content.get(key)}}
        text = tool.get("description") or content.get("summary")
        tool["description"] = text or tool["name"]
        canonical = json.dumps(tool, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(canonical.encode()).hexdigest()[:16]
        return {**tool, "digest": f"sha256:{digest}"}

    def _refusal(self, name: str, session: Session, tools: Iterable[str]) -> Json:
        """What a call gets before the fetch, and what to do."""
        logger.info("%s: refused %r, which was not fetched", session.label, name)
        uri = f"{URI}?tools={quote(name, safe='')}"
        how = f"Read the resource {uri}"
        how += f" or call {self._ours(tools)} with names={json.dumps([name])}"
        return failure(
            "TOOL_DESCRIPTION_REQUIRED",
            f"Tool '{name}' requires fetching its description before use.",
            resource_uri=uri,
            how=f"{how}, then call this tool again. (Where neither is possible, the "
            "user can set PROGRESSIVE_DISCLOSURE=off in this server's environment: "
            "then it lists its tools in full.)",
        )

    def _ours(self, tools: Iterable[str]) -> str:
        """The name of our own tool, which gives way to those of the server."""
        name = self._bridge
        while name in tools:
            name += "_pd"
        return name

    def instructions(self, own: str | None) -> str | None:
        """The server's own instructions, and ours behind them."""
        return with_guidance(own, self.files.example, f", or call {self._bridge}")


def as_json(result: Any) -> Json:  # pragma: no cover
    """A result as it goes over the wire: the SDK hands on models, too."""
    result = getattr(result, "root", result)
    if hasattr(result, "model_dump"):
        result = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return {**(result or {})}


def failure(code: str, message: str, **details: Any) -> Json:  # pragma: no cover
    """An error in the form of the progressive disclosure specification."""
    return {"error": {"code": code, "message": message, **details}}


def tool_result(answer: Json) -> Json:  # pragma: no cover
    """An answer as the result of a tool; an error of ours is one there, too."""
    text = json.dumps(answer, ensure_ascii=False)
    failed = "code" in answer.get("error", ())
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def transport_of(request: Any, session: object | None) -> str:  # pragma: no cover
    """Which policy is for an HTTP request; there is none behind a call over stdio."""
    # The old SSE transport has a session for each connection, as stdio has, and names
    # it in the query of each post; streamable HTTP names its own in a header.
    if (query := getattr(request, "query_params", None)) is None:
        return "stdio"
    is_sse = session is not None and "session_id" in query
    return "stdio" if is_sse and "mcp-session-id" not in request.headers else "http"


def describing_tool(name: str, tools: Iterable[str]) -> dict[str, Any]:  # pragma: no cover
    """The tool that does what the resource does, for models that cannot read one."""
    names = {"type": "array", "items": {"type": "string", "enum": [*tools]}}
    schema = {"type": "object", "properties": {"names": names}, "required": ["names"]}
    return {
        "name": name,
        "description": "Returns the full descriptions of tools of this server, "
        "with their parameters, and authorises them for this session. Pick tools by "
        "their short descriptions, and call this before you call them.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True, "idempotentHint": True},
    }


def with_guidance(own: str | None, example: str, also: str = "") -> str | None:  # pragma: no cover
    """``own`` instructions and ours behind them, if clients read that far."""
    ours = (
        "The tools of this server are listed in short form, enough to pick by. Before "
        "you call tools, fetch the full descriptions of all you need at once: read "
        f"{example} (commas between names){also}. Then call them with the parameters "
        "described there. Never fetch without naming the tools you picked."
    )
    text = f"{own}\n\n{ours}" if own else ours
    return text if len(text) <= 2048 else own  # clients cut what is longer


def first_sentence(description: str | None) -> str | None:  # pragma: no cover
    """The first sentence of a description, or so much of it as a stub has room for."""
    paragraph = " ".join((description or "").strip().split("\n\n")[0].split())
    ends = r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.) |(?<=[。！？।])"
    sentence = re.split(ends, paragraph)[0]
    return f"{sentence[:199]}…" if len(sentence) > 200 else sentence or description


# The keywords that stay as they are, and how long the ``repr`` of their values may be.
_STAY = {"type": 120, "enum": 120, "const": 120, "default": 40, "x-mcp-header": 120}
# Branches may be alike once they are pruned, and of oneOf only one may fit.
_UNIONS = {"allOf": "allOf", "oneOf": "anyOf", "anyOf": "anyOf"}


def skeleton_schema(schema: Json) -> Json:  # pragma: no cover
    """``schema`` without prose, bounds and nested properties; the rest as it is."""
    return {"type": "object", "properties": {}, **_pruned(schema, schema, True)}


def _pruned(schema: Any, root: Json, whole: bool, seen: tuple[str, ...] = ()) -> Json:  # pragma: no cover
    """What a stub keeps of a schema in ``root``: it accepts what the schema accepts.

    ``whole`` is for the arguments themselves, which keep their properties; ``seen`` are
    the references that led here.
    """
    if not isinstance(schema, dict):
        return {}
    kept: Json = {}
    if ref := _at(schema, "$ref", str):
        kept = _pruned(_referred(ref, root, seen), root, whole, (*seen, ref))
        seen = (*seen, ref)
    for key, most in _STAY.items():
        # Whoever sees no default sends null, so a default of null says nothing.
        if schema.get(key) is not None and len(repr(schema[key])) <= most:
            kept[key] = schema[key]
    for key, stub_key in _UNIONS.items():
        branches = [_pruned(one, root, whole, seen) for one in _at(schema, key, list)]
        unlike = {repr(branch): branch for branch in branches}
        if any(branches):
            kept[stub_key] = [*unlike.values()]
    if len(kept.get("allOf", ())) == 1:
        kept = kept.pop("allOf")[0] | kept
    if isinstance(schema.get("items"), dict) and "prefixItems" not in schema:
        kept["items"] = _pruned(schema["items"], root, False, seen)
    if properties := _properties(schema, root, whole, seen):
        kept["properties"] = {**kept.get("properties", {}), **properties}
    nested = not whole and _at(schema, "properties", dict)
    if nested or schema.get("additionalProperties", False) is not False:
        kept["additionalProperties"] = True
    if whole and _at(schema, "required", list):
        kept["required"] = schema["required"]
    return kept


def _properties(schema: Json, root: Json, whole: bool, seen: tuple[str, ...]) -> Json:  # pragma: no cover
    """The properties of an object: all, or those that travel as HTTP headers."""
    own = _at(schema, "properties", dict)
    names = [name for name in own if whole or "'x-mcp-header': " in repr(own[name])]
    return {name: _pruned(own[name], root, False, seen) for name in names}


def _referred(ref: str, root: Json, seen: tuple[str, ...]) -> Json:  # pragma: no cover
    """What a reference leads to: of a cycle the type, nothing outside of ``root``."""
    target = root if ref.partition("/")[0] == "#" else {}
    for key in ref.split("/")[1:]:
        key = unquote(key).replace("~1", "/").replace("~0", "~")
        target = _at(target, key, dict)
    return {key: target[key] for key in target if key == "type" or ref not in seen}


def _at(schema: Json, key: str, kind: Any) -> Any:  # pragma: no cover
    """The value of a keyword, if it is of the right kind; else an empty one."""
    value = schema.get(key)
    return value if isinstance(value, kind) else kind()


Handler = Callable[[Any], Awaitable[Any]]
ANSWERED: dict[Any, tuple[str, Any]] = {
    types.ListToolsRequest: ("tools/list", types.ListToolsResult),
    types.CallToolRequest: ("tools/call", types.CallToolResult),
    types.ListResourcesRequest: ("resources/list", types.ListResourcesResult),
    types.ReadResourceRequest: ("resources/read", types.ReadResourceResult),
}
# Who is answering a request in this context.  What is asked meanwhile, by us, by the
# SDK for its cache, or by the code of a tool, goes to the server's own handlers.
_answering: ContextVar[frozenset[Any]] = ContextVar("_answering", default=frozenset())


def connect(server: Any, folder: Path, policies: dict[str, str]) -> None:  # pragma: no cover
    """Put our handlers around those of a low-level server, or of a FastMCP's."""
    lowlevel = getattr(server, "_mcp_server", server)
    if isinstance(lowlevel.request_handlers, Handlers):
        return
    ours = Mcp1Disclosure(lowlevel, folder, policies)
    own = dict(lowlevel.request_handlers)
    if policies:
        own.setdefault(types.ListResourcesRequest, ours.no_resources)
        own.setdefault(types.ReadResourceRequest, ours.no_resource)
        # Not server.instructions: options built by hand would go without.
        lowlevel.run = functools.partial(ours.run, lowlevel.run)
    lowlevel.request_handlers = Handlers(ours, own)


class Handlers(UserDict[type, Handler]):  # pragma: no cover
    """A server's handlers: ours stand around its own, whenever it registers them."""

    def __init__(self, ours: Mcp1Disclosure, own: dict[type, Handler]) -> None:
        self._ours = ours
        super().__init__(own)

    def __setitem__(self, kind: type, own: Handler) -> None:
        if kind in ANSWERED:
            own = functools.partial(self._ours.handle, kind, own)
        super().__setitem__(kind, own)


class Mcp1Disclosure(Disclosure):  # pragma: no cover
    """The part of mcp 1.x: our handlers around the server's."""

    async def run(self, own: Any, *args: Any, **kwargs: Any) -> None:
        """Run the server, with our instructions behind its own."""
        call = inspect.signature(own).bind(*args, **kwargs)
        options = call.arguments["initialization_options"]
        said = {"resources": {}, **as_json(options.capabilities)}
        changes: Json = {
            "instructions": self.instructions(getattr(options, "instructions", None)),
            "capabilities": types.ServerCapabilities.model_validate(said),
        }
        call.arguments["initialization_options"] = options.model_copy(update=changes)
        await own(*call.args, **call.kwargs)

    async def no_resources(self, _request: Any) -> Any:
        return types.ServerResult(types.ListResourcesResult(resources=[]))

    async def no_resource(self, request: Any) -> Any:
        data = {"uri": str(request.params.uri)}
        return types.ErrorData(code=-32002, message="Resource not found", data=data)

    async def handle(self, kind: type, own: Handler, request: Any) -> Any:
        """Answer a request; what is asked on the way goes to the server's own."""
        if self in _answering.get():
            return await own(request)
        method, result = ANSWERED[kind]
        params = {**vars(request.params)} if getattr(request, "params", None) else {}

        async def list_tools(page: Json) -> Any:
            lists = types.ListToolsRequest
            if (handler := self.server.request_handlers.get(lists)) is None:
                return {}
            message = {"method": "tools/list", "params": page or None}
            return await handler(lists.model_validate(message))

        ways = (functools.partial(own, request), list_tools)
        token = _answering.set(_answering.get() | {self})
        try:
            answer = await self.answer(Request(method, params, self._session(), *ways))
        finally:
            _answering.reset(token)
        if not isinstance(answer, dict):
            return answer
        return types.ServerResult(result.model_validate(answer))

    def _session(self) -> Session:
        try:
            context = self.server.request_context
        except LookupError:  # outside a request: a test, or the server itself
            return self.session(None, "stdio")
        # A session that lasts for one request was never initialized.
        key = context.session if context.session.client_params else None
        return self.session(key, transport_of(getattr(context, "request", None), key))
