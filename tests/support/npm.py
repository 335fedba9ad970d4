"""Projects of npm that tests start: installed and compiled once, and kept beside the environments of Python."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.support.environments import CACHE, alone, run


def missing() -> str | None:
    """Why no project of npm can be built here; ``None`` if one can."""
    without = [program for program in ("node", "npm") if shutil.which(program) is None]
    return f"{' and '.join(without)} not found: install Node.js 18 or later" if without else None


def built(folder: Path, part: str) -> Path:
    """A copy of ``folder`` in which the project ``part`` is installed and compiled; safe between processes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with alone(CACHE / _key(folder, files)) as target:
        complete = target / ".complete"
        if not complete.exists():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target)
            quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
            run(["npm", "install", "--prefix", str(target / part), *quietly])
            run(["node", str(target / part / "node_modules" / "typescript" / "bin" / "tsc"), "-p", str(target / part)])
            complete.touch()
    return target / part


def _key(folder: Path, files: Iterable[Path]) -> str:
    content = hashlib.sha256()
    for path in files:
        content.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()[:12]
