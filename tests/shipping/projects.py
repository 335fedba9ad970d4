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
    """``files`` without the generated ones; ``added`` are the lines that ``ship`` puts into ``pyproject.toml``."""

    id: str
    backend: str
    files: Mapping[str, str]
    home: Home
    added: str | tuple[tuple[str, str], ...] = ""
    codes: tuple[str, ...] = ()
    ships: bool = True
    """Whether the wheel is known to hold everything after the edit."""
    git: bool = False


def system(requires: str, backend: str) -> str:
    return f'[build-system]\nrequires = ["{requires}"]\nbuild-backend = "{backend}"\n\n'


NAMED = '[project]\nname = "notes-mcp"\nversion = "1"\n'
SETUPTOOLS = system("setuptools", "setuptools.build_meta") + NAMED
SCM = system('setuptools", "setuptools-scm', "setuptools.build_meta") + NAMED
HATCH = system("hatchling", "hatchling.build") + NAMED
UV = system("uv_build", "uv_build") + NAMED
LEGACY = system("setuptools", "setuptools.build_meta")

IN_PACKAGE = Home("notes_mcp/progressive_disclosure.py", "notes_mcp/tool_descriptions")
IN_SRC = Home("src/notes_mcp/progressive_disclosure.py", "src/notes_mcp/tool_descriptions")
NESTED = Home("src/notes_mcp/core/progressive_disclosure.py", "src/notes_mcp/core/tool_descriptions/a")
TOP = Home("progressive_disclosure.py", "tool_descriptions")
TOP_SRC = Home("src/progressive_disclosure.py", "src/tool_descriptions")
PACKAGE_SRC = Home("src/progressive_disclosure.py", "src/tool_descriptions")

FLAT = {"notes_mcp/__init__.py": CODE, "notes_mcp/server.py": CODE}
SRC = {"src/notes_mcp/__init__.py": CODE, "src/notes_mcp/server.py": CODE}
DEEP = {**SRC, "src/notes_mcp/core/__init__.py": CODE, "src/notes_mcp/core/server.py": CODE}
SINGLE = {"notes_mcp.py": CODE}
SINGLE_SRC = {"src/notes_mcp.py": CODE}
LITERALLY_SRC = {"src/__init__.py": CODE, "src/server.py": CODE}

DATA = '\n[tool.setuptools.package-data]\n"*" = ["tool_descriptions/**/*.json"]\n'
TOP_DATA = '\n[tool.setuptools.package-data]\ntool_descriptions = ["**/*.json"]\n'


def project(
    id_: str,
    backend: str,
    pyproject: str,
    files: Mapping[str, str],
    home: Home,
    added: str | tuple[tuple[str, str], ...] = "",
    codes: tuple[str, ...] = (),
    *,
    ships: bool = True,
    git: bool = False,
) -> Project:
    return Project(id_, backend, {**files, "pyproject.toml": pyproject}, home, added, codes, ships, git)


def left_out(id_: str, backend: str, pyproject: str, files: Mapping[str, str], home: Home, *codes: str) -> Project:
    """A project whose wheel lacks files, whatever is done."""
    return project(id_, backend, pyproject, files, home, "", codes, ships=False)


EDITS = [
    project("setuptools, flat", "setuptools", SETUPTOOLS, FLAT, IN_PACKAGE, DATA),
    project(
        "setuptools, found below src",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools.packages.find]\nwhere = ["src"]\nnamespaces = false\n',
        SRC,
        IN_SRC,
        DATA,
    ),
    project(
        "setuptools, a package called src",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools]\npackages = ["src"]\n',
        LITERALLY_SRC,
        PACKAGE_SRC,
        '\n[tool.setuptools.package-data]\n"*" = ["tool_descriptions/**/*.json"]\n',
    ),
    project(
        "setuptools, scm without package data",
        "setuptools",
        SCM + "\n[tool.setuptools]\ninclude-package-data = false\n",
        SRC,
        IN_SRC,
        DATA,
        git=True,
    ),
    project(
        "setuptools, setup.cfg beside a project table",
        "setuptools",
        SETUPTOOLS,
        {
            **SRC,
            "setup.cfg": "[options]\npackages = find:\npackage_dir =\n    = src\n"
            "[options.packages.find]\nwhere = src\n",
        },
        IN_SRC,
        DATA,
    ),
    project(
        "setuptools, single module",
        "setuptools",
        SETUPTOOLS,
        SINGLE,
        TOP,
        '\n[tool.setuptools]\npy-modules = ["notes_mcp", "progressive_disclosure"]\npackages = ["tool_descriptions"]\n'
        + TOP_DATA,
    ),
    project(
        "setuptools, modules named",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools]\npy-modules = ["notes_mcp"]\n',
        SINGLE,
        TOP,
        (
            ('py-modules = ["notes_mcp"', ', "progressive_disclosure"'),
            ("", 'packages = ["tool_descriptions"]\n' + TOP_DATA),
        ),
    ),
    project("setuptools, single module in src", "setuptools", SETUPTOOLS, SINGLE_SRC, TOP_SRC, TOP_DATA),
    project(
        "setuptools, a server beside the package",
        "setuptools",
        SETUPTOOLS,
        {"notes_mcp/__init__.py": CODE, "server.py": CODE},
        TOP,
        '\n[tool.setuptools.packages.find]\ninclude = ["notes_mcp", "notes_mcp.*"]\n',
        ships=False,
    ),
    project(
        "setuptools, a package that is not named",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools.packages.find]\ninclude = ["notes_mcp*"]\n',
        {**FLAT, "dev/__init__.py": CODE, "dev/server.py": CODE},
        Home("dev/progressive_disclosure.py", "dev/tool_descriptions"),
        DATA,
        ships=False,
    ),
]
"""Projects whose build file has to say more."""

NOOPS = [
    project("hatchling, flat", "hatchling", HATCH, FLAT, IN_PACKAGE),
    project("uv_build, src", "uv_build", UV, SRC, IN_SRC),
    project(
        "setuptools, data named for the package",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools]\npackage-data = {notes_mcp = ["tool_descriptions/*.json"]}\n',
        FLAT,
        IN_PACKAGE,
    ),
    project(
        "setuptools, setup.cfg with package data",
        "setuptools",
        LEGACY,
        {
            **SRC,
            "setup.cfg": "[metadata]\nname = notes-mcp\n[options]\npackages = find:\npackage_dir =\n    = src\n"
            "[options.packages.find]\nwhere = src\n[options.package_data]\nnotes_mcp = tool_descriptions/*.json\n",
        },
        IN_SRC,
    ),
    project(
        "hatchling, a file forced beside packages",
        "hatchling",
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
    left_out(
        "a server in scripts",
        "hatchling",
        HATCH,
        {**SRC, "scripts/run.py": CODE},
        Home("scripts/progressive_disclosure.py", "scripts/tool_descriptions"),
    ),
    left_out("a server beside the package, hatchling", "hatchling", HATCH, {**FLAT, "server.py": CODE}, TOP),
    left_out(
        "a server that is not among the modules, setuptools",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools]\npy-modules = ["lib.other"]\n',
        {"server.py": CODE, "lib/other.py": CODE},
        TOP,
    ),
]
"""Projects with a server that is not in the wheel: nothing to do, and the build works as before."""

EXCLUDED = [
    left_out("hatchling, single module by name", "hatchling", HATCH, SINGLE, TOP, "PD523"),
    left_out(
        "hatchling, only Python included",
        "hatchling",
        HATCH + '\n[tool.hatch.build]\ninclude = ["notes_mcp/**/*.py"]\n',
        FLAT,
        IN_PACKAGE,
        "PD523",
    ),
    left_out(
        "hatchling, single module forced",
        "hatchling",
        HATCH + '\n[tool.hatch.build.targets.wheel.force-include]\n"server.py" = "notes/server.py"\n',
        {"server.py": CODE},
        TOP,
        "PD523",
    ),
    left_out("hatchling", "hatchling", HATCH + '\n[tool.hatch.build]\nexclude = ["*.json"]\n', SRC, IN_SRC, "PD523"),
    left_out(
        "uv_build, wheel",
        "uv_build",
        UV + '\n[tool.uv.build-backend]\nwheel-exclude = ["*.json"]\n',
        SRC,
        IN_SRC,
        "PD523",
    ),
    left_out(
        "setuptools, package data",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools.exclude-package-data]\n"*" = ["*.json"]\n',
        FLAT,
        IN_PACKAGE,
        "PD523",
    ),
    left_out(
        "setuptools, setup.cfg",
        "setuptools",
        LEGACY,
        {**FLAT, "setup.cfg": "[metadata]\nname = notes-mcp\n[options]\npackages = find:\n"},
        IN_PACKAGE,
        "PD523",
    ),
    left_out(
        "setuptools, setup.py with data of its own beside a project table",
        "setuptools",
        SETUPTOOLS,
        {
            **FLAT,
            "setup.py": "from setuptools import setup\n"
            'setup(packages=["notes_mcp"], package_data={"notes_mcp": ["py.typed"]})\n',
        },
        IN_PACKAGE,
        "PD523",
    ),
    left_out(
        "setuptools, a manifest that takes files out",
        "setuptools",
        SETUPTOOLS + '\n[tool.setuptools.package-data]\nnotes_mcp = ["**/*.json"]\n',
        {**FLAT, "MANIFEST.in": "graft notes_mcp\nglobal-exclude *.json\n"},
        IN_PACKAGE,
        "PD523",
    ),
]
"""Projects that only a person can change: a finding, and the wheel does lack files."""

UNSURE = [
    left_out(
        "poetry", "poetry-core", system("poetry-core", "poetry.core.masonry.api") + NAMED, FLAT, IN_PACKAGE, "PD523"
    ),
    left_out(
        "hatchling, artifacts beat an exclude",
        "hatchling",
        HATCH + '\n[tool.hatch.build]\nexclude = ["*.json"]\nartifacts = ["tool_descriptions/"]\n',
        SRC,
        IN_SRC,
        "PD523",
    ),
    left_out(
        "setuptools, setup.py with a manifest",
        "setuptools",
        LEGACY,
        {
            **FLAT,
            "MANIFEST.in": "recursive-include notes_mcp *.json",
            "setup.py": "import setuptools\nsetuptools.setup(\n    name='notes-mcp',\n"
            "    packages=setuptools.find_packages(),\n    include_package_data=True,\n)\n",
        },
        IN_PACKAGE,
        "PD523",
    ),
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
    text = project.files["pyproject.toml"]
    for anchor, added in [("", project.added)] if isinstance(project.added, str) else project.added:
        assert not anchor or text.count(anchor) == 1
        text = text.replace(anchor, anchor + added) if anchor else text + added
    return text


def by_id(projects: list[Project]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("project", projects, ids=[project.id for project in projects])
