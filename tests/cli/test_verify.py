"""``pdmigrate verify``: what the command line makes of its options, and a server that is none."""

from __future__ import annotations

import json
import shlex
import sys
from xml.etree import ElementTree

import pytest

from tests.support.command_line import pdmigrate
from tests.verify.conftest import NOTES


def notes(variant: str) -> str:
    return shlex.join([sys.executable, str(NOTES), variant])


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
