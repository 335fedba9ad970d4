"""Servers that list other tools in another environment, and servers that do not start without a variable."""

from __future__ import annotations

import json
import os
from pathlib import Path
from textwrap import indent

import pytest

from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.files import write
from tests.support.sources import RUN, decorated

HEAD = decorated("desk", {"find(title: str)": "Find a book."}, first="import os\nimport sys\n\n") + "\n\n"
DROP = "    @mcp.tool()\n    def drop(title: str) -> str:\n        '''Drop a book.'''\n        return title\n"
STARTED = 'if __name__ == "__main__":\n    start()\n    mcp.run()\n'
VALUE = "v3ry-s3cret-value"


@pytest.fixture(autouse=True)
def _python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(environment(MCP1).parent), os.environ["PATH"])))


def extracted(root: Path, *options: str) -> Ran:
    return pdmigrate("extract", root, "--no-write", "--format", "json", "--live=", *options, *VERSIONS)


def starting(code: str) -> dict[str, str]:
    """A server that does something before it answers."""
    return {"server.py": f"{HEAD}def start():\n{indent(code, '    ')}\n\n{STARTED}"}


CONDITIONS = {
    "set": (f"if os.environ.get('DESK_ADMIN'):\n{DROP}", "DESK_ADMIN=1"),
    "a value": (f"if os.getenv('DESK_MODE', 'read') == 'full':\n{DROP}", "DESK_MODE=full"),
    "in a function": (
        "def more():\n    if os.environ.get('DESK_ADMIN'):\n        mcp.add_tool(find, name='drop')\n\n\nmore()\n",
        "DESK_ADMIN=1",
    ),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_tool_that_a_variable_decides_on_is_named_with_the_variable(tmp_path: Path, name: str) -> None:
    code, option = CONDITIONS[name]
    root = write(tmp_path, {"server.py": HEAD + code + RUN})
    for options, wanted in (((), 1), (("--env", option), 0)):
        ran = extracted(root, *options)
        assert ran.status == 0, ran.stderr
        said = [found["message"] for found in json.loads(ran.stdout)["findings"] if found["code"] == "PD338"]
        assert len(said) == wanted
        assert all(option.partition("=")[0] in message for message in said)


def test_what_a_server_printed_last_says_what_it_lacks(tmp_path: Path) -> None:
    ran = extracted(write(tmp_path, starting("KEY = os.environ['DESK_KEY']\n")))
    assert ran.status == 2
    ends = ("error[PD703]: the server ended with status 1", "its stderr ends with:\n", "KeyError: 'DESK_KEY'")
    for said in (*ends, "--env NAME=VALUE", "--no-live goes on without it"):
        assert said in ran.stderr


@pytest.mark.parametrize("where", ["environment", "option", "file"])
def test_the_value_of_a_secret_is_not_shown(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = "dict(line.split('=') for line in open('.env').read().split())" if where == "file" else "os.environ"
    code = f"key = {read}['DESK_TOKEN']\nsys.exit(f'usage: desk\\nthe server refuses the token {{key}}')\n"
    root = write(tmp_path, starting(code))
    if where == "file":
        write(tmp_path, {".env": f"DESK_TOKEN={VALUE}\n"})
    if where == "environment":
        monkeypatch.setenv("DESK_TOKEN", VALUE)
    ran = extracted(root, *(("--env", f"DESK_TOKEN={VALUE}") if where == "option" else ()))
    assert "the server refuses the token (the value of DESK_TOKEN)" in ran.stderr
    assert VALUE not in ran.stderr + ran.stdout


@pytest.mark.parametrize("command", ["audit", "verify", "wrap"])
def test_no_command_shows_the_value_of_a_secret(tmp_path: Path, command: str) -> None:
    code = "sys.exit('a refused token: ' + os.environ['DESK_TOKEN'] + '.' * 300)\n"
    start = f"{environment(MCP1)} {write(tmp_path, starting(code)) / 'server.py'}"
    folder = (tmp_path / "front",) if command == "wrap" else ()
    ran = pdmigrate(command, *folder, "--command", start, "--env", f"DESK_TOKEN={VALUE}")
    assert ran.status != 0
    assert "a refused token: (the value of DESK_TOKEN)" in ran.stdout + ran.stderr
    assert VALUE not in ran.stdout + ran.stderr
