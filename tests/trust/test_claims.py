"""What a repository says of a migration is a claim: nothing is written, removed or run because of it alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.migrate.write import journal as journal_module
from pdmigrate.migrate.write.journal import Journal, JournalEntry
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.files import tree, write
from tests.support.repositories import git
from tests.trust.hostile import HOOK, SERVER, Victim, entry, journal, recorded

COMMANDS = {
    "extract --no-write": ("extract", "--no-write", *VERSIONS),
    "extract": ("extract", *VERSIONS),
    "apply": ("apply", *VERSIONS),
    "apply --write": ("apply", "--write", *VERSIONS),
    "revert --dry-run": ("revert", "--dry-run"),
    "revert": ("revert",),
    "revert --force": ("revert", "--force"),
    "check": ("check",),
    "sync": ("sync",),
}
PREVIEWS = ("extract --no-write", "apply", "revert --dry-run", "check")
WRITING = tuple(name for name in COMMANDS if name not in PREVIEWS)
JOURNALS = {
    "a hook of git": entry(".git/hooks/post-checkout", HOOK, None),
    "a hook, by another case": entry(".GIT/hooks/post-checkout", HOOK, None),
    "a file outside": entry("out/private/new.py", HOOK, None),
    "a file outside is removed": entry("out/kept.py", None, b"KEPT = 1\n"),
    "a temporary file outside is removed": entry("new.py", None, b"x", temporary="out/kept.py"),
    "a source of the project": entry("new.py", HOOK, None),
}


def ran(name: str, root: Path) -> Ran:
    command, *options = COMMANDS[name]
    ended = pdmigrate(command, root, *options)
    assert "mistake in pdmigrate" not in ended.stderr
    return ended


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", JOURNALS)
@pytest.mark.parametrize("seal", ["", "00" * 32])
def test_a_journal_of_others_is_not_obeyed(command: str, name: str, seal: str, tmp_path: Path) -> None:
    victim = Victim(tmp_path, LOCKED)
    victim.link("out", "../outside")
    victim.add(journal(JOURNALS[name], version=2 if seal else 1, seal=seal))
    protected, before = victim.protected(), tree(victim.root)
    ended = ran(command, victim.root)
    assert victim.protected() == protected
    assert tree(victim.root) == before
    assert "there is no record that you started it" in ended.stderr
    if command in WRITING:
        assert (ended.status, "error[PD612]" in ended.stderr) == (2, True)


LOCKED = {".pdmigrate/lock.json": b'{"version": 1}'}
REMOVED, HALF = entry("new.py", b"NEW = 1\n", None), entry("server.py", SERVER, b"half")


def _begun(root: Path, *files: tuple[dict[str, Any], bytes], ready: bool = True) -> None:
    """A run of mine that was killed: its entries, each with the copy that it has of the file."""
    run = Journal(tuple(JournalEntry(**said) for said, _ in files), ())
    copies = {run.before(one): (copy, None) for one, (_, copy) in zip(run.entries, files, strict=True)}
    journal_module.begin(root, run, copies)
    if ready:
        journal_module.ready(root)


@pytest.mark.parametrize("command", WRITING)
def test_a_journal_of_mine_that_is_committed_is_not_obeyed(command: str, tmp_path: Path) -> None:
    """With my seal on it: others can change what lies beside it."""
    victim = Victim(tmp_path, LOCKED)
    _begun(victim.root, (entry("new.py", HOOK, None), HOOK))
    assert ran("check", victim.root).stderr.startswith("error[PD613]")
    victim.add({})
    before = tree(victim.root)
    assert "error[PD612]" in ran(command, victim.root).stderr
    assert tree(victim.root) == before


@pytest.mark.parametrize("moved", [False, True])
def test_a_journal_of_mine_counts_where_it_was_made(moved: bool, tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    _begun(victim.root, (REMOVED, b"NEW = 1\n"), (HALF, SERVER))
    root = victim.root.rename(tmp_path / "elsewhere") if moved else victim.root
    ended = ran("sync", root)
    assert (root / "new.py").exists() is not moved
    assert ("PD612" if moved else "an interrupted run was undone (2 files as before)") in ended.stderr


def test_a_copy_that_was_changed_is_not_restored(tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    _begun(victim.root, (REMOVED, b"EVIL = 1\n"), (HALF, SERVER))
    ended = ran("sync", victim.root)
    assert (ended.status, "error[PD604]" in ended.stderr) == (2, True)
    assert not (victim.root / "new.py").exists()


@pytest.mark.parametrize("command", PREVIEWS)
def test_a_preview_leaves_an_interrupted_run_where_it_is(command: str, tmp_path: Path) -> None:
    victim = Victim(tmp_path, LOCKED)
    _begun(victim.root, (HALF, SERVER), ready=False)
    said = ran(command, victim.root).stderr
    assert "a run was interrupted here before it changed a file; `pdmigrate sync` removes what is left of it" in said
    journal_module.ready(victim.root)
    (victim.root / "server.py").write_bytes(b"half")
    before = tree(victim.root)
    ended = ran(command, victim.root)
    assert (ended.status, "error[PD613]" in ended.stderr) == (2, True)
    assert "`pdmigrate sync` finishes or undoes" in ended.stderr
    assert tree(victim.root) == before
    victim.protected()


EVIL = "[core]\n\tfsmonitor = touch canary\n"


@pytest.mark.parametrize("options", [(), ("--force",), ("--dry-run",)])
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(
    "path", [".git/config", ".GIT/config", "./.git/config", "sub/.git/hooks/pre-commit", "conf.py"]
)
def test_a_revert_never_touches_a_repository(path: str, edited: bool, options: tuple[str, ...], tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    if path == "conf.py":
        victim.link(path, ".git/config")
    now = (victim.root / path).read_bytes() if (victim.root / path).exists() else b"x\n"
    victim.add(recorded(path, now + EVIL.encode(), now + b"[user]\n" if edited else now))
    if path.startswith("sub"):
        git(victim.root, "init", "-q", "sub")
        (victim.root / path).write_bytes(now)
    protected, before = victim.protected(), tree(victim.root)
    ended = pdmigrate("revert", victim.root, *options)
    assert (ended.status, "error[PD60" in ended.stderr) == (2, True)
    assert victim.protected() == protected
    assert tree(victim.root) == before


FORBIDDEN = {
    "an environment": ".venv/lib/python3.12/site-packages/pip/__init__.py",
    "a dependency": "node_modules/x/setup.py",
    "another kind of file": "deploy/run.sh",
    "a workflow": ".github/workflows/ci.yml",
    "the journal": ".pdmigrate/journal/lock.json",
    "a stream of a file": ".git::$INDEX_ALLOCATION/config.py",
    "a short name": "GIT~1/x.py",
    "a name that macOS does not see": ".g\u200cit/x.py",
}


@pytest.mark.parametrize("name", FORBIDDEN)
@pytest.mark.parametrize("key", ["changed", "created", "modules", "descriptions", "asked"])
def test_a_lock_that_names_what_no_migration_makes_stops_every_command(key: str, name: str, tmp_path: Path) -> None:
    path = FORBIDDEN[name]
    victim = Victim(tmp_path)
    said = {"changed": {"before": "a" * 64, "after": "b" * 64}, "created": "description", "modules": "0" * 16}
    entry_of = {path: said.get(key, {"tool": "x"})}
    lock = {"version": 1, key: {".": {"sources": entry_of}} if key == "asked" else entry_of}
    victim.add({".pdmigrate/lock.json": json.dumps(lock).encode()})
    write(victim.root, {path: b"{}"})
    before = tree(victim.root)
    for command in ("revert", "apply --write", "check", "sync"):
        ended = ran(command, victim.root)
        assert ended.status == 2, ended
        assert "which no migration makes or changes" in ended.stderr
    assert tree(victim.root) == before


def test_state_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """All of a folder of source would be state of ours, and removed."""
    victim = Victim(tmp_path)
    victim.add({"src/lock.json": json.dumps({"version": 1, "created": {"x.py": "code"}}).encode(), "src/mine.py": b"x"})
    victim.link(".pdmigrate", "src")
    protected, before = victim.protected(), tree(victim.root)
    for command in ("revert", "apply --write", "sync", "extract"):
        assert ran(command, victim.root).status == (0 if command == "sync" else 2), command
        assert victim.protected() == protected
        assert tree(victim.root) == before


def test_other_files_beside_the_state_stay(tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    assert pdmigrate("apply", "--all", victim.root, "--write", *VERSIONS).status == 0
    (victim.root / ".pdmigrate/notes.md").write_bytes(b"mine")
    assert pdmigrate("revert", victim.root).status == 0
    assert tree(victim.root) == {"pyproject.toml": b"", "server.py": SERVER, ".pdmigrate/notes.md": b"mine"}
