"""``pdmigrate audit --command`` on servers that do not behave: bounded, a clear line, exit 2."""

from __future__ import annotations

import cProfile
import json
import shlex
import sys
import time
from pathlib import Path

import pytest

from tests.live.test_asking import SCRIPTED
from tests.support.command_line import Ran, pdmigrate

pytestmark = pytest.mark.usefixtures("impatient")
TOOL = {"name": "find", "description": "Find notes.", "inputSchema": {"type": "object", "properties": {}}}


def deep(levels: int) -> str:
    schema = '{"type":"object","properties":{"inner":' * levels + "{}" + "}}" * levels
    return json.dumps([{**TOOL, "inputSchema": "schema"}]).replace('"schema"', schema)


LISTED = {
    "nameless": '[{"description": "no name"}]',
    "no objects": '["find", 3]',
    "odd fields": '[{"name": "find", "description": 3, "inputSchema": ["object"]}]',
    "deep": deep(40),
    "too deep": deep(20_000),
    "twice": json.dumps([TOOL, TOOL]),
    "halves": json.dumps([{**TOOL, "name": "\ud800", "description": "\udfff find."}]),
    "commands": json.dumps([{**TOOL, "name": "\x1b[2J::error::x\n##[group]", "description": "::warning::y\n" * 300}]),
}


def audit(folder: Path, way: str, *options: str) -> Ran:
    file = folder / "tools.json"
    file.write_text(LISTED.get(way, json.dumps([TOOL])), encoding="utf-8")
    command = shlex.join([sys.executable, str(SCRIPTED), str(file), "whole" if way in LISTED else way])
    patience = "2" if way in ("silent-at-tools/list", "too deep") else "30"
    return pdmigrate("audit", "--command", command, "--timeout", patience, *options)


@pytest.mark.parametrize(
    ("way", "code", "said"),
    [
        ("silent-at-tools/list", "PD702", "the server did not answer tools/list within 2 s"),
        ("dies-at-initialize", "PD703", "out of luck"),
        ("key", "PD706", "set NOTES_KEY to a key of your account"),
        ("flood", "PD704", "the server"),
        ("endless", "PD70", "tools/list"),
        ("no objects", "PD704", "entries that are no objects"),
        ("too deep", "PD702", "other output on stdout:"),
        ("nameless", "PD704", "a tool without a name"),
    ],
)
def test_a_server_that_does_not_behave_ends_in_a_line(way: str, code: str, said: str, tmp_path: Path) -> None:
    started = time.monotonic()
    ran = audit(tmp_path, way)
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"error[{code}")
    assert said in ran.stderr
    assert "hint: " in ran.stderr
    assert "mistake in pdmigrate" not in ran.stderr
    assert time.monotonic() - started < 120


@pytest.mark.parametrize("way", ["odd fields", "deep", "twice", "halves", "commands"])
@pytest.mark.parametrize("output", ["text", "json", "github", "sarif"])
def test_an_odd_listing_is_counted_in_every_format(way: str, output: str, tmp_path: Path) -> None:
    ran = audit(tmp_path, way, "--format", output, "--html", str(tmp_path / "page.html"))
    assert ran.status == 0, ran.stderr
    assert "\x1b" not in ran.stdout + ran.stderr
    if output == "text":
        assert not [line for line in ran.stdout.splitlines() if line.lstrip().startswith("::")]
    if output in ("json", "sarif"):
        json.loads(ran.stdout)
    assert (tmp_path / "page.html").stat().st_size > 1000


def thousand_tools() -> list[dict[str, object]]:
    """Tools as heavy as those of real servers (some 350 tokens each), no two with the same text."""
    words = [
        "note",
        "page",
        "author",
        "index",
        "folder",
        "search",
        "entry",
        "title",
        "archive",
        "reader",
        "label",
        "draft",
        "history",
        "owner",
    ]
    return [
        {
            "name": f"{words[number % 14]}_{number}",
            "description": f"Does thing {number}. "
            + "".join(f"The {words[(number + at) % 14]} {number * at} is told about, and when. " for at in range(12)),
            "inputSchema": {
                "type": "object",
                "properties": {
                    f"{words[(number * 3 + at) % 14]}_{at}": {
                        "type": "string",
                        "description": f"What the {words[(number + 5 * at) % 14]} {number} is about, in words.",
                        "default": "x",
                    }
                    for at in range(6)
                },
                "required": [f"{words[number * 3 % 14]}_0"],
            },
        }
        for number in range(1000)
    ]


def test_the_work_for_a_listing_grows_as_the_listing(tmp_path: Path) -> None:
    """Calls are counted, since a busy machine takes any number of seconds for them."""

    def calls(tools: int) -> int:
        file = tmp_path / f"{tools}.json"
        file.write_text(json.dumps({"tools": thousand_tools()[:tools]}), encoding="utf-8")
        profile = cProfile.Profile()
        ran = profile.runcall(pdmigrate, "audit", "--listing", file)
        assert f"{tools:,} tools" in ran.stdout
        return sum(entry.callcount for entry in profile.getstats())

    calls(10)  # what is imported and compiled once
    assert calls(1000) < min(4.5 * calls(250), 5_000_000)
