"""The keywords of the constructors, asked of the SDKs."""

from __future__ import annotations

import json
import subprocess

import pytest

from pdmigrate.sdk.constructors import MEASURED, refuses
from pdmigrate.sdk.families import SERVER_CLASSES
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, FASTMCP4_1, MCP1, MCP2, environment

WORDS = sorted({word for rows in MEASURED.values() for _, taken in rows for word in taken})
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
    asked = 0
    for cls in SERVER_CLASSES:
        if cls.package != package or (
            cls.name in ("FastMCP", "MCPServer") and package == "mcp" and not _is_of(cls.name, version)
        ):
            continue
        question = json.dumps([cls.modules[0], cls.name, [*WORDS, "colour"]])
        command = [str(environment(pins)), "-W", "ignore", "-c", ASK, question]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert json.loads(done.stdout) == [word for word in [*WORDS, "colour"] if refuses(cls, version, word)]
        asked += 1
    assert asked == (2 if package == "mcp" else 1)


def _is_of(name: str, version: str) -> bool:
    return name == ("FastMCP" if version.startswith("1.") else "MCPServer")


@pytest.mark.parametrize(
    ("name", "package", "version", "keyword", "refused"),
    [
        ("Server", "mcp", "1.14.0", "icons", True),
        ("Server", "mcp", "1.14.9", "icons", False),
        ("FastMCP", "mcp", "1.9.4", "colour", False),
        ("FastMCP", "mcp", "1.20.0", "icons", False),
        ("FastMCP", "mcp", "1.21.0", "retry_interval", True),
        ("FastMCP", "mcp", "1.99.0", "colour", False),
        ("FastMCP", "fastmcp", "2.5.0", "colour", False),
        ("FastMCP", "fastmcp", "3.0.0", "port", False),
        ("FastMCP", "fastmcp", "3.4.11", "port", True),
        ("FastMCP", "fastmcp", "4.2.9", "port", True),
        ("FastMCP", "fastmcp", "5.0.0", "port", False),
        ("FastMCP", "fastmcp", "", "port", False),
    ],
)
def test_between_releases_only_what_both_refuse_is_refused(
    name: str, package: str, version: str, keyword: str, *, refused: bool
) -> None:
    cls = next(cls for cls in SERVER_CLASSES if (cls.name, cls.package) == (name, package))
    assert refuses(cls, version, keyword) is refused
