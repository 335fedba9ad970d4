"""The command that starts a server, found from the project's texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pdmigrate import disk
from pdmigrate.project.commands import candidates
from pdmigrate.project.starters import Starters
from pdmigrate.source.documents import read_toml
from pdmigrate.source.glances import Glances
from tests.support.files import write

MAIN = 'if __name__ == "__main__":\n    mcp.run()\n'
TRYING = "try:\n    from .made import mcp\nexcept ImportError:\n"
PROJECT = '[project]\nname = "desk"\n[project.scripts]\ndesk = "desk.server:main"\n'
POETRY = '[tool.poetry]\nname = "desk"\n[tool.poetry.scripts]\ndesk = "desk.server:main"\n'
VENV = {".venv/pyvenv.cfg": "", ".venv/bin/desk": ""}


def hosts(command: str, *arguments: str, key: str = "mcpServers", **env: str) -> str:
    return json.dumps({key: {"desk": {"command": command, "args": list(arguments), "env": env}}})


def readme(block: str) -> str:
    return f"# Desk\n\n```json\n{block}\n```\n"


def shell(lines: str) -> str:
    return f"# Desk\n\n```bash\n{lines}\n```\n"


PACKAGE = {"desk/server.py": "desk.server"}
SCRIPT = {"server.py": "server"}


def registered(place: str, *words: str) -> str:
    """A ``server.json`` of the MCP registry that gives these words as arguments in this place."""
    arguments = [
        {"type": "named", "name": word} if word.startswith("-") else {"type": "positional", "value": word}
        for word in words
    ]
    package = {"registryType": "pypi", "identifier": "desk", "transport": {"type": "stdio"}, place: arguments}
    return json.dumps({"packages": [package]})


PROGRAM = {**PACKAGE, "desk/__main__.py": "desk.__main__"}


DOCUMENTED = {
    "a subcommand": (shell("desk serve\ndesk serve --http"), "desk serve"),
    "a subcommand that is run, with a comment": (shell("# over stdio\n$ uv run desk serve  # default"), "desk serve"),
    "a subcommand with its transport": (shell("desk serve --transport stdio"), "desk serve --transport stdio"),
    "a subcommand that is run without an installation": (shell("uvx desk stdio\nuvx desk sse"), "desk stdio"),
    "a subcommand of the latest version, of a host": (readme(hosts("uvx", "desk@latest", "serve")), "desk serve"),
    "a subcommand of what is installed for it": (shell("uvx --from desk desk serve"), "desk serve"),
    "subcommands that do not serve over stdio": (shell("desk serve --http\ndesk list"), "desk"),
    "bare and with a subcommand": (shell("desk\ndesk serve"), "desk"),
    "a line for a shell": (shell("desk serve > log; rm log"), "desk"),
    "a subcommand of several words": (shell("desk list-servers\ndesk start-mcp-server"), "desk start-mcp-server"),
}
"""What the README of a project with a console script says, and the command that it comes to."""
REGISTRY = {
    "a subcommand in the registry's file": (registered("packageArguments", "mcp-server", "--port"), "desk mcp-server"),
    "a subcommand among the runtime's": (registered("runtimeArguments", "--python", "serve"), "desk serve"),
    "a server.json of another kind": ('{"packages": [1, {"packageArguments": {}}]}', "desk"),
}


FIRST: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    **{
        case: ({"pyproject.toml": PROJECT, path: text}, PACKAGE, first)
        for path, cases in (("README.md", DOCUMENTED), ("server.json", REGISTRY))
        for case, (text, first) in cases.items()
    },
    "console script": ({"pyproject.toml": PROJECT}, PACKAGE, "desk"),
    "console script in .venv": ({"pyproject.toml": PROJECT, **VENV}, PACKAGE, ".venv/bin/desk"),
    "uv lock": ({"pyproject.toml": PROJECT, "uv.lock": ""}, PACKAGE, "uv run desk"),
    "uv table": ({"pyproject.toml": PROJECT + "[tool.uv]\n"}, PACKAGE, "uv run desk"),
    "poetry scripts": ({"pyproject.toml": POETRY}, PACKAGE, "poetry run desk"),
    "bare in documents, whatever the registry's file says": (
        {"pyproject.toml": PROJECT, "README.md": shell("desk"), "server.json": registered("packageArguments", "serve")},
        PACKAGE,
        "desk",
    ),
    "python -m": ({"pyproject.toml": ""}, PROGRAM, "python -m desk"),
    "a script": ({"server.py": MAIN}, SCRIPT, "python server.py"),
    "a script without a guard": ({"server.py": "mcp.run()\n"}, SCRIPT, "python server.py"),
    "a blank": ({"my server.py": MAIN}, {"my server.py": "my server"}, "python 'my server.py'"),
    "a script with relative imports": (
        {"desk/server.py": f"from .made import mcp\n{MAIN}", "desk/__init__.py": ""},
        PACKAGE,
        "python -m desk.server",
    ),
    "a script that imports either way": (
        {"desk/server.py": f"{TRYING}    from made import mcp\n{MAIN}", "desk/__init__.py": ""},
        PACKAGE,
        "python desk/server.py",
    ),
    "a folder of sources that is a package": (
        {"pyproject.toml": PROJECT.replace("desk.", "src."), "src/server.py": MAIN, "src/__init__.py": ""},
        {"src/server.py": "server"},
        "desk",
    ),
    ".mcp.json": ({".mcp.json": hosts("python", "server.py")}, SCRIPT, "python server.py"),
    "vscode": ({".vscode/mcp.json": hosts("python", "server.py", key="servers")}, SCRIPT, "python server.py"),
    "readme": ({"README.md": readme(hosts("uv", "run", "server.py"))}, SCRIPT, "uv run server.py"),
    "readme, bare": ({"README.md": readme(hosts("python", "-m", "desk")[1:-1])}, PROGRAM, "python -m desk"),
    "fastmcp.json": ({"fastmcp.json": '{"source": {"path": "server.py"}}'}, SCRIPT, "fastmcp run fastmcp.json"),
    "CMD": ({"Dockerfile": 'FROM x\nCMD ["python", "server.py"]\n'}, SCRIPT, "python server.py"),
    "CMD, a line": (
        {"Dockerfile": "FROM x\nCMD uv run python server.py\n", "uv.lock": ""},
        SCRIPT,
        "uv run python server.py",
    ),
    "both": ({"Dockerfile": 'ENTRYPOINT ["python"]\nCMD ["-m", "desk"]\n'}, PROGRAM, "python -m desk"),
}


NONE = {
    "a module that runs nothing": ({"server.py": "mcp = 1\n"}, SCRIPT),
    "another script": ({"pyproject.toml": PROJECT.replace("desk.server", "other.cli")}, PACKAGE),
    "another language": ({".mcp.json": hosts("npx", "-y", "desk")}, SCRIPT),
    "a published release, not this code": ({".mcp.json": hosts("uvx", "desk")}, PACKAGE),
    "a place": ({".mcp.json": hosts("uv", "--directory", "/path/to/desk", "run", "desk")}, PACKAGE),
    "prose without a block": ({"README.md": hosts("python", "server.py")}, SCRIPT),
    "a broken block": ({"README.md": readme("{")}, SCRIPT),
    "settings of another form": ({".mcp.json": "[]"}, SCRIPT),
    "a shell in an image": ({"Dockerfile": "CMD cd /app && python server.py\n"}, SCRIPT),
    "an earlier stage": ({"Dockerfile": 'FROM a\nCMD ["python", "server.py"]\nFROM b\n'}, SCRIPT),
    "no Python": ({"server.py": "def ("}, SCRIPT),
    "a script not installed": ({"pyproject.toml": PROJECT, ".venv/pyvenv.cfg": ""}, PACKAGE),
}


"""What does not start the server."""


@pytest.mark.parametrize("case", [*FIRST, *NONE])
def test_the_first_command_is_the_projects_own(case: str) -> None:
    files, near, *first = FIRST.get(case) or NONE[case]
    build = read_toml(files.get("pyproject.toml", ""))
    assert [one.command for one in candidates(next(iter(near)), files.get, build, near)][:1] == first


def test_secrets_that_settings_name_are_told_and_their_values_are_not() -> None:
    files = {".mcp.json": hosts("python", "server.py", DESK_API_KEY="abc", LEVEL="info")}
    (one,) = candidates("server.py", files.get, {}, SCRIPT)
    assert one.secrets == ("DESK_API_KEY",)
    assert "abc" not in repr(one)


BY_CLI = '[project]\nname = "desk"\n[project.scripts]\ndesk = "desk.cli:main"\n'
NEIGHBOURS = {f"a{number}/server.py": f"mcp = 1\n{MAIN}" for number in range(70)}


@pytest.mark.parametrize(
    ("files", "first"),
    [
        pytest.param({**NEIGHBOURS, "run.py": f"from desk.server import mcp\n{MAIN}"}, "python run.py", id="crowd"),
        pytest.param({"pyproject.toml": BY_CLI, "desk/cli.py": "from .server import mcp\n"}, "desk", id="relative"),
        pytest.param(
            {"pyproject.toml": BY_CLI, "desk/cli.py": "from . import app\n", "desk/app.py": "import desk.server\n"},
            "desk",
            id="through another file",
        ),
        pytest.param(
            {"pyproject.toml": BY_CLI, "desk/cli.py": 'import importlib\nimportlib.import_module(f"desk.{name}")\n'},
            "desk",
            id="by a computed name",
        ),
        pytest.param({"run.py": f"import sys\nsys.path.insert(0, 'desk')\nimport server\n{MAIN}"}, "python run.py"),
        pytest.param({"run.py": f"from desk.other import mcp\n{MAIN}"}, "", id="of another server"),
        pytest.param({"tests/run.py": f"from desk.server import mcp\n{MAIN}"}, "", id="a test"),
    ],
)
def test_what_leads_to_a_server_starts_it(tmp_path: Path, files: Mapping[str, str], first: str) -> None:
    tree = {"desk/__init__.py": "", "desk/server.py": "mcp = 1\n", "desk/other.py": "mcp = 1\n", **files}
    write(tmp_path, tree)
    python = tuple(sorted(path for path in tree if path.endswith(".py")))
    found = Starters(Glances(tmp_path, python)).of("desk/server.py")
    assert next((one.command for one in found), "") == first


ENVIRONMENTS = {
    "the command is installed": (".venv", {"pyvenv.cfg": "", "bin/desk": ""}, ".venv/bin/desk"),
    "another name": ("venv", {"pyvenv.cfg": "", "bin/desk": ""}, "venv/bin/desk"),
    "a third name": ("env", {"pyvenv.cfg": "", "bin/desk": ""}, "env/bin/desk"),
    "no environment": (".venv", {"bin/desk": ""}, "desk"),
}


@pytest.mark.parametrize(("folder", "inside", "first"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
@pytest.mark.parametrize("is_link", [False, True])
def test_an_environment_may_be_a_link(
    tmp_path: Path, folder: str, inside: Mapping[str, str], first: str, *, is_link: bool
) -> None:
    root = tmp_path / "project"
    place = tmp_path / "elsewhere" if is_link else root / folder
    write(root, {"pyproject.toml": BY_CLI, "desk/__init__.py": "", "desk/cli.py": "mcp = 1\n"})
    write(place, dict(inside))
    if is_link:
        (root / folder).symlink_to(place)
    found = Starters(Glances(root, ("desk/__init__.py", "desk/cli.py"))).of("desk/cli.py")
    assert found[0].command == first


def test_a_text_that_is_not_read_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": MAIN, "README.md": "a" * (disk.LARGEST + 1)})
    (found,) = Starters(Glances(tmp_path, ("server.py",))).of("server.py")
    assert found.command == "python server.py"
