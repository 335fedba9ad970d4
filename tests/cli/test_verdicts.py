"""``apply`` goes by the verdict: several servers, one server, and ``--all``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.repositories import initialised
from tests.support.sources import decorated


def heavy(count: int, words: int) -> dict[str, str]:
    """Tools of which there is much to say."""
    more = "What it does besides is told here at length. " * words
    return {f"tool_{n}(text: str, limit: int = 10)": f"Do thing {n} with a note. {more}" for n in range(count)}


def server(name: str, tools: int, words: int) -> str:
    return decorated(name, heavy(tools, words))


REPOSITORIES = {"heavy": server("heavy", 30, 25), "light": server("light", 3, 1)}


def monorepo(folder: Path, *names: str) -> Path:
    return initialised(write(folder, {f"{name}/server.py": REPOSITORIES[name] for name in names}))


def enabled(root: Path) -> set[str]:
    return {file.parent.name for file in root.glob("*/server.py") if "enable(" in file.read_text(encoding="utf-8")}


def verdicts(root: Path, *options: str) -> list[dict[str, Any]]:
    told = json.loads(pdmigrate("apply", root, "--format", "json", *options, *VERSIONS).stdout)
    return list(told["verdicts"])


def test_of_several_servers_those_that_lose_are_left_out_and_named_and_all_takes_them(tmp_path: Path) -> None:
    root = monorepo(tmp_path, "heavy", "light")
    preview = pdmigrate("apply", root, *VERSIONS)
    assert preview.status == 0
    assert "heavy/server.py" in preview.stdout
    assert "light" not in preview.stdout
    assert "heavy: migrate: a session that uses 3 of 30 tools" in preview.stderr
    assert "light: not worth it: a session that uses 3 of 3 tools" in preview.stderr
    assert "left out: 1 server; --all takes it: light (light/server.py:3)" in preview.stderr
    told = [(one["name"], one["verdict"], one["left_out"]) for one in verdicts(root)]
    assert told == [("heavy", "migrate", False), ("light", "not-worth-it", True)]
    assert not any(one["left_out"] for one in verdicts(root, "--all"))
    assert pdmigrate("apply", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert enabled(root) == {"heavy"}
    after = tree(root)
    again = pdmigrate("apply", root, "--write", "--allow-dirty", *VERSIONS)
    assert again.status == 0
    assert "nothing to do" in again.stderr
    assert pdmigrate("apply", root, "--check", *VERSIONS).status == 0
    assert pdmigrate("check", root / "heavy").status == 0
    assert tree(root) == after
    assert pdmigrate("apply", root, "--check", "--all", *VERSIONS).status == 1
    assert pdmigrate("apply", root, "--write", "--all", "--allow-dirty", *VERSIONS).status == 0
    assert enabled(root) == {"heavy", "light"}
    # A server that was migrated is not left out by a later run, whatever it saves.
    assert pdmigrate("apply", root, "--check", *VERSIONS).status == 0
    assert pdmigrate("check", root / "light").status == 0


def test_where_all_lose_nothing_is_done_and_the_way_out_is_named(tmp_path: Path) -> None:
    root = write(monorepo(tmp_path, "light"), {"other/server.py": REPOSITORIES["light"].replace('"light"', '"other"')})
    before = tree(root)
    ran = pdmigrate("apply", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (0, "")
    assert "a migration would not pay for any of the servers; --all migrates them anyway" in ran.stderr
    assert tree(root) == before


def test_one_server_alone_is_shown_and_written_below_its_verdict(tmp_path: Path) -> None:
    root = monorepo(tmp_path, "heavy", "light")
    for path in (root / "light" / "server.py", root / "light"):
        ran = pdmigrate("apply", path, *VERSIONS)
        assert ran.stdout.startswith("diff --git ")
        assert "verdict: not worth it: a session that uses 3 of 3 tools" in ran.stderr
    assert pdmigrate("apply", root / "light", "--write", "--allow-dirty", *VERSIONS).status == 0
    assert enabled(root) == {"light"}


def mixed(folder: Path) -> Path:
    """A server with heavy tools, and with light ones that cost more than they save."""
    light = {f"small_{number}(text: str, limit: int = 10)": f"Count {number}." for number in range(12)}
    (folder / "server.py").write_text(decorated("mixed", {**heavy(3, 50), **light}), encoding="utf-8")
    return initialised(folder)


def left(root: Path) -> list[str]:
    return sorted(json.loads((root / "tool_descriptions" / "_server.json").read_text(encoding="utf-8")).get("left", ()))


def test_tools_that_lose_are_left_out_and_named_with_their_figures_and_all_takes_them(tmp_path: Path) -> None:
    root, small = mixed(tmp_path), sorted(f"small_{number}" for number in range(12))
    preview = pdmigrate("apply", root, *VERSIONS)
    said = " ".join(preview.stderr.split())
    assert "verdict: migrate these tools: with 3 tools migrated, a session that uses 3 of 15 tools" in said
    assert "left out: 12 tools; --all takes them: small_0 (" in said
    assert "found 15 = moved 0 + stubbed 3 + skipped 12 + failed 0" in said
    assert pdmigrate("apply", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert left(root) == small
    # It is remembered, by every command.
    after = tree(root)
    assert "nothing to do" in pdmigrate("apply", root, "--write", "--allow-dirty", *VERSIONS).stderr
    assert pdmigrate("check", root).status == 0
    assert tree(root) == after
    assert pdmigrate("apply", root, "--check", "--all", *VERSIONS).status == 1
    assert pdmigrate("apply", root, "--write", "--all", "--allow-dirty", *VERSIONS).status == 0
    assert left(root) == []
    assert pdmigrate("apply", root, "--check", *VERSIONS).status == 0
    assert pdmigrate("check", root).status == 0


def test_a_tool_that_another_server_has_by_that_name_is_not_left_out(tmp_path: Path) -> None:
    root = mixed(tmp_path)
    write(root, {"other/server.py": server("other", 9, 20).replace("tool_0", "small_0")})
    without = {one["name"]: one["tools_left_out"] for one in verdicts(root)}
    assert without["other"] == []
    assert len(without["mixed"]) == 11
    assert "small_0" not in without["mixed"]


def test_an_exclusion_of_the_configuration_holds_with_all(tmp_path: Path) -> None:
    root = mixed(tmp_path)
    (root / "pyproject.toml").write_text('[tool.pdmigrate]\nexclude = ["small_7"]\n', encoding="utf-8")
    assert pdmigrate("apply", root, "--write", "--all", "--allow-dirty", *VERSIONS).status == 0
    assert left(root) == ["small_7"]


SELECTIONS = [
    (("--select", "small_*"), "not worth it: with 12 tools migrated, a session that uses 3 of 15 tools"),
    (("--select", "tool_*"), "migrate these tools: with 3 tools migrated, a session that uses 3 of 15 tools"),
    (("--select", "tool_*", "--select", "small_*"), "migrate: a session that uses 3 of 15 tools"),
    (("--select", "*", "--exclude", "tool_*"), "not worth it: with 12 tools migrated, a session"),
    (("--exclude", "small_*"), "migrate these tools: with 3 tools migrated, a session that uses 3 of 15 tools"),
]


@pytest.mark.parametrize(("options", "verdict"), SELECTIONS)
def test_the_verdict_is_on_the_selection(tmp_path: Path, options: tuple[str, ...], verdict: str) -> None:
    said = " ".join(pdmigrate("apply", mixed(tmp_path), *options, *VERSIONS).stderr.split())
    assert f"verdict: {verdict}" in said
    assert ("carries it out" in said) is not verdict.startswith("not worth it")
    # What is not selected is counted as it is, so the size of the listing is known.
    assert "tokens in the listing: not known" not in said
    assert "? tokens" not in said
    (now,) = re.findall(r" % of the ([\d,]+) listed now\)", said)
    assert f"tokens in the listing: {now} -> " in said


def test_a_server_of_which_nothing_is_selected_gets_no_verdict(tmp_path: Path) -> None:
    root = mixed(tmp_path)
    write(root, {"other/server.py": server("other", 9, 20).replace("tool_", "thing_")})
    said = pdmigrate("apply", root, "--select", "small_1", *VERSIONS).stderr
    assert "\nverdict: not worth it: with 1 tool migrated" in said
    assert "other: " not in said
    assert "carries it out" not in said
