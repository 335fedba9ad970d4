# ruff: noqa: E501 - tables
"""Repositories made to do harm, each from a number: a tree, what it names outside of itself, and a canary.

A world is a folder with the repository in ``repo``, things that no command may touch in ``outside`` and ``.git``, and a
program that leaves ``sprung`` behind if anything starts it.  What is in a repository is drawn at random: journals and
lock files that claim other people's files, links, special files, names, embedded repositories, git settings.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import random
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.migrate.write.pieces import changed as recorded
from pdmigrate.record.undo import AppliedState, dump_state
from tests.support.command_line import pdmigrate
from tests.trust.hostile import RUNNING, sha256

SAMPLES = Path(__file__).parents[2] / "sample_servers"
TEXT = """from mcp.server import Server
from mcp.types import Tool
from pathlib import Path

server = Server("s")


"""
HANDLER = """@server.list_tools()
async def list_tools():
    return [Tool(name={name!r}, description={description}, inputSchema={{"type": "object", "properties": {{}}}})]
"""
CONTROL = (
    "a\nb",
    "\x1b[31mred",
    "tab\t",
    "\u202eabc",
    "-rf",
    "--write",
    " ",
    "'",
    '"',
    "$(touch sprung)",
    "é",
    "\udc80",
)


@dataclass(frozen=True)
class World:
    """One hostile repository; ``traits`` says what was drawn."""

    seed: int
    folder: Path
    traits: tuple[str, ...]

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def sprung(self) -> Path:
        return self.folder / "sprung"

    def guarded(self) -> dict[str, str]:
        """What must not change: everything outside of the work tree, and everything that is git's."""
        return {
            path: state
            for path, state in snapshot(self.folder).items()
            if not path.startswith(("home", "repo")) or _is_git(path)
        }


def _is_git(path: str) -> bool:
    return any(part.lower() == ".git" or part.endswith(".bare") for part in path.split("/"))


def snapshot(folder: Path) -> dict[str, str]:
    """Every entry below a folder, by its path: its kind and mode, and of files and links what they hold."""
    found: dict[str, str] = {}
    for entry in _entries(os.fspath(folder)):
        status = os.lstat(entry)
        content = ""
        if stat.S_ISLNK(status.st_mode):
            content = os.fspath(Path(entry).readlink())
        elif stat.S_ISREG(status.st_mode):
            content = _digest(entry, status.st_size)
        found[os.path.relpath(entry, folder)] = f"{stat.S_IFMT(status.st_mode):o} {status.st_mode:o} {content}"
    return found


def _entries(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            yield entry.path
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)


def _digest(path: str, size: int) -> str:
    if size > 5_000_000:
        return f"{size} bytes"
    with Path(path).open("rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


# --- what is drawn ----------------------------------------------------------------------------------------------------


@dataclass
class _Making:
    """A world while it is made."""

    draw: random.Random
    folder: Path
    repo: Path
    canary: str

    def path(self, name: str) -> Path:
        return self.repo / name

    def write(self, name: str, content: str | bytes) -> None:
        raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        with contextlib.suppress(OSError), self.room(name) as path:
            if not os.path.lexists(path) or (path.is_file() and not path.is_symlink()):
                path.write_bytes(raw)

    @contextlib.contextmanager
    def room(self, name: str) -> Iterator[Path]:
        """A place for a file: nowhere where something else stands above it, or a link leads out of the tree."""
        yield self._room(name)

    def _room(self, name: str) -> Path:
        path = self.repo / name
        with contextlib.suppress(OSError, RuntimeError):
            if path.parent.resolve().is_relative_to(self.repo):
                path.parent.mkdir(parents=True, exist_ok=True)
                return path
        return self.folder / "home" / "nowhere" / "x"

    def place(self) -> str:
        """A folder of the repository in which something may stand."""
        return self.draw.choice(("", "", "pkg/", "tool_descriptions/", "tests/", "src/pkg/", ".pdmigrate/"))

    def victim(self) -> str:
        """A path that no migration may change, as a repository may write it."""
        return self.draw.choice(
            (
                ".git/config", ".git/hooks/post-checkout", ".GIT/config", ".git./config", ".git /config", "git~1/config",
                ".git\u200c/config", "sub/.git/config", "../outside/victim.py", "../../etc/passwd", "..", ".", "", "/",
                str(self.folder / "outside" / "victim.py"), "link/victim.py", "link/../outside/victim.py", "pkg/../../x",
                "a/\0b", "C:\\x", "\\\\host\\x", "//host/x", "loop/x", ".git/worktrees/w/config", ".git/index", "README",
                "pyproject.toml", "server.py", "~/.bashrc", ".github/workflows/ci.yml", ".pre-commit-config.yaml",
                ".gitattributes", ".git", "victim:stream", "CON", "tool_descriptions/../.git/config",
            )
        )  # fmt: skip


def servers(making: _Making) -> str:
    """Servers that are there to be migrated, some of them reading what they should not."""
    draw = making.draw
    for number in range(draw.randint(0, 3)):
        reading = draw.choice(
            ("data.txt", "fifo", "/dev/zero", "link/secret.txt", "../outside/secret.txt", "loop", ".")
        )
        description = draw.choice(("'Do it.'", f"Path({reading!r}).read_text()", f"open({reading!r}).read()"))
        name = draw.choice(("do_it", f"tool{number}", draw.choice(CONTROL)))
        folder = draw.choice(("", "pkg/", "src/pkg/"))
        making.write(f"{folder}server{number}.py", TEXT + HANDLER.format(name=name, description=description))
    return "servers"


def migrated(making: _Making) -> str:
    """A tree that was migrated, so that lock, patch and description files are whole."""
    kind = making.draw.choice(("mcp1_lowlevel", "mcp1_fastmcp"))
    for name, content in migrated_files(kind).items():
        making.write(name, content)
    return f"migrated {kind}"


@functools.cache
def migrated_files(kind: str) -> dict[str, bytes]:
    """A sample server after its migration, by path."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "tree"
        shutil.copytree(SAMPLES / kind, root, ignore=shutil.ignore_patterns("__pycache__"))
        (root / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n', encoding="utf-8")
        ran = pdmigrate("apply", "--write", "--allow-dirty", root)
        if "--all" in ran.stderr:
            ran = pdmigrate("apply", "--write", "--allow-dirty", "--all", root)
        assert ran.status == 0, ran
        files = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        assert ".pdmigrate/lock.json" in files
        return files


def journal(making: _Making) -> str:
    """The journal of a run that never was, about files that are not the migration's."""
    draw = making.draw
    entries: list[dict[str, object]] = []
    folder = f".pdmigrate/journal/{draw.choice(('run', 'run', '1', '99999999999999999999'))}"
    payload = f"#!/bin/sh\n{making.canary}\n".encode()
    for number in range(draw.randint(1, 3)):
        victim = making.victim()
        before = draw.choice((None, sha256(payload), "0" * 64, 7))
        after = draw.choice((None, sha256(b""), sha256(payload)))
        temporary = draw.choice((f"{victim}.tmp", making.victim(), f"{folder}/{number}.before"))
        row: dict[str, object] = {
            "path": victim,
            "target": victim,
            "temporary": temporary,
            "before": before,
            "after": after,
        }
        entries.append(row)
        making.write(f"{folder}/{number}.before", payload)
    content = {"version": draw.choice((1, 2)), "folders": [making.victim()], "entries": entries, "token": "0" * 32}
    making.write(f"{folder}/manifest.json", json.dumps(content))
    if draw.random() < 0.7:
        making.write(f"{folder}/ready", b"")
    if draw.random() < 0.3:
        making.write(".pdmigrate/journal/lock", str(os.getpid()))
    making.write(".pdmigrate/lock.json", json.dumps({"version": 1, "created": {}, "changed": {}}))
    return f"journal {[row['target'] for row in entries]}"


def lock(making: _Making) -> str:
    """A lock file that claims files as changed or made by a migration."""
    draw = making.draw
    changed: dict[str, object] = {}
    created: dict[str, object] = {}
    content = making.repo / ".pdmigrate" / "lock.json"
    base: dict[str, object] = {}
    if content.is_file():
        with contextlib.suppress(ValueError):
            base = json.loads(content.read_bytes())
    for _ in range(draw.randint(1, 3)):
        victim = making.victim()
        before = f"[core]\n\tfsmonitor = {making.canary}\n".encode()
        after = _bytes(making.repo, victim)
        if draw.random() < 0.6:
            written = dump_state(AppliedState(changed={victim: recorded(before, after)}))
            changed |= json.loads(written)["changed"]
        else:
            created[victim] = draw.choice(("module", "description", "state", "code", "", 3))
    state = {"version": draw.choice((1, 1, 1, 2, "1", None)), **base, "changed": changed, "created": created}
    making.write(".pdmigrate/lock.json", json.dumps(state))
    return f"lock {[*changed, *created]}"


def garbage(making: _Making) -> str:
    """Something else where a file of ours is expected."""
    name = making.draw.choice(
        (".pdmigrate/lock.json", ".pdmigrate/journal", ".pdmigrate", "pyproject.toml",
         "uv.lock", "tool_descriptions", "tool_descriptions/x.json", ".pdmigrate/description.schema.json", ".gitignore",
         "progressive_disclosure.py", ".pdmigrate/journal/run/manifest.json", "poetry.lock", "requirements.txt", "setup.py")
    )  # fmt: skip
    content = making.draw.choice(
        (b"", b"\0", b"{", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe\xfa" * 9, b"NaN", b'{"version": 1e999}',
         b'{"version": 1, "version": 2}', b"-" * 3_000_000, b'"\\ud800"', b"[tool.pdmigrate]\nmove = 3\n", b"\r", b"*\n",
         b"9" * 5_000, b'{"version": ' + b"9" * 5_000 + b"}", b"diff --git a/x b/x\n@@ -1 +1 @@\n" * 9)
    )  # fmt: skip
    making.write(name, content)
    return f"garbage {name} {content[:12]!r}"


def links(making: _Making) -> str:
    """Links out of the tree, in circles, and to devices."""
    name = making.draw.choice(("link", "pkg", "loop", "x.py", "data.txt", "tool_descriptions", ".pdmigrate", "y.json"))
    outside = making.folder / "outside"
    target = making.draw.choice(
        (str(outside), "../outside", "loop", ".", "..", "/dev/zero", "/dev/stdin", "/dev/tty", "/proc/self/mem", "/",
         str(outside / "victim.py"), "../outside/victim.py", ".git", ".git/config", "nowhere", "/proc/self/fd/0")
    )  # fmt: skip
    place = making.place() + name
    with contextlib.suppress(OSError), making.room(place) as path:
        path.symlink_to(target)
    return f"link {place} -> {target}"


def special(making: _Making) -> str:
    """A FIFO or a socket where a file is expected."""
    names = ("x.py", "fifo", "server.py", "pyproject.toml", "data.json", "lock.json", "__init__.py", "uv.lock", "a.txt")
    place = making.place() + making.draw.choice(names)
    with contextlib.suppress(OSError), making.room(place) as path:
        if making.draw.random() < 0.7:
            os.mkfifo(path)
        else:
            _socket(path)
    return f"special {place}"


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def names(making: _Making) -> str:
    """Files and folders with names that mislead."""
    name = making.draw.choice(CONTROL)
    making.write(f"{making.place()}{name}.py", TEXT + HANDLER.format(name=name, description="'x'"))
    making.write(f"{name}/server.py", TEXT + HANDLER.format(name=name, description="'x'"))
    return f"name {name!r}"


def huge(making: _Making) -> str:
    """A file of which nothing is on the disk, and a folder of many."""
    if making.draw.random() < 0.5:
        name = making.place() + making.draw.choice(("big.py", "big.json", "pyproject.toml", "lock.json", "uv.lock"))
        making.write(name, b"from mcp.server import Server\n")
        with contextlib.suppress(OSError), making.room(name) as path:
            os.truncate(path, making.draw.choice((3_000_000, 3_000_000_000)))
        return f"huge {name}"
    for number in range(600):
        making.write(f"many/{number}.py", TEXT)
    return "many files"


def modes(making: _Making) -> str:
    """Files and folders that may not be read, or not be written."""
    files = [path for path in making.repo.rglob("*") if not path.is_symlink() and not _is_git(str(path))]
    for path in making.draw.sample(files, min(3, len(files))):
        path.chmod(making.draw.choice((0, 0o444, 0o555, 0o4755, 0o777)))
    return "modes"


def git_settings(making: _Making) -> str:
    """Settings that make git start a program."""
    places = {
        "PROGRAM": making.canary,
        "FOLDER": str(making.folder / "hooks"),
        "MORE": str(making.folder / "outside" / "gitconfig"),
    }
    settings = [re.sub("|".join(places), lambda match: places[match[0]], text) for text in RUNNING.values()]
    settings.append("[core]\n\tworktree = ../outside\n")
    drawn = "".join(making.draw.sample(settings, making.draw.randint(1, 4)))
    config = making.repo / ".git" / "config"
    if config.is_file():
        with config.open("a", encoding="utf-8") as stream:
            stream.write(drawn)
    making.write(".gitattributes", "* filter=x diff=x merge=x\n")
    return f"git settings {drawn.split(chr(10), 1)[0]}"


def bare(making: _Making) -> str:
    """A folder that git takes for a repository, with settings of its own, and a project in it."""
    name = making.draw.choice(("vendor", "pkg", "x.bare", "tests"))
    for folder in ("objects", "refs/heads", "hooks"):
        with contextlib.suppress(OSError), making.room(f"{name}/{folder}") as path:
            path.mkdir(parents=True, exist_ok=True)
    making.write(f"{name}/HEAD", "ref: refs/heads/main\n")
    making.write(
        f"{name}/config",
        f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = {making.canary}\n"
        f"\thooksPath = {making.folder / 'hooks'}\n",
    )
    making.write(f"{name}/pyproject.toml", '[project]\nname = "y"\nversion = "1"\n')
    making.write(f"{name}/server.py", TEXT + HANDLER.format(name="inner", description="'x'"))
    return f"bare {name}"


def git_file(making: _Making) -> str:
    """A ``.git`` that is a file, as in worktrees and submodules, and leads somewhere else."""
    where = making.draw.choice(("sub/", "pkg/", "sub/deep/"))
    target = making.draw.choice(("../.git", str(making.folder / "outside"), "../vendor", "nowhere", "../x.bare", "."))
    making.write(f"{where}.git", f"gitdir: {target}\n")
    making.write(f"{where}server.py", TEXT + HANDLER.format(name="in_sub", description="'x'"))
    making.write(f"{where}pyproject.toml", '[project]\nname = "z"\nversion = "1"\n')
    return f"git file {where} -> {target}"


def code(making: _Making) -> str:
    """Modules that Python, or a tool, may run on its own, and that hide those which a tool needs."""
    spring = f"open({str(making.folder / 'sprung')!r}, 'w')\n"
    for name in making.draw.sample(
        ("sitecustomize.py", "conftest.py", "setup.py", "json.py", "typing.py", "libcst.py", "pydantic.py", "git.py",
         "usercustomize.py", "pdmigrate.py", "pdmigrate/__init__.py", "mcp.py", "jinja2.py", "_distutils_hack.py"), 3
    ):  # fmt: skip
        making.write(name, spring)
    for name in ("git", "git.exe", "python"):
        making.write(name, f"#!/bin/sh\n{making.canary}\n")
        with contextlib.suppress(OSError), making.room(name) as path:
            path.chmod(0o755)
    return "code"


DRAWN: tuple[tuple[Callable[[_Making], str], float], ...] = (
    (servers, 0.8), (migrated, 0.4), (journal, 0.45), (lock, 0.45), (garbage, 0.3), (links, 0.5), (links, 0.3),
    (special, 0.4), (names, 0.3), (huge, 0.1), (bare, 0.3), (git_file, 0.2), (code, 0.3), (modes, 0.15),
)  # fmt: skip


def make(seed: int, folder: Path) -> World:
    """The world of a number, in an empty ``folder``."""
    draw = random.Random(seed)
    outside, repo = folder / "outside", folder / "repo"
    for path in (outside, repo, folder / "home", folder / "hooks"):
        path.mkdir()
    canary = folder / "canary"
    canary.write_text(f'#!/bin/sh\necho "$0 $@" >> {folder / "sprung"}\n', encoding="utf-8")
    canary.chmod(0o755)
    for name in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"):
        shutil.copy(canary, folder / "hooks" / name)
    (outside / "victim.py").write_text("SECRET = 1\n", encoding="utf-8")
    (outside / "secret.txt").write_text("secret\n", encoding="utf-8")
    (outside / "gitconfig").write_text(f"[core]\n\tfsmonitor = {canary}\n", encoding="utf-8")
    (outside / "server.py").write_text(TEXT + HANDLER.format(name="outer", description="'x'"), encoding="utf-8")
    making = _Making(draw, folder, repo, str(canary))
    traits = [draw_one(making) for draw_one, share in DRAWN if draw.random() < share]
    if draw.random() < 0.8:
        traits.append(_committed(making))
        if draw.random() < 0.5:
            traits.append(git_settings(making))
    return World(seed, folder, tuple(traits))


def _committed(making: _Making) -> str:
    """A repository of all that is there; what git does not take is left untracked."""
    environment = {"HOME": str(making.folder / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    person = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    adding = ["add", "--all", "--ignore-errors", "."] if making.draw.random() < 0.8 else ["add", "*.py"]
    for arguments in (["init", "-q"], adding, [*person, "commit", "-q", "-m", "x", "--allow-empty"]):
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["git", *arguments],
                cwd=making.repo,
                env=environment,
                capture_output=True,
                timeout=20,
                check=False,
                stdin=subprocess.DEVNULL,
            )
    with contextlib.suppress(FileNotFoundError):
        (making.folder / "sprung").unlink()
    return "committed"


def _bytes(repo: Path, name: str) -> bytes:
    with contextlib.suppress(OSError, ValueError):
        if stat.S_ISREG((repo / name).stat().st_mode):
            return (repo / name).read_bytes()[:100_000]
    return b""
