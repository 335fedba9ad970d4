"""Repositories made to harm whoever runs a tool in them, and what shows that they did."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pdmigrate.migrate.write.pieces import changed
from pdmigrate.record.undo import AppliedState, dump_state, sha256
from tests.layouts.servers import module
from tests.support.files import executable, write
from tests.support.repositories import commit, git, initialised

SERVER = module().encode()
HOOK = b"#!/bin/sh\ntouch canary\n"
RUNNING = {
    "fsmonitor": '[core]\n\tfsmonitor = "PROGRAM"\n',
    "hooks": "[core]\n\thooksPath = FOLDER\n",
    "filters": '[filter "x"]\n\tclean = PROGRAM\n\tsmudge = PROGRAM\n\trequired = true\n',
    "a process filter": '[filter "x"]\n\tprocess = PROGRAM\n',
    "what a file says that is included": "[include]\n\tpath = MORE\n",
    "diff": '[diff]\n\texternal = PROGRAM\n[diff "x"]\n\ttextconv = PROGRAM\n\tcommand = PROGRAM\n',
    "other programs": "[core]\n\tpager = PROGRAM\n\teditor = PROGRAM\n\tsshCommand = PROGRAM\n\taskPass = PROGRAM\n",
    "signatures": "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = PROGRAM\n",
    "a remote": '[remote "origin"]\n\turl = /nowhere\n\tuploadpack = PROGRAM\n\tpromisor = true\n'
    "[extensions]\n\tpartialClone = origin\n",
    "a remote that is a program": '[remote "origin"]\n\turl = ext::PROGRAM\n\tpromisor = true\n'
    "[extensions]\n\tpartialClone = origin\n",
    "aliases": "[alias]\n\tstatus = !PROGRAM\n\trev-parse = !PROGRAM\n",
    "credentials": "[credential]\n\thelper = !PROGRAM\n",
    "merges": '[merge "x"]\n\tdriver = PROGRAM\n[interactive]\n\tdiffFilter = PROGRAM\n',
}
"""Settings of a repository by which git starts a program, or one from a folder, or reads more settings."""


class Victim:
    """A clone of a hostile repository, a folder beside it that is not its business, and a canary."""

    def __init__(self, folder: Path, files: Mapping[str, bytes] = {}) -> None:
        self.folder, self.root, self.outside = folder, folder / "clone", folder / "outside"
        self.canary = folder / "canary"
        write(self.outside, {"kept.py": b"KEPT = 1\n", "private/key": b"secret"})
        write(initialised(self.root), {"pyproject.toml": b"", "server.py": SERVER, **files})
        commit(self.root)

    def add(self, files: Mapping[str, bytes]) -> None:
        write(self.root, files)
        git(self.root, "add", "-A", "-f")
        git(self.root, "commit", "-q", "-m", "more")

    def link(self, path: str, target: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).symlink_to(target)
        self.add({})

    def protected(self) -> dict[str, tuple[int, bytes]]:
        """What nobody may touch: the folder outside, and the repository of git; the index may be refreshed."""
        found = {}
        for top in (self.outside, self.root / ".git"):
            for parent, _, names in os.walk(top):
                for name in names:
                    file = Path(parent) / name
                    if name != "index" and stat.S_ISREG(file.lstat().st_mode):
                        found[str(file)] = (file.lstat().st_mode, file.read_bytes())
        return found


def entry(target: str, before: bytes | None, after: bytes | None, temporary: str = "tmp") -> dict[str, Any]:
    """What a journal says of one file."""
    first, last = (None if content is None else sha256(content) for content in (before, after))
    return {"path": target, "target": target, "temporary": temporary, "before": first, "after": last}


def journal(*entries: dict[str, Any], before: bytes = HOOK, version: int = 1, seal: Any = None) -> dict[str, bytes]:
    """The files of a journal that asks to put ``before`` in the place of every entry."""
    manifest = {"version": version, "folders": [], "entries": list(entries), "seal": seal}
    folder = ".pdmigrate/journal/run"
    copies = {f"{folder}/{number}.before": before for number in range(len(entries))}
    return {f"{folder}/manifest.json": json.dumps(manifest).encode(), f"{folder}/ready": b"", **copies}


def recorded(path: str, before: bytes, after: bytes) -> dict[str, bytes]:
    """The files that say that a migration has made ``after`` out of ``before``."""
    return {".pdmigrate/lock.json": dump_state(AppliedState(changed={path: changed(before, after)}))}


def embedded(folder: Path, canary: Path, settings: str = "") -> None:
    """A folder that git takes for a repository, as a clone may bring it along; a query of git may run a program."""
    for name in ("objects", "refs/heads"):
        (folder / name).mkdir(parents=True)
    program = executable(folder / "monitor", f"touch {canary}")
    core = f'repositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "{program}"'
    write(folder, {"HEAD": "ref: refs/heads/main\n", "config": f"[core]\n\t{core}\n{settings}"})
