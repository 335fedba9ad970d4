"""A wrapped server against the same server unwrapped, message by message, over real pipes."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.running import eventually
from tests.wrap.conftest import PLAIN, Marked, needs_proc, running, wrapping
from tests.wrap.talking import HELLO, PATIENCE, PYTHON, Client, Json, client

BRIDGE = "anything_describe_tools"


def without_disclosure(message: Json) -> Json:
    """A message without what disclosure adds to it, and without the two fields that it changes."""
    result = message.get("result")
    if not isinstance(result, dict):
        return message
    if "capabilities" in result:
        own = str(result["instructions"]).split("Before you call a tool")[0]
        result = {**result, "instructions": own.split("\n\n")[0]}
    if "tools" in result:
        tools = [tool for tool in result["tools"] if tool["name"] != BRIDGE]
        result = {**result, "tools": [{**tool, "description": "", "inputSchema": {}} for tool in tools]}
    for key in ("resources", "resourceTemplates"):
        if key in result:
            result = {**result, key: [one for one in result[key] if "resource:///tool_descr" not in str(one)]}
    return {**message, "result": result}


def everything(talking: Client) -> None:
    """A session that uses all that the server offers; what it gets stays in ``talking.got``."""
    names = [tool["name"] for tool in talking.tools() if tool["name"] != BRIDGE]
    for method, params in (
        ("resources/list", {}),
        ("resources/read", {"uri": "file:///a"}),
        ("resources/read", {"uri": "file:///none"}),
        ("prompts/list", {}),
        ("completion/complete", {"ref": {}, "argument": {}}),
        ("quite/unknown", {"with": ["its", "own", {"parameters": None}]}),
        ("no/method", None),
        ("ping", None),
        ("tools/call", {"name": "not a tool", "arguments": {}}),
    ):
        talking.ask(method, params)
    for name in ("say", "fail", "refuse", "ask", "log", "huge", "change"):
        assert name in names
        talking.call(name)
    talking.call("progress", _meta={"progressToken": "mine", "other": 1})
    talking.tools()
    talking.send({"id": "text as id", "method": "ping"})
    talking.next()


def test_every_message_is_the_same_but_for_what_disclosure_changes(wrapped: list[str]) -> None:
    got = []
    for command, environment in ((PLAIN, {}), (wrapped, {"PROGRESSIVE_DISCLOSURE": "advise"})):
        with client(command, **environment) as talking:
            everything(talking)
        got.append([without_disclosure(message) for message in talking.got])
    plain, ours = got
    # A failing call gets a description beside its own content, under this policy.
    for message in ours:
        content = (message.get("result") or {}).get("content", [])
        if (message.get("result") or {}).get("isError"):
            del content[1:]
        error = message.get("error") or {}
        data = error.get("data")
        if isinstance(data, dict) and data.pop("tool_description", None):
            error["message"] = error["message"].partition(" (Read the tool's full description")[0]
            if not data:
                del error["data"]
    assert ours == plain


def test_switched_off_it_passes_everything_through(wrapped: list[str]) -> None:
    got = []
    for command in (PLAIN, wrapped):
        with client(command, PROGRESSIVE_DISCLOSURE="off") as talking:
            everything(talking)
        got.append(talking.got)
    assert got[0] == got[1]


def test_stubs_come_first_and_a_fetch_gives_what_the_server_itself_lists(wrapped: list[str]) -> None:
    with client(PLAIN) as talking:
        full = {tool["name"]: tool for tool in talking.tools()}
    with client(wrapped) as talking:
        listed = {tool["name"]: tool for tool in talking.tools()}
        fetched = talking.fetch("say", "fail")
        opened = talking.call("say")
        bridged = talking.call(BRIDGE, arguments={"names": ["log"]})
    assert listed.keys() - full.keys() == {BRIDGE}
    assert listed["say"]["description"] == "Do what is called say. Use it when you want to say."
    assert listed["say"]["inputSchema"]["properties"] == {"text": {"type": "string"}}
    for name in ("say", "fail"):
        assert {key: fetched[name][key] for key in full[name]} == full[name]
    assert opened["result"]["structuredContent"] == {"said": "hello"}
    assert "It takes one text" in str(bridged["result"])


def test_a_bridge_whose_description_was_fetched_is_still_no_tool_of_the_server(wrapped: list[str]) -> None:
    with client(wrapped) as talking:
        assert talking.fetch(BRIDGE, "say")[BRIDGE]["name"] == BRIDGE
        for _ in range(5):
            talking.call("say")  # which is handed on without a look, as nothing else is under way
            bridged = talking.call(BRIDGE, arguments={"names": ["log"]})
            assert "It takes one text" in str(bridged["result"])


def test_a_tool_that_the_server_adds_while_it_runs_is_disclosed_too(wrapped: list[str]) -> None:
    with client(wrapped) as talking:
        talking.tools()
        talking.fetch("change")
        talking.call("change")
        assert {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"} in talking.got
        late = next(tool for tool in talking.tools() if tool["name"] == "late")
        assert late["inputSchema"]["properties"] == {"text": {"type": "string"}}
        assert "late" in talking.fetch("late")


def test_a_server_without_resources_gets_the_one_of_disclosure_in_every_list(tmp_path: Path) -> None:
    with client(wrapping(tmp_path, "no-resources")) as talking:
        assert "resources" in talking.got[0]["result"]["capabilities"]
        resources = talking.ask("resources/list")["result"]["resources"]
        assert [one["uri"] for one in resources] == ["resource:///tool_descriptions"]
        assert "say" in talking.fetch("say")
        assert talking.ask("resources/read", {"uri": "file:///none"})["error"]["code"] == -32601
        assert "result" in talking.ask("resources/templates/list")


def test_the_server_hears_of_a_cancelled_call_however_soon_that_is(wrapped: list[str]) -> None:
    with client(wrapped) as talking:
        talking.tools()
        talking.fetch("hang", "say")
        for _ in range(500):
            talking.begin("tools/list")  # as long as we answer that, calls are looked at
            waiting = talking.begin("tools/call", {"name": "hang", "arguments": {}})
            talking.send({"method": "notifications/cancelled", "params": {"requestId": waiting}})
            assert "result" in talking.call("say")


@pytest.mark.parametrize(("tool", "why"), [("die", "ended with status 3"), ("close", "closed its output")])
def test_a_server_that_is_gone_is_one_clear_error_for_each_request_that_waits(
    wrapped: list[str], tool: str, why: str
) -> None:
    with client(wrapped) as talking:
        talking.tools()
        talking.fetch(tool)
        error = talking.call(tool)["error"]
        assert why in error["message"]
        assert "raw_server.py" in error["message"]
        with pytest.raises(EOFError):
            talking.next()
        assert talking.process.wait(PATIENCE) == 1


def test_what_is_no_message_is_said_and_not_handed_on_and_a_line_without_an_end_ends_the_server(
    wrapped: list[str],
) -> None:
    with client(wrapped) as talking:
        talking.tools()
        talking.fetch("garbage", "flood")
        assert "result" in talking.call("garbage")
        assert "error" in talking.call("flood")
    assert any("a line that is not a message" in line for line in talking.said)


@needs_proc
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_nothing_is_left_when_the_client_leaves(marked: Marked, number: signal.Signals | None, busy: bool) -> None:
    command, server = marked()
    talking = Client(command)
    talking.ask("initialize", HELLO)
    talking.tools()
    talking.fetch("hang")
    if busy:
        talking.begin("tools/call", {"name": "hang", "arguments": {}})
    assert running(server)
    if number is not None:
        talking.process.send_signal(number)
    assert talking.close() == 0
    assert eventually(lambda: not running(server))


def test_a_command_that_cannot_be_started_is_said_and_ends_the_wrapper(wrapped: list[str], tmp_path: Path) -> None:
    text = Path(wrapped[1]).read_text(encoding="utf-8").replace(f"'{PYTHON}'", "'/no/such/program'")
    broken = tmp_path / "server.py"
    broken.write_text(text, encoding="utf-8")
    talking = Client([PYTHON, str(broken)])
    assert talking.close() == 1
    assert eventually(lambda: any("cannot be started" in line for line in talking.said))
