"""A server whose requirement admits fastmcp on mcp 1.x and on 2.x gets one module that works under both."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.wire import StdioTarget
from tests.runtime.harness import PROGRAMS, served
from tests.runtime.samples import ENVELOPES, HANDSHAKE, URI, answers, session
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, environment

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("wind_range", {"kite": 3}),
    ("wind_range", {"kite": "red"}),
    ("wind_range", {"kite": 10}),
    ("nonsense", {}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("either")
    shutil.copy(PROGRAMS / "either.py", made / "server.py")
    (made / "requirements.txt").write_text("fastmcp>=2.10\n")
    command = [sys.executable, "-m", "pdmigrate", "apply", str(made), "--write", "--allow-dirty"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_the_module_holds_both_adapters_and_says_which_is_for_what(folder: Path) -> None:
    text = (folder / "progressive_disclosure.py").read_text(encoding="utf-8")
    assert "# --- mcp 1.x: fastmcp 2 and 3 ---" in text
    assert "# --- mcp 2.x: fastmcp 4 ---" in text


@pytest.mark.parametrize("pins", [FASTMCP2, FASTMCP3, FASTMCP4], ids=lambda pins: pins[0])
def test_it_runs_on_every_major(folder: Path, pins: tuple[str, ...]) -> None:
    interpreter = str(environment(pins))
    era = ENVELOPES if pins == FASTMCP4 else HANDSHAKE
    with session(StdioTarget((interpreter, str(PROGRAMS / "either.py"))), era) as old:
        tools, expected = old.list_tools(), answers(old, CALLS)
    with session(StdioTarget((interpreter, str(folder / "server.py"))), era) as new:
        stub, bridge = new.list_tools()
        refused = new.call_tool("wind_range", {"kite": 3})
        fetched = served(new.read_resource(f"{URI}?tools=wind_range"))["wind_range"]
        found = answers(new, CALLS)
        uris = [resource["uri"] for resource in new.list_resources()]
        said = str(new.server["instructions"])
    assert stub["description"] == "Tell in which wind a kite flies."
    assert bridge["name"] == "kite_shop_describe_tools"
    assert served(refused)["error"]["code"] == "TOOL_DESCRIPTION_REQUIRED"
    assert {key: fetched[key] for key in tools[0]} == tools[0]
    assert found == expected
    assert uris == [URI, "kites://hours"]
    assert said.startswith("Kites are numbered.\n\n")
