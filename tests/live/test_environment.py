"""Servers that list other tools in another environment, and servers that do not start without a variable."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.files import write

HEAD = """\
import os
import sys

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("desk")


@mcp.tool()
def find(title: str) -> str:
    \"\"\"Find a book.\"\"\"
    return title


"""
RUN = '\n\nif __name__ == "__main__":\n    mcp.run()\n'
DROP = "    @mcp.tool()\n    def drop(title: str) -> str:\n        '''Drop a book.'''\n        return title\n"
VALUE = "v3ry-s3cret-value"


@pytest.fixture(autouse=True)
def _python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(environment(MCP1).parent), os.environ["PATH"])))


def extracted(root: Path, *options: str) -> Ran:
    return pdmigrate("extract", root, "--no-write", "--format", "json", "--live=", *options, *VERSIONS)


def findings(ran: Ran, code: str) -> list[tuple[str, str]]:
    assert ran.status == 0, ran.stderr
    return [(one["message"], one["hint"]) for one in json.loads(ran.stdout)["findings"] if one["code"] == code]


VARIANTS = {
    "set": (f"if os.environ.get('DESK_ADMIN'):\n{DROP}", "DESK_ADMIN=1"),
    "by a name": (f"ADMIN = os.getenv('DESK_ADMIN', '')\nif ADMIN:\n{DROP}", "DESK_ADMIN=1"),
    "a value": (f"if os.getenv('DESK_MODE', 'read') == 'full':\n{DROP}", "DESK_MODE=full"),
    "there": (f"if 'DESK_EXTRA' in os.environ:\n{DROP}", "DESK_EXTRA=1"),
    "a number": (f"if int(os.environ.get('DESK_LEVEL', '0')):\n{DROP}", "DESK_LEVEL=1"),
    "one of a list": (f"if 'drop' in os.environ.get('DESK_TOOLS', '').split(','):\n{DROP}", "DESK_TOOLS=drop"),
    "by a function": (
        f"def on(name):\n    return os.getenv(name, '').lower() in ('1', 'true')\n\n\nif on('DESK_ON'):\n{DROP}",
        "DESK_ON=1",
    ),
    "in a function": (
        "def more():\n    if os.environ.get('DESK_ADMIN'):\n        mcp.add_tool(find, name='drop')\n\n\nmore()\n",
        "DESK_ADMIN=1",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_tool_that_a_variable_decides_on_is_named_and_so_is_the_way_to_it(tmp_path: Path, name: str) -> None:
    code, option = VARIANTS[name]
    root = write(tmp_path, {"server.py": HEAD + code + RUN})
    ran = extracted(root)
    ((message, hint),) = findings(ran, "PD348")
    variable = option.partition("=")[0]
    assert message.startswith("drop is listed or not by the environment variable")
    assert message.endswith(f"{variable}, and the server was asked without {variable}")
    assert hint == f"`pdmigrate extract --live 'python server.py' --env {option}` asks again"
    assert findings(ran, "PD338") == findings(ran, "PD331") == []
    again = extracted(root, "--env", option)
    assert findings(again, "PD348") == []
    assert "basis" in {tool["definition"]["name"]: tool for tool in _tools(again)}["drop"]


def _tools(ran: Ran) -> list[dict[str, dict[str, str]]]:
    (server,) = json.loads(ran.stdout)["servers"]
    return [*server["tools"], *server.get("optional", [])]


def test_a_variable_that_is_set_and_forbids_is_said_to_be_set(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": f"{HEAD}if not os.environ.get('READ_ONLY'):\n{DROP}{RUN}"})
    assert findings(extracted(root), "PD348") == []
    ((message, hint),) = findings(extracted(root, "--env", "READ_ONLY=1"), "PD348")
    assert message.endswith("the server was asked with READ_ONLY set")
    assert hint.endswith("--env READ_ONLY=` asks again")


def test_tools_of_one_variable_are_one_finding(tmp_path: Path) -> None:
    lend = DROP.replace("drop", "lend").replace("Drop", "Lend")
    root = write(tmp_path, {"server.py": f"{HEAD}if os.environ.get('DESK_ADMIN'):\n{DROP}\n{lend}{RUN}"})
    ((message, _),) = findings(extracted(root), "PD348")
    assert message.startswith("drop, lend are listed or not")


def test_another_condition_is_no_variable(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": f"{HEAD}if len(sys.argv) > 1:\n{DROP}{RUN}"})
    ran = extracted(root)
    assert (findings(ran, "PD348"), len(findings(ran, "PD338"))) == ([], 1)


SETTINGS = "from pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n"
CLICK = "def main(k):\n    mcp.run()\n\n\nmain()\n"
MISSING = {
    "read at once": ("KEY = os.environ['DESK_KEY']\n", "DESK_KEY"),
    "ends with a word": ("if not os.getenv('DESK_KEY'):\n    sys.exit('DESK_KEY is not set')\n", "DESK_KEY"),
    "raises": (
        "if 'DESK_URL' not in os.environ:\n    raise ValueError('Missing required environment variable: DESK_URL')\n",
        "DESK_URL",
    ),
    "a name of its own": (
        "def need(name):\n    name in os.environ or sys.exit(f'please set the {name} variable')\n\n\nneed('DESK_A')\n",
        "DESK_A",
    ),
    "settings": (f"{SETTINGS}    desk_key: str\n\n\nsettings = Settings()\n", "DESK_KEY"),
    "settings with a prefix": (
        f"{SETTINGS}    model_config = {{'env_prefix': 'DESK_'}}\n    key: str\n\n\nsettings = Settings()\n",
        "DESK_KEY",
    ),
    "no name is said": (
        "KEY = os.environ.get('DESK_API_KEY')\nif not KEY:\n    sys.exit('no API key was configured')\n",
        "DESK_API_KEY",
    ),
    "of two": (
        "os.getenv('DESK_USER') and os.getenv('DESK_PASSWORD') or sys.exit('set DESK_USER and DESK_PASSWORD')\n",
        "DESK_USER and DESK_PASSWORD",
    ),
    "amid other lines": (
        "sys.stderr.write('DESK_LEVEL is not set, info then\\n' + 'loading\\n' * 9)\nKEY = os.environ['DESK_KEY']\n",
        "DESK_KEY",
    ),
    "by an option of click": (
        f"from click import command, option\n\n\n@command()\n@option('--k', envvar='DESK_KEY', required=True)\n{CLICK}",
        "DESK_KEY",
    ),
    "empty": ("os.getenv('DESK_KEY', '') or sys.exit('DESK_KEY is empty')\n", "DESK_KEY"),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_server_that_misses_a_variable_names_it_and_what_it_printed_last(tmp_path: Path, name: str) -> None:
    code, variables = MISSING[name]
    ran = extracted(write(tmp_path, {"server.py": HEAD + "def start():\n" + _indented(code) + "\n\n" + STARTED}))
    assert ran.status == 2
    verb = "are" if " and " in variables else "is"
    assert "error[PD349]: the server ended with status" in ran.stderr
    assert f"it needs {variables}, which {verb} not set" in ran.stderr
    assert "its stderr ends with:\n" in ran.stderr
    assert all(f"--env {one}=..." in ran.stderr for one in variables.split(" and "))


STARTED = 'if __name__ == "__main__":\n    start()\n    mcp.run()\n'


def _indented(code: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in code.splitlines(keepends=True))


def test_the_settings_of_a_host_say_what_it_needs(tmp_path: Path) -> None:
    code = "import secrets_of_desk\n\nif not secrets_of_desk.known():\n    sys.exit('credentials are missing')\n"
    settings = {"mcpServers": {"desk": {"command": "python", "args": ["server.py"], "env": {"DESK_TOKEN": VALUE}}}}
    library = "import os\n\n\ndef known(names=('DESK_' + 'TOKEN',)):\n    return all(map(os.environ.get, names))\n"
    files = {"secrets_of_desk.py": library, ".mcp.json": json.dumps(settings)}
    root = write(tmp_path, {**files, "server.py": HEAD + "def start():\n" + _indented(code) + "\n\n" + STARTED})
    ran = extracted(root)
    assert "it needs DESK_TOKEN, which is not set" in ran.stderr
    assert VALUE not in ran.stderr


OTHERS = {
    "another mistake": "1 / 0\n",
    "a key of a table": "{}['title']\n",
    "a word in capitals": "sys.exit('SSL: CERTIFICATE_VERIFY_FAILED, unable to get local issuer')\n",
    "a variable that is set": "sys.exit('PATH is not set as it should be: ' + os.environ['PATH'][:0])\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_ends_for_another_reason_is_not_said_to_miss_a_variable(tmp_path: Path, name: str) -> None:
    root = write(tmp_path, {"server.py": HEAD + "def start():\n" + _indented(OTHERS[name]) + "\n\n" + STARTED})
    ran = extracted(root)
    assert (ran.status, "PD703" in ran.stderr, "PD349" in ran.stderr) == (2, True, False)
    assert "--no-live goes on without it" in ran.stderr


@pytest.mark.parametrize("where", ["environment", "option", "file"])
def test_the_value_of_a_secret_is_not_shown(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = "dict(line.split('=') for line in open('.env').read().split())" if where == "file" else "os.environ"
    code = f"key = {read}['DESK_TOKEN']\nsys.exit(f'the server refuses the token {{key}}')\n"
    root = write(tmp_path, {"server.py": HEAD + "def start():\n" + _indented(code) + "\n\n" + STARTED})
    if where == "file":
        write(tmp_path, {".env": f"DESK_TOKEN={VALUE}\n"})
    if where == "environment":
        monkeypatch.setenv("DESK_TOKEN", VALUE)
    ran = extracted(root, *(("--env", f"DESK_TOKEN={VALUE}") if where == "option" else ()))
    assert "the server refuses the token (the value of DESK_TOKEN)" in ran.stderr
    assert VALUE not in ran.stderr + ran.stdout


def test_audit_says_the_same(tmp_path: Path) -> None:
    code = MISSING["read at once"][0]
    root = write(tmp_path, {"server.py": HEAD + "def start():\n" + _indented(code) + "\n\n" + STARTED})
    ran = pdmigrate("audit", root, "--live", shlex.join(["python", "server.py"]))
    assert (ran.status, "it needs DESK_KEY, which is not set" in ran.stderr) == (2, True)
    write(tmp_path, {"server.py": HEAD + VARIANTS["set"][0] + RUN})
    assert "PD348" in pdmigrate("audit", root, "--live=").stderr
