"""The record of a comparison that found agreement (``hooks/quick.py``): all that could have made it end otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.check.comparing import Comparison
from pdmigrate.hooks import quick
from pdmigrate.project.model import Project
from pdmigrate.project.sdk import metadata_of, site_packages
from pdmigrate.record import lock

_DECIDING = (
    "pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "hatch.toml", ".gitignore",
    "uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock",
)  # fmt: skip
"""Files that, present or not, say which SDK a server runs on, how it is packaged, and which settings apply."""
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
_READERS = ("pydantic", "pydantic_core", "libcst")
"""Packages of this environment whose version may change what source is taken to say."""


def remember(comparison: Comparison) -> bool:
    """Keep the record of a comparison of a whole project that agrees; ``False`` where there is no room for it."""
    return quick.save(str(comparison.project.root), record(comparison))


def record(comparison: Comparison) -> quick.Record:
    """What a later run has to find unchanged."""
    project = comparison.project
    root = project.root
    read = {path: quick.digest_of(raw) for path, raw in project.files.items()}
    deciding = [f"{folder}/{name}" if folder else name for folder in _folders(project) for name in _DECIDING]
    folders = {*_folders(project), *(home.folder for home in project.homes)}
    return quick.Record(
        tools=comparison.tools,
        partly=comparison.partly,
        files={**{path: quick.digest(*disk.upward(root, path)) for path in deciding}, **read},
        folders={folder: quick.listing(*disk.upward(root, folder)) for folder in sorted(folders)},
        installed=sorted({*_installed(project), *_own()}),
        outputs=outputs(project),
    )


def outputs(project: Project) -> list[str]:
    """The files of the migration that have to be in the repository."""
    remembered = lock.read(project.files)
    known = {*remembered.written, *remembered.modules, *remembered.state.created}
    return sorted(path for path in project.files if path in known or path.startswith(f"{lock.FOLDER}/"))


def _folders(project: Project) -> Iterator[str]:
    """Every folder from those of the sources up to the root, and above it those that say something of it."""
    sources = {path for path in project.files if path.endswith(".py")}
    inner = {
        "" if folder == PurePosixPath() else folder.as_posix() for p in sources for folder in PurePosixPath(p).parents
    }
    yield from sorted({"", *inner})
    folder, above = Path(disk.real(project.root)), ".."
    while not disk.is_repository(folder) and folder.parent != folder:
        folder = folder.parent
        yield above
        above = f"../{above}"


def _installed(project: Project) -> Iterator[str]:
    """The installation of the SDK, where one was looked at; a newer one has another name."""
    packages = {server.sdk.package for server in project.inventory.servers}
    for folder in _folders(project):
        for name in _ENVIRONMENTS:
            for place in site_packages(project.root / folder / name):
                for package in (*packages, "pydantic"):
                    yield from (str(place / info) for info in metadata_of(place, package))


def _own() -> Iterator[str]:
    yield from filter(None, map(disk.installed, _READERS))
