"""Clients and servers that do what nobody expects: a wrapper answers, hands on, or ends; it never hangs by itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import eventually
from tests.wrap.conftest import ANYTHING, PLAIN, Marked, needs_proc, running, wrapping
from tests.wrap.talking import HELLO, PATIENCE, PYTHON, Client, client

CALLS: tuple[Any, ...] = (
    *(["by position"], "a text", {}, {"name": ["say"]}, {"name": {"say": 1}}),
    *({"name": "say", key: None} for key in ("_meta", "arguments")),
)
ODD = [*(("tools/call", params) for params in CALLS), ("resources/read", [1]), ("prompts/list", [1])]


def test_odd_requests_get_the_answers_of_the_server_itself(wrapped: list[str]) -> None:
    got = []
    for command in (PLAIN, wrapped):
        with client(command) as talking:
            talking.send({"method": "notifications/cancelled", "params": ["by position"]})
            talking.send({"method": "notifications/cancelled", "params": {"requestId": {"odd": 1}}})
            got.append([talking.ask(method, params) for method, params in ODD])
            assert "result" in talking.call("say")
    assert got[0] == got[1]


def test_requests_before_the_introduction_are_answered(wrapped: list[str]) -> None:
    with client(wrapped, introduced=False) as talking:
        assert [tool["name"] for tool in talking.tools()][:2] == ["say", "fail"]
        assert "TOOL_DESCRIPTION_REQUIRED" in str(talking.call("say"))
        assert "serverInfo" in talking.ask("initialize", HELLO)["result"]


def test_lines_that_are_no_requests_reach_the_server_as_they_are(wrapped: list[str], tmp_path: Path) -> None:
    echo = tmp_path / "echo.py"
    echo.write_text(
        "import sys\nfor line in sys.stdin.buffer:\n"
        '    answer = b\'{"jsonrpc":"2.0","method":"got","params":{"hex":"\' + line.hex().encode() + b\'"}}\\n\'\n'
        "    sys.stdout.buffer.write(answer), sys.stdout.buffer.flush()\n",
        encoding="utf-8",
    )
    text = Path(wrapped[1]).read_text(encoding="utf-8").replace(str(ANYTHING), str(echo))
    (tmp_path / "server.py").write_text(text, encoding="utf-8")
    lines = [
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n',
        '{"jsonrpc":"2.0","method":"x","params":{"t":"a\u2028b\u0085c\x0c"}}\n'.encode(),
        b"no message\n",
        b"\xff\xfe\n",
        b'{"jsonrpc":"2.0","id":1e999,"method":"x"}\r\n',
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc":"2.0","method":"x","params":{"t":"' + b"y" * 5_000_000 + b'"}}\n',
    ]
    with client([PYTHON, str(tmp_path / "server.py")], introduced=False) as talking:
        for line in lines:
            talking.write(line)
        assert [bytes.fromhex(talking.next()["params"]["hex"]) for _ in lines] == lines


def test_an_error_that_is_null_is_none(tmp_path: Path) -> None:
    with client(wrapping(tmp_path, "null-errors")) as talking:
        assert talking.tools()
        assert talking.call("say")["result"]["isError"]
        assert talking.call("say")["result"]["structuredContent"] == {"said": "hello"}


def test_what_a_cancelled_call_still_gets_from_the_server_is_not_handed_on(tmp_path: Path) -> None:
    command = wrapping(tmp_path, "slow-tools/list")
    with client(command) as talking:
        talking.tools()
        number = talking.begin("tools/call", {"name": "say", "arguments": {}})
        time.sleep(0.5)
        talking.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        assert "result" in talking.ask("ping")
        assert "TOOL_DESCRIPTION_REQUIRED" in str(talking.call("say"))
        assert not [message for message in talking.got if "disclosure" in str(message.get("id"))]
        assert not [message for message in talking.got if message.get("id") == number]


def test_a_tool_is_refused_in_the_form_of_the_version_that_the_call_names(wrapped: list[str]) -> None:
    modern = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    with client(wrapped, introduced=False) as talking:
        talking.ask("tools/list", {"_meta": modern})
        assert talking.call("say", _meta=modern)["result"]["resultType"] == "complete"


@needs_proc
def test_nothing_is_left_when_the_client_leaves_while_the_server_takes_nothing(marked: Marked) -> None:
    command, server = marked()
    talking = Client(command)
    talking.ask("initialize", HELLO)
    talking.tools()
    talking.fetch("deaf")
    talking.begin("tools/call", {"name": "deaf", "arguments": {}})
    descriptor = talking.process.stdin.fileno()
    os.set_blocking(descriptor, False)
    data, pauses = json.dumps({"jsonrpc": "2.0", "method": "x", "params": {"t": "y" * 40_000}}).encode() + b"\n", 0
    while pauses < 20:  # until the pipes to the server and to the wrapper are full
        try:
            written = os.write(descriptor, data)
            data, pauses = data[written:] + data[:written], 0
        except BlockingIOError:
            time.sleep(0.1)
            pauses += 1
    assert talking.close() == 0
    assert eventually(lambda: not running(server))


@needs_proc
@pytest.mark.parametrize("number", [None, signal.SIGHUP])
def test_a_server_that_ends_only_when_killed_is_killed_before_clients_kill_the_wrapper(
    marked: Marked, number: signal.Signals | None
) -> None:
    """Official clients close the input, ask the process to end after two seconds, and kill it after two more."""
    command, server = marked("stubborn", "deaf", "child")
    talking = Client(command)
    talking.ask("initialize", HELLO)
    assert eventually(lambda: len(running(server)) == 2)
    if number is None:
        talking.process.stdin.close()
    else:
        talking.process.send_signal(number)
    begun = time.monotonic()
    try:
        talking.process.wait(2)
    except subprocess.TimeoutExpired:
        talking.process.terminate()
    talking.process.wait(PATIENCE)
    took = time.monotonic() - begun
    talking.close()
    assert eventually(lambda: not running(server))
    assert took < 4
