"""Servers migrated one by one, joined by others, or sharing what they list: each keeps its home and its definitions."""

from __future__ import annotations

import json
from pathlib import Path

from tests.layouts.living import answers_before, check_disclosure, migrated, py
from tests.layouts.servers import DROP, FIND, GUARD, SDK, handlers, joined, listing, run
from tests.layouts.trees import ONE, OTHER, PROJECT
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
    find, drop = py("find.py", tools=ONE), py("drop.py", tools=OTHER)
    wrong = answers_before(root, find) | answers_before(root, drop)
    migrated(root / "find.py")
    assert tree(root)["drop.py"] == before["drop.py"]
    assert {"progressive_disclosure.py", "tool_descriptions/finder/find_note.json"} < tree(root).keys()
    assert not any(path.startswith("tool_descriptions/dropper") for path in tree(root))
    check_disclosure(root, find, wrong)
    first = tree(root)
    migrated(root / "drop.py")
    assert {path: raw for path, raw in tree(root).items() if path in first and ".pdmigrate" not in path} == {
        path: raw for path, raw in first.items() if ".pdmigrate" not in path
    } | {"drop.py": tree(root)["drop.py"]}
    assert 'descriptions="finder"' in (root / "find.py").read_text()
    assert 'descriptions="dropper"' in (root / "drop.py").read_text()
    check_disclosure(root, find, wrong)
    check_disclosure(root, drop, wrong)
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
    check_disclosure(root, py("find.py", tools=ONE), answers_before(*_original(tmp_path, FINDER, ONE)))
    check_disclosure(root, py("drop.py", tools=OTHER), answers_before(*_original(tmp_path, DROPPER, OTHER)))
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
    check_disclosure(root, py("find.py", tools=ONE), answers_before(*_original(tmp_path, FINDER, ONE)))
    _checked(root)


def _original(folder: Path, source: str, tools: dict) -> tuple[Path, object]:
    return write(folder / "original", {"server.py": source}), py("server.py", tools=tools)


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
    server = joined(
        f'{SDK}\nfrom tools import list_tools\n\nserver = Server("NAME")\nserver.list_tools()(list_tools)',
        CALL,
        run(),
        GUARD,
    )
    files = {path: server.replace("NAME", path[0]) for path in ("a.py", "b.py")}
    root = write(tmp_path, {"pyproject.toml": PROJECT, "tools.py": TOOLS, **files})
    start = py("a.py")
    wrong = answers_before(root, start)
    ran = migrated(root / "a.py")
    assert "found 2 = moved 0 + stubbed 2" in ran.stderr
    assert "several servers list it" in ran.stderr
    assert tree(root)["tools.py"] == TOOLS.encode()
    check_disclosure(root, start, wrong)
    assert answers_before(root, py("b.py")) == wrong


def test_the_findings_of_other_parts_are_not_said(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": PROJECT,
        "find/server.py": FINDER,
        "drop/server.py": "from mcp.server import Server\ndef (\n",
    }
    root = write(tmp_path, files)
    assert "PD101" in pdmigrate("apply", "--all", root, *VERSIONS).stderr
    ran = pdmigrate("apply", "--all", root / "find", *VERSIONS)
    assert ran.status == 0
    assert "PD101" not in ran.stderr
    assert "found 1 = moved 1" in ran.stderr
