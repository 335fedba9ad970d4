"""What every command refuses before any work: in a line, with what to do, and nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pdmigrate.cli.options import versions
from pdmigrate.errors import UsageError
from tests.cli.projects import UNRELATED
from tests.support.command_line import pdmigrate
from tests.support.files import tree, write

URL = "http://localhost:1"
SERVER = ("--command", "python server.py")
REFUSED: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "apply": [
        (("nowhere",), "nowhere"),
        (("--move", "some"), "--move does not know 'some'"),
        (("--http", "enforced"), "did you mean 'enforce'?"),
    ],
    "extract": [
        (("--format", "yaml"), "--format does not know 'yaml'"),
        (("--sdk", "mcp"), "write it as --sdk mcp==1.30.0"),
        (("--live", "x", "--url", URL), "name two servers"),
        (("--url", "python server.py"), "is not an http or https URL"),
        (("--env", "A=1"), "are for a running server"),
        (("--header", "A:1"), "are for a running server"),
        (("--live", "x", "--timeout", "nan"), "leaves no time"),
    ],
    "audit": [
        (("--listing", "gone.json"), "gone.json: No such file or directory\nhint: check the path\n"),
        ((*SERVER, "--url", URL), "name different servers"),
        (("--command", "no-such-program"), "PD701"),
        (("--against", "gone.json"), "gone.json: No such file or directory"),
        (("--against", "tools.json"), "the earlier audit is not one of version 1"),
    ],
    "verify": [
        ((), "verify needs a server"),
        ((*SERVER, "--url", URL), "verify is for one server"),
        ((*SERVER, "--live="), "verify is for one server"),
        (("--command", "python 'server.py"), "is not a command: No closing quotation"),
        ((*SERVER, "--timeout", "0"), "--timeout 0 leaves no time"),
        ((*SERVER, "--protocol", "newest"), "--protocol 'newest' is not a version"),
        ((*SERVER, "--arguments", "{}"), "--arguments belongs to a tool"),
        ((*SERVER, "--tool", "a", "--arguments", "{x}"), "is not a JSON object"),
        ((*SERVER, "--tool", "a", "--arguments", "[]"), "is not a JSON object"),
        ((*SERVER, "--env", "HOME"), "--env 'HOME' has no value"),
        (("--url", URL, "--header", ": x"), "--header ': x' has no value"),
    ],
    "wrap": [
        (("w",), "wrap needs a server"),
        (("w", *SERVER, "--url", URL), "--command and --url name different servers"),
        (("w", "--command", "no-such-program"), "PD701"),
        (("w", *SERVER, "--stdio", "never"), "--stdio does not know"),
        (("w", "--command", "'"), "is not a command"),
    ],
    "export": [
        (("skil", "."), "there is no export 'skil'"),
        (("trustgraph", ".", "--format", "cli"), "needs the address of the server"),
        (("trustgraph", ".", "--format", "yaml"), "export trustgraph has no form 'yaml'"),
        (("skill", ".", "--format", "tools"), "export skill has no form 'tools'"),
        (("dashdash", ".", "--url", URL), "export dashdash has no address in it"),
    ],
}
CASES = [(command, *case) for command, cases in REFUSED.items() for case in cases]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"main.py": UNRELATED, "tools.json": "[]"})


@pytest.mark.parametrize(("command", "options", "said"), CASES)
def test_what_makes_no_sense_is_said_in_a_line(folder: Path, command: str, options: tuple[str, ...], said: str) -> None:
    before = tree(folder)
    ran = pdmigrate(command, *options)
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error")
    assert said in ran.stderr
    assert "\nhint: " in ran.stderr
    assert tree(folder) == before


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [("audit",), ("export", "prompt", ".")])
def test_a_folder_without_a_server_is_named(command: tuple[str, ...]) -> None:
    ran = pdmigrate(*command)
    assert (ran.status, ran.stdout) == (1, "")
    assert "no MCP server found" in ran.stderr


def test_versions_are_read_and_other_forms_refused() -> None:
    assert versions(None) is versions([]) is None
    given = [" FastMCP == 4.1.2 ", "pydantic_core==2", "mcp==1", "mcp==1.30.0"]
    assert versions(given) == {"fastmcp": "4.1.2", "pydantic-core": "2", "mcp": "1.30.0"}
    for text in ("mcp", "mcp=1.30.0", "==1.30.0", "mcp==", "mcp>=1", ""):
        with pytest.raises(UsageError, match=re.escape(f"--sdk {text!r} names no version")):
            versions([text])
