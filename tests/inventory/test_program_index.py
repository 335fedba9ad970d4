"""What is kept of programs is what they would be found to declare now, whatever was edited since."""

from __future__ import annotations

import io
import json
import pickle
import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pdmigrate import disk, model
from pdmigrate.model import Inventory, Severity, Site, Span, Step, Tool, Unknown
from pdmigrate.report.inventory import inventory_json
from pdmigrate.source import kept
from pdmigrate.understand.inventory import program_index
from pdmigrate.understand.inventory.extract import extract
from pdmigrate.understand.inventory.programs import Program
from pdmigrate.understand.values import core as values
from tests.inventory.evaluating import evaluated_from_now_on
from tests.support.files import write

FILES = {
    "pyproject.toml": (
        '[project]\nname = "x"\ndependencies = ["mcp==1.26.0"]\n[project.scripts]\nx = "first.main:main"\n',
        '[project]\nname = "x"\ndependencies = ["mcp==1.12.0"]\n',
        '[project]\nname = "x"\nrequires-python = ">=3.13"\ndependencies = ["mcp>=1.9"]\n',
    ),
    ".python-version": ("3.12\n", "3.13\n"),
    ".pdmigrate/lock.json": ('{"choices": {"sdk": {"mcp": "1.10.0"}}, "other": 1}', '{"other": 2}'),
    "first/__init__.py": ("", "from fastmcp import FastMCP as Renamed\n"),
    "first/main.py": (
        (
            "from mcp.server.fastmcp import FastMCP\n"
            "from first import texts\n"
            "mcp = FastMCP('first')\n"
            "@mcp.tool(description=texts.ONE)\n"
            "def one(a: int = texts.DEFAULT) -> str:\n    '''One.'''\n    return ''\n"
            "def main():\n    from first import more\n    mcp.run()\n"
        ),
        "from mcp.server.fastmcp import FastMCP\nimport texts\nmcp = FastMCP('other')\nmcp.tool(name=texts.ONE)(len)\n",
    ),
    "first/texts.py": ("ONE = 'one'\nDEFAULT = 3\n", "from shared.words import ONE\nDEFAULT = 4\n", "ONE = (\n"),
    "first/more.py": (
        "from first.main import mcp\n@mcp.tool()\ndef two(b: str) -> str:\n    return b\n",
        "from first import main\n",
    ),
    "texts.py": ("ONE = 'top'\nDEFAULT = 5\n",),
    "src/texts.py": ("ONE = 'src'\nDEFAULT = 6\n",),
    "shared/words.py": ("ONE = 'shared'\n", "ONE = open('shared/data.txt').read()\n", "class Server: ...\nONE = 'x'\n"),
    "shared/data.txt": ("from data", "from other data"),
    "second.py": (
        (
            "from mcp.server import Server\nfrom mcp.types import Tool\nfrom shared.words import ONE\n"
            "TOOLS = [Tool(name='a', description=ONE, inputSchema={}),\n"
            "         Tool(name='b', description='B', inputSchema={})]\n"
            "server = Server('second')\n@server.list_tools()\nasync def listed():\n    return TOOLS\n"
        ),
        "from shared.words import Server\nserver = Server('none')\n",
    ),
    "third.py": (
        (
            "from mcp.server.fastmcp import FastMCP\nfrom shared import words\n"
            "class Mine(FastMCP): ...\nserver = Mine('third')\n@server.tool(name=words.ONE)\ndef three(): ...\n"
        ),
    ),
    "uses.py": ("from third import Mine\nagain = Mine('again')\n", "import third\nthird.server.tool()(max)\n"),
    "late.py": ("from second import TOOLS\nTOOLS.append(1)\n", "import second\n", "from mcp.server.fastmcp import x\n"),
    "tests/test_it.py": ("from second import TOOLS, server\n",),
    "notes.txt": ("1", "2"),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", {path: versions[0] for path, versions in FILES.items()})


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pdmigrate" / "programs"


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that are evaluated from now on."""
    found = evaluated_from_now_on(monkeypatch)
    monkeypatch.setattr(program_index, "processors", lambda: 1)  # a copy of this process would tell nobody
    return found


def printed(inventory: Inventory) -> str:
    return json.dumps(inventory_json(inventory)) + repr(inventory)


def afresh(root: Path, monkeypatch: pytest.MonkeyPatch, **options: object) -> str:
    """What is found where nothing is remembered."""
    with monkeypatch.context() as alone:
        alone.setattr(kept, "load", lambda *_: None)
        alone.setattr(kept, "save", lambda *_: False)
        return printed(extract(root, **options))  # type: ignore[arg-type]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_the_answer_is_what_would_be_found_anew(
    tree: Path, monkeypatch: pytest.MonkeyPatch, evaluated: list[str], seed: int
) -> None:
    chance = random.Random(seed)
    anew = remembered = 0
    for _ in range(14):
        path = chance.choice([*FILES])
        if (tree / path).exists() and chance.random() < 0.3:
            (tree / path).unlink()
        else:
            write(tree, {path: chance.choice(FILES[path])})
        del evaluated[:]
        found = printed(extract(tree))
        remembered += len(evaluated)
        del evaluated[:]
        assert found == afresh(tree, monkeypatch), path
        anew += len(evaluated)
        assert printed(extract(tree)) == found
    assert 0 < remembered < anew  # something is evaluated again, and not everything


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("path", "text", "again"),
    [
        ("notes.txt", "3", set()),
        ("first/texts.py", "ONE = 'new'\nDEFAULT = 3\n", {"first/main.py"}),
        ("shared/data.txt", "more", set()),  # nobody has asked for it
        ("shared/words.py", "ONE = 'new'\n", {"second.py", "third.py", "uses.py"}),
        ("third.py", "class Mine(FastMCP): ...\n", {"third.py", "uses.py"}),
        ("late.py", "import json\n", {"second.py"}),
        (".pdmigrate/lock.json", '{"choices": {"sdk": {"mcp": "1.10.0"}}, "other": 3}', set()),
        (".pdmigrate/lock.json", '{"choices": {"sdk": {"mcp": "1.11.0"}}}', {"first", "second.py", "third.py", "uses"}),
    ],
)
def test_an_edit_evaluates_its_readers(tree: Path, evaluated: list[str], path: str, text: str, again: set[str]) -> None:
    extract(tree)
    del evaluated[:]
    extract(tree)
    assert not evaluated
    write(tree, {path: text})
    extract(tree)
    assert {file for file in evaluated if not any(file.startswith(part) for part in again)} == set()
    assert all(any(file.startswith(part) for file in evaluated) for part in again)


@pytest.mark.usefixtures("cache")
def test_given_versions_are_part_of_the_question(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("1.26.0", "1.2.0", "1.26.0"):
        given_ = {"sdk": {"mcp": version}}
        assert printed(extract(tree, **given_)) == afresh(tree, monkeypatch, **given_)


@pytest.mark.usefixtures("cache")
def test_the_result_is_the_same_alone_and_among_others(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = extract(tree)
    for server in together.servers:
        alone = extract(tree, near=(server.site.file,))
        with monkeypatch.context() as fresh:
            fresh.setattr(kept, "load", lambda *_: None)
            assert extract(tree, near=(server.site.file,)) == alone
        assert {repr(found) for found in alone.servers} <= {repr(found) for found in together.servers}


@pytest.mark.parametrize(
    "harm",
    [
        lambda raw: raw[: len(raw) // 2],
        lambda _: b"\n\n",
        lambda raw: raw[:-3] + b"abc",
        lambda raw: b"pdmigrate 0\n" + raw.partition(b"\n")[2],
    ],
)
def test_what_is_not_whole_is_found_again(
    cache: Path, tree: Path, evaluated: list[str], harm: Callable[[bytes], bytes]
) -> None:
    before = printed(extract(tree))
    records = [*cache.iterdir()]
    assert len(records) == len(evaluated) > 3
    for record in records:
        record.write_bytes(harm(record.read_bytes()))
    assert printed(extract(tree)) == before
    assert len(evaluated) == 2 * len(records)


def test_the_index_may_be_deleted_and_need_not_be_written(cache: Path, tree: Path, evaluated: list[str]) -> None:
    before = printed(extract(tree))
    for record in cache.iterdir():
        record.unlink()
    cache.rmdir()
    cache.write_text("in the way")
    assert printed(extract(tree)) == before
    assert len(evaluated) == 2 * len({*evaluated})


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("part", ["own_digest", "installed"])
def test_other_code_of_ours_evaluates_the_programs_anew(
    tree: Path, evaluated: list[str], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    extract(tree)
    count = len(evaluated)
    monkeypatch.setattr(disk, part, lambda *_: "other")
    extract(tree)
    assert len(evaluated) == 2 * count


def test_the_oldest_programs_are_forgotten(cache: Path, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_index, "_MOST", 2)
    extract(tree)
    assert len([*cache.iterdir()]) == 2


# --- the door ---------------------------------------------------------------------------------------------------------


def test_a_trace_holds_every_question(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.txt": "b"})
    with disk.tracing() as trace:
        disk.read(tmp_path, "a/b.txt")
        disk.content(tmp_path, "none.txt")
        disk.is_file(tmp_path, "a")
        disk.names(tmp_path, "a")
        disk.listing(tmp_path, "a")
    asked = [(question[0], *question[2:]) for question in trace.answers]
    assert trace.whole
    assert asked[:2] == [("read", "a/b.txt"), ("read", "none.txt", disk.LARGEST)]
    assert asked[2:] == [("kind", "a"), ("names", "a"), ("listing", "a")]


@pytest.mark.parametrize(
    "past",
    [
        lambda root: disk.status(root, "a.txt"),
        lambda root: disk.resolved(root, "a.txt"),
        lambda root: disk.real(root, strict=True),
        lambda root: disk.create(root, "b.txt", b""),
        lambda _: disk.tracing().__enter__() and disk.tracing().__exit__(),
    ],
)
def test_what_is_asked_past_the_questions_is_no_whole_trace(tmp_path: Path, past: Callable[[Path], object]) -> None:
    write(tmp_path, {"a.txt": ""})
    with disk.tracing() as trace:
        disk.read(tmp_path, "a.txt")
        assert trace.whole
        past(tmp_path)
    assert not trace.whole


def test_two_answers_are_no_whole_trace(tmp_path: Path) -> None:
    with disk.tracing() as trace:
        for text in "ab":
            write(tmp_path, {"a.txt": text})
            disk.read(tmp_path, "a.txt")
    assert not trace.whole


PAST = """
import sys
from pathlib import Path
from pdmigrate.disk.tracing import _traces
from pdmigrate.understand.inventory import program_index
found, evaluated, count = [], [], 0
def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and _traces and not _traces[-1].asking:
        frame = sys._getframe(1)
        while frame is not None and "importlib" not in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is None:
            found.append((event, arguments[0]))
real = program_index.Programs._keep
def keep(self, path, found, body):
    global count
    count += bool(body)
    real(self, path, found, body)
program_index.Programs._keep = keep
program = program_index.program
program_index.program = lambda *given: evaluated.append(given) or program(*given)
program_index.processors = lambda: 1  # copies are not watched
sys.addaudithook(watch)
from pdmigrate.understand.inventory.extract import extract
servers = [len(extract(Path(root)).servers) for root in sys.argv[1:]]
print(found, min(servers), count >= len(servers), bool(evaluated))
"""


@pytest.mark.usefixtures("cache")
def test_no_program_reads_past_the_door(tree: Path) -> None:
    """Every sample, and the tree above: nothing is opened or listed but by questions, and each program is kept.

    A second process, which has imported nothing yet of what answered in the first, asks every question again.
    """
    samples = [path for path in sorted((Path(__file__).parents[2] / "sample_servers").iterdir()) if path.is_dir()]
    command = [sys.executable, "-c", PAST, str(tree), *map(str, samples)]
    for kept_now in (True, False):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.stdout == f"[] 1 {kept_now} {kept_now}\n", done.stderr


# --- values -----------------------------------------------------------------------------------------------------------

SITE, SPAN = Site("a.py", 1), Span("a.py", 2, 3)
NOTE = model.Finding("PD1", Severity.NOTE, "a", "b", SITE, "c", "d")
JSON = {"\ud800": [True, 1, 1.0, -0.0, float("nan"), 10**50, None, {}, "\0"], "": []}
FIELDS = {"x": model.Known(JSON, (Step("a", SITE), Step("c"))), "y": Unknown("a", "b", "c", SITE, (Step("d"),))}
TOOLS = (
    Tool(FIELDS, SITE, model.Movable({"x": SPAN}), "a", "b", (NOTE,), True, "c", {"x": [1]}),
    Tool({}, SITE, model.Fixed("a", "b", SITE)),
)
SDK, ANCHOR, TWIN = model.Sdk("a", "1", "given", "2"), model.Anchor(SPAN, "a", SPAN), model.Anchor(SPAN, "")
SERVERS = (
    model.Server("a", SITE, "b", SDK, ANCHOR, TOOLS, "c", (TWIN,)),
    model.Server("a", SITE, None, model.Sdk("a", "1", "lock"), model.Fixed("a", "b"), ()),
)
TEST = values.Test("a", "b", "c")
PROGRAM = Program(SERVERS, (NOTE,), SITE, ("a.py",), values.Unknown("a", "b", SITE, TEST), unfinished=True)


def test_values_come_back_exactly() -> None:
    found = read(program_index._written(PROGRAM))
    assert repr(found) == repr(PROGRAM)
    assert found.nothing_made.test == TEST


def test_members_of_enums_are_written_without_a_call_of_getattr(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python before 3.11.4 wrote them."""
    monkeypatch.setattr(Severity, "__reduce_ex__", lambda member, _: (getattr, (Severity, member.name)))
    assert read(program_index._written(Severity.NOTE)) is Severity.NOTE


def read(record: bytes) -> Any:
    return program_index._Reader(io.BytesIO(record)).load()


MADE: list[str] = []


class Trap:
    """What notes that it is made, wherever a record with it is read."""

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return note_trap, ()


def note_trap() -> None:
    MADE.append("made")


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("keys", "found"),
    [(0, Trap()), (4, Trap()), (4, Path("a")), (4, extract), (4, json.JSONDecoder), (4, {}), (3, Program())],
)
def test_a_record_of_somebody_else_is_taken_for_nothing(
    tree: Path, evaluated: list[str], monkeypatch: pytest.MonkeyPatch, keys: int, found: object
) -> None:
    before = printed(extract(tree))
    count = len(evaluated)
    real = kept.load

    def load(folder: str, name: str, form: str) -> bytes | None:
        body = real(folder, name, form)
        if folder != "programs" or body is None:
            return body
        said = read(zlib.decompress(body))[:keys]
        return zlib.compress(pickle.dumps((*said, found)))

    monkeypatch.setattr(kept, "load", load)
    assert printed(extract(tree)) == before
    assert (len(evaluated), MADE) == (2 * count, [])


def test_what_is_nested_too_deeply_is_found_again(
    cache: Path, tree: Path, evaluated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    real, unknown = program_index.program, values.Unknown(deep)
    monkeypatch.setattr(program_index, "program", lambda *given: replace(real(*given), nothing_made=unknown))
    for count in (1, 2):
        extract(tree, near=("first/main.py",))
        assert evaluated.count("first/main.py") == count
    assert not cache.exists()
