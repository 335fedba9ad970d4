"""Fields that only the running server settles, guarded by the source that they come from."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.projects import SERVER, project
from tests.runtime.nurseries import planted
from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1
from tests.support.files import write
from tests.support.repositories import commit

HELPER = '\n\ndef help_text() -> str:\n    return os.environ["EDIT_HELP"] + "."\n\n\nserver = Server("notes")'
RUN = """

if __name__ == "__main__":
    import asyncio

    from mcp.server.stdio import stdio_server

    async def main() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    asyncio.run(main())
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = SERVER.replace('\n\nserver = Server("notes")', HELPER).replace('os.environ["EDIT_HELP"],', "help_text(),")
    made = project(tmp_path, server=text + RUN)
    write(made, {"pyproject.toml": '[tool.pdmigrate]\nsdk = { mcp = "1.30.0", pydantic = "2.14.3" }\n'})
    monkeypatch.chdir(made)
    live = ("--live", shlex.join(planted(MCP1, "server.py")), "--env", "EDIT_HELP=Edit a note")
    assert pdmigrate("apply", "--all", "--write", "--copies", "--allow-dirty", *live).status == 0
    commit(made)
    return made


def test_a_change_of_its_source_asks_for_the_server_again(root: Path) -> None:
    write(root, {"server.py": (root / "server.py").read_text().replace('["EDIT_HELP"]', '["EDIT_HELP"].lower()')})
    ran = pdmigrate("check")
    assert (ran.status, "PD916 error: notes was asked what it lists on" in ran.stdout) == (1, True)
    assert "run `pdmigrate sync --live`, which asks it again by `python server.py`" in ran.stdout
    assert pdmigrate("sync").status == 1, "nothing but the server can answer that"
    script = f'#!/bin/sh\nexec {shlex.join(planted(MCP1))} "$@"\n'
    (write(root, {"venv/pyvenv.cfg": "", "venv/bin/python": script}) / "venv/bin/python").chmod(0o755)
    for command in ("check", "sync"):
        ran = pdmigrate(command, "--live", "--env", "EDIT_HELP=Edit a note")
        started = ran.stderr.count("starting `venv/bin/python server.py`: server.py is a script\n")
        assert started == (2 if command == "sync" else 1)
    assert ran.status == 0
    assert pdmigrate("check", "--no-live").status == 0


@pytest.mark.parametrize("command", ["check", "sync", "extract", "apply"])
@pytest.mark.parametrize("server", [("--live",), ("--live", "python server.py"), ("--url", "http://localhost:1/mcp")])
def test_a_server_cannot_be_asked_and_not_be_asked(command: str, server: tuple[str, ...]) -> None:
    ran = pdmigrate(command, *server, "--no-live")
    assert (ran.status, "--no-live contradicts" in ran.stderr) == (2, True)
