"""Projects with several servers: each is asked by its own command, and what was not asked is named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.test_asking import on_a_terminal
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.files import write
from tests.support.sources import decorated

OPEN = """\
import os

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("{name}")
mcp.add_tool({function}, name="{name}_tool", description=os.sep.join(["find", "{name}"]) + os.linesep)


def main() -> None:
    mcp.run()
"""
GUARD = '\n\nif __name__ == "__main__":\n    main()\n'
SETTLED = decorated("third", {"third_tool(title: str)": "Find a third thing."}) + "\n\ndef main():\n    mcp.run()\n"


def server(name: str, *, script: bool = True) -> str:
    return OPEN.format(name=name, function="len") + (GUARD if script else "")


def failing(name: str) -> str:
    return server(name).replace("    mcp.run()", "    raise SystemExit('the disk is not mounted')")


def scripts(**targets: str) -> str:
    lines = "".join(f'{name} = "{target}"\n' for name, target in targets.items())
    return f'[project]\nname = "desk"\nversion = "1"\n[project.scripts]\n{lines}'


BOTH = {"one.py": server("one"), "two.py": server("two")}
LAUNCHER = "import one\nimport two\n\nif __name__ == '__main__':\n    one.main()\n"
PACKAGES = {
    **{f"{name}/__init__.py": "" for name in ("one", "two")},
    **{f"{name}/server.py": server(name, script=False) for name in ("one", "two")},
    **{f"{name}/__main__.py": f"from {name}.server import main\n\nmain()\n" for name in ("one", "two")},
    "pyproject.toml": '[project]\nname = "desk"\nversion = "1"\n',
}
COMMANDS = {
    "beside a launcher and one that source settles": (
        {**BOTH, "run.py": LAUNCHER, "third.py": SETTLED + GUARD},
        {"one.py": "python one.py", "two.py": "python two.py"},
    ),
    "two programs": (PACKAGES, {"one/server.py": "python -m one", "two/server.py": "python -m two"}),
    "only one is started": (
        {"one.py": server("one"), "two.py": server("two", script=False)},
        {"one.py": "python one.py", "two.py": ""},
    ),
}


@pytest.fixture(autouse=True)
def _python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(environment(MCP1).parent), os.environ["PATH"])))


def extracted(root: Path, *options: str) -> Ran:
    return pdmigrate("extract", root, "--no-write", "--format", "json", *options, *VERSIONS)


def not_asked(ran: Ran) -> dict[str, str]:
    found = [one for one in json.loads(ran.stdout)["findings"] if one["code"] == "PD347"]
    assert all(one["line"] for one in found)
    return {one["file"]: f"{one['message']}; {one['hint']}" for one in found}


def described(ran: Ran) -> dict[str, bool]:
    return {
        one["file"]: all("description" in tool["definition"] for tool in one["tools"])
        for one in json.loads(ran.stdout)["servers"]
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_each_server_that_stays_open_is_named_with_its_own_command(tmp_path: Path, name: str) -> None:
    files, commands = COMMANDS[name]
    said = not_asked(extracted(write(tmp_path, files)))
    assert said.keys() == commands.keys()
    for file, command in commands.items():
        if command:
            assert f"`{command}` starts it; `pdmigrate extract {file} --live '{command}'`" in said[file]
        else:
            assert f"nothing in the project says how it is started; `pdmigrate extract {file} --live CMD`" in said[file]


@pytest.mark.parametrize("name", COMMANDS)
def test_live_without_a_command_asks_each_by_its_own(tmp_path: Path, name: str) -> None:
    files, commands = COMMANDS[name]
    ran = extracted(write(tmp_path, files), "--live=")
    assert ran.status == 0, ran.stderr
    expected = {file: bool(command) for file, command in commands.items()}
    assert {file: known for file, known in described(ran).items() if file in commands} == expected
    assert not_asked(ran).keys() == {file for file, command in commands.items() if not command}
    for command in filter(None, commands.values()):
        assert f"starting `{command}`" in ran.stderr


def test_a_command_that_is_given_asks_one_and_the_other_is_named(tmp_path: Path) -> None:
    ran = extracted(write(tmp_path, BOTH), "--live", "python two.py")
    assert described(ran) == {"one.py": False, "two.py": True}
    assert not_asked(ran).keys() == {"one.py"}


def test_one_that_cannot_be_asked_keeps_no_other_from_it_and_where_none_can_the_command_could_not_run(
    tmp_path: Path,
) -> None:
    root = write(tmp_path, {"one.py": server("one"), "two.py": failing("two")})
    ran = extracted(root, "--live=")
    assert described(ran) == {"one.py": True, "two.py": False}
    (found,) = (one for one in json.loads(ran.stdout)["findings"] if one["code"] == "PD703")
    assert (found["file"], "it printed last: the disk is not mounted" in found["message"]) == ("two.py", True)
    assert not_asked(ran) == {}
    none = extracted(write(root, {"one.py": failing("one")}), "--live=")
    assert (none.status, "the disk is not mounted" in none.stderr) == (2, True)


@pytest.mark.parametrize("command", [("extract", "--no-write"), ("apply",), ("audit",)])
def test_a_terminal_is_asked_once_for_all(tmp_path: Path, command: tuple[str, ...]) -> None:
    write(tmp_path, BOTH)
    shown = on_a_terminal(tmp_path, "n", command=(*command, *VERSIONS))
    assert shown.count("run this now") == 1
    assert ("python one.py" in shown, "python two.py" in shown, shown.count("PD347")) == (True, True, 2)
    assert "PD347" not in on_a_terminal(tmp_path, "y", command=(*command, *VERSIONS))


def test_what_was_asked_is_not_asked_about_again(tmp_path: Path) -> None:
    write(tmp_path, BOTH)
    assert pdmigrate("extract", tmp_path, "--live=", *VERSIONS).status == 0
    assert "PD347" not in pdmigrate("extract", tmp_path, *VERSIONS).stderr
    assert "run this now" not in on_a_terminal(tmp_path, "y", command=("audit", *VERSIONS))
    assert pdmigrate("check", tmp_path, "--live=").status == 0
    assert pdmigrate("check", tmp_path).status == 0


def test_a_command_that_may_start_either_is_said_to(tmp_path: Path) -> None:
    main = "import sys\n\nimport one\nimport two\n\n\ndef main():\n    (one if sys.argv[1:] else two).main()\n"
    files = {f"{name}.py": server(name, script=False) for name in ("one", "two")}
    said = not_asked(extracted(write(tmp_path, {**files, "run.py": main, "pyproject.toml": scripts(desk="run:main")})))
    assert "`desk` starts it or the one of two.py; " in said["one.py"]
    assert "`desk` starts it or the one of one.py; " in said["two.py"]
