"""The record of a comparison that found agreement (``record/quick.py``): everything that could change its result."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.migrate.check.comparing import Comparison
from pdmigrate.project.model import Project
from pdmigrate.record import quick
from pdmigrate.source.sdk_version import metadata_in

_DECIDING = (
    "pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "hatch.toml", ".gitignore",
    "uv.lock", "poetry.lock", "pdm.lock",
)  # fmt: skip
"""Files whose presence or content decides a server's SDK, its packaging or the settings, looked for in every folder."""
_READERS = ("pydantic", "pydantic_core", "libcst")
"""Packages of the running environment whose version may change how source is understood."""


def remember(comparison: Comparison) -> None:
    """Save the record of a comparison that found a whole project in agreement, if it can be saved."""
    project = comparison.project
    root = project.root
    read = {path: disk.digest(raw) for path, raw in project.files.items()}
    deciding = {f"{folder}/{name}" if folder else name for folder in _folders(project) for name in _DECIDING}
    deciding.update(_asked_for(project))
    files = {**{path: quick.digest(*disk.upward(root, path)) for path in sorted(deciding)}, **read}
    listed = sorted({*_folders(project), *(home.folder for home in project.homes)})
    folders = {folder: quick.listing(*disk.upward(root, folder)) for folder in listed}
    installed = sorted({*_installed(project), *disk.installed(_READERS)})
    quick.save(str(root), (comparison.tools, comparison.partly, files, folders, installed))


def _asked_for(project: Project) -> Iterator[str]:
    """Every file that was read or looked for, in the project and above: requirements, say, and what they include."""
    top = Path(disk.real(project.root))
    folders = {root: Path(disk.real(Path(root))) for root, _ in project.read}
    above = {root: os.path.relpath(folder, top) for root, folder in folders.items() if top.is_relative_to(folder)}
    for root, path in project.read:
        if root in above:
            yield Path(os.path.normpath(f"{above[root]}/{path}")).as_posix()


def _folders(project: Project) -> Iterator[str]:
    """Every folder between the sources and the root, and the folders above up to the top of the repository."""
    sources = {path for path in project.files if path.endswith(".py")}
    inner = {"" if at == PurePosixPath() else at.as_posix() for path in sources for at in PurePosixPath(path).parents}
    yield from sorted({"", *inner})
    folder, above = Path(disk.real(project.root)), ".."
    while not disk.is_repository(folder) and folder.parent != folder:
        folder = folder.parent
        yield above
        above = f"../{above}"


def _installed(project: Project) -> Iterator[str]:
    """The metadata folders of SDKs and pydantic in the project's environments; a folder's name holds the version."""
    packages = {server.sdk.package for server in project.inventory.servers}
    for folder in _folders(project):
        for package in (*packages, "pydantic"):
            yield from map(str, metadata_in(project.root / folder, package))
