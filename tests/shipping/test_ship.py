"""What has to change in build files, on projects of every backend and layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.disk.vcs import git
from pdmigrate.model import FileKind, Site
from pdmigrate.project.shipping.building import Shipping, candidates, git_questions, surroundings
from tests.shipping.projects import (
    CODE,
    DATA,
    DEEP,
    EDITS,
    EXCLUDED,
    FLAT,
    HATCH,
    IN_PACKAGE,
    NAMED,
    NESTED,
    NOOPS,
    NOT_SHIPPED,
    SETUPTOOLS,
    SINGLE,
    TOP,
    UNSURE,
    Project,
    by_id,
    expected,
    generated,
    shipping,
)
from tests.support.command_line import pdmigrate
from tests.support.files import write
from tests.support.repositories import initialised


@by_id(EDITS)
def test_a_build_file_is_completed_once_and_nothing_else_changes(project: Project, tmp_path: Path) -> None:
    write(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    assert answer.findings == ()
    (change,) = answer.changes
    assert change.after is not None
    assert change.after.decode() == expected(project)
    assert (change.path, change.before) == ("pyproject.toml", project.files["pyproject.toml"].encode())
    assert change.kind is FileKind.CODE
    write(tmp_path, {"pyproject.toml": expected(project), **generated(project.home)})
    assert shipping(tmp_path, project.home) == Shipping()


@by_id([*NOOPS, *NOT_SHIPPED])
def test_a_build_file_that_says_enough_is_left_alone(project: Project, tmp_path: Path) -> None:
    write(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    assert (answer.changes, answer.findings) == ((), ())


@by_id([*EXCLUDED, *UNSURE])
def test_what_is_not_settled_is_told(project: Project, tmp_path: Path) -> None:
    write(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    (found,) = answer.findings
    assert (found.code, found.site, answer.changes) == ("PD523", Site("pyproject.toml", 3), ())
    assert "python -m build" in found.hint


SETUP = "from setuptools import setup\nsetup()\n"
NOTHING = {
    "an application of uv": {**FLAT, "pyproject.toml": f"{SETUPTOOLS}\n[tool.uv]\npackage = false\n"},
    "an application of poetry": {**FLAT, "pyproject.toml": f"{SETUPTOOLS}\n[tool.poetry]\npackage-mode = false\n"},
    "scripts without a build file": SINGLE,
    "scripts with settings of tools": {**SINGLE, "pyproject.toml": "[tool.ruff]\nline-length = 100\n"},
    "scripts with a manifest alone": {**SINGLE, "MANIFEST.in": "graft x\n"},
    "no build backend": {**SINGLE, "pyproject.toml": NAMED},
    # These builds failed before.
    "two packages at the top": {"a/__init__.py": CODE, "b/__init__.py": CODE, "pyproject.toml": SETUPTOOLS},
    "two modules at the top": {"a.py": CODE, "b.py": CODE, "pyproject.toml": SETUPTOOLS},
    "nothing at the top": {"setup.py": SETUP, "pyproject.toml": SETUPTOOLS},
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_not_built_needs_nothing(name: str, tmp_path: Path) -> None:
    write(tmp_path, NOTHING[name])
    assert shipping(tmp_path, IN_PACKAGE if name.startswith("an application") else TOP) == Shipping()


FIRST = Home("src/notes_mcp/progressive_disclosure_a.py", "src/notes_mcp/tool_descriptions/a")
SECOND = Home("src/notes_mcp/progressive_disclosure_b.py", "src/notes_mcp/tool_descriptions/b")
TOOLS = Home("tools/progressive_disclosure.py", "tools/tool_descriptions")
MANIFEST = "prune tests\nglobal-exclude *.py[cod] __pycache__\nrecursive-exclude * *.so\n"
FOUND = "from setuptools import find_packages, setup\nsetup(packages=find_packages())\n"
COMPLETED: dict[str, tuple[str, dict[str, str], tuple[Home, ...]]] = {
    "uv is told to build it": (f"{NAMED}\n[tool.uv]\npackage = true\n", FLAT, (IN_PACKAGE,)),
    "setuptools is named": (f"{NAMED}\n[tool.setuptools]\nzip-safe = false\n", FLAT, (IN_PACKAGE,)),
    "setup.py": (NAMED, {**FLAT, "setup.py": "import setuptools\nsetuptools.setup()\n"}, (IN_PACKAGE,)),
    "a manifest that leaves out other files": (SETUPTOOLS, {**FLAT, "MANIFEST.in": MANIFEST}, (IN_PACKAGE,)),
    "an older package called like a folder that discovery passes over": (
        SETUPTOOLS,
        {"tools/__init__.py": "", "tools/server.py": CODE, "setup.py": FOUND},
        (TOOLS,),
    ),
    "servers of one project": (SETUPTOOLS, DEEP, (FIRST, SECOND, NESTED)),
}


@pytest.mark.parametrize("name", COMPLETED)
def test_one_edit_is_enough(name: str, tmp_path: Path) -> None:
    text, files, homes = COMPLETED[name]
    write(tmp_path, {**files, "pyproject.toml": text})
    answer = shipping(tmp_path, *homes)
    assert answer.findings == ()
    assert [change.after for change in answer.changes] == [(text + DATA).encode()]


@pytest.mark.parametrize("raw", [b"a = \n", b"\xff\xfe\n"], ids=["not TOML", "not UTF-8"])
def test_a_build_file_that_cannot_be_read_is_told_and_left_alone(raw: bytes, tmp_path: Path) -> None:
    write(tmp_path, FLAT)
    (tmp_path / "pyproject.toml").write_bytes(raw)
    answer = shipping(tmp_path, IN_PACKAGE)
    assert answer.changes == ()
    assert [found.code for found in answer.findings] == ["PD525"]


def test_a_file_that_cannot_be_edited_safely_is_told_with_the_lines(tmp_path: Path) -> None:
    text = SETUPTOOLS.replace("[build", "tool = {setuptools = {zip-safe = false}}\n\n[build")
    write(tmp_path, {**FLAT, "pyproject.toml": text})
    answer = shipping(tmp_path, IN_PACKAGE)
    assert answer.changes == ()
    (found,) = answer.findings
    assert found.code == "PD520"
    assert found.hint.endswith('[tool.setuptools.package-data]\n    "*" = ["tool_descriptions/**/*.json"]')


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"setup.py": "from setuptools import setup\nsetup(py_modules=['notes_mcp'])\n"}, id="setup.py"),
        pytest.param({"setup.cfg": "[options]\npy_modules =\n    notes_mcp\n"}, id="setup.cfg"),
    ],
)
@pytest.mark.parametrize("pyproject", [None, SETUPTOOLS], ids=["alone", "with a project"])
def test_modules_that_older_files_name_are_told(pyproject: str | None, files: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, {**SINGLE, **files, **({"pyproject.toml": pyproject} if pyproject else {})})
    answer = shipping(tmp_path, TOP)
    (found,) = answer.findings
    assert answer.changes == ()
    assert (found.code, found.site.file) == ("PD523", "pyproject.toml" if pyproject else next(iter(files)))


def test_two_projects_of_one_repository_are_edited_each(tmp_path: Path) -> None:
    write(tmp_path / "a", {**FLAT, "pyproject.toml": SETUPTOOLS})
    write(tmp_path / "b", {**FLAT, "pyproject.toml": HATCH})
    write(tmp_path / "c", {**FLAT, "pyproject.toml": SETUPTOOLS})
    homes = [Home(f"{name}/{IN_PACKAGE.module}", f"{name}/{IN_PACKAGE.folder}") for name in "abc"]
    answer = shipping(tmp_path, *homes)
    assert [change.path for change in answer.changes] == ["a/pyproject.toml", "c/pyproject.toml"]


RULES = {
    "by ending": "*.json\n",
    "by name": "tool_descriptions/\n",
    "everything but the code": "notes_mcp/*\n!notes_mcp/server.py\n",
    "the module": "progressive_*\n",
    "the whole package": "notes_mcp/\n",
    "the server's file": "_*.json\n",
    "the record": ".pdmigrate/\n",
}


@pytest.mark.parametrize("name", RULES)
def test_the_lines_for_gitignore_work(name: str, tmp_path: Path) -> None:
    write(tmp_path, {**FLAT, **generated(IN_PACKAGE), "pyproject.toml": HATCH, ".gitignore": RULES[name]})
    initialised(tmp_path)
    asked = git_questions([IN_PACKAGE])
    answer = shipping(tmp_path, IN_PACKAGE, ignored=git.ignored(tmp_path, asked))
    (found,) = answer.findings
    assert found.code == "PD522"
    _, _, added = found.hint.partition("\n")
    with (tmp_path / ".gitignore").open("a") as file:
        file.write("\n".join(line.strip() for line in added.splitlines()) + "\n")
    assert git.ignored(tmp_path, (*generated(IN_PACKAGE), IN_PACKAGE.server_file, ".pdmigrate/lock.json")) == ()
    assert shipping(tmp_path, IN_PACKAGE, ignored=git.ignored(tmp_path, asked)) == Shipping()


IGNORING = {
    "by ending": ({".gitignore": "*.json\n"}, "tool_descriptions, .pdmigrate/lock.json"),
    "by a rule of the folder": ({".pdmigrate/.gitignore": "*\n"}, ".pdmigrate/lock.json"),
    "descriptions alone": ({".gitignore": "tool_descriptions/\n"}, "tool_descriptions"),
    "the record comes back": ({".gitignore": ".*\n!.pdmigrate/\n"}, ""),
}


@pytest.mark.parametrize("name", IGNORING)
def test_apply_names_what_git_ignores(name: str, tmp_path: Path) -> None:
    rules, said = IGNORING[name]
    server = "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('notes')\n\n\n@mcp.tool()\ndef find(text: str):\n"
    initialised(tmp_path)
    write(tmp_path, {"server.py": f"{server}    'Find.'\n", "requirements.txt": "mcp==1.28.1\n", **rules})
    told = [line for line in pdmigrate("apply", "--all", tmp_path).stderr.splitlines() if "PD522" in line]
    assert [line.rpartition(".gitignore: ")[2] for line in told] == ([said] if said else [])


def test_what_git_ignores_elsewhere_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, {**FLAT, "pyproject.toml": HATCH})
    assert shipping(tmp_path, IN_PACKAGE, ignored=("build/", "notes_mcp/x.json", "notes_mcp2/")) == Shipping()


def test_only_build_files_at_or_above_a_home_are_read(tmp_path: Path) -> None:
    build_files = ("pyproject.toml", "setup.cfg", "a/pyproject.toml", "a/MANIFEST.in", "b/pyproject.toml")
    sources = ("a/src/pkg/server.py", "a/.venv/lib/x.py", "a/one/two/three/four/five.py")
    write(tmp_path, dict.fromkeys((*build_files, *sources), ""))
    home = Home("a/src/pkg/progressive_disclosure.py", "a/src/pkg/tool_descriptions")
    assert candidates(tmp_path, [home]) == build_files[:4]
    seen = surroundings(tmp_path, [home])
    assert {"a/src/pkg/server.py", "a/src/", "b/", "a/one/two/three/four/"} <= set(seen)
    assert not any(".venv" in path or path.endswith("five.py") for path in seen)
