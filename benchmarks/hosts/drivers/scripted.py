"""A model that says what a plan says, behind the API of OpenAI's chat completions on loopback.

Every agent framework speaks to that API, so what arrives here is what a provider would be sent: the tools as the
framework converts them, and the text of each result.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from plan import Plan, Seen, Step

MODEL, KEY = "gpt-4o", "no key"


class ScriptedModel:
    """Calls one tool a turn, in the order of the plan, and then says that it is done."""

    def __init__(self, plan: Plan) -> None:
        self.seen = Seen()
        self._steps = plan.steps
        self._turn = 0
        self._before: list[dict[str, Any]] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The message that answers a request."""
        tools = [tool["function"] for tool in request.get("tools") or [] if tool.get("type") == "function"]
        self.seen.tools = self.seen.tools or tools
        if 0 < self._turn <= len(self._steps):
            self.seen.results.append(self._result(request["messages"]))
        self._before = request["messages"]
        self._turn += 1
        if self._turn > len(self._steps):
            if any(tool["name"] == "final_answer" for tool in tools):
                return self._call("final_answer", {"answer": "done"})
            return {"role": "assistant", "content": "done"}
        step = self._steps[self._turn - 1]
        tool = offered(step.tool, tools)
        return self._call(tool["name"], self._arguments(step, tool))

    def _call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{self._turn}", "type": "function", "index": 0, "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def _result(self, messages: list[dict[str, Any]]) -> str:
        """The text for the result of the last call.

        A framework that has no such messages puts it into the last one, which may be the one of before made longer.
        """
        for message in messages:
            if message.get("tool_call_id") == f"call_{self._turn}":
                return _text(message)
        longer = len(messages) == len(self._before)
        return _text(messages[-1]).removeprefix(_text(self._before[-1]) if longer else "")

    def _arguments(self, step: Step, tool: dict[str, Any]) -> dict[str, Any]:
        arguments, invented = completed(step.arguments, tool.get("parameters") or {})
        self.seen.invented += [f"{step.tool}.{name}" for name in invented]
        return arguments


def offered(name: str, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The tool of that name, also where the framework puts the name of the server before it.

    Raises:
        LookupError: the framework offers no such tool, or several.
    """
    exact = [tool for tool in tools if tool["name"] == name]
    found = exact or [tool for tool in tools if tool["name"].endswith(name)]
    if len(found) != 1:
        raise LookupError(f"{name} is not among the tools: {', '.join(tool['name'] for tool in tools)}")
    return found[0]


def completed(arguments: dict[str, Any], schema: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Arguments with all that the schema requires, and the names of those that had to be invented.

    Some frameworks require every property, and providers then decode no call without them.  A model says null for what
    it would rather leave out, where it may, else the default that the schema shows.
    """
    result, invented = dict(arguments), []
    for name, property_ in schema.get("properties", {}).items():
        if name in result or name not in schema.get("required", ()):
            continue
        if _nullable(property_):
            result[name] = None
        elif "default" in property_:
            result[name] = property_["default"]
        else:
            result[name] = _any_value(property_)
            invented.append(name)
    return result, invented


def _nullable(schema: dict[str, Any]) -> bool:
    kinds = schema.get("type")
    if schema.get("nullable") or kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return True
    return any(_nullable(branch) for key in ("anyOf", "oneOf") for branch in schema.get(key, ()))


def _any_value(schema: dict[str, Any]) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    return {"integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}.get(str(kind), "something")


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", part)) for part in content)
    return str(content)


@contextmanager
def scripted_model(plan: Plan) -> Iterator[tuple[str, Seen]]:
    """The base URL of a model for this plan, and what it has seen."""
    model = ScriptedModel(plan)

    class Endpoint(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = model.answer(request)
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            head = {"id": "1", "created": 0, "model": MODEL}
            if request.get("stream"):
                choice = {"index": 0, "delta": message, "finish_reason": reason}
                chunk = {**head, "object": "chat.completion.chunk", "choices": [choice]}
                self._send("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")
                return
            choice = {"index": 0, "message": message, "finish_reason": reason}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
            self._send("application/json", json.dumps(whole))

        def _send(self, kind: str, text: str) -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Nothing: what matters is in the report."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1", model.seen
        finally:
            server.shutdown()
