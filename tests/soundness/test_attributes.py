"""Which attributes a server has, asked of the SDKs themselves."""

from __future__ import annotations

import json
import subprocess

import pytest

from pdmigrate.understand.servers.offered import NAMES, lacks
from tests.soundness.sources import DECORATED, HOME, PINS
from tests.support.environments import environment

ASKING = (
    "import json, sys\nfrom {} import {}\nserver = {}('m')\n"
    "print(json.dumps([name for name in json.load(sys.stdin) if name not in dir(server)]))"
)


@pytest.mark.parametrize("family", DECORATED)
def test_a_server_lacks_what_the_table_says_it_lacks(family: str) -> None:
    pins = PINS[family]
    package, _, version = pins[0].partition("==")
    module, name, _ = HOME[family]
    command = [str(environment(pins)), "-c", ASKING.format(module, name, name)]
    names = sorted(NAMES[package])
    asked = subprocess.run(command, input=json.dumps(names), capture_output=True, text=True, timeout=120, check=True)
    assert [one for one in names if lacks(package, version, one)] == json.loads(asked.stdout)


def test_limits_are_inclusive_below_and_exclusive_above() -> None:
    assert [lacks("fastmcp", version, "get_tools") for version in ("2.1.9", "2.2.0", "2.14.7", "3.0.0")] == [
        *(True, False),
        *(False, True),
    ]
    assert not lacks("fastmcp", "", "get_tools")
    assert not lacks("fastmcp", "3.0.0", "something_else")
