"""Asking servers that are noisy, crash, hang, leave processes behind, or speak the newer revision only."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pdmigrate.live.asking import ask
from pdmigrate.live.wire import (
    HttpTarget,
    NoAnswerError,
    RpcError,
    ServerEndedError,
    StartError,
    StdioTarget,
    UnreachableError,
)

SCRIPTED = Path(__file__).with_name("scripted.py")
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in "abcde"]


pytestmark = pytest.mark.usefixtures("impatient")


def scripted(folder: Path, *behaviour: str) -> StdioTarget:
    file = folder / "tools.json"
    file.write_text(json.dumps(TOOLS), encoding="utf-8")
    return StdioTarget((sys.executable, str(SCRIPTED), str(file), *behaviour))


@pytest.mark.parametrize("behaviour", ["", "noise"])
def test_all_pages_come_with_who_answered(tmp_path: Path, behaviour: str) -> None:
    witness = ask(scripted(tmp_path, behaviour), timeout=20)
    assert list(witness.tools) == TOOLS
    assert (witness.name, witness.version, witness.protocol) == ("scripted", "7", "2025-06-18")


def test_a_server_without_handshake_is_asked_in_its_own_way(tmp_path: Path) -> None:
    witness = ask(scripted(tmp_path, "new"), timeout=20)
    assert list(witness.tools) == TOOLS
    assert (witness.name, witness.protocol) == ("scripted", "2026-07-28")


def test_a_server_is_started_where_it_is_told_and_lists_in_full(tmp_path: Path) -> None:
    target = replace(scripted(tmp_path, "env"), env={"EXTRA": "given"}, cwd=tmp_path)
    assert ask(target, timeout=20).tools[0]["description"] == f"off given {tmp_path}"


def test_a_setting_that_is_given_wins(tmp_path: Path) -> None:
    target = replace(scripted(tmp_path, "env"), env={"PROGRESSIVE_DISCLOSURE": "enforce"}, cwd=tmp_path)
    assert ask(target, timeout=20).tools[0]["description"] == f"enforce None {tmp_path}"


def test_what_a_crashing_server_says_is_shown(tmp_path: Path) -> None:
    with pytest.raises(ServerEndedError, match=r"status 3(?s:.*)no licence was found"):
        ask(scripted(tmp_path, "crash"), timeout=20)


def test_a_server_that_hangs_is_ended(tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(NoAnswerError, match="did not answer tools/list within 1 s"):
        ask(scripted(tmp_path, "hang", "child"), timeout=1)
    assert time.monotonic() - started < 15
    assert not _runs(int((tmp_path / "child").read_text(encoding="utf-8")))


def test_what_a_server_leaves_behind_is_ended(tmp_path: Path) -> None:
    ask(scripted(tmp_path, "child"), timeout=20)
    assert not _runs(int((tmp_path / "child").read_text(encoding="utf-8")))


def test_a_server_that_forks_and_heeds_no_signal_is_ended_with_all_that_it_forked(tmp_path: Path) -> None:
    started = time.monotonic()
    assert list(ask(scripted(tmp_path, "stubborn", "noise"), timeout=20).tools) == TOOLS
    assert time.monotonic() - started < 15
    family = (tmp_path / "family").read_text(encoding="utf-8").split()
    assert len(family) == 2
    assert not any(_runs(int(pid)) for pid in family)


def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(StartError, match="no-such-server"):
        ask(StdioTarget(("no-such-server",)), timeout=5)


def test_a_program_that_is_no_server_is_told_from_one() -> None:
    with pytest.raises(ServerEndedError, match="before it answered initialize"):
        ask(StdioTarget((sys.executable, "-c", "print('hello')")), timeout=20)


def test_a_server_that_refuses_both_ways_is_quoted_on_the_first(tmp_path: Path) -> None:
    refusing = (
        "import json,sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': m.get('id'), "
        "'error': {'code': -32000, 'message': 'not ' + m['method']}}), flush=True)\n"
    )
    file = tmp_path / "refusing.py"
    file.write_text(refusing, encoding="utf-8")
    with pytest.raises(RpcError, match="not initialize"):
        ask(StdioTarget((sys.executable, str(file))), timeout=20)


def test_nothing_at_a_url_is_said() -> None:
    with pytest.raises(UnreachableError):
        ask(HttpTarget("http://127.0.0.1:9/mcp"), timeout=5)


def _runs(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        if _is_zombie(pid):
            return False
        time.sleep(0.05)
    return True


def _is_zombie(pid: int) -> bool:
    """An ended process that its new parent has not yet collected, which takes as long as it takes."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False
