"""The sample server as it stands in the repository, and after ``pdmigrate apply``."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import PROGRAMS, converse, served, variables
from tests.runtime.samples import among_samples
from tests.support.environments import MCP1, ROOT

SAMPLE = ROOT / "sample_servers" / "mcp1_lowlevel"
NAMES = ["find_copies", "check_out", "return_copy", "renew_loan", "place_hold", "member_account"]
BRIDGE = "library_loans_describe_tools"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find_copies", {"words": "tidal"}),
    ("find_copies", {"words": "tidal", "limit": 51}),
    ("check_out", {"barcode": "30001", "member": "M10002"}),
    ("check_out", {"barcode": "1", "member": "M10002"}),
    ("member_account", {"member": "M10002"}),
    ("place_hold", {"barcode": "30001", "member": "M10003", "pickup_note": None}),
    ("renew_loan", {"barcode": "30001"}),
    ("renew_loan", {"barcode": "30003"}),
    ("return_copy", {"barcode": "30001", "branch": "hilltop"}),
    ("return_copy", {"barcode": "30002", "branch": "moon"}),
    ("nonsense", {}),
]


def ask(folder: Path, *steps: list[Any]) -> list[Any]:
    command = [*among_samples(MCP1, str(folder / "server.py"))]
    return converse(MCP1, PROGRAMS, {"a": {"stdio": command, "env": variables(None)}}, steps)


COMMON = [["a", "tools"], ["a", "resources"], ["a", "read", "loans://opening-hours"], ["a", "prompts"]]


@pytest.fixture(scope="module")
def before() -> list[Any]:
    return ask(SAMPLE, *COMMON, *(["a", "call", *call] for call in CALLS))


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The answers of a migrated copy, to the same after everything was fetched."""
    folder = tmp_path_factory.mktemp("sample") / "loans"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pdmigrate", "apply", str(folder), "--write", "--allow-dirty"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    fetch = ["a", "call", BRIDGE, {"names": NAMES}]
    return ask(folder, *COMMON, fetch, *(["a", "call", *call] for call in CALLS))


def test_the_sample_is_a_server_of_many_faces(before: list[Any]) -> None:
    assert [tool["name"] for tool in before[0]["tools"]] == NAMES
    texts = [answer["content"][0]["text"] for answer in before[4:]]
    assert texts[1] == "Input validation error: 51 is greater than the maximum of 50"
    assert before[8]["structuredContent"]["loans"] == [{"barcode": "30001", "title": "The Tidal Atlas", "renewals": 0}]
    assert [bool(answer["isError"]) for answer in before[4:]] == [
        False, True, False, True, False, False, True, False, False, True, True
    ]  # fmt: skip


def test_the_migrated_sample_answers_as_before_with_half_the_list(before: list[Any], after: list[Any]) -> None:
    assert [tool["name"] for tool in after[0]["tools"]] == [*NAMES, BRIDGE]
    definitions = served(after[4])
    for tool in before[0]["tools"]:
        assert {key: definitions[tool["name"]][key] for key in tool} == tool
    assert len(str(after[0])) < 0.5 * len(str(before[0]))
    assert after[1]["resources"][1:] == before[1]["resources"]
    assert after[2:4] == before[2:4]
    assert after[5:] == before[4:]
