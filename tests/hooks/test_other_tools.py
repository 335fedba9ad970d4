"""Formatters, fixers and scanners of other people, as hooks of the real pre-commit, on a whole migrated tree."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path

import pytest

from tests.layouts.servers import module
from tests.support.command_line import pdmigrate
from tests.support.environments import environment
from tests.support.files import tree, write
from tests.support.repositories import commit, committed, git, initialised
from tests.support.sources import decorated

TOOLS = (
    "pre-commit==4.7.0",
    "pre-commit-hooks==6.0.0",
    *("autopep8==2.3.2", "black==26.10.1", "isort==9.0.2", "ruff==0.17.6", "yapf==0.43.0"),
    "detect-secrets==1.5.0",
)
SAID = "Find an item by its colour and size. Use it when the customer names a colour."
DECORATED = decorated("shop", {"find_item(colour: str, size: int = 3)": SAID}, run=True)
LITERAL = module()
SERVERS = {"decorated": DECORATED, "literal": LITERAL, "crowded": DECORATED.replace("\n\n\n", "\n")}
HOOKS = {
    "end-of-file-fixer": ("end-of-file-fixer", "text"),
    "trailing-whitespace": ("trailing-whitespace-fixer", "text"),
    "pretty-format-json": ("pretty-format-json --autofix", "json"),
    "pretty-format-json unsorted": ("pretty-format-json --autofix --no-sort-keys", "json"),
    "mixed-line-ending": ("mixed-line-ending", "text"),
    "yapf": ("yapf --in-place", "python"),
    "autopep8": ("autopep8 --in-place --aggressive", "python"),
    "black": ("black --quiet", "python"),
    "ruff": ("ruff format --quiet --no-cache", "python"),
    "isort": ("isort --quiet --profile black", "python"),
    "detect-secrets": ("detect-secrets-hook", "text"),
}
MIGRATED = ("apply", "--all", "--write")


def project(folder: Path, server: str, **more: str) -> Path:
    root = committed(write(folder, {"server.py": server, "requirements.txt": "mcp==1.28.1\n", **more}))
    assert pdmigrate(*MIGRATED, root).status == 0
    return root


def clone(root: Path, *options: str) -> Path:
    """A clone beside a repository."""
    git(root.parent, "clone", "-q", *options, str(root), "clone")
    return root.with_name("clone")


def run_hook(root: Path, command: str, kind: str) -> int:
    """Install a hook of the environment of the tools, and commit the whole tree through it until it passes."""
    python = Path(environment(TOOLS))
    config = f"""\
repos:
- repo: local
  hooks:
  - id: tool
    name: tool
    entry: {python.parent / command}
    language: system
    types: [{kind}]
"""
    write(root, {".pre-commit-config.yaml": config})
    status = 1
    for _ in range(3):
        git(root, "add", "--all")
        done = subprocess.run(
            [python, "-m", "pre_commit", "run", "--all-files"],
            cwd=root,
            env={**os.environ, "PRE_COMMIT_HOME": str(root.parent / "hooks")},
            capture_output=True,
            timeout=120,
            check=False,
        )
        status = done.returncode
    return status


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("hook", HOOKS)
def test_after_a_hook_everything_agrees_and_goes_back(tmp_path: Path, hook: str, server: str) -> None:
    root = project(tmp_path / "project", SERVERS[server])
    assert run_hook(root, *HOOKS[hook]) == 0
    commit(root)
    here = clone(root)
    for place in (root, here):
        checked = pdmigrate("check", place)
        assert checked.status == 0, checked.stdout + checked.stderr
        reverted = pdmigrate("revert", place)
        if (hook, server) == ("yapf", "literal"):
            assert "PD607" in reverted.stderr, "stubs that are laid out anew are not found"
            return
        assert reverted.status == 0, reverted.stdout + reverted.stderr
        left = {path.name for path in place.iterdir()} - {".git", ".pre-commit-config.yaml", ".pdmigrate"}
        assert left == {"server.py", "requirements.txt"}
    now = (here / "server.py").read_text(encoding="utf-8")
    assert ast.dump(ast.parse(now)) == ast.dump(ast.parse(SERVERS[server]))
    assert server != "decorated" or now == DECORATED, "it was laid out as the tools like it"


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(("made", "cloned"), [("false", "true"), ("true", "false"), ("true", "true")])
@pytest.mark.parametrize("edit", [b"", b"# Mine.\n"], ids=["untouched", "edited"])
def test_line_ends_are_those_of_the_checkout(tmp_path: Path, server: str, made: str, cloned: str, edit: bytes) -> None:
    """A clone of a project that was migrated under one ``core.autocrlf``, checked out under another."""
    text = SERVERS[server].encode()
    root = initialised(tmp_path / "project")
    git(root, "config", "core.autocrlf", made)
    end, here = (b"\r\n" if value == "true" else b"\n" for value in (cloned, made))
    commit(write(root, {"server.py": text.replace(b"\n", here), "requirements.txt": "mcp==1.28.1\n"}))
    assert pdmigrate(*MIGRATED, root).status == 0
    commit(root)
    file = clone(root, "-c", f"core.autocrlf={cloned}") / "server.py"
    assert pdmigrate("check", file.parent).status == 0
    file.write_bytes(file.read_bytes() + edit.replace(b"\n", end))
    ran = pdmigrate("revert", file.parent)
    assert ran.status == 0, ran.stdout + ran.stderr
    assert file.read_bytes() == (text + edit).replace(b"\n", end)


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_that_was_renamed_is_reverted_under_its_old_name(tmp_path: Path, server: str) -> None:
    root = project(tmp_path / "project", SERVERS[server])
    commit(root)
    git(root, "mv", "server.py", "app.py")
    commit(root)
    here = clone(root)
    assert pdmigrate("check", here).status == 0
    assert "PD609" in pdmigrate("revert", here).stderr
    (here / "app.py").rename(here / "server.py")
    assert pdmigrate("revert", here).status == 0
    assert (here / "server.py").read_text(encoding="utf-8") == SERVERS[server]


LONG = DECORATED.replace(
    'mcp = FastMCP("shop")\n',
    'def build() -> FastMCP:\n    return FastMCP(\n        "shop",\n        instructions="Sells things.",\n    )\n\n\n'
    "mcp = build()\n",
)
SMALL: dict[str, dict[str, str]] = {
    "script": {"server.py": DECORATED},
    "package": {"src/shop/__init__.py": "", "src/shop/server.py": DECORATED.partition("if __name__")[0]},
    "wrapped, in many lines": {"server.py": LONG},
    "attributes of its own": {"server.py": DECORATED, ".gitattributes": "*.py text eol=lf\n*.json -diff\n"},
}


def changed(root: Path) -> list[str]:
    """The paths that a commit of everything would change."""
    git(root, "add", "--all")
    return git(root, "diff", "--cached", "--name-only").decode().split()


@pytest.mark.parametrize("files", SMALL.values(), ids=SMALL)
def test_a_decorated_server_gets_two_lines_and_three_files(tmp_path: Path, files: dict[str, str]) -> None:
    root = committed(write(tmp_path / "project", {**files, "requirements.txt": "mcp==1.28.1\n"}))
    assert pdmigrate(*MIGRATED, root).status == 0
    server = next(path for path in files if path.endswith("server.py"))
    folder = server.removesuffix("server.py")
    new = [line for line in (root / server).read_text(encoding="utf-8").splitlines() if line not in files[server]]
    made_import, *call = map(str.strip, new)
    assert made_import.replace(" .", " ") == "from progressive_disclosure import enable"
    assert any('stdio="enforce", http="advise")' in line for line in call)
    generated = f"{folder}progressive_disclosure.py"
    made = {".pdmigrate/lock.json", generated, f"{folder}tool_descriptions/_server.json"}
    assert {*changed(root)} == {server, *made}
    assert (root / generated).read_text(encoding="utf-8").startswith("# @generated by pdmigrate")
    assert pdmigrate("check", root).status == 0
    commit(root)
    for one in (root, clone(root)):
        assert pdmigrate("revert", one).status == 0
        git(one, "add", "--all")
        assert git(one, "diff", "--cached", "HEAD~") == b""


def test_a_definition_that_moved_has_a_schema_beside_the_lock(tmp_path: Path) -> None:
    record = tree(project(tmp_path / "project", LITERAL) / ".pdmigrate")
    assert record.keys() == {".gitattributes", "description.schema.json", "lock.json"}
    assert record[".gitattributes"] == b"* -text linguist-generated\n"


def test_an_edited_policy_is_still_taken_out_and_a_moved_import_is_told(tmp_path: Path) -> None:
    root = project(tmp_path / "project", DECORATED)
    commit(root)
    file = clone(root) / "server.py"
    text = file.read_text(encoding="utf-8").replace('stdio="enforce"', 'stdio="strict"')
    moved = IMPORT + text.replace(IMPORT, "")
    file.write_text(moved, encoding="utf-8")
    assert "PD607" in pdmigrate("revert", file.parent).stderr
    file.write_text("".join(one for one in moved.splitlines(keepends=True) if "enable" not in one), encoding="utf-8")
    assert pdmigrate("revert", file.parent).status == 0
    assert file.read_text(encoding="utf-8").split() == DECORATED.split()
    assert not (file.parent / ".pdmigrate").exists()
    git(file.parent, "checkout", ".")
    file.write_text(text, encoding="utf-8")
    assert pdmigrate("revert", file.parent).status == 0
    assert file.read_text(encoding="utf-8") == DECORATED


IMPORT = "from progressive_disclosure import enable\n"


def test_a_moved_line_that_a_merge_would_leave_is_taken_out(tmp_path: Path) -> None:
    server = DECORATED.replace("from mcp", "import zed\nfrom mcp", 1)
    root = project(tmp_path / "project", server, **{"zed.py": ""})
    commit(root)
    file = root / "server.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"# ours\n{IMPORT}\n{text.replace(IMPORT, '')}", encoding="utf-8")
    assert pdmigrate("revert", root).status == 0
    assert file.read_text(encoding="utf-8").split() == ["#", "ours", *server.split()]
