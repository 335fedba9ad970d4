"""A server that implements the specification by hand on mcp 1.x, the same one before, and one broken variant per check.

    notes_server.py VARIANT                 over stdio
    notes_server.py --http [--stateless]    all variants in one process, each under /VARIANT/mcp

``spec`` is the whole specification for sessions that list their tools before they call, and advice for the others;
``strict`` refuses in every session, ``advises`` in none.  ``plain`` is the server before, ``plain-bare`` one that had
little to say.  Every other name breaks one thing of ``spec``.
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import socket
import sys
import weakref
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import anyio
import mcp.types as t
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import McpError
from pydantic import AnyUrl

URI = "resource:///tool_descriptions"


def _string(text: str) -> dict[str, Any]:
    return {"type": "string", "description": text}


TOOLS: list[dict[str, Any]] = [
    {
        "name": "search_notes",
        "description": (
            "Search all notes. Matches whole words in titles and bodies, the newest first; few at a time. Words of "
            "three letters and less are ignored, and so is their case. A note that is locked is found by its title "
            "alone, and its body is not shown."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": _string("Words that the note has to hold, all of them."),
                "limit": {"type": "integer", "description": "How many notes at most.", "default": 10},
            },
            "required": ["query"],
        },
        "annotations": {"readOnlyHint": True, "title": "Search"},
        "_meta": {"example.org/group": "reading"},
    },
    {
        "name": "list_folders",
        "description": "List the folders that notes are kept in. Folders do not nest; the list is sorted by name.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": {"type": "object", "properties": {"folders": {"type": "array", "items": {"type": "string"}}}},
    },
    {
        "name": "create_note",
        "description": "Create a note. The title must be new in its folder, or the note that has it is kept as it is.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "title": _string("A line without markup."),
                "tags": {"type": "array", "items": {"type": "string"}, "description": "Words to find it by."},
            },
            "required": ["title"],
        },
    },
    {
        "name": "delete_note",
        "description": (
            "Delete a note for good. There is no way back, so ask the user before. What links to the note keeps its "
            "link, which leads nowhere from then on; its tags stay if other notes have them. A note that is locked "
            "has to be unlocked first, which only its owner can do."
        ),
        "inputSchema": {"type": "object", "properties": {"id": _string("As search gives it.")}, "required": ["id"]},
        "annotations": {"destructiveHint": True},
    },
]
NAMES = [tool["name"] for tool in TOOLS]
BRIDGE = {
    "name": "notes_describe_tools",
    "description": "Read the full definitions of tools. Parameters: the names as they are listed.",
    "inputSchema": {
        "type": "object",
        "properties": {"names": {"type": "array", "items": {"type": "string", "enum": NAMES}}},
        "required": ["names"],
    },
    "annotations": {"readOnlyHint": True},
}
STEP = {
    "listing": "Step 1: PICK the tool from tools/list; the short descriptions there say WHICH tool to use.",
    "before": "Step 2: FETCH its full description here before you CALL it.",
    "query": f"For instance {URI}?tools=search_notes,create_note",
    "otherwise": "You CANNOT call a tool until then: the call fails. Fetching authorizes the tool for this session.",
    "rest": "Step 3: use the parameters learned.",
}
GUIDANCE = {
    "no-before": f"Step 1: pick from tools/list. Step 2: parameters at {URI}?tools=NAME, which unlocks; required.",
    "no-otherwise": "tools/list is for choosing; read ?tools=NAME here, then call.",
}
REWORDED = {
    "never-the-list": ("tools/list; the short descriptions there say", "those you see, by"),
    "no-consequence": ("You CANNOT call a tool until then: the call fails. ", ""),
    "no-steps": ("Step ", ""),
    "no-choice": ("PICK the tool from tools/list; the short descriptions there say WHICH tool to use", "tools/list"),
    "no-address": (f"For instance {URI}?tools=search_notes,create_note", "Add ?tools= and names."),
    "no-authorizes": (" Fetching authorizes the tool for this session.", ""),
}
"""Guidance that lacks one of the things that it has to say, and nothing else."""

ONLY_STUBS = {"most-stubs": ("search_notes", "delete_note"), "one-stub": ("create_note",)}


class Notes:
    """One variant of the server."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.grants: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()
        self.shared: set[str] = set()
        self.listed: weakref.WeakSet[Any] = weakref.WeakSet()
        self.names: dict[Any, str] = {}
        self.fetched = False
        self.called: weakref.WeakSet[Any] = weakref.WeakSet()
        instructions = "Notes of one person."
        if not self.is_("plain", "plain-bare", "no-instructions"):
            instructions += f" Tools are described in {URI}: fetch the one you picked, then call it."
        if self.is_("other-instructions"):
            instructions = f"Fetch from {URI}."
        self.server: Server[Any, Any] = Server("notes", version="1.0", instructions=instructions)
        self._register()

    def is_(self, *variants: str) -> bool:
        return self.variant in variants

    # --- what the server is about -------------------------------------------------------------------------------------

    def _register(self) -> None:
        server = self.server

        @server.list_tools()
        async def tools() -> list[t.Tool]:
            bare = [self._stub(tool) for tool in copy.deepcopy(TOOLS)]
            return [t.Tool.model_validate(tool) for tool in (bare if self.is_("plain-bare") else TOOLS)]

        @server.call_tool()
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            if name == "list_folders":
                return {"folders": ["work"]}
            return [t.TextContent(type="text", text=f"{name} ran with {arguments}")]

        @server.list_resources()
        async def resources() -> list[t.Resource]:
            return [t.Resource(uri=AnyUrl("notes://readme"), name="readme")]

        @server.read_resource()
        async def read(_uri: AnyUrl) -> list[ReadResourceContents]:
            return [ReadResourceContents(content="Notes.", mime_type="text/plain")]

        @server.list_resource_templates()
        async def templates() -> list[t.ResourceTemplate]:
            if self.is_("plain", "plain-bare"):
                return []
            return [t.ResourceTemplate(uriTemplate=f"{URI}{{?tools}}", name="tool_descriptions")]

        @server.list_prompts()
        async def prompts() -> list[t.Prompt]:
            return [t.Prompt(name="monthly" if self.is_("other-prompts") else "daily")]

        if not self.is_("plain", "plain-bare"):
            self._wrap()

    def _wrap(self) -> None:
        handlers = self.server.request_handlers
        self._inner = dict(handlers)
        handlers[t.ListToolsRequest] = self._list_tools
        handlers[t.CallToolRequest] = self._call_tool
        handlers[t.ListResourcesRequest] = self._list_resources
        handlers[t.ReadResourceRequest] = self._read_resource

    # --- stage one ----------------------------------------------------------------------------------------------------

    async def _list_tools(self, request: Any) -> t.ServerResult:
        full = await self._inner[t.ListToolsRequest](request)
        if request is not None:  # the SDK lists for itself, too
            self.listed.add(self.server.request_context.session)
        listed = [self._stub(tool) for tool in copy.deepcopy(TOOLS)] + [self._bridge()]
        if self.is_("promotes") and self.fetched:
            listed[0] = TOOLS[0]
        if self.is_("reorders") and self.fetched:
            listed.reverse()
        if self.is_("loses-tool"):
            del listed[1]
        if self.is_("bridge-first-page"):
            listed.insert(2, listed.pop())
            second = request is not None and request.params is not None and request.params.cursor
            listed = listed[3:] if second else listed[:3]
            full.root.nextCursor = None if second else "more"
        full.root.tools = [t.Tool.model_validate(tool) for tool in listed]
        return full

    def _bridge(self) -> dict[str, Any]:
        if not self.is_("bridge-renamed"):
            return BRIDGE
        self.names.setdefault(self.server.request_context.session, f"notes_{len(self.names)}_describe_tools")
        return {**BRIDGE, "name": self.names[self.server.request_context.session]}

    def _stub(self, tool: dict[str, Any]) -> dict[str, Any]:
        if self.is_("full-list"):
            return tool
        tool.pop("outputSchema", None)
        schema = tool["inputSchema"]
        for prop in schema["properties"].values():
            prop.pop("description")
        short = self.is_("short-texts") and len(tool["description"]) <= 200
        if not short and not self.is_("whole-texts"):
            tool["description"] = tool["description"].partition(". ")[0].rstrip(".") + "."
        if tool["name"] == "create_note":
            self._spoil(tool, schema)
        if self.is_("drops-annotations"):
            tool.pop("annotations", None)
        if self.is_("changes-meta") and "_meta" in tool:
            tool["_meta"] = {"example.org/group": "writing"}
        return tool

    def _spoil(self, tool: dict[str, Any], schema: dict[str, Any]) -> None:
        spoiled = {
            "undescribed": " ",
            "parameters": "Create a note.\n\nArgs:\n  title: the title",
            "example": 'Create a note.\n\nExample: {"title": "x"}',
            "usage-steps": "Create a note. First call list_folders to see where.",
            "padded": "Create a note " + "and another " * 30,
            "long-winded": "Create a note " + "and another " * 50,
            "name-only": "create_note",
            "name-in-words": "Create note.",
        }
        tool["description"] = spoiled.get(self.variant, tool["description"])
        if self.is_("entry-names-only"):
            tool["inputSchema"] = {"type": "object", "additionalProperties": True}
        if self.is_("prose"):
            schema["properties"]["title"]["description"] = "The title."
        if self.is_("nested"):
            schema["properties"]["place"] = {"type": "object", "properties": {"folder": {"type": "string"}}}
        if self.is_("nested-items"):
            schema["properties"]["tags"]["items"] = {"type": "object", "properties": {"word": {"type": "string"}}}
        if self.is_("headers"):
            folder = {"type": "string", "x-mcp-header": "folder"}
            schema["properties"]["place"] = {"type": "object", "properties": {"folder": folder}}
        if self.is_("rules", "fewer-rules"):
            schema["properties"]["title"]["maxLength"] = 80
        if self.is_("padded"):
            schema["x-form"] = "one row for each of them " * 80
        if self.is_("leaks-schema"):
            tool["inputSchema"] = TOOLS[2]["inputSchema"]

    # --- stage two ----------------------------------------------------------------------------------------------------

    async def _list_resources(self, request: Any) -> t.ServerResult:
        if self.is_("list-raises"):
            raise McpError(t.ErrorData(code=-32603, message="the index is locked"))
        result = await self._inner[t.ListResourcesRequest](request)
        if self.is_("loses-resource"):
            result.root.resources = []
        if not self.is_("unlisted"):
            steps = [text for key, text in STEP.items() if self.variant != f"no-{key}"]
            ours = t.Resource(
                uri=AnyUrl(URI),
                name="Manual" if self.is_("bad-name") else "Tool Descriptions",
                description=None if self.is_("no-guidance") else "\n".join(steps),
                mimeType="text/plain" if self.is_("listed-mime") else "application/json",
            )
            ours.description = GUIDANCE.get(self.variant, ours.description)
            if self.variant in REWORDED:
                ours.description = f"{ours.description}".replace(*REWORDED[self.variant])
            result.root.resources = [ours, *result.root.resources]
        return result

    async def _read_resource(self, request: Any) -> t.ServerResult:
        uri = str(request.params.uri)
        if uri.partition("?")[0] != URI:
            return await self._inner[t.ReadResourceRequest](request)
        names = self._selected(urlsplit(uri).query)
        if not names:
            return self._contents(uri, self._missing())
        if self.is_("delivers-crashes") and self.server.request_context.session not in self.called:
            os._exit(3)
        self.fetched = True
        self._grant(names)
        body: dict[str, Any] = {name: self._entry(name) for name in names}
        if self.is_("casefold"):
            body = {name.lower(): self._entry(name.lower()) for name in names}
        if self.is_("other-tools") and {*names} < {*NAMES}:
            body = {name: self._entry(name) for name in NAMES}
        if self.is_("preamble-key"):
            body = {"workflow": "first fetch, then call", **body}
        return self._contents(uri, body)

    def _selected(self, query: str) -> list[str]:
        values = [
            value for key, value in parse_qsl(query) if key == ("names" if self.is_("ignores-tools") else "tools")
        ]
        if self.is_("no-commas"):
            return values
        names = [name for value in values for name in value.split(",") if name]
        if self.is_("one-of-two") and "," in query:
            return [*names[:1], *(name for name in names[1:] if name not in NAMES)]
        return names

    def _contents(self, uri: str, body: dict[str, Any]) -> t.ServerResult:
        text = json.dumps(body)
        if self.is_("preamble-text") and "error" not in body:
            text = f"Here are the tools you asked for:\n{text}"
        contents = t.TextResourceContents(uri=AnyUrl(uri), text=text, mimeType="application/json")
        return t.ServerResult(t.ReadResourceResult(contents=[contents]))

    def _missing(self) -> dict[str, Any]:
        if self.is_("serves-all"):
            return {name: self._entry(name) for name in NAMES}
        if self.is_("missing-raises"):
            raise McpError(t.ErrorData(code=-32602, message="MISSING_TOOL_SELECTION"))
        if self.is_("crashes"):
            os._exit(3)
        error: dict[str, Any] = {
            "code": "MISSING_TOOL_SELECTION",
            "message": "You must specify one or more tool names in the 'tools' parameter.",
            "examples": [f"{URI}?tools=search_notes", f"{URI}?tools=search_notes,create_note"],
        }
        if self.is_("missing-message"):
            error["message"] = "Which tools?"
        if self.is_("missing-examples"):
            error.pop("examples")
        return {"error": error}

    def _entry(self, name: str) -> dict[str, Any]:
        if name not in NAMES:
            if self.is_("unknown-raises"):
                raise McpError(t.ErrorData(code=-32602, message=f"no {name}"))
            hidden = ["admin_reset"] if self.is_("hidden-names") else []
            return {"error": f"Tool '{name}' not found", "available_tools": [*NAMES, *hidden]}
        tool = copy.deepcopy(TOOLS[NAMES.index(name)])
        if name == "create_note":
            self._spoil_entry(tool)
        if self.is_("stubs-again", "stub-schemas") or name in ONLY_STUBS.get(self.variant, ()):
            text = tool["description"]
            tool = self._stub(tool)
            tool["description"] = text if self.is_("stub-schemas") else tool["description"]
        guidance = {} if self.is_("no-error-guidance") else {"error_guidance": {"common_errors": []}}
        if self.is_("receipts"):
            tool["inputSchema"]["properties"]["proof"] = {"type": "string", "enum": [f"read-{name}"]}
            tool["inputSchema"]["required"] = [*tool["inputSchema"].get("required", []), "proof"]
        examples = [] if self.is_("no-examples") else [{"description": "plain", "input": {}}]
        return {**tool, "examples": examples, **guidance}

    def _spoil_entry(self, tool: dict[str, Any]) -> None:
        if self.is_("entry-undescribed"):
            tool.pop("description")
        if self.is_("entry-misnamed"):
            tool["name"] = "make_note"
        if self.is_("entry-incomplete"):
            tool["inputSchema"]["properties"].pop("tags")
        if self.is_("long-winded"):
            tool["description"] += " Notes are kept until someone deletes them." * 20
        if self.is_("entry-untyped"):
            tool["inputSchema"]["properties"]["title"].pop("type")
        if self.is_("entry-optional"):
            tool["inputSchema"].pop("required")
        if self.is_("entry-names-only"):
            tool["inputSchema"]["properties"] = {"title": {}, "tags": {}}
        if self.is_("entry-missing"):
            tool.clear()
            tool["error"] = "Tool 'create_note' not found"
        if self.is_("nested", "headers"):
            place = {"type": "object", "description": "Where it is kept."}
            tool["inputSchema"]["properties"]["place"] = place
        if self.is_("rules"):
            tool["inputSchema"] = self._stub(copy.deepcopy(TOOLS[2]))["inputSchema"]
        if self.is_("entry-changed"):
            tool["inputSchema"]["properties"]["title"]["description"] = "A title."

    # --- the gate -----------------------------------------------------------------------------------------------------

    def _mine(self) -> set[str]:
        if self.is_("shared-grants", "shared-strict", "delivers-shared"):
            return self.shared
        return self.grants.setdefault(self.server.request_context.session, set())

    def _grant(self, names: list[str]) -> None:
        if not self.is_("never-opens", "delivers-never-opens"):
            self._mine().update(NAMES if self.is_("opens-all", "delivers-opens-all") else names)

    async def _call_tool(self, request: Any) -> t.ServerResult:
        name, arguments = request.params.name, request.params.arguments or {}
        self.called.add(self.server.request_context.session)
        if name.endswith("_describe_tools"):
            body = {each: self._entry(each) for each in arguments["names"]}
            return self._result(json.dumps(body), False)
        open_ = name in self._mine() or name not in NAMES or self.is_("no-gate")
        if self.is_("receipts"):
            open_ = name not in NAMES or arguments.pop("proof", None) == f"read-{name}"
        if self.is_("one-call"):
            self._mine().discard(name)
        if not open_ and not self._advises():
            return self._refusal(name)
        result = await self._inner[t.CallToolRequest](request)
        advised = self.is_("advises-always") or (not open_ and not self.is_("advises-nothing"))
        if advised and result.root.isError:
            self._advise(result.root, name)
        if self.is_("other-validation") and result.root.isError:
            return self._result("bad input", True)
        return result

    def _advises(self) -> bool:
        """Whether calls run in the session of this request."""
        if self.variant.startswith("advises"):
            return True
        listed = self.server.request_context.session in self.listed
        return not listed and not self.variant.startswith(("strict", "receipts", "shared-strict"))

    def _advise(self, result: Any, name: str) -> None:
        entry = self._entry(name)
        if self.is_("advises-otherwise"):
            entry["inputSchema"] = {"type": "object"}
        if self.is_("advises-alone"):
            result.content.clear()
        body = {name: entry} if self.is_("advises") else entry
        result.content.append(t.TextContent(type="text", text=json.dumps(body)))

    def _refusal(self, name: str) -> t.ServerResult:
        error = {
            "code": "TOOL_LOCKED" if self.is_("other-code") else "TOOL_DESCRIPTION_REQUIRED",
            "message": f"Tool '{name}' requires fetching its description before use.",
            "resource_uri": f"{URI}?tools={name}",
        }
        if self.is_("gate-uri"):
            error["resource_uri"] = URI
        if self.is_("strict-delivers-json"):
            self._mine().add(name)
            return self._result(json.dumps({"error": error, "tool_description": self._entry(name)}), True)
        if self.variant.startswith(("delivers", "structured", "strict-structured")) or self.is_("opens-unasked"):
            return self._refusal_in_words(name, error)
        text = json.dumps({"error": error})
        if self.is_("gate-protocol-error"):
            raise McpError(t.ErrorData(code=-32602, message=text))
        if self.is_("gate-prefixed"):
            text = f"Error executing tool {name}: {text}"
        return self._result(text, not self.is_("gate-success"))

    def _refusal_in_words(self, name: str, error: dict[str, Any]) -> t.ServerResult:
        """Plain words, and the object beside them; ``delivers`` brings the definition and opens the tool."""
        if self.is_("structured-message"):
            error["message"] = "Fetch it first."
        refusal: dict[str, Any] = {"error": error}
        if self.variant.startswith("delivers"):
            refusal["tool_description"] = self._entry(name)
        if self.is_("delivers-otherwise"):
            refusal["tool_description"]["description"] = "Some tool."
        if self.variant.startswith(("delivers", "opens")) and not self.is_("delivers-closed"):
            self._mine().add(name)
        answer = self._result(f"TOOL_DESCRIPTION_REQUIRED: {name} was not called. Reply with your call.", True)
        if self.is_("delivers-meta"):
            answer.root.meta = refusal
        else:
            answer.root.structuredContent = refusal
        return answer

    @staticmethod
    def _result(text: str, is_error: bool) -> t.ServerResult:
        return t.ServerResult(t.CallToolResult(content=[t.TextContent(type="text", text=text)], isError=is_error))


async def over_stdio(variant: str) -> None:
    server = Notes(variant).server
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def over_http(stateless: bool) -> None:
    """Serve every variant at ``/VARIANT/mcp`` on a free port, which is printed first."""
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    managers: dict[str, Any] = {}
    running: list[Any] = []

    async def keep(variant: str, ready: asyncio.Future[Any]) -> None:
        server = Notes(variant).server
        manager = StreamableHTTPSessionManager(server, stateless=stateless, json_response=variant.startswith("json-"))
        async with manager.run():
            ready.set_result(manager)
            await asyncio.Event().wait()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        variant, page = scope["path"].split("/")[1:3]
        if page == "moved":
            headers = [(b"location", f"/{variant}/mcp".encode())]
            await send({"type": "http.response.start", "status": 307, "headers": headers})
            await send({"type": "http.response.body"})
            return
        if variant not in managers:
            managers[variant] = asyncio.get_running_loop().create_future()
            running.append(asyncio.ensure_future(keep(variant, managers[variant])))
        manager = await managers[variant]
        await manager.handle_request(scope, receive, send)

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[listener])


if __name__ == "__main__":
    if "--http" in sys.argv:
        over_http("--stateless" in sys.argv)
    else:
        anyio.run(over_stdio, sys.argv[1] if sys.argv[1:] else "spec")
