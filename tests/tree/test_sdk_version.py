"""Which SDK version a server is assumed to run on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Sdk
from pdmigrate.source.requirements import _parsed, poetry_specifier
from pdmigrate.source.sdk_version import majors, resolve_sdk
from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

UV_LOCK = '[[package]]\nname = "mcp"\nversion = "1.26.0"\n\n[[package]]\nname = "pydantic"\nversion = "2.12.3"\n'


def script(*dependencies: str) -> str:
    """A file with a dependency block, as ``uv run`` reads it."""
    listed = "".join(f'#     "{dependency}",\n' for dependency in dependencies)
    return f'# /// script\n# requires-python = ">=3.10"\n# dependencies = [\n{listed}# ]\n# ///\nimport mcp\n'


def mcp(version: str, basis: str = "requirement") -> Sdk:
    return Sdk("mcp", version, basis, "2.14.3")


ASSUMED = mcp("1.30.0", "assumed")
PINNED = {
    "an extra": {"pyproject.toml": '[project]\n[project.optional-dependencies]\nserver = ["mcp==1.9.4"]'},
    "a group": {"pyproject.toml": '[dependency-groups]\ndev = [{include-group = "x"}, "pytest"]\nx = ["mcp==1.9.4"]'},
    "a group of poetry": {"pyproject.toml": '[tool.poetry.group.server.dependencies]\nmcp = {version = "1.9.4"}'},
    "a file that is included": {
        "requirements.txt": "-r deps/base.txt\n",
        "deps/base.txt": "--requirement more.txt",
        "deps/more.txt": "mcp==1.9.4",
    },
    "a folder of requirements": {"requirements/prod.txt": "mcp==1.9.4 --hash=sha256:00\n"},
    "setup.py": {"setup.py": "from setuptools import setup\n\nsetup(install_requires=['mcp==1.9.4'])"},
    "setup.cfg": {"setup.cfg": "[options]\ninstall_requires =\n    anyio\n    mcp==1.9.4\n"},
    "the configuration of FastMCP": {"fastmcp.json": '{"environment": {"dependencies": ["mcp==1.9.4"]}}'},
    "what the configuration of FastMCP names": {
        "fastmcp.json": '{"environment": {"requirements": "deps/all.txt"}}',
        "deps/all.txt": "mcp==1.9.4",
    },
}
"""Where a project may say that it needs mcp 1.9.4, and nothing else."""

EVIDENCE = {
    **{said: (files, mcp("1.9.4")) for said, files in PINNED.items()},
    "nothing is said": ({}, ASSUMED),
    "a lock file": ({"uv.lock": UV_LOCK}, Sdk("mcp", "1.26.0", "lock", "2.12.3")),
    "an installed environment": (
        {".venv/lib/python3.11/site-packages/mcp-1.12.4.dist-info/METADATA": ""},
        mcp("1.12.4", "installed"),
    ),
    "a pinned requirement": ({"pyproject.toml": '[project]\ndependencies = ["mcp[cli]==1.1.2"]'}, mcp("1.1.2")),
    "the newest version of a range": ({"requirements.txt": "# x\n-r other.txt\nmcp>=1.6,<2  # it\n"}, mcp("1.30.0")),
    "poetry's caret": ({"pyproject.toml": '[tool.poetry.dependencies]\nmcp = "^1.2"'}, mcp("1.30.0")),
    "a range in which nothing was measured": ({"pyproject.toml": '[project]\ndependencies = ["mcp<1.10"]'}, ASSUMED),
    "setup files that are broken": ({"setup.cfg": "[options\n", "setup.py": "setup("}, ASSUMED),
    **{
        f"not read: {name}": ({name: text}, ASSUMED)
        for name, text in {
            "setup.py": "from setuptools import setup\nNEEDED = ['mcp==1.9.4']\nsetup(install_requires=NEEDED)",
            "environment.yml": "dependencies:\n  - mcp=1.9.4\n",
            "pixi.toml": '[pypi-dependencies]\nmcp = "==1.9.4"',
            "Pipfile": '[packages]\nmcp = "==1.9.4"\n',
        }.items()
    },
    "pylock.toml": (
        {"pylock.toml": 'lock-version = "1.0"\n[[packages]]\nname = "mcp"\nversion = "1.9.4"\n'},
        mcp("1.9.4", "lock"),
    ),
    "a lock that forks": (
        {"uv.lock": "".join(f'[[package]]\nname = "mcp"\nversion = "{v}"\n' for v in ("1.9.4", "1.12.4", "1.10.0"))},
        mcp("1.12.4", "lock"),
    ),
    "a lock file of many packages": (
        {
            "poetry.lock": '# made by a tool\nversion = 1\n\n[[package]]\nname = "mcp-helper"\nversion = "9.9.9"\n'
            '[package.dependencies]\nmcp = "1.0.0"\n\n[[package]]\nversion = "1.14.0"\nname = "MCP"\n'
            '[package.extras]\ncli = ["typer"]\n\n[[package]]\nname = "z"\nversion = "1.0"\n\n[[package]]\n'
            'name = "pydantic"\nversion = "2.12.3"\n[[package.source]]\nname = "mcp"\n\n[metadata]\nname = "x"\n'
        },
        Sdk("mcp", "1.14.0", "lock", "2.12.3"),
    ),
    "a broken lock file": ({"uv.lock": "not toml ["}, ASSUMED),
    "a lock above wins over a requirement beside the server": (
        {"uv.lock": UV_LOCK, "pkg/requirements.txt": "mcp==1.3.0"},
        Sdk("mcp", "1.26.0", "lock", "2.12.3"),
    ),
    "a script says for itself what it is run with": (
        {"uv.lock": UV_LOCK, "pkg/server.py": script("mcp>=1.2,<2")},
        Sdk("mcp", "1.30.0", "requirement", "2.12.3"),
    ),
    "a script with a broken block": (
        {"uv.lock": UV_LOCK, "pkg/server.py": "# /// script\n# dependencies = [\n# ///\n"},
        Sdk("mcp", "1.26.0", "lock", "2.12.3"),
    ),
}


@pytest.mark.parametrize(("files", "expected"), EVIDENCE.values(), ids=EVIDENCE)
def test_the_version_is_read_in_order_of_trust(tmp_path: Path, files: dict[str, str], expected: Sdk) -> None:
    assert resolve_sdk(write(tmp_path, files), "pkg/server.py", "mcp", {}, major=1) == expected


@pytest.mark.parametrize(
    ("poetry", "standard"),
    [
        *(("^1.2", ">=1.2,<2"), ("^1", ">=1,<2"), ("^0.2", ">=0.2,<0.3"), ("^0.0.3", ">=0.0.3,<0.0.4")),
        *(("^0.0", ">=0.0,<0.1"), ("^0", ">=0,<1"), ("^ 1.2.0b1", ">=1.2.0b1,<2"), ("~1.2.3", ">=1.2.3,<1.3")),
        *(("~1.2", ">=1.2,<1.3"), ("~=1.2", "~=1.2"), ("1.2.*", "==1.2.*"), ("1.2", "==1.2"), ("*", "")),
        ("^1.2, !=1.4.0", ">=1.2,<2,!=1.4.0"),
    ],
)
def test_a_constraint_of_poetry_as_a_standard_specifier(poetry: str, standard: str) -> None:
    assert poetry_specifier(poetry) == standard


def test_what_the_user_gives_wins(tmp_path: Path) -> None:
    write(tmp_path, {"uv.lock": UV_LOCK})
    given = {"mcp": "1.5.0", "pydantic": "2.11.0"}
    assert resolve_sdk(tmp_path, "server.py", "mcp", given) == Sdk("mcp", "1.5.0", "given", "2.11.0")


def test_a_lock_of_the_enclosing_project_counts_below_it(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[project]\n", "uv.lock": UV_LOCK, "src/server.py": ""})
    assert resolve_sdk(tmp_path / "src", "server.py", "mcp", {}).basis == "lock"


LOCKED = '[[package]]\nname = "fastmcp"\nversion = "3.0.2"\n'
PACKAGED = '[project]\nname = "x"\nversion = "1"\ndependencies = ["{}"]\n[build-system]\nrequires = ["hatchling"]\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, {2, 3, 4}),
        ({"server.py": script("fastmcp>=2.10")}, {2, 3, 4}),
        ({"server.py": script("fastmcp>=3")}, {3, 4}),
        ({"server.py": script("fastmcp>=2,<4")}, {2, 3}),
        ({"server.py": script("fastmcp==2.14.7")}, {2}),
        ({"requirements.txt": "fastmcp>=4"}, {4}),
        ({"requirements.txt": "fastmcp", "server.py": script("fastmcp<3")}, {2}),
        ({"uv.lock": LOCKED, "requirements.txt": "fastmcp"}, {3}),
        ({"uv.lock": LOCKED, "pyproject.toml": PACKAGED.format("fastmcp>=3")}, {3, 4}),
        ({"uv.lock": LOCKED, "pyproject.toml": PACKAGED.format("fastmcp>=3,<4")}, {3}),
        ({"uv.lock": LOCKED, "pyproject.toml": PACKAGED.format("fastmcp>=3").partition("[build-system]")[0]}, {3}),
    ],
)
def test_several_majors_are_possible_only_where_a_requirement_leaves_it_open(
    tmp_path: Path, files: dict[str, str], expected: set[int]
) -> None:
    sdk = resolve_sdk(write(tmp_path, files), "server.py", "fastmcp", {})
    assert majors(tmp_path, "server.py", sdk) == expected


SHOWING = """\
from fastmcp import FastMCP
from mcp.types import TextContent
mcp = FastMCP("x")
@mcp.tool
def show(text: TextContent) -> str: ...
"""


@pytest.mark.parametrize(("fastmcp", "is_known"), [("2.14.7", True), ("3.4.10", True), ("4.2.3", False)])
def test_the_content_of_a_fastmcp_is_that_of_the_mcp_below_it(tmp_path: Path, fastmcp: str, *, is_known: bool) -> None:
    write(tmp_path, {"server.py": SHOWING, "requirements.txt": f"fastmcp=={fastmcp}\n"})
    (server,) = extract(tmp_path).servers
    assert ("inputSchema" in server.tools[0].definition) is is_known


def test_a_lock_file_is_parsed_once_for_all_files(tmp_path: Path) -> None:
    write(tmp_path, {"uv.lock": UV_LOCK})
    before = _parsed.cache_info().misses
    found = {resolve_sdk(tmp_path, f"pkg/server{number}.py", "mcp", {}) for number in range(50)}
    assert found == {Sdk("mcp", "1.26.0", "lock", "2.12.3")}
    assert _parsed.cache_info().misses - before <= 2, "what it says of each package"


def test_a_lock_file_that_changes_is_read_again(tmp_path: Path) -> None:
    for version in ("1.26.0", "1.27.0"):
        write(tmp_path, {"uv.lock": UV_LOCK.replace("1.26.0", version)})
        assert resolve_sdk(tmp_path, "server.py", "mcp", {}).version == version


@pytest.mark.parametrize("name", ["requirements.txt", "setup.cfg", "setup.py", ".python-version"])
def test_a_folder_in_the_place_of_a_file_says_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert resolve_sdk(tmp_path, "server.py", "mcp", {}).basis == "assumed"
