"""The rules about single files, against the code of the backends themselves, on random trees and settings."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.project.shipping.backends import Target
from pdmigrate.project.shipping.building import Build
from tests.shipping.building import BACKENDS
from tests.support.environments import environment
from tests.support.files import write

NAMES = ("notes", "src", "tool_descriptions", "docs", "lib", "a-b", "_x")
FILES = ("__init__.py", "server.py", "notes.py", "add.json", "data.txt")
GLOBS = (
    *("*", "**", "*.json", "**/*.json", "notes", "notes/", "notes/*", "notes/**/*.py", "src", "src/*", "src/notes"),
    *("src/notes/*.json", "**/tool_descriptions", "*/tool_descriptions/*", "[nl]*", "[!n]*/*", "n?tes/*", "lib/**"),
    *("tool_descriptions", "src/**/*.py", "*.py", "notes/tool_descriptions/add.json", "./notes/*.py"),
)


def tree(chance: random.Random, root: Path) -> list[str]:
    """Some files below ``root``, by path."""
    folders = ["", *(chance.choice(NAMES) for _ in range(3))]
    folders += ["/".join(chance.choice(NAMES) for _ in range(chance.randint(2, 3))) for _ in range(4)]
    paths = {f"{folder}/{chance.choice(FILES)}".lstrip("/") for folder in folders for _ in range(3)}
    write(root, {path: "{}\n" if path.endswith(".json") else "X = 1\n" for path in sorted(paths)})
    return sorted(paths)


def some(chance: random.Random, values: tuple[str, ...] = GLOBS) -> list[str]:
    return chance.sample(values, chance.randint(1, 2))


def told(code: str, cases: list[Any]) -> list[Any]:
    """What a backend's own code says to each case; a case that it refuses is ``None``."""
    driver = (
        "import json, os, sys\n"
        f"{code}\n"
        "answers = []\n"
        "for case in json.load(sys.stdin):\n"
        "    os.chdir(case['root'])\n"
        "    try:\n        answers.append(answer(case))\n"
        "    except (ValueError, TypeError, Exception) as error:\n        answers.append(None)\n"
        "print('\\n' + json.dumps(answers))\n"
    )
    done = subprocess.run(
        [str(environment(BACKENDS)), "-c", driver],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout.strip().splitlines()[-1])
    assert sum(answer is not None for answer in answers) > len(cases) // 4, "nearly all cases are refused"
    return answers


def build(data: dict[str, Any], paths: list[str]) -> Build:
    return Build("", {}, data, frozenset(paths), ())


def laid(tmp_path: Path, count: int, seed: int) -> list[tuple[random.Random, Path, list[str]]]:
    chance = random.Random(seed)
    roots = [tmp_path / str(number) for number in range(count)]
    return [(chance, root, tree(chance, root)) for root in roots]


@pytest.mark.slow
def test_hatchling_selects_the_same_files(tmp_path: Path) -> None:
    code = """
from hatchling.builders.wheel import WheelBuilder
from hatchling.builders.sdist import SdistBuilder
def answer(case):
    kind = WheelBuilder if case['target'] == 'wheel' else SdistBuilder
    builder = kind(case['root'], config={'project': {'name': 'notes', 'version': '1'}, **case['data']})
    data = {'artifacts': [], 'force_include': {}}
    with builder.config.set_build_data(data):
        found = list(builder.recurse_included_files())
    return sorted({os.path.relpath(item.path, case['root']) for item in found})
"""
    cases: list[dict[str, Any]] = []
    for chance, root, paths in laid(tmp_path, 100, 2):
        target = chance.choice(["wheel", "wheel", "sdist"])
        own: dict[str, Any] = {}
        all_: dict[str, Any] = {}
        for table in (own, all_):
            for key in chance.sample(["include", "exclude", "packages", "only-include"], 2):
                table[key] = some(chance)
                if key in ("packages", "only-include"):
                    table[key] = some(chance, ("notes", "src/notes", "server.py", "lib", "src"))
        data = {"tool": {"hatch": {"build": {**all_, "targets": {target: own}}}}}
        if chance.random() < 0.2:
            data = {}
        cases.append({"root": str(root), "target": target, "data": data, "paths": paths})
    for case, answer in zip(cases, told(code, cases), strict=True):
        if answer is None:
            continue
        project = build({"project": {"name": "notes"}, **case["data"]}, case["paths"])
        target = Target(project, case["target"])
        if not target.chosen[1] and target.name == "wheel":
            continue  # nothing is found by its name: a person is told to look
        ours = {path for path in case["paths"] if target.holds(path)}
        assert sorted(ours) == [path for path in answer if path in case["paths"]], case
