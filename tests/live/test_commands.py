"""``extract`` and ``apply`` with --live: what is printed and written, and that a later run without it keeps that."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import SERVER, UNRELATED, project
from tests.layouts.servers import FULL
from tests.live.test_asking import SCRIPTED
from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES
from tests.support.command_line import pdmigrate
from tests.support.files import tree
from tests.support.running import serving

FIND = FULL["find_note"]
EDIT: dict[str, Any] = {
    "name": "edit_note",
    "description": "Change the text of a note. The old text is kept for a week.",
    "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
}
SYNC: dict[str, Any] = {
    "name": "sync_notes",
    "description": "Send notes to the other devices. Runs in the background.",
    "inputSchema": {"type": "object", "properties": {"device": {"type": "string"}}},
}


pytestmark = pytest.mark.usefixtures("impatient")


def live(folder: Path, *tools: dict[str, Any], behaviour: str = "") -> list[str]:
    file = folder / "tools.json"
    file.write_text(json.dumps(tools), encoding="utf-8")
    return ["--live", shlex.join([sys.executable, str(SCRIPTED), str(file), behaviour])]


def described(root: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_bytes()) for path in root.glob("tool_descriptions/*.json")}


def test_the_wire_settles_what_source_does_not(tmp_path: Path) -> None:
    root = project(tmp_path)
    ran = pdmigrate("extract", root, "--format", "json", *live(tmp_path, FIND, EDIT, SYNC))
    (server,) = json.loads(ran.stdout)["servers"]
    assert ran.status == 0, ran.stderr
    assert server["complete"] is True
    assert [tool["definition"] for tool in server["tools"]] == [FIND, EDIT, SYNC]
    bases = {tool["definition"]["name"]: tool["basis"] for tool in server["tools"]}
    assert bases == {
        "find_note": {"name": "both", "description": "both", "inputSchema": "both"},
        "edit_note": {"name": "both", "description": "wire", "inputSchema": "both"},
        "sync_notes": {"name": "wire", "description": "wire", "inputSchema": "wire"},
    }
    files = described(root)
    assert {name: file["description"] for name, file in files.items()} == {
        tool["name"]: tool["description"] for tool in (FIND, EDIT, SYNC)
    }
    assert {name for name, file in files.items() if "summary" in file} == {"find_note"}, "source settles no other"
    assert {file["owner"] for file in files.values()} == {"code"}


def test_a_run_that_does_not_ask_keeps_what_one_that_asked_has_settled_and_the_next_that_asks_follows(
    tmp_path: Path,
) -> None:
    root = project(tmp_path)
    pdmigrate("extract", root, *live(tmp_path, FIND, EDIT))
    before = tree(root)
    ran = pdmigrate("extract", root)
    assert (ran.status, tree(root)) == (0, before)
    assert "up to date" in ran.stderr
    assert pdmigrate("extract", root, "--check", *live(tmp_path, FIND, EDIT)).status == 0
    changed = {**EDIT, "description": "Rewrite a note. Nothing is kept."}
    assert pdmigrate("extract", root, "--check", *live(tmp_path, FIND, changed)).status == 1
    assert pdmigrate("extract", root, *live(tmp_path, FIND, changed)).status == 0
    assert described(root)["edit_note"]["description"] == changed["description"]
    ran = pdmigrate("apply", "--all", root, "--write", "--allow-dirty", "--format", "json", *live(tmp_path, FIND, EDIT))
    fates = {tool["tool"]: tool["fate"] for tool in json.loads(ran.stdout)["tools"]}
    assert fates == {"find_note": "moved", "edit_note": "stubbed"}, "a literal that the server confirms"
    assert pdmigrate("apply", "--all", root, "--check").status == 0


def test_apply_stubs_what_only_the_server_shows_and_moves_no_literal_that_is_not_sent(tmp_path: Path) -> None:
    root = project(tmp_path)
    other = {**FIND, "description": "Search notes. Something in a library wrote this."}
    asking = live(tmp_path, other, EDIT, SYNC)
    ran = pdmigrate("apply", "--all", "--copies", root, "--write", "--format", "json", *asking)
    assert ran.status == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert {tool["tool"]: tool["fate"] for tool in report["tools"]} == {
        "find_note": "stubbed",
        "edit_note": "stubbed",
        "sync_notes": "stubbed",
    }
    assert {found["code"] for found in report["findings"]} >= {"PD330", "PD332", "PD333"}
    files = described(root)
    assert files["find_note"]["description"] == other["description"]
    assert not any("summary" in file for file in files.values()), "what is listed is made of what the server says"
    assert "Find notes by their text." in (root / "server.py").read_text(encoding="utf-8"), "the literal stays"


def test_what_no_source_declares_any_more_is_not_called_in_agreement(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert pdmigrate("extract", root, *live(tmp_path, FIND, EDIT)).status == 0
    (root / "server.py").write_text(UNRELATED, encoding="utf-8")
    before = tree(root)
    for command in ("check", "sync", "check"):
        ran = pdmigrate(command, root)
        assert ran.status == 2
        assert "no server in the source of" in ran.stderr
        assert "belongs to the 2 description files there" in ran.stderr
    ran = pdmigrate("extract", root, *live(tmp_path, FIND))
    assert (ran.status, "no MCP server found" in ran.stderr) == (1, True)
    assert tree(root) == before


TWO = {"one": SERVER, "two": SERVER.replace("_note", "_page").replace('"notes"', '"pages"')}


def test_of_several_servers_the_one_that_was_started_is_told_by_its_tools(tmp_path: Path) -> None:
    root = project(tmp_path, **TWO)
    page = {**EDIT, "name": "edit_page"}
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *live(tmp_path, page))
    bases = {
        server["name"]: ["basis" in tool for tool in server["tools"]] for server in json.loads(ran.stdout)["servers"]
    }
    assert not any(bases["notes"])
    assert any(bases["pages"])


@pytest.mark.parametrize("tools", [(SYNC,), ({**EDIT, "name": "edit_page"}, EDIT)])
def test_where_that_is_not_to_be_told_nothing_is_written(tmp_path: Path, tools: tuple[dict[str, Any], ...]) -> None:
    root = project(tmp_path, **TWO)
    before = tree(root)
    ran = pdmigrate("extract", root, *live(tmp_path, *tools))
    assert (ran.status, tree(root)) == (2, before)
    assert "PD334" in ran.stderr
    assert "give the file of that server" in ran.stderr


def test_the_file_that_is_named_decides(tmp_path: Path) -> None:
    root = project(tmp_path, **TWO)
    ran = pdmigrate("extract", root / "two.py", "--no-write", "--format", "json", *live(tmp_path, SYNC))
    (server,) = json.loads(ran.stdout)["servers"]
    assert server["tools"][0]["definition"]["name"] == "sync_notes"


@pytest.mark.parametrize("command", ["extract", "apply"])
@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("dies-at-initialize", "out of luck"), ("silent-at-tools/list", "did not answer tools/list within 1 s")],
)
def test_a_server_that_cannot_be_asked_leaves_the_project_alone(
    tmp_path: Path, command: str, behaviour: str, expected: str
) -> None:
    root = project(tmp_path)
    before = tree(root)
    ran = pdmigrate(command, root, "--write", "--timeout", "1", *live(tmp_path, FIND, behaviour=behaviour))
    assert (ran.status, tree(root), expected in ran.stderr) == (2, before, True), ran.stderr


# --- real servers -----------------------------------------------------------------------------------------------------


NAMES = ("mcp1_lowlevel", "mcp2_lowlevel")
ONLY_NOTES = {"PD330", "PD331", "PD332", "PD333", "PD335"}


def command(name: str) -> list[str]:
    return ["--live", shlex.join(planted(SAMPLES[name].pins, "server.py"))]


def versions(name: str) -> list[str]:
    return [word for pin in SAMPLES[name].pins if "==" in pin for word in ("--sdk", pin)]


def extracted(root: Path, *arguments: str) -> Any:
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *arguments)
    assert ran.status == 0, ran.stderr
    (server,) = json.loads(ran.stdout)["servers"]
    return server


def unconfirmed(server: Any) -> list[str]:
    """The tools that are always listed, and of which source and wire do not say the same."""
    always = [tool for tool in server["tools"] if tool["conditional"] is None]
    assert len(always) > 1
    return [tool["definition"]["name"] for tool in always if set(tool.get("basis", {"": ""}).values()) != {"both"}]


@pytest.mark.parametrize("name", NAMES)
def test_a_migrated_sample_lists_what_its_files_say(tmp_path: Path, name: str) -> None:
    root = SAMPLES[name].copied(tmp_path / name)
    applied = pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *versions(name))
    assert applied.status == 0, applied.stderr
    ran = pdmigrate("apply", "--all", root, "--check", "--format", "json", *versions(name), *command(name))
    report = json.loads(ran.stdout)
    assert (ran.status, report["changes"]) == (0, [])
    assert not {found["code"] for found in report["findings"]} & ONLY_NOTES


def test_a_sample_is_asked_over_http(tmp_path: Path) -> None:
    sample = SAMPLES["mcp2_lowlevel"]
    root = sample.copied(tmp_path / sample.name)
    with serving(sample.command(root)) as (port,):
        assert not unconfirmed(extracted(root, *versions(sample.name), "--url", f"http://127.0.0.1:{port}/mcp"))
