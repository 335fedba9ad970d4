"""The wire against code and files, with the real SDK."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.runtime.nurseries import planted
from tests.support.command_line import Ran, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import write
from tests.support.repositories import commit, committed

SAMPLE = Path(__file__).parents[2] / "sample_servers" / "mcp1_lowlevel" / "server.py"
FILE = "tool_descriptions/check_out.json"
RETURNING = "        types.Tool(\n            name=DeskTool.RETURN"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = committed(write(tmp_path_factory.mktemp("live") / "library", {"server.py": SAMPLE.read_bytes()}))
    assert pdmigrate("apply", "--all", root, "--write", "--copies").status == 0
    commit(root)
    return root


@pytest.fixture
def running(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy that is started; the current folder is the project that it is compared with."""
    shutil.copytree(template, tmp_path / "here")
    shutil.copytree(template, tmp_path / "there")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "there"


def check(server: Path) -> Ran:
    return pdmigrate("check", "--live", shlex.join(planted(MCP1, str(server / "server.py"))))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_same_code_agrees(running: Path) -> None:
    ran = check(running)
    assert (ran.status, ran.stdout) == (0, "")


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        pytest.param("server.py", "readOnlyHint=True", "readOnlyHint=False", "PD901", id="annotations"),
        pytest.param(FILE, "Lend a copy to a member. The", "Lend it. The", "PD335", id="a definition that a file owns"),
        pytest.param("server.py", RETURNING, "", "PD915", id="the order"),
    ],
)
def test_another_answer_is_a_disagreement(running: Path, file: str, old: str, new: str, code: str) -> None:
    if new:
        replace(running / file, old, new)
    else:
        text = (running / file).read_text(encoding="utf-8")
        begin, first = text.index(old), text.index("        types.Tool(\n")
        end = text.index("\n        ),\n", begin) + len("\n        ),\n")
        moved = text[:first] + text[begin:end] + text[first:begin] + text[end:]
        (running / file).write_text(moved, encoding="utf-8")
    ran = check(running)
    assert (ran.status, f"{code} error" in ran.stdout) == (1, True)


def test_a_name_that_only_the_wire_has_and_one_that_it_has_not(running: Path) -> None:
    replace(running / "server.py", 'RETURN = "return_copy"', 'RETURN = "give_back"')
    ran = check(running)
    assert 'PD330 note: the running server lists "give_back", which source does not show' in ran.stdout
    assert 'PD904 error: "give_back" has no description file yet' in ran.stdout
    assert 'PD331 warning: source declares "return_copy", and the running server does not list it' in ran.stdout
