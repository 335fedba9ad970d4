"""``docs/fleets.md``: the loop, the script and the queries that stand there are the ones that run here."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.projects import UNRELATED
from tests.runtime.nurseries import on_path
from tests.support.environments import environment
from tests.support.files import write
from tests.support.repositories import committed, git

PAGE = (Path(__file__).parents[2] / "docs" / "fleets.md").read_text(encoding="utf-8")
DUCKDB = ("duckdb==2.0.0",)

HEAD = "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP({name!r})\n"
TOOL = '''

@mcp.tool()
def {name}(text: str, limit: int = 10) -> str:
    """{described}"""
    return text
'''


def server(name: str, tools: int, words: int) -> str:
    described = "Do thing {number} with a note. " + "What it does besides is told here at length. " * words
    every = (TOOL.format(name=f"tool_{n}", described=described.format(number=n)) for n in range(tools))
    return HEAD.format(name=name) + "".join(every)


REPOSITORIES = {
    "heavy": server("heavy", 30, 25),
    "light": server("light", 3, 1),
    "no server": UNRELATED,
}


def block(language: str, heading: str) -> str:
    found = re.search(rf"^## {re.escape(heading)}\n.*?^```{language}\n(.*?)^```", PAGE, re.S | re.M)
    assert found is not None, heading
    return found[1]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return on_path(tmp_path_factory.mktemp("commands") / "own")


@pytest.fixture(scope="module")
def fleet(path: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fleet")
    for name, text in REPOSITORIES.items():
        requirements = "mcp==1.30.0\npydantic==2.14.3\n"
        committed(write(folder / name, {"requirements.txt": requirements, "server.py": text}))
    ran = shell(block("sh", "Which of them?"), folder, path)
    assert ran.returncode == 0, ran.stderr
    return folder


def shell(script: str, folder: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_loop_leaves_a_file_for_each_repository_with_servers(fleet: Path) -> None:
    audited = {file.name: file.read_text(encoding="utf-8") for file in (fleet / "audits").iterdir()}
    assert set(audited) == {"heavy.json", "light.json"}
    verdicts = {name: [server["verdict"] for server in json.loads(text)["servers"]] for name, text in audited.items()}
    assert verdicts == {"heavy.json": ["migrate"], "light.json": ["not-worth-it"]}


def test_the_script_changes_what_pays_and_nothing_else(fleet: Path, path: str) -> None:
    script = block("sh", "The script")
    for name in REPOSITORIES:
        ran = shell(script, fleet / name, path)
        assert ran.returncode == 0, ran.stderr
        changed = git(fleet / name, "status", "--porcelain")
        assert (b"progressive_disclosure.py" in changed) is (name == "heavy"), name
        assert bool(changed) is (name == "heavy"), name
        assert shell(script, fleet / name, path).returncode == 0
    broken = fleet / "light" / "pyproject.toml"
    broken.write_text("[tool.pdmigrate", encoding="utf-8")
    failed = shell(script, fleet / "light", path)
    broken.unlink()
    assert failed.returncode == 2
    assert "error" in failed.stderr


@pytest.mark.parametrize("heading", ["multi-gitter", "Sourcegraph batch changes"])
def test_the_engines_run_that_script(heading: str) -> None:
    recipe = block("yaml" if heading.startswith("Source") else "sh", heading)
    assert "migrate.sh" in recipe
    assert "`migrate.sh` runs in the root of a repository" in PAGE


def test_the_queries_answer(fleet: Path) -> None:
    try:
        python = environment(DUCKDB)
    except RuntimeError as error:
        pytest.skip(f"DuckDB cannot be installed here: {error}")
    queries = re.findall(r"^```sql\n(.*?)^```", PAGE, re.S | re.M)
    code = (
        "import duckdb, json, sys\n"
        "print(json.dumps([duckdb.sql(query).fetchall() for query in json.load(sys.stdin)], default=float))"
    )
    done = subprocess.run(
        [python, "-c", code],
        input=json.dumps(queries),
        cwd=fleet,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdicts, first, heaviest, hosts = json.loads(done.stdout)
    files = {name: fleet / "audits" / f"{name}.json" for name in ("heavy", "light")}
    servers = {name: json.loads(file.read_text())["servers"][0] for name, file in files.items()}
    assert verdicts == [[one["verdict"], 1, one["tokens"]["now"], one["tokens"]["after"]] for one in servers.values()]
    ((repository, name, now, saved),) = first
    assert (repository, name, now) == ("heavy", "heavy", servers["heavy"]["tokens"]["now"])
    assert saved == round(-100 * servers["heavy"]["curve"][2]["at_once"])
    assert len(heaviest) == 10
    assert {row[0] for row in heaviest} == {"heavy"}
    assert [row[:3] for row in hosts if row[0] == "PD635"] == [["PD635", 2, 2]]
