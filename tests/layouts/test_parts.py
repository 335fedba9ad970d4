"""Servers migrated one by one, joined by others, or sharing what they list: each keeps its home and its definitions."""

from __future__ import annotations

import json
from pathlib import Path

from tests.layouts.living import migrated
from tests.layouts.servers import DROP, FIND, GUARD, SDK, handlers, joined, listing, run
from tests.layouts.trees import PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write

FINDER = joined(f'{SDK}\nserver = Server("finder")', handlers(tools=FIND), run(), GUARD)
DROPPER = joined(f'{SDK}\nserver = Server("dropper")', handlers(tools=DROP), run(), GUARD)
CALL = handlers().partition("\n\n\n")[2]
TOOLS = joined("import mcp.types as types", f"async def list_tools() -> list[types.Tool]:\n{listing()}")


def _checked(root: Path) -> None:
    ran = pdmigrate("apply", "--all", root, "--check", *VERSIONS)
    assert (ran.status, ran.stdout) == (0, ""), ran


def test_servers_of_one_folder_can_be_migrated_one_by_one(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find.py": FINDER, "drop.py": DROPPER})
    before = tree(root)
    migrated(root / "find.py")
    assert tree(root)["drop.py"] == before["drop.py"]
    assert {"progressive_disclosure.py", "tool_descriptions/finder/find_note.json"} < tree(root).keys()
    assert not any(path.startswith("tool_descriptions/dropper") for path in tree(root))
    first = tree(root)
    migrated(root / "drop.py")
    now = tree(root)
    assert {path for path in first if ".pdmigrate" not in path and first[path] != now[path]} == {"drop.py"}
    assert b'descriptions="finder"' in now["find.py"]
    assert b'descriptions="dropper"' in now["drop.py"]
    _checked(root)
    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_a_server_keeps_its_home_when_another_joins_it(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"pyproject.toml": PROJECT, "find.py": FINDER})
    migrated(root)
    first = tree(root)
    assert {"progressive_disclosure.py", "tool_descriptions/find_note.json"} < first.keys()
    write(root, {"drop.py": DROPPER})
    migrated(root)
    now = tree(root)
    changed = {path for path in first if ".pdmigrate" not in path and first[path] != now[path]}
    assert changed == {"progressive_disclosure.py"}, "which has to know now that there are several"
    assert {"tool_descriptions/dropper/_server.json", "tool_descriptions/dropper/drop_note.json"} < now.keys()
    assert [path for path in now if "progressive_disclosure" in path] == ["progressive_disclosure.py"]
    _checked(root)


def test_a_server_that_is_only_described_keeps_its_files_when_another_joins_it(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"pyproject.toml": PROJECT, "find.py": FINDER})
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    file = root / "tool_descriptions/find_note.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "summary": "Look a note up."}))
    write(root, {"drop.py": DROPPER})
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    described = {path for path in tree(root) if path.startswith("tool_descriptions/")}
    assert described == {"tool_descriptions/find_note.json", "tool_descriptions/dropper/drop_note.json"}, described
    migrated(root)
    assert "Look a note up." in (root / "find.py").read_text()
    assert "progressive_disclosure.py" in tree(root)
    _checked(root)


def test_a_server_keeps_its_home_when_it_is_renamed_or_left_alone(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find.py": FINDER, "drop.py": DROPPER})
    migrated(root)
    file = root / "find.py"
    file.write_text(file.read_text().replace('Server("finder")', 'Server("seeker")'))
    migrated(root)
    folders = {path.rpartition("/")[0] for path in tree(root) if path.startswith("tool_descriptions/")}
    assert folders == {"tool_descriptions/finder", "tool_descriptions/dropper"}
    (root / "drop.py").unlink()
    ran = migrated(root)
    assert "tool_descriptions/dropper/drop_note.json:1: PD410 warning: " in ran.stderr
    _checked(root)
    assert "tool_descriptions/finder/find_note.json" in tree(root)


def test_what_two_servers_list_stays_in_code_also_when_one_of_them_is_named(tmp_path: Path) -> None:
    head = f'{SDK}\nfrom tools import list_tools\n\nserver = Server("NAME")\nserver.list_tools()(list_tools)'
    server = joined(head, CALL, run(), GUARD)
    files = {path: server.replace("NAME", path[0]) for path in ("a.py", "b.py")}
    root = write(tmp_path, {"pyproject.toml": PROJECT, "tools.py": TOOLS, **files})
    before = tree(root)
    ran = migrated(root / "a.py")
    assert "found 2 = moved 0 + stubbed 2" in ran.stderr
    assert "several servers list it" in ran.stderr
    now = tree(root)
    assert {path for path in before if before[path] != now[path]} == {"a.py"}


def test_the_findings_of_other_parts_are_not_said(tmp_path: Path) -> None:
    broken = "from mcp.server import Server\ndef (\n"
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find/server.py": FINDER, "drop/server.py": broken})
    assert "PD101" in pdmigrate("apply", "--all", root, *VERSIONS).stderr
    ran = pdmigrate("apply", "--all", root / "find", *VERSIONS)
    assert (ran.status, "PD101" in ran.stderr, "found 1 = moved 1" in ran.stderr) == (0, False, True)
