"""The light entry points outside pre-commit: what they import, and what they make of names."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.hooks.conftest import FILE, Repository, entry
from tests.support.files import write

HEAVY = ("libcst", "typer", "pydantic", "jsonschema", "jinja2", "mcp", "pathspec", "packaging", "pathlib")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [("hook.check", ("server.py", FILE)), ("hook.sync", ("server.py", FILE)), ("main", ("check",))],
)
def test_agreement_imports_nothing_heavy(repository: Repository, function: str, arguments: tuple[str, ...]) -> None:
    assert repository.hook("pdmigrate-check").returncode == 0
    program = (
        f"import sys, pdmigrate.cli.hook\nfrom pdmigrate import cli\ntry: cli.{function}()\n"
        "except SystemExit as ended: print(ended.code, *sys.modules)"
    )
    done = repository.run(sys.executable, "-S", "-c", program, *arguments)
    status, *modules = done.stdout.split()
    assert status == "0"
    assert {module.partition(".")[0] for module in modules} & set(HEAVY) == set()
    assert function != "main" or done.stderr == "in agreement: 6 tools\n"


def test_a_check_below_the_root_names_files_from_there(repository: Repository) -> None:
    repository.summarise("Lend it.")
    done = repository.run(*entry("pdmigrate-check"), "check_out.json", folder="tool_descriptions")
    assert done.returncode == 1
    assert done.stdout.startswith("check_out.json:")
    assert "../server.py" in done.stderr


def test_outside_a_repository_the_files_are_compared(repository: Repository, tmp_path: Path) -> None:
    os.rename(repository.root / ".git", tmp_path / "elsewhere")  # noqa: PTH104 - a folder, moved as it is
    assert repository.hook("pdmigrate-check").returncode == 0
    repository.summarise("Lend it.")
    assert repository.hook("pdmigrate-check").returncode == 1
    os.rename(repository.root / ".pdmigrate", tmp_path / "state")  # noqa: PTH104
    lost = repository.hook("pdmigrate-check")
    assert (lost.returncode, "nothing to compare" in lost.stderr) == (2, True)


@pytest.mark.parametrize("name", ["pdmigrate-check", "pdmigrate-sync"])
def test_the_name_of_a_file_is_no_option(repository: Repository, name: str) -> None:
    """Hooks are given names that anybody may have committed."""
    trap = repository.root / "sprung"
    write(repository.root, {"evil.py": f"open({str(trap)!r}, 'w')\n"})
    option = f"--live={Path(sys.executable).name} evil.py"
    write(repository.root, dict.fromkeys((option, "--prune", "--help"), ""))
    done = repository.hook(name, option, "--prune", "--help", "server.py")
    assert (trap.exists(), done.returncode in (0, 1), "Usage" in done.stdout) == (False, True, False)
    (repository.root / option).unlink()
    assert repository.hook(name, option, "server.py").returncode == 2, "an option is still one"
