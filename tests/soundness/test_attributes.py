"""Which attributes a server has, asked of the SDKs themselves."""

from __future__ import annotations

import json
import subprocess
from typing import Literal

import pytest

from pdmigrate.sdk.names import SINCE, absent, exported
from pdmigrate.understand.servers.offered import NAMES, lacks
from tests.soundness.sources import DECORATED, HOME, PINS
from tests.support.environments import environment

ASKING = """
import asyncio, json, sys
from {} import {}
server = {}("m")
@server.tool()
def one(): ...
if hasattr(server, "_tool_manager"):
    tool = server._tool_manager._tools["one"]
else:
    (tool,) = asyncio.run(server.list_tools())
asked = {{"server": dir(server), "tool": [name for name in dir(tool) if hasattr(tool, name)]}}
print(json.dumps({{kind: [n for n in names if n not in asked[kind]] for kind, names in json.load(sys.stdin).items()}}))
"""
KINDS: tuple[Literal["server", "tool"], ...] = ("server", "tool")


@pytest.mark.parametrize("family", DECORATED)
def test_a_server_and_its_tools_lack_what_the_tables_say_they_lack(family: str) -> None:
    pins = PINS[family]
    package, _, version = pins[0].partition("==")
    module, name, _ = HOME[family]
    command = [str(environment(pins)), "-c", ASKING.format(module, name, name)]
    names = {kind: sorted(NAMES[kind, package]) for kind in KINDS}
    asked = subprocess.run(command, input=json.dumps(names), capture_output=True, text=True, timeout=120, check=True)
    for kind, told in json.loads(asked.stdout).items():
        assert [one for one in names[kind] if lacks(kind, package, version, one)] == told


IMPORTING = """
import importlib, json, sys
def has(name):
    module, _, last = name.rpartition(".")
    try:
        return hasattr(importlib.import_module(module), last) or importlib.import_module(name) is not None
    except ImportError:
        return False
print(json.dumps([name for name in json.load(sys.stdin) if has(name)]))
"""


@pytest.mark.parametrize("family", DECORATED)
def test_the_sdks_export_what_the_table_says_they_export(family: str) -> None:
    pins = PINS[family]
    versions = dict(pin.split("==") for pin in pins if "==" in pin)
    names = [name for name, (package, _) in SINCE.items() if package == pins[0].partition("==")[0]]
    command = [str(environment(pins)), "-W", "ignore", "-c", IMPORTING]
    asked = subprocess.run(command, input=json.dumps(names), capture_output=True, text=True, timeout=120, check=True)
    told = [name for name in names if exported(versions, name) and not absent(versions, name)]
    assert told == json.loads(asked.stdout)
    assert told


def test_a_name_is_exported_since_a_release() -> None:
    name = "fastmcp.server.middleware.CallNext"
    asked = [exported({"fastmcp": version}, name) for version in ("2.9.2", "2.10.0", "4.2.3", "2.9.0b1", "")]
    assert asked == [False, True, True, None, None]
    assert exported({"fastmcp": "2.9.0"}, "fastmcp.server.middleware")
    assert exported({"fastmcp": "2.8.0"}, "fastmcp.server.middleware") is None
    assert exported({}, "fastmcp.FastMCP")
    assert exported({"fastmcp": "3.0.0"}, "fastmcp.tools.ToolManager") is None


def test_limits_are_inclusive_below_and_exclusive_above() -> None:
    assert [lacks("server", "fastmcp", version, "get_tools") for version in ("2.1.9", "2.2.0", "2.14.7", "3.0.0")] == [
        *(True, False),
        *(False, True),
    ]
    assert not lacks("server", "fastmcp", "", "get_tools")
    assert not lacks("server", "fastmcp", "3.0.0", "something_else")
