"""``pdmigrate audit --max-tokens`` and ``--against``, and the recipe for pull requests in ``docs/audit.md``."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.audit.listings import heavy, tool
from tests.cli.projects import project
from tests.runtime.nurseries import on_path
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.processes import run
from tests.support.repositories import git
from tests.support.sources import decorated

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")

SERVER = decorated(
    "notes",
    {
        "edit_note(note: str, text: str)": "Replace the text of a note.",
        "find_notes(words: str)": "Find the notes that contain all of the words.",
    },
)
LONGER = SERVER.replace("all of the words.", "all of the words, wherever in the note they stand, in any order.")


def listing(folder: Path, name: str, *, longer: bool = False) -> Path:
    file = folder / name
    tools = [*heavy(3), tool("tool_9", sentences=9 if longer else 2)]
    file.write_text(json.dumps(tools), encoding="utf-8")
    return file


def test_a_listing_over_its_budget_fails_and_names_what_grew(tmp_path: Path) -> None:
    before, now = listing(tmp_path, "before.json"), listing(tmp_path, "now.json", longer=True)
    saved = tmp_path / "audit.json"
    saved.write_text(pdmigrate("audit", "--listing", before, "--format", "json").stdout, encoding="utf-8")
    counted = json.loads(saved.read_text(encoding="utf-8"))["servers"][0]["tokens"]["now"]
    budget = ("--max-tokens", str(counted))
    assert pdmigrate("audit", "--listing", before, *budget).status == 0
    failed = pdmigrate("audit", "--listing", now, *budget, "--against", saved)
    assert failed.status == 1
    assert re.search(r"^budget: .* tokens, \d+ too many; grown: tool_9 \(\+\d+\)$", failed.stdout, re.M)
    alone = pdmigrate("audit", "--listing", now, *budget)
    assert alone.status == 1
    assert "the heaviest are tool_0" in alone.stdout
    assert "--against FILE names what grew" in " ".join(alone.stdout.split())
    assert pdmigrate("audit", "--listing", now, "--against", saved).status == 0


def test_a_budget_of_the_configuration_counts_for_source_and_marks_the_lines_of_the_tools_that_grew(
    tmp_path: Path,
) -> None:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    saved = tmp_path / "audit.json"
    saved.write_text(pdmigrate("audit", tmp_path, *VERSIONS, "--format", "json").stdout, encoding="utf-8")
    counted = json.loads(saved.read_text(encoding="utf-8"))["servers"][0]["tokens"]["now"]
    (tmp_path / "pyproject.toml").write_text(f"[tool.pdmigrate]\nbudget = {counted}\n", encoding="utf-8")
    assert pdmigrate("audit", tmp_path, *VERSIONS).status == 0

    (tmp_path / "server.py").write_text(LONGER, encoding="utf-8")
    marked = pdmigrate("audit", tmp_path, *VERSIONS, "--against", saved, "--format", "github")
    assert marked.status == 1
    assert re.search(r"^::error file=\S*server.py,line=3,title=PD636", marked.stdout, re.M)
    assert re.search(
        r"^::warning file=\S*server.py,line=13,title=PD637.*::find_notes: \d+ tokens, ", marked.stdout, re.M
    )
    assert "edit_note:" not in marked.stdout
    told = json.loads(pdmigrate("audit", tmp_path, *VERSIONS, "--against", saved, "--format", "json").stdout)
    assert told["servers"][0]["budget"]["over"] == told["servers"][0]["tokens"]["now"] - counted
    assert [change["name"] for change in told["servers"][0]["against"]["tools"]] == ["find_notes"]


def test_a_server_of_which_source_does_not_settle_everything_is_not_said_to_keep_its_budget(tmp_path: Path) -> None:
    ran = pdmigrate("audit", project(tmp_path), *VERSIONS, "--max-tokens", "100000")
    assert ran.status == 1
    assert "not counted: edit_note; ask the server with --live" in " ".join(ran.stdout.split())


def test_the_recipe_compares_a_pull_request_with_its_base(tmp_path: Path) -> None:
    found = re.search(r"^### A budget in CI\n.*?^```yaml\n(.*?)^```", PAGE, re.S | re.M)
    script = re.search(r"^- run: \|\n((?:    .*\n)+)", found[1], re.M)
    scripts, root = on_path(tmp_path / "scripts"), tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "server.py").write_text(SERVER, encoding="utf-8")
    (root / "pyproject.toml").write_text('[tool.pdmigrate]\nsdk = { mcp = "1.30.0" }\n', encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    git(root, "checkout", "-q", "-b", "change")

    def committed(*, fails: bool = False) -> str:
        git(root, "commit", "-q", "-a", "--allow-empty", "-m", "change")
        environment = {"PATH": scripts, "HOME": str(tmp_path), "BASE": "main"}
        return run("bash", "-e", "-c", script[1], cwd=root, env=environment, fails=fails)

    committed()
    (root / "server.py").write_text(LONGER, encoding="utf-8")
    (root / "pyproject.toml").write_text('[tool.pdmigrate]\nbudget = 60\nsdk = { mcp = "1.30.0" }\n', encoding="utf-8")
    over = committed(fails=True)
    assert "PD636" in over
    assert "PD637" in over
