"""``pdmigrate verify``: what the command line makes of its options, and a server that is none."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command_line import pdmigrate
from tests.verify.conftest import NOTES

SERVER = "python server.py"

REFUSED = {
    "no server": ([], "verify needs a server"),
    "two servers": (["--command", SERVER, "--url", "http://localhost:1/mcp"], "verify is for one server"),
    "a command and the one that is found": (["--command", SERVER, "--live="], "verify is for one server"),
    "an open quotation": (["--command", "python 'server.py"], "is not a command: No closing quotation"),
    "no time": (["--command", SERVER, "--timeout", "0"], "--timeout 0 leaves no time"),
    "no version": (["--command", SERVER, "--protocol", "newest"], "--protocol 'newest' is not a version"),
    "arguments without a tool": (["--command", SERVER, "--arguments", "{}"], "--arguments belongs to a tool"),
    "arguments that are no JSON": (["--command", SERVER, "--tool", "a", "--arguments", "{x}"], "is not JSON: "),
    "arguments that are no object": (["--command", SERVER, "--tool", "a", "--arguments", "[]"], "is not a JSON object"),
    "a variable without a value": (["--command", SERVER, "--env", "HOME"], "--env 'HOME' has no value"),
    "a header without a name": (["--url", "http://localhost:1", "--header", ": x"], "--header ': x' has no value"),
}


def notes(variant: str) -> str:
    return shlex.join([sys.executable, str(NOTES), variant])


@pytest.mark.parametrize("case", REFUSED)
def test_a_command_line_is_refused_before_anything_starts(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, said = REFUSED[case]
    ran = pdmigrate("verify", *arguments)
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")
    assert said in ran.stderr
    assert "\nhint: " in ran.stderr


def test_the_protocol_that_is_asked_for_is_spoken() -> None:
    ran = pdmigrate("verify", "--command", notes("only-handshake"), "--protocol", "2026-07-28")
    assert ran.status == 2
    assert "server/discover" in ran.stderr


@pytest.mark.parametrize("output", ["text", "json", "junit"])
def test_a_server_without_disclosure_fails_in_every_format(output: str) -> None:
    ran = pdmigrate("verify", "--command", notes("plain"), "--timeout", "20", "--format", output)
    assert (ran.status, ran.stderr) == (1, "")
    if output == "text":
        assert "FAIL" in ran.stdout
        assert "\x1b" not in ran.stdout
    elif output == "json":
        assert json.loads(ran.stdout)["ok"] is False
    else:
        assert int(ElementTree.fromstring(ran.stdout).attrib["failures"]) > 0
