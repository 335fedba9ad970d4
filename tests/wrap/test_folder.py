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
from tests.support.command_line import pdmigrate
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


def test_four_files_are_written_and_agree_and_writing_them_again_changes_nothing(folder: Path) -> None:
    before = tree(folder)
    assert sorted(before) == [".gitattributes", "server.py", "tool_descriptions/_server.json", "wrapped.json"]
    assert summaries(folder) == {"find": "Find a book.", "lend": "Lend a book."}
    recorded = shlex.join(json.loads(before["wrapped.json"])["command"])
    asking = (("--live",), ("--live", recorded))
    for options in ((), ("--no-live",), *asking):
        for command in ("check", "sync"):
            ran = pdmigrate(command, folder, *options)
            assert ran.status == 0, ran.stderr
            assert (f"asking `{recorded}`" in ran.stderr) is (options in asking)
            assert tree(folder) == before
    assert pdmigrate("check", folder / "server.py").status == 0


def test_the_wrapped_server_is_followed_and_what_a_person_wrote_stays(folder: Path) -> None:
    file = folder / "tool_descriptions" / "_server.json"
    file.write_text(file.read_text("utf-8").replace("Find a book.", "Find any book of the house."), "utf-8")
    assert pdmigrate("check", folder).status == 0
    listing(folder, [tool("find", "Find a book or a film."), tool("give", "Give a book back.")])
    assert pdmigrate("check", folder).status == 0  # it asks nobody
    ran = pdmigrate("sync", folder, "--live")
    assert ran.status == 0, ran.stderr
    assert "PD912" in ran.stdout
    assert summaries(folder) == {"find": "Find any book of the house.", "give": "Give a book back."}
    tools = json.loads((folder / "wrapped.json").read_text(encoding="utf-8"))["tools"]
    assert [one["name"] for one in tools] == ["find", "give"]
    assert pdmigrate("check", folder).status == 0


def test_a_wrapper_that_somebody_has_edited_is_left_alone_until_it_is_deleted(folder: Path) -> None:
    file = folder / "server.py"
    own = file.read_text(encoding="utf-8")
    file.write_text(own + "\nprint()\n", encoding="utf-8")
    for command in ("check", "sync"):
        ran = pdmigrate(command, folder)
        assert ran.status == 1
        assert "PD908" in ran.stdout
    command = json.loads((folder / "wrapped.json").read_text(encoding="utf-8"))["command"]
    again = pdmigrate("wrap", folder, "--command", shlex.join(command))
    assert again.status == 1
    assert "PD908" in again.stderr
    assert file.read_text(encoding="utf-8") == own + "\nprint()\n"
    file.unlink()
    assert pdmigrate("sync", folder).status == 0
    assert file.read_text(encoding="utf-8") == own


def test_a_formatter_may_lay_the_wrapper_out_as_it_likes(folder: Path) -> None:
    file = folder / "server.py"
    subprocess.run([sys.executable, "-m", "black", "-q", "-l", "60", str(file)], check=True, timeout=60)
    laid_out = file.read_bytes()
    assert pdmigrate("check", folder).status == 0
    assert pdmigrate("sync", folder).status == 0
    assert file.read_bytes() == laid_out


def test_what_is_gone_or_behind_is_named_and_brought_back(folder: Path) -> None:
    before = tree(folder)
    (folder / "server.py").unlink()
    record = json.loads((folder / "wrapped.json").read_text(encoding="utf-8"))
    ran = pdmigrate("check", folder)
    assert ran.status == 1
    assert "PD907" in ran.stdout
    assert pdmigrate("sync", folder).status == 0
    assert tree(folder) == before
    (folder / "wrapped.json").write_text(json.dumps({**record, "stdio": "advise"}), encoding="utf-8")
    assert pdmigrate("check", folder).status == 1
    assert pdmigrate("sync", folder).status == 0
    assert "stdio='advise'" in (folder / "server.py").read_text(encoding="utf-8")


WORDS: list[tuple[str, dict[str, Any], str]] = [
    ("find.json", {"name": "find", "examples": [{"input": {"words": 3}}]}, "PD406"),
    ("find.json", {"name": "find", "usage_guidance": "Ask with the token ghp_" + "a1B2" * 9}, "PD407"),
    ("find.json", {"name": "find", "summary": "Find a book, find(words='x')"}, "PD409"),
    ("_server.json", {"summaries": {"find": "Find a book: find(words='tide', limit=5)"}}, "PD409"),
    ("gone.json", {"name": "gone"}, "PD905"),
    ("odd.json", {}, "PD402"),
]


@pytest.mark.parametrize(("file", "content", "code"), WORDS, ids=[f"{row[0]} {row[2]}" for row in WORDS])
def test_what_a_person_writes_beside_the_wrapper_is_checked(
    folder: Path, file: str, content: dict[str, Any], code: str
) -> None:
    words = {"type": "object", "properties": {"words": {"type": "string"}}}
    listing(folder, [{**FIRST[0], "inputSchema": words}, FIRST[1]])
    assert pdmigrate("sync", folder, "--live").status == 0
    (folder / "tool_descriptions" / file).write_text(json.dumps(content), encoding="utf-8")
    assert code in pdmigrate("check", folder).stdout


def test_the_hook_looks_at_the_folder_of_a_file_that_is_committed(folder: Path) -> None:
    def hook(*files: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from pdmigrate.cli.hook import check; check()", *files]
        return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, timeout=60, check=False)

    assert hook("w/server.py").returncode == 0
    (folder / "server.py").unlink()
    failed = hook("w/tool_descriptions/_server.json")
    assert failed.returncode == 1
    assert "PD907" in failed.stdout
    assert hook("tools.json").returncode == 0


def test_a_folder_with_other_things_in_it_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    ran = pdmigrate("wrap", tmp_path, "--command", f"{sys.executable} {SCRIPTED} x ''")
    assert ran.status == 2
    assert "is not empty and holds no wrapper" in ran.stderr
    assert [*tree(tmp_path)] == ["mine.py"]


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


def test_the_relay_can_be_read_in_one_sitting(folder: Path) -> None:
    text = (folder / "server.py").read_text(encoding="utf-8")
    constants = text.partition("\nMODERN = ")[2].partition("\n\n\n")[0]
    relay = text.partition("\nclass ServerError")[2]
    assert 5 < len(constants.splitlines()) < len(relay.splitlines())
    assert len(constants.splitlines()) + len(relay.splitlines()) <= 250


@pytest.mark.parametrize("command", ["check", "sync"])
@pytest.mark.parametrize(
    "other", [("--live", "python other.py"), ("--live", "python 'other"), ("--url", "http://localhost:1/mcp")]
)
def test_no_other_server_than_the_recorded_one_is_asked(folder: Path, command: str, other: tuple[str, str]) -> None:
    before = tree(folder)
    assert pdmigrate(command, folder, *other).status == 2
    assert tree(folder) == before
