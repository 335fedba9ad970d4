"""Conversations with a raw server over stdio: what is on the wire arrives as it is, and nothing is left running."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from pdmigrate.live import wire
from pdmigrate.live.wire.stdio import StdioTransport
from pdmigrate.model import JsonObject
from tests.support.running import eventually
from tests.wire.raw_server import DOES, tool

RAW = Path(__file__).with_name("raw_server.py")


pytestmark = pytest.mark.usefixtures("impatient")


def raw(*behaviour: str) -> wire.StdioTarget:
    return wire.StdioTarget((sys.executable, str(RAW), *behaviour))


def list_tools(target: wire.StdioTarget, timeout: float) -> list[JsonObject]:
    with wire.connect(target, timeout=timeout) as session:
        session.initialize()
        return session.list_tools()


@pytest.mark.parametrize("behaviour", ["", "noise", "crlf", "late", "batch", "noisy-stderr"])
def test_every_page_arrives_with_every_field(behaviour: str) -> None:
    with wire.connect(raw(behaviour), timeout=10) as session:
        session.initialize()
        assert session.list_tools() == [tool(name) for name in DOES]


def test_the_servers_own_requests_are_answered() -> None:
    with wire.connect(raw("asks"), timeout=10) as session:
        asked = session.initialize()["asked"]
        assert asked["ping"] == {"jsonrpc": "2.0", "id": "own-ping", "result": {}}
        assert asked["roots/list"] == {"jsonrpc": "2.0", "id": "own-roots/list", "result": {"roots": []}}
        assert asked["sampling/createMessage"]["error"]["code"] == -32601


def test_a_failed_tool_is_a_result_and_an_error_answer_keeps_its_fields() -> None:
    with wire.connect(raw(), timeout=10) as session:
        assert session.initialize("2024-11-05")["protocolVersion"] == "2024-11-05"
        assert session.call_tool("fail", {"text": "ü\ud800"})["isError"] is True
        with pytest.raises(wire.RpcError) as caught:
            session.call_tool("refuse")
    assert (caught.value.number, caught.value.text, caught.value.data) == (-32099, "never", {"why": ["many"]})
    assert caught.value.code == "PD706"


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        pytest.param(
            ["dies-at-initialize"], wire.ServerEndedError, ["status 7", "initialize", "out of luck"], id="dies"
        ),
        pytest.param(["silent-at-initialize"], wire.NoAnswerError, ["initialize", "within 1 s"], id="silent"),
        pytest.param(["silent-at-initialize", "noise"], wire.NoAnswerError, ["Welcome"], id="silent but chatty"),
        pytest.param(
            ["silent-at-initialize", "noisy-stderr"], wire.NoAnswerError, ["last words"], id="the end of stderr"
        ),
        pytest.param(
            ["silent-at-initialize", "stubborn", "deaf"], wire.NoAnswerError, ["within"], id="ignores SIGTERM"
        ),
        pytest.param(["flood"], wire.NoAnswerError, ["within 1 s", "other output on stdout"], id="prints without end"),
        pytest.param(
            ["flood-without-lines"], wire.BadAnswerError, ["a line of more than"], id="prints a line without end"
        ),
        pytest.param(["list-result"], wire.BadAnswerError, ["is not an object"], id="a result that is no object"),
        pytest.param(["endless"], wire.BadAnswerError, ["more than 1000 pages"], id="pages in a circle"),
    ],
)
def test_what_is_wrong_is_said(behaviour: list[str], kind: type[wire.WireError], words: list[str]) -> None:
    timeout = 1 if kind is wire.NoAnswerError else 20
    with pytest.raises(kind) as caught:
        list_tools(raw(*behaviour), timeout)
    assert all(word in caught.value.message for word in words)
    assert caught.value.hint
    assert len(caught.value.message) < 10_000


def test_an_answer_that_came_too_late_is_not_taken_for_the_next() -> None:
    with wire.connect(raw("slow-tools/list"), timeout=10) as session:
        session.initialize()
        with pytest.raises(wire.NoAnswerError):
            session.request("tools/list", {"cursor": "8"}, timeout=0.2)
        assert session.request("tools/list", {"cursor": "4"})["nextCursor"] == "8"


@pytest.mark.parametrize(
    "target",
    [
        wire.StdioTarget(()),
        wire.StdioTarget(("no-such-program-anywhere",)),
        wire.StdioTarget((sys.executable,), cwd=Path("/no/such/directory")),
        wire.StdioTarget((sys.executable, "a\0b")),
    ],
    ids=["no command", "no program", "no directory", "no argument"],
)
def test_a_command_that_cannot_be_run_is_said(target: wire.StdioTarget) -> None:
    with pytest.raises(wire.StartError) as caught, wire.connect(target):
        pass
    assert "Errno" not in str(caught.value)


def test_the_environment_is_laid_over_that_of_this_process(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text('import os, sys\nsys.exit(f\'{os.environ["ONE"]} {"PATH" in os.environ} {os.getcwd()}\')')
    target = wire.StdioTarget((sys.executable, str(script)), env={"ONE": "1"}, cwd=tmp_path)
    with pytest.raises(wire.ServerEndedError, match=f"1 True {tmp_path}"), wire.connect(target) as session:
        session.initialize()


# --- nothing is left running ------------------------------------------------------------------------------------------


def gone(pid: int) -> bool:
    """Whether a process ends in time; one that nobody has reaped yet has ended."""

    def ended() -> bool:
        try:
            os.kill(pid, 0)
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except ProcessLookupError:
            return True
        except FileNotFoundError:
            return Path("/proc").is_dir()

    return eventually(ended)


@pytest.mark.parametrize(
    "behaviour", [(), ("stubborn",), ("stubborn", "deaf"), ("child",), ("child", "stubborn", "deaf")]
)
def test_the_whole_process_group_is_ended(behaviour: tuple[str, ...]) -> None:
    transport = StdioTransport(raw(*behaviour))
    try:
        deadline = time.monotonic() + 10
        while "child" in behaviour and "child" not in transport.diagnosis() and time.monotonic() < deadline:
            time.sleep(0.02)
        said = transport.diagnosis().split()
    finally:
        for _ in range(2):  # twice is harmless
            transport.close()
    assert gone(transport.pid)
    if "child" in behaviour:
        assert gone(int(said[said.index("child") + 1]))


def test_an_exception_in_between_ends_the_server_too() -> None:
    with suppress(KeyboardInterrupt), wire.connect(raw(), timeout=10) as session:
        session.initialize()
        raise KeyboardInterrupt
    assert gone(session.transport.pid)


def test_a_polite_server_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pdmigrate.live.wire.stdio.POLITE", 60)
    with wire.connect(raw(), timeout=10) as session:
        session.initialize()
        started = time.monotonic()
    assert time.monotonic() - started < 30
