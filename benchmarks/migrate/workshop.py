"""Where one server is taken apart: its environment, its source, the folder it is started in.

The environment holds what the server needs and not the server itself: the package comes from a source tree, so that
the migrated code is what runs.  Environments and pristine sources are kept between runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from benchmarks.migrate.servers import PublishedServer
from pdmigrate.live.wire import StdioTarget

ROOT = Path(__file__).resolve().parents[2]
STAND_INS = ROOT / "benchmarks" / "stand_ins"

_OFFLINE = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""A network namespace with nothing but loopback, and no process in between: the server keeps the id that is ended."""


class WorkshopError(Exception):
    """A server cannot be set up on this machine."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """The folders of one server below ``home``."""

    server: PublishedServer
    home: Path

    @property
    def python(self) -> Path:
        return self.home / "environment" / "bin" / "python"

    @property
    def source(self) -> Path:
        """The wheel, unpacked; never changed."""
        return self.home / "source"

    @property
    def tree(self) -> Path:
        """The repository that is migrated; ``fresh_tree`` makes it."""
        return self.home / "tree"

    @property
    def scratch(self) -> Path:
        """The folder the server is started in."""
        return self.home / "scratch"

    def prepare(self) -> None:
        """Install what the server needs and unpack its wheel, unless a run before has done it.

        Raises:
            WorkshopError: there is no such interpreter, or the index does not serve what is pinned.
        """
        if self._prepared.is_file() and self._prepared.read_text() == self._key:
            return
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        uv("venv", "--quiet", "--python", self.server.python, self.home / "environment")
        self._install()
        self._unpack()
        self.keep()

    def keep(self) -> None:
        """Take what is installed for what this server is pinned to."""
        self._prepared.write_text(self._key)

    def fresh_tree(self) -> None:
        """A repository with the wheel's files in one commit."""
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(self.source, self.tree)
        self.git("init", "--quiet")
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message", "as published")

    def git(self, *arguments: str, where: Path | None = None) -> str:
        """What git prints, in the tree or in ``where``; the settings of this machine's user play no part."""
        identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.com")
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return run(["git", "-C", str(where or self.tree), *identity, *arguments], environment=environment)

    def target(self, code: Path | None = None) -> StdioTarget:
        """How to start the server from ``code`` (default: the tree) in an empty scratch folder and a bare environment.

        Raises:
            WorkshopError: the command is not one of the package's scripts.
        """
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        for name, content in self.server.files.items():
            file = self.scratch / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return StdioTarget(self.start(code or self.tree), cwd=self.scratch)

    def start(self, code: Path) -> tuple[str, ...]:
        """The command that starts the server from ``code``: the tree, or the source as it was published.

        Raises:
            WorkshopError: the command is not one of the package's scripts.
        """
        variables = {name: self._filled(value) for name, value in self.server.env.items()}
        variables = {**self._environment(code), **variables}
        return (*offline(), "env", "-i", *(f"{name}={value}" for name, value in variables.items()), *self._command())

    # --- helpers ------------------------------------------------------------------------------------------------------

    @property
    def _prepared(self) -> Path:
        return self.home / "prepared"

    @property
    def _key(self) -> str:
        return hashlib.sha256(repr(self.server.installed).encode()).hexdigest()

    def _install(self) -> None:
        extras = f"[{','.join(self.server.extras)}]" if self.server.extras else ""
        package = f"{self.server.name}{extras}=={self.server.version}"
        overrides = self.home / "overrides.txt"
        overrides.write_text("\n".join(self.server.overrides))
        into = ("--quiet", "--python", self.python)
        bounds = ("--exclude-newer", self.server.as_of, "--overrides", overrides)
        uv("pip", "install", *into, *bounds, package, *self.server.pins, *self.server.requires)
        uv("pip", "uninstall", *into, self.server.name)

    def _unpack(self) -> None:
        """The wheel as uv installs it, which checks the sha256, without the scripts that uv adds."""
        wanted = self.home / "wheel.txt"
        wanted.write_text(f"{self.server.name}=={self.server.version} --hash=sha256:{self.server.sha256}\n")
        exactly = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirements", wanted)
        uv("pip", "install", "--quiet", "--python", self.python, "--target", self.source, *exactly)
        (self.source / ".lock").unlink(missing_ok=True)
        for name in self._scripts():
            (self.source / "bin" / name).unlink(missing_ok=True)
        if not any((self.source / "bin").glob("*")):
            shutil.rmtree(self.source / "bin", ignore_errors=True)

    def _environment(self, code: Path) -> dict[str, str]:
        stand_ins = (str(STAND_INS / name) for name in self.server.stand_ins)
        return {
            "HOME": str(self.scratch),
            "LANG": "C.UTF-8",
            "PATH": f"{self.python.parent}:/usr/bin:/bin",
            "PYTHONHASHSEED": "0",  # or else a text that is made of a set is another one at each start
            "PYTHONPATH": ":".join((*stand_ins, str(code))),
            "PYTHONPYCACHEPREFIX": str(self.home / "bytecode"),
        }

    def _command(self) -> tuple[str, ...]:
        program, *arguments = (self._filled(part) for part in self.server.command)
        if program == "python":
            return (str(self.python), *arguments)
        if program not in (scripts := self._scripts()):
            raise WorkshopError(f"{program!r} is not one of the package's scripts: {', '.join(sorted(scripts))}")
        return (str(self.python), "-c", start_of(program, scripts[program]), *arguments)

    def _scripts(self) -> dict[str, str]:
        """The entry points of the package's console scripts, by the name of the script."""
        distributions = metadata.distributions(path=[str(self.source)])
        found = (entry for distribution in distributions for entry in distribution.entry_points)
        return {entry.name: entry.value for entry in found if entry.group == "console_scripts"}

    def _filled(self, text: str) -> str:
        return text.replace("{cwd}", str(self.scratch))


def start_of(script: str, entry: str) -> str:
    """What the console script ``script`` does, as a program for ``python -c``; ``entry`` is ``module:attribute``."""
    module, _, attribute = entry.partition("[")[0].strip().partition(":")
    head, _, rest = attribute.strip().partition(".")
    call = f"{head}.{rest}()" if rest else f"{head}()"
    return f"import sys; sys.argv[0] = {script!r}; from {module.strip()} import {head}; sys.exit({call})"


@cache
def offline() -> tuple[str, ...]:
    """What goes before a command so that it has no network; nothing where this machine does not allow that."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return ()
    done = subprocess.run([*_OFFLINE, "true"], capture_output=True, timeout=30, check=False)
    return _OFFLINE if done.returncode == 0 else ()


def run(command: list[str], *, environment: dict[str, str] | None = None, timeout: float = 900) -> str:
    """What a command prints.

    Raises:
        WorkshopError: it fails, or takes too long.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=True, env=environment)
    except subprocess.CalledProcessError as error:
        raise WorkshopError(f"{' '.join(command[:4])} ...: {error.stderr.strip()[-600:]}") from error
    except subprocess.TimeoutExpired as error:
        raise WorkshopError(f"{' '.join(command[:4])} ...: not done in {timeout:g} s") from error
    return done.stdout


def uv(*arguments: str | Path) -> None:
    beside = Path(sys.executable).with_name("uv")
    run([str(beside) if beside.exists() else "uv", *map(str, arguments)])
