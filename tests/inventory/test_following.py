"""Commands that many programs of a tree follow: each is followed once, and nothing that is found depends on that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pdmigrate import disk
from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.inventory import program_index, side_by_side
from pdmigrate.inventory.extract import extract
from pdmigrate.model import Inventory
from pdmigrate.recognise.starting import ways
from pdmigrate.recognise.starting.entries import EntryPoint
from pdmigrate.tree.code.followed import Consulted, Followed
from tests.inventory.evaluating import evaluated_from_now_on
from tests.support.files import write

PACKAGING = """\
[project]
name = "app"
dependencies = ["mcp==1.9.0"]
[project.scripts]
broken = "app.broken:main"
doubtful = "app.doubtful:main"
serving = "app.serving:main"
"""
SERVER = """\
from mcp.server.fastmcp import FastMCP

def make():
    mcp = FastMCP("{0}")

    @mcp.tool()
    def tool_{0}(times: int) -> str:
        "A tool."
        return "x" * times

    return mcp
"""
NAMES = ("one", "two", "three", "four", "five")
ANY = "\ndef module(name):\n    return __import__(name)\n"
"""A function that nobody calls, for which every file may be one that the command executes."""
FILES = {
    "pyproject.toml": PACKAGING,
    "app/__init__.py": "",
    "app/broken.py": 'from app.names import NAME\n\nraise RuntimeError(NAME)\n\ndef main():\n    print("never")\n'
    + ANY,
    "app/doubtful.py": "import sys\nimport app.two, app.five\n\ndef main():\n    exec(sys.argv[1])\n",
    "app/names.py": 'NAME = "down"\n',
    "app/serving.py": "from app.three import make\n\ndef main():\n    make().run()\n" + ANY,
    **{f"app/{name}.py": SERVER.format(name) for name in NAMES},
}
COMMANDS = 3


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "tree", FILES)
    monkeypatch.setattr(program_index, "processors", lambda: 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "tree"


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that gets a line for each command that is followed, in whichever process."""
    noted, real = tmp_path / "followed", ways.enter
    noted.touch()

    def enter(run: Interpreter, point: EntryPoint) -> None:
        with noted.open("a", encoding="utf-8") as file:
            file.write(f"{point.module}\n")
        real(run, point)

    monkeypatch.setattr(ways, "enter", enter)
    return noted


def count(followed: Path) -> int:
    return len(followed.read_text(encoding="utf-8").splitlines())


def each_by_itself(tree: Path, monkeypatch: pytest.MonkeyPatch, only: tuple[str, ...] = ()) -> Inventory:
    """What is found where every program follows every command."""
    with monkeypatch.context() as patch:
        patch.setattr(Followed, "holds_for", lambda *_: False)
        patch.setattr(program_index, "processors", lambda: 1)
        patch.setenv("XDG_CACHE_HOME", str(tree.parent / "another cache"))
        return extract(tree, only=only)


def test_a_command_is_followed_once_and_once_more_where_it_makes_a_server(
    tree: Path, followed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = each_by_itself(tree, monkeypatch)
    assert count(followed) == COMMANDS * len(NAMES)
    assert extract(tree) == expected
    assert count(followed) == COMMANDS * len(NAMES) + COMMANDS + 1, "the server of app/three.py is its own"


def test_each_program_names_the_files_that_its_commands_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = each_by_itself(tree, monkeypatch, only=("app/two.py",))
    extract(tree)
    here = evaluated_from_now_on(monkeypatch)
    assert extract(tree, only=("app/two.py",)) == expected
    assert here == [], "it is remembered from when another program had followed the commands"
    assert "app/names.py" in expected.sources


def test_what_a_command_shows_of_other_files_is_said_of_them(tree: Path) -> None:
    servers = {server.site.file: server for server in extract(tree).servers}
    assert list(map(len, (servers["app/three.py"].tools, servers["app/four.py"].tools))) == [1, 1]
    assert servers["app/three.py"].incomplete is None
    assert "RuntimeError" in str(servers["app/four.py"].incomplete), "a command that raises"
    for path in ("app/two.py", "app/five.py"):
        assert "other tools may be registered" in str(servers[path].incomplete), "what a command executes is not known"
    assert servers["app/two.py"].incomplete == servers["app/five.py"].incomplete


@pytest.mark.parametrize("first", NAMES)
def test_the_order_of_programs_decides_nothing(tree: Path, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = each_by_itself(tree, monkeypatch)
    real = program_index.Programs.all

    def begun(self: program_index.Programs, wanted: dict[str, tuple[object, ...]]) -> object:
        order = dict(sorted(wanted.items(), key=lambda item: item[0] != f"app/{first}.py"))
        found = dict(zip(order, real(self, order), strict=True))  # type: ignore[arg-type]
        return [found[path] for path in wanted]

    monkeypatch.setattr(program_index.Programs, "all", begun)
    assert extract(tree) == expected


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("app/names.py", "down", "up"),
        ("app/serving.py", "app.three", "app.five"),
        ("app/five.py", "A tool.", "Another tool."),  # read by its own program before that followed a command
        ("pyproject.toml", "app.broken", "app.names"),
    ],
)
def test_whoever_was_told_of_a_command_depends_on_what_it_asked(
    tree: Path, path: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    extract(tree)
    here = evaluated_from_now_on(monkeypatch)
    extract(tree)
    assert here == []
    (tree / path).write_text(FILES[path].replace(old, new), encoding="utf-8")
    found = extract(tree)
    assert here == [f"app/{name}.py" for name in sorted(NAMES)]
    assert found == each_by_itself(tree, monkeypatch)


def test_versions_that_a_command_did_not_ask_for_decide_nothing() -> None:
    versions = Consulted({"mcp": "1.9.0", "fastmcp": "3.0.0", "python": "3.12"})
    assert versions.get("fastmcp", "") == "3.0.0"
    assert "pydantic" not in versions
    assert versions.answers() == (("fastmcp", "3.0.0"), ("pydantic", None))
    end = Followed(versions.answers(), (), (), (), 0, (), None, None, None, (), ())
    assert end.holds_for({"mcp": "2.0.0", "fastmcp": "3.0.0"})
    assert not end.holds_for({"mcp": "1.9.0", "fastmcp": "2.0.0"})
    assert not end.holds_for({"fastmcp": "3.0.0", "pydantic": "2.11.0"})
    dict(versions)
    assert {name for name, _ in versions.answers()} == {"mcp", "fastmcp", "python", "pydantic"}


def test_a_part_of_a_trace_is_in_the_whole_and_whole_only_where_the_part_is(tree: Path) -> None:
    with disk.tracing() as trace:
        disk.read(tree, "app/one.py")
        with disk.tracing_part() as part:
            disk.read(tree, "app/one.py")
            disk.read(tree, "app/two.py")
        assert trace.whole
        assert list(part.answers) == list(trace.answers)
        assert len(part.answers) == 2
        with disk.tracing_part():
            disk.reached()
        assert not trace.whole


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
def test_a_copy_tells_the_next_where_commands_led(tree: Path, followed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "alone.py").write_text(SERVER.format("alone"), encoding="utf-8")  # comes first, and no command leads there
    expected = each_by_itself(tree, monkeypatch)
    before = count(followed)
    monkeypatch.setattr(program_index, "processors", lambda: 2)
    monkeypatch.setattr(side_by_side, "processors", lambda: 1)
    monkeypatch.setattr(side_by_side, "_LARGEST", 0)
    monkeypatch.setattr(side_by_side, "_ROOM", -1)
    parents = evaluated_from_now_on(monkeypatch)
    assert extract(tree) == expected
    assert parents == ["alone.py"], "every other was evaluated by a copy of its own"
    assert count(followed) - before == COMMANDS + 1
