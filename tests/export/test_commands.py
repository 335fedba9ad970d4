"""trustgraph's own commands, as published, run on what is exported for them."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.model import JsonObject, JsonValue, Site
from pdmigrate.report.export import ExportedTool, Subject, trustgraph
from tests.export.test_exports import SAMPLES, URL, subject
from tests.runtime.nurseries import planted
from tests.support.environments import environment
from tests.support.listening import Answering, answered_by


@contextmanager
def configuration() -> Iterator[tuple[str, list[Any]]]:
    """The address of a service that takes configuration, and what it was told to keep."""
    kept: list[Any] = []

    class Service(Answering):
        def post(self, asked: Any) -> None:
            kept.extend(asked.get("values", ()))
            self.answer(200, {"values": []})

    with answered_by(Service) as address:
        yield f"{address}/", kept


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command, which a script starts for each entry, as forks of what has imported it.

    It looks for the address in the environment when it is imported, so it is said to it once more.
    """
    pins = ("trustgraph-cli==2.11.1",)
    script, folder = environment(pins).with_name("tg-put-config-item"), tmp_path_factory.mktemp("commands")
    started = shlex.join(planted(pins, str(script), modules=("trustgraph.cli.put_config_item",)))
    (folder / script.name).write_text(f'#!/bin/sh\nexec {started} "$@" --api-url "$TRUSTGRAPH_URL"\n')
    (folder / script.name).chmod(0o755)
    return folder


QUICK = ("mcp1_lowlevel", "fastmcp3")
EVERY = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SAMPLES if name not in QUICK)]


@pytest.mark.parametrize("name", EVERY)
def test_the_published_commands_take_what_is_exported(name: str, commands: Path) -> None:
    """Run by trustgraph's own commands, the script sets what the entries say, word for word."""
    sets_the_same(subject(name), commands)


def test_names_and_texts_that_the_command_would_split_arrive_whole(commands: Path) -> None:
    """Colons, dashes in front, JSON, quotes, lines: nothing is lost, least of all a required argument."""
    properties: dict[str, JsonValue] = {
        "-kind": {"type": ["string", "null"], "description": "-v: a kind,\nas \\t it's called", "enum": ["a b", None]},
        "at:time": {"type": "string", "format": "date-time"},
        "filter": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    }
    schema: JsonObject = {"type": "object", "properties": properties, "required": ["at:time"]}
    site = Site("server.py", 1)
    described = "- List: all (100%).\n$HOME `id` \\n 'x' \"y\""
    odd = ExportedTool({"name": "list-boats.v2", "description": described, "inputSchema": schema}, "List.", site)
    plain = ExportedTool({"name": "list_boats_v2", "description": "Other.", "inputSchema": {}}, "Other.", site)
    sets_the_same(Subject("odd", site, (odd, plain)), commands)


def sets_the_same(exported: Subject, commands: Path) -> None:
    script = trustgraph.export(exported, "cli", URL).files["trustgraph.sh"]
    entries = json.loads(trustgraph.export(exported, "entries", URL).files["trustgraph.json"])
    with configuration() as (address, kept):
        variables = {"PATH": f"{commands}:/usr/bin:/bin", "TRUSTGRAPH_URL": address}
        done = subprocess.run(
            ["sh"], input=script, env=variables, capture_output=True, text=True, check=False, timeout=200
        )
    assert "Exception" not in done.stdout, done.stdout
    assert done.returncode == 0, done.stderr
    assert kept == entries
