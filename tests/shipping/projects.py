"""Small projects of every build backend and layout: what the rules must say, and what the real backends then do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.project.shipping.building import Shipping, candidates, surroundings
from pdmigrate.project.shipping.ship import ship

CODE = "VALUE = 1\n"


@dataclass(frozen=True)
class Project:
    """``others`` are the files beside ``pyproject.toml``; ``added`` are the lines that ``ship`` puts into that."""

    id: str
    pyproject: str
    others: Mapping[str, str]
    home: Home
    added: str | tuple[tuple[str, str], ...] = ""
    ships: bool = True
    """Whether the wheel is known to hold everything after the edit."""

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
TOP_DATA = '\n[tool.setuptools.package-data]\ntool_descriptions = ["**/*.json"]\n'


FOUND_BELOW_SRC = "[options]\npackages = find:\npackage_dir =\n    = src\n[options.packages.find]\nwhere = src\n"
BOTH_MODULES = """
[tool.setuptools]
py-modules = ["notes_mcp", "progressive_disclosure"]
packages = ["tool_descriptions"]
"""

EDITS = [
    Project("setuptools, flat", SETUPTOOLS, FLAT, IN_PACKAGE, DATA),
    Project("setuptools, found below src", FINDING + 'where = ["src"]\nnamespaces = false\n', SRC, IN_SRC, DATA),
    Project("setuptools, a package called src", BY_SETUPTOOLS + 'packages = ["src"]\n', LITERALLY_SRC, TOP_SRC, DATA),
    Project("setuptools, single module", SETUPTOOLS, SINGLE, TOP, BOTH_MODULES + TOP_DATA),
    Project(
        "setuptools, modules named",
        BY_SETUPTOOLS + 'py-modules = ["notes_mcp"]\n',
        SINGLE,
        TOP,
        (
            ('py-modules = ["notes_mcp"', ', "progressive_disclosure"'),
            ("", 'packages = ["tool_descriptions"]\n' + TOP_DATA),
        ),
    ),
    Project("setuptools, single module in src", SETUPTOOLS, SINGLE_SRC, TOP_SRC, TOP_DATA),
    Project(
        "setuptools, a server beside the package",
        SETUPTOOLS,
        {"notes_mcp/__init__.py": CODE, "server.py": CODE},
        TOP,
        '\n[tool.setuptools.packages.find]\ninclude = ["notes_mcp", "notes_mcp.*"]\n',
        ships=False,
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
    Project("a server beside the package, hatchling", HATCH, {**FLAT, "server.py": CODE}, TOP),
    Project(
        "a server that is not among the modules, setuptools",
        BY_SETUPTOOLS + 'py-modules = ["lib.other"]\n',
        {"server.py": CODE, "lib/other.py": CODE},
        TOP,
    ),
]
"""Projects with a server that is not in the wheel: nothing to do, and the build works as before."""

EXCLUDED = [
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
    Project("nothing by its name", HATCH.replace("notes-mcp", "other"), FLAT, IN_PACKAGE),
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
    return ship(files, homes, surroundings(root, homes), ignored)


def expected(project: Project) -> str:
    """``pyproject.toml`` as it should be afterwards: texts put in after an anchor, or at the end."""
    text = project.pyproject
    for anchor, added in [("", project.added)] if isinstance(project.added, str) else project.added:
        assert not anchor or text.count(anchor) == 1
        text = text.replace(anchor, anchor + added) if anchor else text + added
    return text


def by_id(projects: list[Project]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("project", projects, ids=[project.id for project in projects])
