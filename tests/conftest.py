"""How property tests run here: the same examples on every machine, unless a search for new ones is asked for.

``HYPOTHESIS_PROFILE=explore pytest tests/schemas`` tries new examples each time, and ``pytest --times 100
tests/trust/test_at_once.py`` runs every test a hundred times: what several processes do differs from run to run.
"""

from __future__ import annotations

import compileall
import gc
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


PACKAGE = Path(__file__).parents[1] / "pdmigrate"
LINES = PACKAGE.parent / ".cache" / "rent.txt"


def pytest_configure(config: pytest.Config) -> None:
    """An installed package is compiled; of an editable one, hundreds of processes would each do it anew.

    They do where ``PYTHONDONTWRITEBYTECODE`` is set, and it takes three quarters of what a small command takes.
    The limit is the one that evaluating a program raises: Hypothesis warns where it changes amid a property.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(PACKAGE, quiet=1)


def pytest_collection() -> None:
    """Have what is made of the tests for their assertions kept for the next run: two thirds of collecting them."""
    sys.dont_write_bytecode = False


SLOW = (
    *("bad_input/test_faults", "fuzz/test_understanding", "hosts/", "live/"),
    *("layouts/test_layouts", "published/", "runtime/test_offices", "runtime/test_render"),
    *("schemas/signatures/test_oracle", "soundness/", "tutorial/", "understand/test_bombs"),
    *("understand/servers/test_decorated", "verify/test_handwritten", "verify/test_variants"),
)
"""The folders and files whose tests ask many real servers, or real tools, beside the tests that are marked ``slow``."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(Path(__file__).parent).as_posix().startswith(SLOW):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Look for cycles less often, and not among eleven thousand tests, which took a fifth of evaluating programs."""
    sys.dont_write_bytecode = bool(sys.flags.dont_write_bytecode)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", type=int, default=1, help="run every test this many times")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    times = metafunc.config.getoption("--times")
    if times > 1:
        metafunc.fixturenames.append("time_of_many")
        metafunc.parametrize("time_of_many", range(times))


_ran: list[Mapping[str, str]] = []
"""What published servers ran of our code, as ``tests/published`` measures it."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        _ran.extend(value for name, value in report.user_properties if name in {"imported", "ran"})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what no published server runs, if all of them have been run."""
    if not _ran:
        return
    # Only where servers were run: most runs of tests need neither these modules nor coverage.py.
    from benchmarks.rent import chosen, rows, short, table

    if len(_ran) < 2 * len(chosen()):
        return
    found = list(rows(_ran))
    LINES.write_text(table(found, lines=True) + "\n", encoding="utf-8")
    terminalreporter.section(f"statements that none of {len(chosen())} published servers runs")
    terminalreporter.write_line(short(found))
    terminalreporter.write_line(f"Which lines: {LINES}")


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """What tests write does not have to outlast a power cut, and a disk takes milliseconds to promise that."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nurseries() -> Iterator[None]:
    yield
    if nurseries := sys.modules.get("tests.runtime.nurseries"):
        nurseries.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that do not leave are given half a second to."""
    from pdmigrate.live.wire import stdio

    monkeypatch.setattr(stdio, "POLITE", 0.5)


@pytest.fixture(scope="session", autouse=True)
def users_own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What pdmigrate keeps for its user does not go among what the person who tests keeps."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_STATE_HOME", str(folder))
        yield folder
