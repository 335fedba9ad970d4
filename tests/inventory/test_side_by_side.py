"""Programs that are evaluated in copies of this process: the same is found of them, whatever becomes of the copies."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from pdmigrate.understand.inventory import program_index, side_by_side
from pdmigrate.understand.inventory.extract import extract
from pdmigrate.understand.inventory.programs import Program
from pdmigrate.understand.inventory.side_by_side import side_by_side as results
from tests.inventory.evaluating import evaluated_from_now_on
from tests.support.files import write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
SERVERS = 9
SHARED = "GREETING = 'Say hello.'\n"
SERVER = """\
from mcp.server.fastmcp import FastMCP
from shared import GREETING

mcp = FastMCP("server {0}")

@mcp.tool(description=GREETING)
def tool_{0}(name: str, times: int = {0}) -> str:
    return name * times
"""


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    servers = {f"server_{number}.py": SERVER.format(number) for number in range(SERVERS)}
    return write(tmp_path / "tree", {"shared.py": SHARED, **servers})


def alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """What one process finds that remembers nothing."""
    with monkeypatch.context() as patch:
        patch.setattr(program_index, "processors", lambda: 1)
        patch.setenv("XDG_CACHE_HOME", str(tree.parent / "another cache"))
        return extract(tree)


def test_the_same_is_found(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = alone(tree, monkeypatch)
    here = evaluated_from_now_on(monkeypatch)
    assert extract(tree) == expected
    assert here == ["server_0.py"], "the others were evaluated in copies"
    assert extract(tree) == expected
    assert here == ["server_0.py"], "and are remembered"


def test_what_a_copy_does_not_finish_is_done_here(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = alone(tree, monkeypatch)
    parent, real = os.getpid(), program_index.program

    def program(path: str, *rest: object) -> Program:
        if os.getpid() != parent and path == "server_4.py":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.getpid() != parent and path == "server_6.py":
            raise MemoryError
        return real(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(program_index, "program", program)
    assert extract(tree) == expected


def test_no_process_is_left_when_the_results_are_not_wanted_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    copies = forks(monkeypatch)

    def forever(number: int) -> bytes:
        while number:
            signal.pause()
        return b"first"

    given = results(4, forever)
    assert next(given) == (0, b"first")
    given.close()
    assert len(copies) == 3, "two, and one in the place of the first"
    assert_gone(copies)


def test_there_is_one_process_where_copies_are_not_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert side_by_side.processors() == 1


def test_each_piece_of_work_has_a_copy_of_its_own_and_comes_back_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """So what it takes of memory is given back."""
    sizes = [0, 1, 70_000, 3_000_000, 5, 200_000]
    kept: list[int] = []

    def act(number: int) -> bytes:
        kept.append(number)
        return bytes(kept) * sizes[number]

    copies = forks(monkeypatch)
    assert dict(results(len(sizes), act)) == {number: bytes([number]) * size for number, size in enumerate(sizes)}
    assert len(copies) == len(sizes)
    assert_gone(copies)


def assert_gone(copies: list[int]) -> None:
    for pid in copies:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The copies that are made from now on."""
    copies, fork = [], os.fork

    def forked() -> int:
        copies.append(fork())
        return copies[-1]

    monkeypatch.setattr(os, "fork", forked)
    return copies


def test_the_files_that_are_still_evaluated_are_noted(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[tuple[str, ...]] = []
    monkeypatch.setattr(program_index, "note", lambda *paths: noted.append(paths))
    extract(tree)
    assert [len(paths) for paths in noted] == [1, *range(SERVERS - 1, -1, -1), 0]
