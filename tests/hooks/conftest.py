"""A migrated copy of the sample server in a repository, and the hooks of this project under the real pre-commit."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.runtime.nurseries import COMMANDS, own
from tests.support.command_line import pdmigrate
from tests.support.environments import PRE_COMMIT, environment
from tests.support.files import write
from tests.support.repositories import SETTINGS, commit, committed

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_servers" / "mcp1_lowlevel" / "server.py"
FILE = "tool_descriptions/check_out.json"
"""The description file of one of its tools."""
MANIFEST = ROOT / ".pre-commit-hooks.yaml"


@dataclass(frozen=True)
class Repository:
    """A repository that people commit to."""

    root: Path
    environment: dict[str, str]

    def run(self, *command: str, folder: str = ".", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root / folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Commit what is staged, with the hooks."""
        return self.run("git", "commit", "--message", "work")

    def hook(self, name: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one of our entry points as a plain hook would."""
        return self.run(*entry(name), *arguments, **variables)

    def summarise(self, text: str) -> None:
        """Edit the summary of a tool in its description file."""
        file = self.root / FILE
        content = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**content, "summary": text}, indent=2) + "\n", encoding="utf-8")

    def install(self, *hooks: str) -> None:
        """Let the real pre-commit install ``hooks``, as the manifest has them, but from this checkout."""
        rows = [_local(name) for name in hooks]
        config = "repos:\n- repo: local\n  hooks:\n" + "".join(rows)
        (self.root / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
        done = self.run(str(environment(PRE_COMMIT)), "-m", "pre_commit", "install")
        assert done.returncode == 0, done.stdout + done.stderr
        self.git("add", ".pre-commit-config.yaml")


def entry(name: str) -> list[str]:
    """The command of an entry point, as a fork of what has imported the package.

    ``test_installed.py`` runs the scripts themselves, and ``test_pre_commit.py`` sees what a new process imports.
    """
    return [*own("-c", COMMANDS[name])]


def _local(name: str) -> str:
    """The manifest's own row for a hook, with the command that runs it here."""
    rows = MANIFEST.read_text(encoding="utf-8").split("- id: ")[1:]
    row = next(row for row in rows if row.splitlines()[0] == name)
    kept = [line for line in row.splitlines()[1:] if not line.strip().startswith(("entry:", "language:"))]
    command = shlex.join(entry(name)).replace('"', '\\"')
    lines = [f"- id: {name}", f'  entry: "{command}"', "  language: system", *kept]
    return "".join(f"  {line}\n" for line in lines)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = committed(write(tmp_path_factory.mktemp("hooks") / "library", {"server.py": SAMPLE.read_bytes()}))
    ran = pdmigrate("apply", "--all", root, "--write")
    assert ran.status == 0, ran.stderr
    commit(root)
    return root


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Repository:
    root = tmp_path / "library"
    shutil.copytree(template, root)
    cache = tmp_path / "cache"
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    variables = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache), "PRE_COMMIT_HOME": str(cache / "pre-commit")}
    return Repository(root, {**plain, **SETTINGS, **variables})
