"""trustgraph's own commands, as published, run on what is exported for them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.export import trustgraph
from tests.export.test_exports import SAMPLES, URL, subject
from tests.runtime.nurseries import planted
from tests.support.environments import environment
from tests.support.listening import answered_by


@contextmanager
def configuration() -> Iterator[tuple[str, list[Any]]]:
    """The address of a service that takes configuration, and what it was told to keep."""
    kept: list[Any] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            kept.extend(asked.get("values", ()))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"values": []}')

    with answered_by(Service) as address:
        yield f"{address}/", kept


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two commands, which a script starts for each tool, as forks of what has imported them.

    They look for the address in the environment when they are imported, so it is said to them once more.
    """
    pins = ("trustgraph-cli==2.11.1",)
    published = [environment(pins).with_name(name) for name in ("tg-set-mcp-tool", "tg-set-tool")]
    folder = tmp_path_factory.mktemp("commands")
    for script in published:
        started = shlex.join(planted(pins, published, str(script)))
        (folder / script.name).write_text(f'#!/bin/sh\nexec {started} "$@" --api-url "$TRUSTGRAPH_URL"\n')
        (folder / script.name).chmod(0o755)
    return folder


QUICK = ("mcp1_lowlevel", "fastmcp3")
EVERY = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SAMPLES if name not in QUICK)]


@pytest.mark.parametrize("name", EVERY)
def test_the_published_commands_take_what_is_exported(name: str, commands: Path) -> None:
    """Run by tg-set-mcp-tool and tg-set-tool, the script sets what the entries say, but for colons."""
    script = trustgraph.export(subject(name), "cli", URL).files["trustgraph.sh"]
    entries = json.loads(trustgraph.export(subject(name), "entries", URL).files["trustgraph.json"])
    with configuration() as (address, kept):
        variables = {"PATH": f"{commands}:/usr/bin:/bin", "TRUSTGRAPH_URL": address}
        done = subprocess.run(
            ["sh"], input=script, env=variables, capture_output=True, text=True, check=False, timeout=200
        )
    assert "Exception" not in done.stdout, done.stdout
    assert done.returncode == 0, done.stderr
    assert [(one["type"], one["key"]) for one in kept] == [(one["type"], one["key"]) for one in entries]
    for set_, entry in zip(kept, entries, strict=True):
        assert words_of(json.loads(set_["value"])) == words_of(json.loads(entry["value"]))


def words_of(value: Any) -> Any:
    """An entry without the marks between words, since an argument on a command line can hold no colon."""
    if isinstance(value, dict):
        return {key: words_of(part) for key, part in value.items() if part != []}
    return [*map(words_of, value)] if isinstance(value, list) else re.findall(r"\w+", value)
