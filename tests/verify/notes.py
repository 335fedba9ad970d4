"""A server that follows the specification without any SDK, the same one before, and a broken variant for each check.

``python notes.py VARIANT`` speaks over stdio, in both protocol eras; over HTTP, the process of the tests answers.
``spec`` is the whole specification for sessions that list their tools before they call, and advice for the others;
``strict`` refuses in every session, ``advises`` in none.  ``plain`` is the server before, ``plain-bare`` one that had
no more to say than the stubs, ``plain-silent`` one that does not declare the resources that it has.  What is wrong
with the others stands where they are asked for.
"""

from __future__ import annotations

import copy
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

URI = "resource:///tool_descriptions"
Change = Callable[[dict[str, Any]], object]


def _string(text: str) -> dict[str, Any]:
    return {"type": "string", "description": text}


def _tool(name: str, description: str, required: list[str], properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "inputSchema": schema, **more}


TOOLS: list[dict[str, Any]] = [
    _tool(
        "search_notes",
        "Search all notes. Matches whole words in titles and bodies, the newest first; few at a time. Words of three "
        "letters and less are ignored, and so is their case. A note that is locked is found by its title alone, and "
        "its body is not shown.",
        ["query"],
        {
            "query": _string("Words that the note has to hold, all of them."),
            "limit": {"type": "integer", "description": "How many notes at most.", "default": 10},
        },
        annotations={"readOnlyHint": True, "title": "Search"},
        _meta={"example.org/group": "reading"},
    ),
    _tool(
        "list_folders",
        "List the folders that notes are kept in. Folders do not nest; the list is sorted by name.",
        [],
        {},
        outputSchema={"type": "object", "properties": {"folders": {"type": "array"}}},
    ),
    _tool(
        "create_note",
        "Create a note. The title must be new in its folder, or the note that has it is kept as it is.",
        ["title"],
        {
            "title": _string("A line without markup."),
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Words to find it by."},
        },
    ),
    _tool(
        "delete_note",
        "Delete a note for good. There is no way back, so ask the user before. What links to the note keeps its link, "
        "which leads nowhere from then on; its tags stay if other notes have them. A note that is locked has to be "
        "unlocked first, which only its owner can do.",
        ["id"],
        {"id": _string("As search gives it.")},
        annotations={"destructiveHint": True},
    ),
]
GUIDANCE = (
    "Step 1: PICK the tool from tools/list; the short descriptions there say WHICH tool to use.\n"
    "Step 2: FETCH its full description here before you CALL it.\n"
    f"For instance {URI}?tools=search_notes,create_note\n"
    "You CANNOT call a tool until then: the call fails. Fetching authorizes the tool for this session.\n"
    "Step 3: use the parameters learned."
)


def _property(name: str, **changed: Any) -> Change:
    return lambda tool: tool["inputSchema"]["properties"].setdefault(name, {}).update(changed)


def _described(text: str) -> Change:
    return lambda tool: tool.update(description=text)


STUBS: dict[str, Change] = {
    "undescribed": _described(" "),
    "parameters": _described("Create a note.\n\nArgs:\n  title: the title"),
    "example": _described('Create a note.\n\nExample: {"title": "x"}'),
    "usage-steps": _described("Create a note. First call list_folders to see where."),
    "name-only": _described("create_note"),
    "padded": lambda tool: tool.update(
        description="Create a note " + "and another " * 30,
        inputSchema={**tool["inputSchema"], "x-form": "one row for each of them " * 80},
    ),
    "entry-names-only": lambda tool: tool.update(inputSchema={"type": "object", "additionalProperties": True}),
    "prose": _property("title", description="The title."),
    "nested": _property("place", type="object", properties={"folder": {"type": "string"}}),
    "nested-items": _property("tags", items={"type": "object", "properties": {"word": {"type": "string"}}}),
    "headers": _property("place", type="object", properties={"folder": {"type": "string", "x-mcp-header": "folder"}}),
}
"""What becomes of the stub of ``create_note``."""
ENTRIES: dict[str, Change] = {
    "entry-undescribed": lambda tool: tool.pop("description"),
    "entry-misnamed": lambda tool: tool.update(name="make_note"),
    "entry-incomplete": lambda tool: tool["inputSchema"]["properties"].pop("tags"),
    "entry-untyped": lambda tool: tool["inputSchema"]["properties"]["title"].pop("type"),
    "entry-optional": lambda tool: tool["inputSchema"].pop("required"),
    "entry-names-only": lambda tool: tool["inputSchema"].update(properties={"title": {}, "tags": {}}),
    "entry-missing": lambda tool: (tool.clear(), tool.update(error="Tool 'create_note' not found")),
    "entry-changed": _property("title", description="A title."),
    "nested": _property("place", type="object", description="Where it is kept."),
    "headers": _property("place", type="object", description="Where it is kept."),
}
"""What becomes of the definition of ``create_note``."""
WORDS = ", ".join({"birds", "rain", "bread", "letters", "walks", "debts", "dreams"})  # another order at each start
ONLY_STUBS = {"most-stubs": ("search_notes", "delete_note"), "one-stub": ("create_note",)}


class RefusedError(Exception):
    """A request that is answered with an error of the protocol: its number and its text."""


@dataclass(eq=False)
class Session:
    """What the server remembers of one session."""

    number: int
    listed: bool = False
    called: bool = False
    granted: set[str] = field(default_factory=set)


class Notes:
    """One variant of the server."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.is_plain = variant.startswith("plain")
        self.tools = {"acting": TOOLS[2:], "nothing": []}.get(variant, TOOLS)
        self.names = [tool["name"] for tool in self.tools]
        self.sessions = 0
        self.shared: set[str] = set()
        self.fetched = False

    def is_(self, *variants: str) -> bool:
        return self.variant in variants

    def session(self) -> Session:
        self.sessions += 1
        return Session(self.sessions)

    def answer(self, message: dict[str, Any], session: Session) -> dict[str, Any]:
        """The whole answer to a request."""
        methods: dict[str, Callable[[dict[str, Any], Session], dict[str, Any]]] = {
            "initialize": lambda _params, _session: {"protocolVersion": "2025-06-18", **self._about()},
            "server/discover": lambda _params, _session: self._about(),
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": lambda _params, _session: {"resources": self._resources()},
            "resources/read": self._read,
            "resources/templates/list": lambda _params, _session: {
                "resourceTemplates": [] if self.is_plain else [{"uriTemplate": f"{URI}{{?tools}}", "name": "tools"}]
            },
            "prompts/list": lambda _params, _session: {
                "prompts": [{"name": "monthly" if self.is_("other-prompts") else "daily", "description": WORDS}]
            },
        }
        try:
            if self.is_("only-handshake") and message["method"] == "server/discover":
                raise RefusedError(-32601, "unknown method")
            outcome = {"result": methods[message["method"]](message.get("params") or {}, session)}
        except RefusedError as error:
            outcome = {"error": {"code": error.args[0], "message": error.args[1]}}
        return {"jsonrpc": "2.0", "id": message["id"], **outcome}

    def _about(self) -> dict[str, Any]:
        instructions = "Notes of one person."
        if not self.is_plain and not self.is_("no-instructions"):
            instructions += f" Tools are described in {URI}: fetch the one you picked, then call it."
        return {
            "capabilities": {"tools": {}, "prompts": {}, **({} if self.is_("plain-silent") else {"resources": {}})},
            "serverInfo": {"name": "notes", "version": "1.0"},
            "instructions": f"Fetch from {URI}." if self.is_("other-instructions") else instructions,
        }

    # --- stage one ----------------------------------------------------------------------------------------------------

    def _list_tools(self, params: dict[str, Any], session: Session) -> dict[str, Any]:
        session.listed = True
        if self.is_("plain", "plain-silent"):
            return {"tools": TOOLS}
        listed = [self._stub(tool) for tool in copy.deepcopy(self.tools)]
        listed += [] if self.is_("plain-bare", "nothing") else [self._bridge(session)]
        if self.is_("promotes") and self.fetched:
            listed[0] = TOOLS[0]
        if self.is_("reorders") and self.fetched:
            listed.reverse()
        if self.is_("loses-tool"):
            del listed[1]
        page = int(params.get("cursor", 0)) + 1
        if self.is_("pages", "slow-pages"):
            return {"tools": listed[:1], "nextCursor": str(page)}
        if self.is_("bridge-first-page"):
            listed.insert(2, listed.pop())
            return {"tools": listed[3:]} if page > 1 else {"tools": listed[:3], "nextCursor": "1"}
        return {"tools": listed}

    def _bridge(self, session: Session) -> dict[str, Any]:
        names = {"type": "array", "items": {"type": "string", "enum": self.names}}
        name = f"notes_{session.number}_describe_tools" if self.is_("bridge-renamed") else "notes_describe_tools"
        text = "Read the full definitions of tools. Parameters: the names as they are listed."
        return _tool(name, text, ["names"], {"names": names}, annotations={"readOnlyHint": True})

    def _stub(self, tool: dict[str, Any]) -> dict[str, Any]:
        if self.is_("full-list"):
            return tool
        tool.pop("outputSchema", None)
        for prop in tool["inputSchema"]["properties"].values():
            prop.pop("description")
        if not self.is_("whole-texts"):
            tool["description"] = tool["description"].partition(". ")[0].rstrip(".") + "."
        if tool["name"] == "create_note" and self.variant in STUBS:
            STUBS[self.variant](tool)
        if self.is_("drops-annotations"):
            tool.pop("annotations", None)
        if self.is_("changes-meta") and "_meta" in tool:
            tool["_meta"] = {"example.org/group": "writing"}
        return tool

    # --- stage two ----------------------------------------------------------------------------------------------------

    def _resources(self) -> list[dict[str, Any]]:
        if self.is_("list-raises"):
            raise RefusedError(-32603, "the index is locked")
        own = [] if self.is_("loses-resource") else [{"uri": "notes://readme", "name": "readme"}]
        described = {} if self.is_("no-guidance") else {"description": GUIDANCE}
        name = "Manual" if self.is_("bad-name") else "Tool Descriptions"
        kind = "text/plain" if self.is_("listed-mime") else "application/json"
        ours = {"uri": URI, "name": name, "mimeType": kind, **described}
        return own if self.is_plain or self.is_("unlisted") else [ours, *own]

    def _read(self, params: dict[str, Any], session: Session) -> dict[str, Any]:
        uri = params["uri"]
        if self.is_plain or uri.partition("?")[0] != URI:
            raise RefusedError(-32002, "no such resource")
        if not (names := self._selected(urlsplit(uri).query)):
            return self._contents(uri, self._missing())
        if self.is_("delivers-crashes") and not session.called:
            os._exit(3)
        self.fetched = True
        if not self.is_("never-opens", "delivers-never-opens"):
            self._grants(session).update(self.names if self.is_("opens-all", "delivers-opens-all") else names)
        body: dict[str, Any] = {name: self._entry(name) for name in names}
        if self.is_("casefold"):
            body = {name.lower(): self._entry(name.lower()) for name in names}
        if self.is_("other-tools") and {*names} < {*self.names}:
            body = {name: self._entry(name) for name in self.names}
        if self.is_("preamble-key"):
            body = {"workflow": "first fetch, then call", **body}
        return self._contents(uri, body)

    def _selected(self, query: str) -> list[str]:
        key = "names" if self.is_("ignores-tools") else "tools"
        values = [value for name, value in parse_qsl(query) if name == key]
        if self.is_("no-commas"):
            return values
        names = [name for value in values for name in value.split(",") if name]
        if self.is_("one-of-two") and "," in query:
            return [*names[:1], *(name for name in names[1:] if name not in self.names)]
        return names

    def _contents(self, uri: str, body: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(body)
        if self.is_("preamble-text") and "error" not in body:
            text = f"Here are the tools you asked for:\n{text}"
        contents = [{"uri": uri, "text": text, "mimeType": "application/json"}]
        return {"contents": contents * 2 if self.is_("preamble-twice") else contents}

    def _missing(self) -> dict[str, Any]:
        if self.is_("serves-all"):
            return {name: self._entry(name) for name in self.names}
        if self.is_("missing-raises"):
            raise RefusedError(-32602, "MISSING_TOOL_SELECTION")
        if self.is_("crashes"):
            os._exit(3)
        text = "You must specify one or more tool names in the 'tools' parameter."
        error: dict[str, Any] = {
            "code": "MISSING_TOOL_SELECTION",
            "message": "Which tools?" if self.is_("missing-message") else text,
            "examples": [] if self.is_("missing-examples") else [f"{URI}?tools=search_notes"],
        }
        return {"error": error}

    def _entry(self, name: str) -> dict[str, Any]:
        if name not in self.names:
            if self.is_("unknown-raises"):
                raise RefusedError(-32602, f"no {name}")
            hidden = ["admin_reset"] if self.is_("hidden-names") else []
            return {"error": f"Tool '{name}' not found", "available_tools": [*self.names, *hidden]}
        tool = copy.deepcopy(TOOLS[[each["name"] for each in TOOLS].index(name)])
        if name == "create_note" and self.variant in ENTRIES:
            ENTRIES[self.variant](tool)
        if self.is_("stubs-again", "stub-schemas") or name in ONLY_STUBS.get(self.variant, ()):
            text = tool["description"]
            tool = self._stub(tool)
            tool["description"] = text if self.is_("stub-schemas") else tool["description"]
        if self.is_("receipts"):
            tool["inputSchema"]["properties"]["proof"] = {"type": "string", "enum": [f"read-{name}"]}
            tool["inputSchema"]["required"].append("proof")
        guidance = {} if self.is_("no-error-guidance") else {"error_guidance": {"common_errors": []}}
        return {**tool, "examples": [] if self.is_("no-examples") else [{"input": {}}], **guidance}

    # --- the gate -----------------------------------------------------------------------------------------------------

    def _grants(self, session: Session) -> set[str]:
        return self.shared if self.is_("shared-grants", "shared-strict", "delivers-shared") else session.granted

    def _call_tool(self, params: dict[str, Any], session: Session) -> dict[str, Any]:
        name, arguments = params["name"], params["arguments"]
        session.called = True
        if name.endswith("_describe_tools"):
            return _result(json.dumps({each: self._entry(each) for each in arguments["names"]}), False)
        is_open = name in self._grants(session) or self.is_plain or self.is_("no-gate")
        if self.is_("receipts"):
            is_open = arguments.pop("proof", None) == f"read-{name}"
        if self.is_("one-call"):
            session.granted.discard(name)
        if not is_open and not self._advises(session):
            return self._refusal(name, session)
        (tool,) = (tool for tool in TOOLS if tool["name"] == name)
        lacking = [key for key in tool["inputSchema"]["required"] if key not in arguments]
        if not lacking:
            return _result(f"{name} ran with {arguments}", False)
        place = 'before/notes.py", line 7' if self.is_plain else 'notes.py", line 10'
        said = f'{lacking[0]} is missing (File "/{place}, in call)'
        result = _result("bad input" if self.is_("other-validation") else said, True)
        if self.is_("advises-always") or (not is_open and not self.is_("advises-nothing")):
            self._advise(result, name)
        return result

    def _advises(self, session: Session) -> bool:
        """Whether calls run in this session."""
        always = self.variant.startswith(("strict", "receipts", "shared-strict"))
        return self.variant.startswith("advises") or not (session.listed or always)

    def _advise(self, result: dict[str, Any], name: str) -> None:
        entry = self._entry(name)
        if self.is_("advises-otherwise"):
            entry["inputSchema"] = {"type": "object"}
        if self.is_("advises-alone"):
            result["content"].clear()
        body = {name: entry} if self.is_("advises") else entry
        result["content"].append({"type": "text", "text": json.dumps(body)})

    def _refusal(self, name: str, session: Session) -> dict[str, Any]:
        error = {
            "code": "TOOL_LOCKED" if self.is_("other-code") else "TOOL_DESCRIPTION_REQUIRED",
            "message": f"Tool '{name}' requires fetching its description before use.",
            "resource_uri": URI if self.is_("gate-uri") else f"{URI}?tools={name}",
        }
        if self.is_("structured-message"):
            error["message"] = "Fetch it first."
        opens = self.variant.startswith(("delivers", "opens-unasked", "strict-delivers"))
        if opens and not self.is_("delivers-closed"):
            self._grants(session).add(name)
        refusal: dict[str, Any] = {"error": error}
        if self.variant.startswith(("delivers", "strict-delivers")):
            refusal["tool_description"] = self._entry(name)
        if self.is_("delivers-otherwise"):
            refusal["tool_description"]["description"] = "Some tool."
        if self.variant.startswith(("delivers", "structured", "strict-structured", "opens-unasked")):
            result = _result(f"TOOL_DESCRIPTION_REQUIRED: {name} was not called. Reply with your call.", True)
            return {**result, "_meta" if self.is_("delivers-meta") else "structuredContent": refusal}
        text = json.dumps(refusal)
        if self.is_("gate-protocol-error"):
            raise RefusedError(-32602, text)
        if self.is_("gate-prefixed"):
            text = f"Error executing tool {name}: {text}"
        return _result(text, not self.is_("gate-success"))


def _result(text: str, is_error: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def over_stdio(variant: str) -> None:
    """Serve one session; ``silent-METHOD`` never answers that method."""
    notes = Notes(variant)
    session = notes.session()
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and variant != f"silent-{message['method']}":
            time.sleep(0.1 if variant == "slow-pages" else 0)
            sys.stdout.write(json.dumps(notes.answer(message, session)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    over_stdio(sys.argv[1])
