"""The folder of a wrapper: what is written, what a person may edit, and following the server behind it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.wrap.record import Wrapped, parse
from tests.live.test_asking import SCRIPTED
from tests.support.command_line import Ran, pdmigrate
from tests.support.files import tree


def tool(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}}


FIRST = [tool("find", "Find a book. It looks everywhere."), tool("lend", "Lend a book. It asks who you are.")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A wrapper of a server that lists what is in ``tools.json`` beside its folder."""
    listing(tmp_path / "w", FIRST)
    command = f"{sys.executable} {SCRIPTED} {tmp_path / 'tools.json'} ''"
    ran = pdmigrate("wrap", tmp_path / "w", "--command", command)
    assert ran.status == 0, ran.stderr
    return tmp_path / "w"


def listing(folder: Path, tools: list[dict[str, Any]]) -> None:
    (folder.parent / "tools.json").write_text(json.dumps(tools), encoding="utf-8")


def summaries(folder: Path) -> dict[str, str]:
    content = json.loads((folder / "tool_descriptions" / "_server.json").read_text(encoding="utf-8"))
    found: dict[str, str] = content["summaries"]
    return found


def edit(folder: Path, name: str, text: str) -> None:
    file = folder / "tool_descriptions" / "_server.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["summaries"][name] = text
    file.write_text(json.dumps(content), encoding="utf-8")


def wrap(folder: Path, *options: str) -> Ran:
    """Wrap the same server again."""
    command = json.loads((folder / "wrapped.json").read_text(encoding="utf-8"))["command"]
    return pdmigrate("wrap", folder, "--command", shlex.join(command), *options)


def test_four_files_are_written_and_writing_them_again_changes_nothing(folder: Path) -> None:
    before = tree(folder)
    assert sorted(before) == [".gitattributes", "server.py", "tool_descriptions/_server.json", "wrapped.json"]
    assert summaries(folder) == {"find": "Find a book.", "lend": "Lend a book."}
    assert wrap(folder).status == 0
    assert tree(folder) == before
    (folder / "server.py").unlink()
    assert wrap(folder).status == 0
    assert tree(folder) == before
    assert wrap(folder, "--stdio", "advise").status == 0
    assert "stdio='advise'" in (folder / "server.py").read_text(encoding="utf-8")


def test_the_wrapped_server_is_followed_and_what_a_person_wrote_stays(folder: Path) -> None:
    edit(folder, "find", "Find any book of the house.")
    listing(folder, [tool("find", "Find a book or a film."), tool("give", "Give a book back.")])
    ran = wrap(folder)
    assert ran.status == 0, ran.stderr
    assert "PD912" in ran.stderr
    assert summaries(folder) == {"find": "Find any book of the house.", "give": "Give a book back."}
    assert [one["name"] for one in json.loads((folder / "wrapped.json").read_text("utf-8"))["tools"]] == [
        "find",
        "give",
    ]


def test_a_wrapper_that_somebody_has_edited_is_left_alone_until_it_is_deleted(folder: Path) -> None:
    file = folder / "server.py"
    own = file.read_text(encoding="utf-8")
    file.write_text(own + "\nprint()\n", encoding="utf-8")
    again = wrap(folder)
    assert again.status == 1
    assert "PD908" in again.stderr
    assert file.read_text(encoding="utf-8") == own + "\nprint()\n"
    file.unlink()
    assert wrap(folder).status == 0
    assert file.read_text(encoding="utf-8") == own


def test_a_formatter_may_lay_the_wrapper_out_as_it_likes(folder: Path) -> None:
    file = folder / "server.py"
    subprocess.run([sys.executable, "-m", "black", "-q", "-l", "60", str(file)], check=True, timeout=60)
    laid_out = file.read_bytes()
    assert wrap(folder).status == 0
    assert file.read_bytes() == laid_out


WORDS: list[tuple[str, dict[str, Any], str]] = [
    ("find.json", {"name": "find", "examples": [{"input": {"words": 3}}]}, "PD406"),
    ("find.json", {"name": "find", "usage_guidance": "Ask with the token ghp_" + "a1B2" * 9}, "PD407"),
    ("find.json", {"name": "find", "summary": "Find a book, find(words='x')"}, "PD409"),
    ("gone.json", {"name": "gone"}, "PD905"),
    ("odd.json", {}, "PD402"),
]


@pytest.mark.parametrize(("file", "content", "code"), WORDS, ids=[f"{row[0]} {row[2]}" for row in WORDS])
def test_what_a_person_writes_beside_the_wrapper_is_checked(
    folder: Path, file: str, content: dict[str, Any], code: str
) -> None:
    words = {"type": "object", "properties": {"words": {"type": "string"}}}
    listing(folder, [{**FIRST[0], "inputSchema": words}, FIRST[1]])
    (folder / "tool_descriptions" / file).write_text(json.dumps(content), encoding="utf-8")
    ran = wrap(folder)
    assert code in ran.stderr
    assert ran.status == (0 if code in ("PD407", "PD409") else 1)


def test_hooks_leave_the_folder_of_a_wrapper_alone(folder: Path) -> None:
    command = [sys.executable, "-c", "from pdmigrate.cli.hook import check; check()"]
    files = ["w/server.py", "w/tool_descriptions/_server.json"]
    ran = subprocess.run([*command, *files], cwd=folder.parent, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0
    asked = pdmigrate("check", folder)
    assert asked.status == 2
    assert "nothing to compare" in asked.stderr


def test_a_folder_with_other_things_in_it_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    ran = pdmigrate("wrap", tmp_path, "--command", f"{sys.executable} {SCRIPTED} x ''")
    assert ran.status == 2
    assert "is not empty and holds no wrapper" in ran.stderr
    assert [*tree(tmp_path)] == ["mine.py"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "wrap needs a server"),
        (("--command", "x", "--url", "http://localhost:1"), "wrap needs a server"),
        (("--command", "no-such-program"), "PD701"),
        (("--command", "x", "--stdio", "never"), "--stdio does not know"),
        (("--command", "'"), "is not a command"),
    ],
)
def test_what_cannot_be_wrapped_is_said_in_a_line_and_nothing_is_written(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    ran = pdmigrate("wrap", tmp_path / "w", *options)
    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ('{"version": 2}', "was not written by this version of pdmigrate"),
        ('{"version": 1, "name": "a", "asked": "x"}', "no valid tools"),
        ('{"version": 1, "name": "a", "asked": "x", "tools": [{}]}', "a tool without a name"),
        ('{"version": 1, "name": "a", "asked": "x", "tools": [], "stdio": "loud"}', "no valid stdio"),
        ('{"version": 1, "name": "a", "asked": "x", "tools": [], "command": "ls"}', "no valid command"),
    ],
)
def test_a_record_that_was_edited_by_hand_is_checked(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse(text, "wrapped.json")


def test_a_record_is_what_it_was_when_it_is_read_again() -> None:
    one = Wrapped("a", "2026-11-27", tuple(FIRST), ("npx", "-y", "it's"), stdio="strict", bridge=False)
    two = Wrapped("b", "2026-11-27", (), url="http://localhost", headers={"Authorization": "Bearer ${TOKEN}"})
    for wrapped in (one, two):
        assert parse(wrapped.dump().decode(), "wrapped.json") == wrapped
