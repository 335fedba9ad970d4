"""Questions to git, bounded in time; without git, or outside a repository, the answers are empty.

Read only, and through one function (``ask``): no lock is taken, no hook, filter, pager or other program of the
repository runs, nothing is fetched, and a folder that only looks like a repository does not count.  OutsideError is
raised if git does not answer in time.  Hooks import this module: standard library only, and little of that.
"""

from __future__ import annotations

import os
import subprocess

from pdmigrate import disk
from pdmigrate.errors import OutsideError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import TypeAlias

    from pdmigrate.disk.places import Root

    Done: TypeAlias = subprocess.CompletedProcess[bytes]

TIMEOUT = 10.0

_SETTINGS = {
    "core.quotepath": "off",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.alternateRefsCommand": "",
    "diff.external": "",
    "log.showSignature": "false",
    "credential.helper": "",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_OPTIONS = ("--no-pager", "--no-optional-locks", *(part for one in _SETTINGS.items() for part in ("-c", "=".join(one))))
_USER = ("GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_")
"""Environment variables that are about the user and not about a repository; a prefix ends in an underscore."""


def ask(folder: Root, *arguments: str, given: bytes = b"", literal: bool = True) -> Done | None:
    """Run git with ``arguments`` in ``folder``; ``None`` when git is not installed, or there is no such folder.

    ``given`` is the standard input; ``literal`` makes git take paths as they are written.
    """
    program = disk.program("git")
    if program is None or not disk.is_folder(folder):
        return None
    environment = _environment()
    options = [*_OPTIONS, *(["--literal-pathspecs"] if literal else [])]
    if arguments[0] == "status":  # it runs filters, which are programs, to convert files to their form in the index
        options += _without_filters(program, folder, environment)
    return _run([program, *options, *arguments], folder, environment, given)


def _run(command: list[str], folder: Root, environment: dict[str, str], given: bytes) -> Done:
    try:
        return subprocess.run(command, cwd=folder, input=given, env=environment, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        hint = "check what keeps git from answering"
        raise OutsideError(f"git did not answer within {TIMEOUT:.0f} seconds in {folder}", hint=hint) from error


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_USER)}
    kept.pop("GIT_CONFIG_PARAMETERS", None)
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    return {**kept, **quiet, "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}


def _without_filters(program: str, folder: Root, environment: dict[str, str]) -> list[str]:
    """Options that switch off the filters which the repository itself configures; those of the user stay."""
    query = ("config", "--local", "--includes", "--null", "--name-only", "--get-regexp", r"^filter\.")
    said = _run([program, *_OPTIONS, *query], folder, environment, b"").stdout
    names = {os.fsdecode(key).rpartition(".")[0] for key in said.split(b"\0") if key}
    off = [f"{name}.{what}=" for name in sorted(names) for what in ("clean", "smudge", "process")]
    off += [f"{name}.required=false" for name in sorted(names)]
    return [part for setting in off for part in ("-c", setting)]


def repository(root: Path) -> Path | None:
    """The top of the work tree (clone, worktree or submodule) that holds ``root``; ``None`` without a work tree or git.

    Raises OutsideError if git refuses to read the repository; so do ``prefix``, ``dirty`` and ``ignored``.
    """
    done = ask(root, "rev-parse", "--show-toplevel")
    if done is None or b"safe.bareRepository" in done.stderr:
        return None
    if done.returncode == 0:
        return type(root)(os.fsdecode(done.stdout.rstrip(b"\r\n")))
    real = disk.real(root)
    if any(disk.is_repository(folder) for folder in disk.above(real)):
        said = done.stderr.decode(errors="replace").strip()
        raise OutsideError(f"git refuses to read the repository of {root}: {said}", hint="resolve the error above")
    return None


def prefix(root: Path) -> str:
    """The path from the top of the repository to ``root``, ending in a slash; empty at the top or outside one."""
    there = repository(root) is not None
    return os.fsdecode(_output(root, "rev-parse", "--show-prefix").rstrip(b"\r\n")) if there else ""


def listed(root: Path, pattern: str) -> list[str] | None:
    """The files below ``root`` that match, tracked or else not ignored; ``None`` without git, or if it is too slow."""
    try:
        found = _paths(root, "ls-files", "-co", "--exclude-standard", "-z", "--", pattern, literal=False)
    except OutsideError:
        return None  # The caller walks through the folders instead.
    return None if found is None else list(dict.fromkeys(found))


def tracks(root: Path, path: str) -> bool:
    """Whether git has anything at or below ``path`` in its index; ``False`` without git."""
    return bool(_paths(root, "ls-files", "-z", "--", path))


def dirty(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths`` (relative to ``root``) that exist with uncommitted changes: edited, staged or untracked.

    Files that git ignores do not count, as nobody commits them.
    """
    wanted = [path for path in dict.fromkeys(paths) if disk.is_there(root, path)]
    if not wanted or repository(root) is None:
        return ()
    above = prefix(root)
    how = ("--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
    entries = _output(root, "status", *how, "--", *wanted).split(b"\0")
    changed = {os.fsdecode(entry[3:]) for entry in entries if entry}
    return tuple(path for path in wanted if above + path in changed)


def ignored(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths`` that git ignores; a tracked file is never ignored."""
    wanted = tuple(paths)
    if not wanted or repository(root) is None:
        return ()
    given = b"".join(os.fsencode(path) + b"\0" for path in wanted)
    found = _paths(root, "check-ignore", "-z", "--stdin", given=given, literal=False) or ()
    return tuple(path for path in wanted if path in found)


def blob(root: Path, name: str) -> bytes | None:
    """The bytes of a git object, by its id or as ``<commit>:./path``; ``None`` if it is missing or too large."""
    size = ask(root, "cat-file", "-s", name)
    if size is None or size.returncode or int(size.stdout) > disk.LARGEST:
        return None
    done = ask(root, "cat-file", "blob", name)
    return done.stdout if done is not None and done.returncode == 0 else None


def merge(current: bytes, base: bytes, other: bytes) -> bytes | None:
    """``current`` with the changes from ``base`` to ``other``; ``None`` if they conflict, or without git."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="pdmigrate-") as made:
        folder = os.path.realpath(made)
        texts = {"current": current, "base": base, "other": other}
        for name, content in texts.items():
            disk.keep(folder, name, content)
        done = ask(folder, "merge-file", "-p", *texts)
    return done.stdout if done is not None and done.returncode == 0 else None


def _paths(root: Root, *arguments: str, given: bytes = b"", literal: bool = True) -> list[str] | None:
    """The paths that git prints with a NUL after each; ``None`` without git, or if it fails."""
    done = ask(root, *arguments, given=given, literal=literal)
    if done is None or done.returncode:
        return None
    return [os.fsdecode(path) for path in done.stdout.split(b"\0") if path]


def _output(root: Path, *arguments: str) -> bytes:
    done = ask(root, *arguments)
    if done is None or done.returncode:
        said = done.stderr.decode(errors="replace").strip() if done else "it is not installed"
        raise OutsideError(f"git {arguments[0]} failed in {root}: {said}", hint="resolve the error above")
    return done.stdout
