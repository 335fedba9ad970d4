"""What tables say of the SDKs, asked of the SDKs: attributes, exports and keywords of constructors."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Literal

import pytest

from pdmigrate.sdk.constructors import TAKEN, refuses
from pdmigrate.sdk.families import SERVER_CLASSES
from pdmigrate.sdk.names import SINCE, absent, exported
from pdmigrate.understand.servers.offered import NAMES, lacks
from tests.soundness.sources import DECORATED, HOME, PINS
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, FASTMCP4_1, MCP1, MCP2, environment

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


def asked(pins: tuple[str, ...], *arguments: str, given: str = "") -> Any:
    """What a program prints as JSON in the environment of an SDK."""
    command = [str(environment(pins)), "-W", "ignore", "-c", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("family", DECORATED)
def test_a_server_and_its_tools_lack_what_the_tables_say_they_lack(family: str) -> None:
    pins = PINS[family]
    package, _, version = pins[0].partition("==")
    module, name, _ = HOME[family]
    names = {kind: sorted(NAMES[kind, package]) for kind in KINDS}
    for kind, told in asked(pins, ASKING.format(module, name, name), given=json.dumps(names)).items():
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
    told = [name for name in names if exported(versions, name) and not absent(versions, name)]
    assert told == asked(pins, IMPORTING, given=json.dumps(names))
    assert told


def test_a_name_is_exported_since_a_release() -> None:
    name = "fastmcp.server.middleware.Middleware"
    told = [exported({"fastmcp": version}, name) for version in ("2.8.1", "2.9.0", "4.2.3", "2.9.0b1", "")]
    assert told == [False, True, True, None, None]
    assert exported({"fastmcp": "2.9.0"}, "fastmcp.server.middleware")
    assert exported({"fastmcp": "2.8.0"}, "fastmcp.server.middleware") is None
    assert exported({}, "fastmcp.FastMCP")
    assert exported({"fastmcp": "3.0.0"}, "fastmcp.tools.ToolManager") is None


def test_limits_are_inclusive_below_and_exclusive_above() -> None:
    told = [lacks("server", "fastmcp", version, "get_tools") for version in ("2.1.9", "2.2.0", "2.14.7", "3.0.0")]
    assert told == [True, False, False, True]
    assert not lacks("server", "fastmcp", "", "get_tools")
    assert not lacks("server", "fastmcp", "3.0.0", "something_else")


# --- keywords of constructors -----------------------------------------------------------------------------------------

ABSENT = {"1": "MCPServer", "2": "FastMCP"}
"""The class that a major version of mcp does not have."""
WORDS = sorted({word for rows in TAKEN.values() for taken in rows.values() for word in taken.split()})
ASK = """
import importlib, json, sys
modules, name, words = json.loads(sys.argv[1])
made = getattr(importlib.import_module(modules), name)
refused = []
for word in words:
    try:
        made(**{"name": "x", word: None})
    except TypeError as error:
        if "no longer accepts" in str(error) or "unexpected keyword" in str(error):
            refused.append(word)
    except Exception:
        pass  # it takes the keyword, and looks at the value
print(json.dumps(refused))
"""


@pytest.mark.parametrize("pins", [MCP1, MCP2, FASTMCP2, FASTMCP3, FASTMCP4, FASTMCP4_1], ids=lambda pins: str(pins[0]))
def test_what_a_constructor_refuses_is_what_its_sdk_refuses(pins: tuple[str, ...]) -> None:
    package, _, version = pins[0].partition("==")
    count = 0
    for cls in SERVER_CLASSES:
        if cls.package != package or (package == "mcp" and cls.name == ABSENT[version[:1]]):
            continue
        question = json.dumps([cls.modules[0], cls.name, [*WORDS, "colour"]])
        told = {word for word in [*WORDS, "colour"] if refuses(cls, version, word)}
        assert told <= {*asked(pins, ASK, question)}
        assert "colour" in told
        count += 1
    assert count == (2 if package == "mcp" else 1)


@pytest.mark.parametrize(
    ("name", "package", "version", "keyword", "refused"),
    [
        ("Server", "mcp", "1.14.0", "icons", False),
        ("Server", "mcp", "1.14.0", "title", True),
        ("MCPServer", "mcp", "2.3.0", "port", True),
        ("FastMCP", "mcp", "1.9.4", "colour", False),
        ("FastMCP", "mcp", "1.20.0", "icons", False),
        ("FastMCP", "mcp", "1.21.0", "title", True),
        ("FastMCP", "mcp", "1.99.0", "colour", False),
        ("FastMCP", "fastmcp", "2.5.0", "colour", False),
        ("FastMCP", "fastmcp", "3.0.0", "port", False),
        ("FastMCP", "fastmcp", "3.4.11", "port", True),
        ("FastMCP", "fastmcp", "4.2.9", "port", True),
        ("FastMCP", "fastmcp", "5.0.0", "port", False),
        ("FastMCP", "fastmcp", "", "port", False),
    ],
)
def test_only_what_a_whole_major_version_refuses_is(
    name: str, package: str, version: str, keyword: str, refused: bool
) -> None:
    cls = next(cls for cls in SERVER_CLASSES if (cls.name, cls.package) == (name, package))
    assert refuses(cls, version, keyword) is refused
