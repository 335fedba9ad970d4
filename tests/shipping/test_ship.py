"""What has to change in build files of every backend and layout, and how it is put into their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.disk.vcs import git
from pdmigrate.model import FileKind, Site
from pdmigrate.project.shipping.building import Shipping, candidates, git_questions
from pdmigrate.project.shipping.ship import ship, with_data
from tests.support.command_line import pdmigrate
from tests.support.files import write
from tests.support.repositories import initialised

CODE = "VALUE = 1\n"


@dataclass(frozen=True)
class Project:
    """A project, whose files beside ``pyproject.toml`` are ``others``."""

    id: str
    pyproject: str
    others: Mapping[str, str]
    home: Home

    @property
    def files(self) -> dict[str, str]:
        return {**self.others, "pyproject.toml": self.pyproject}

    @property
    def backend(self) -> str:
        """The module of the build backend."""
        return self.pyproject.partition('build-backend = "')[2].partition('"')[0]


def system(requires: str, backend: str) -> str:
    return f'[build-system]\nrequires = ["{requires}"]\nbuild-backend = "{backend}"\n\n'


NAMED = '[project]\nname = "notes-mcp"\nversion = "1"\n'
SETUPTOOLS = system("setuptools", "setuptools.build_meta") + NAMED
HATCH = system("hatchling", "hatchling.build") + NAMED
UV = system("uv_build", "uv_build") + NAMED
BY_SETUPTOOLS = SETUPTOOLS + "\n[tool.setuptools]\n"
FINDING = SETUPTOOLS + "\n[tool.setuptools.packages.find]\n"
LEGACY = system("setuptools", "setuptools.build_meta")

IN_PACKAGE = Home("notes_mcp/progressive_disclosure.py", "notes_mcp/tool_descriptions")
IN_SRC = Home("src/notes_mcp/progressive_disclosure.py", "src/notes_mcp/tool_descriptions")
NESTED = Home("src/notes_mcp/core/progressive_disclosure.py", "src/notes_mcp/core/tool_descriptions/a")
TOP = Home("progressive_disclosure.py", "tool_descriptions")
TOP_SRC = Home("src/progressive_disclosure.py", "src/tool_descriptions")

FLAT = {"notes_mcp/__init__.py": CODE, "notes_mcp/server.py": CODE}
SRC = {"src/notes_mcp/__init__.py": CODE, "src/notes_mcp/server.py": CODE}
DEEP = {**SRC, "src/notes_mcp/core/__init__.py": CODE, "src/notes_mcp/core/server.py": CODE}
SINGLE = {"notes_mcp.py": CODE}
SINGLE_SRC = {"src/notes_mcp.py": CODE}
LITERALLY_SRC = {"src/__init__.py": CODE, "src/server.py": CODE}

DATA = '\n[tool.setuptools.package-data]\n"*" = ["tool_descriptions/**/*.json"]\n'
FOUND_BELOW_SRC = "[options]\npackages = find:\npackage_dir =\n    = src\n[options.packages.find]\nwhere = src\n"

EDITS = [
    Project("setuptools, flat", SETUPTOOLS, FLAT, IN_PACKAGE),
    Project("setuptools, found below src", FINDING + 'where = ["src"]\nnamespaces = false\n', SRC, IN_SRC),
    Project("setuptools, a package called src", BY_SETUPTOOLS + 'packages = ["src"]\n', LITERALLY_SRC, TOP_SRC),
    Project(
        "setuptools, other data named",
        SETUPTOOLS + '\n[tool.setuptools.package-data]\nnotes_mcp = ["py.typed"]\n',
        FLAT,
        IN_PACKAGE,
    ),
]
"""Projects whose build file has to say more."""

NOOPS = [
    Project("hatchling, flat", HATCH, FLAT, IN_PACKAGE),
    Project("uv_build, src", UV, SRC, IN_SRC),
    Project(
        "setuptools, data named for the package",
        BY_SETUPTOOLS + 'package-data = {notes_mcp = ["tool_descriptions/*.json"]}\n',
        FLAT,
        IN_PACKAGE,
    ),
    Project(
        "setuptools, setup.cfg with package data",
        LEGACY,
        {
            **SRC,
            "setup.cfg": f"[metadata]\nname = notes-mcp\n{FOUND_BELOW_SRC}"
            "[options.package_data]\nnotes_mcp = tool_descriptions/*.json\n",
        },
        IN_SRC,
    ),
    Project(
        "hatchling, a file forced beside packages",
        HATCH
        + '\n[tool.hatch.build.targets.wheel]\npackages = ["src/notes_mcp"]\n'
        + '\n[tool.hatch.build.targets.wheel.force-include]\n"notes.toml" = "notes_mcp/notes.toml"\n'
        + '\n[tool.hatch.build.targets.sdist]\nonly-include = ["src", "notes.toml"]\n',
        {**SRC, "notes.toml": "a = 1\n"},
        IN_SRC,
    ),
]
"""Projects whose wheel holds everything as it is."""

NOT_SHIPPED = [
    Project(
        "a server in scripts",
        HATCH,
        {**SRC, "scripts/run.py": CODE},
        Home("scripts/progressive_disclosure.py", "scripts/tool_descriptions"),
    ),
    Project(
        "a server beside the package, hatchling",
        HATCH + '\n[tool.hatch.build.targets.wheel]\npackages = ["notes_mcp"]\n',
        {**FLAT, "server.py": CODE},
        TOP,
    ),
]
"""Projects with a server that is not in the wheel: nothing to do, and the build works as before."""

EXCLUDED = [
    Project("setuptools, single module", SETUPTOOLS, SINGLE, TOP),
    Project("setuptools, single module in src", SETUPTOOLS, SINGLE_SRC, TOP_SRC),
    Project("hatchling, single module by name", HATCH, SINGLE, TOP),
    Project(
        "hatchling, single module forced",
        HATCH + '\n[tool.hatch.build.targets.wheel.force-include]\n"server.py" = "notes/server.py"\n',
        {"server.py": CODE},
        TOP,
    ),
    Project("hatchling", HATCH + '\n[tool.hatch.build]\nexclude = ["*.json"]\n', SRC, IN_SRC),
    Project("uv_build, wheel", UV + '\n[tool.uv.build-backend]\nwheel-exclude = ["*.json"]\n', SRC, IN_SRC),
    Project(
        "setuptools, package data",
        SETUPTOOLS + '\n[tool.setuptools.exclude-package-data]\n"*" = ["*.json"]\n',
        FLAT,
        IN_PACKAGE,
    ),
    Project(
        "setuptools, setup.cfg",
        LEGACY,
        {**FLAT, "setup.cfg": "[metadata]\nname = notes-mcp\n[options]\npackages = find:\n"},
        IN_PACKAGE,
    ),
]
"""Projects that only a person can change: a finding, and the wheel does lack files."""

WRAPPED = SETUPTOOLS.replace("[project]", 'backend-path = ["tools"]\n[project]')
BESIDE = {**FLAT, "server.py": CODE, "x/deep/__init__.py": ""}
PRUNED = "include LICENSE\nprune */tool_descriptions\n"
UNSURE = [
    Project("poetry", system("poetry-core", "poetry.core.masonry.api") + NAMED, FLAT, IN_PACKAGE),
    Project("an unknown backend", system("x", "maturin") + NAMED, FLAT, IN_PACKAGE),
    Project("a package mapped to the top", BY_SETUPTOOLS + 'package-dir = {notes = "."}\n', BESIDE, TOP),
    Project("everything forgotten", SETUPTOOLS, {**FLAT, "MANIFEST.in": "global-exclude *\n"}, IN_PACKAGE),
    Project("a folder that is pruned", SETUPTOOLS, {**FLAT, "MANIFEST.in": PRUNED}, IN_PACKAGE),
    Project("setuptools, modules named", BY_SETUPTOOLS + 'py-modules = ["notes_mcp"]\n', SINGLE, TOP),
    Project("setuptools, a server beside the package", SETUPTOOLS, {**FLAT, "server.py": CODE}, TOP),
    Project("hatchling, a server beside the package", HATCH, {**FLAT, "server.py": CODE}, TOP),
    Project("settings in hatch.toml", HATCH, {**FLAT, "hatch.toml": '[build]\ninclude = ["*.py"]\n'}, IN_PACKAGE),
    Project("a backend of the project itself, which wraps another", WRAPPED, FLAT, IN_PACKAGE),
]
"""Projects of whose wheel the rules do not know that nothing is missing: they are told to look."""


def generated(home: Home) -> dict[str, str]:
    """The files that a migration makes."""
    return {
        home.module: "LOADED = True\n",
        home.server_file: '{"name": "_server.json"}\n',
        f"{home.folder}/add.json": '{"name": "add"}\n',
        f"{home.folder}/list-notes.json": '{"name": "list notes"}\n',
    }


def shipping(root: Path, *homes: Home, ignored: tuple[str, ...] = ()) -> Shipping:
    """``ship`` as a command calls it, on the files below ``root``."""
    files = {path: (root / path).read_bytes() for path in candidates(root, homes)}
    return ship(files, homes, ignored)


def expected(project: Project) -> str:
    """``pyproject.toml`` as it should be afterwards: with a line below its table of package data, or with both."""
    table, line = DATA.strip().split("\n")
    text = project.pyproject.replace(f"{table}\n", f"{table}\n{line}\n")
    return text if line in text else text + DATA


def by_id(projects: list[Project]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("project", projects, ids=[project.id for project in projects])


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
    write(tmp_path, dict.fromkeys(build_files, ""))
    home = Home("a/src/pkg/progressive_disclosure.py", "a/src/pkg/tool_descriptions")
    assert candidates(tmp_path, [home]) == build_files[:4]


HEADER = "[tool.setuptools.package-data]\n"
LINE = '"*" = ["tool_descriptions/**/*.json"]\n'
TABLE = HEADER + LINE
ADDED = {
    "a new table goes to the end": ('[project]\nname = "x"\n', f'[project]\nname = "x"\n\n{TABLE}'),
    "and not after its parent, which may be anywhere": (
        "[tool.setuptools]\nzip-safe = false\n\n[tool.ruff]\na = 1\n",
        f"[tool.setuptools]\nzip-safe = false\n\n[tool.ruff]\na = 1\n\n{TABLE}",
    ),
    "below empty lines": ("[tool.ruff]\na = 1\n\n", f"[tool.ruff]\na = 1\n\n{TABLE}"),
    "below a last line without an end": ("[tool.ruff]\na = 1", f"[tool.ruff]\na = 1\n\n{TABLE}"),
    "lists of tables": (
        '[[tool.uv.index]]\nname = "a"\n\n[[tool.uv.index]]\nname = "b"\n',
        f'[[tool.uv.index]]\nname = "a"\n\n[[tool.uv.index]]\nname = "b"\n\n{TABLE}',
    ),
    "a table that is there": (f"{HEADER}other = ['x']  # why\n", f"{TABLE}other = ['x']  # why\n"),
}


@pytest.mark.parametrize(("before", "after"), ADDED.values(), ids=ADDED)
def test_the_lines_go_where_a_person_would_put_them(before: str, after: str) -> None:
    assert with_data(before) == after
    crlf = before.replace("\n", "\r\n")
    assert with_data(crlf) == after.replace("\n", "\r\n") or "\n" not in before[:-1]


REPLACING = {
    "an inline table has no room for a table": "tool = {setuptools = {}}\n",
    "a text where a table should be": '[tool.setuptools]\npackage-data = "x"\n',
    "a list for every package": f'{HEADER}"*" = ["x"]\n',
    "an inline table": '[tool.setuptools]\npackage-data = {other = ["x"]}\n',
    "dotted keys": '[tool.setuptools]\npackage-data.other = ["x"]\n',
    "a list where a table should be": "[[tool.setuptools.package-data]]\npkg = []\n",
}


@pytest.mark.parametrize("text", REPLACING.values(), ids=REPLACING)
def test_an_edit_that_would_replace_something_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        with_data(text)
